"""Pages of formats."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rules import queries
from rules.descriptions import RuleText, policy_facts, pool_text, rule_text
from rules.engine.formatschema import AnyConstraint, FormatDefinition, Pool
from rules.models import Section
from rules.views.days import day_asked


@require_safe
def format_page(request: HttpRequest, game: str, format: str) -> HttpResponse:
    day = day_asked(request)
    found = queries.format_by_slug(game=game, slug=format)
    version = queries.format_version_on(format=found, day=day)
    definition = FormatDefinition.model_validate(version.definition)
    zones = {zone["key"]: zone["label"] for zone in found.game.zones}
    policies = [
        (policy, policy_facts(queries.policy_definition(policy)))
        for policy in queries.policies_on(day=day, game=found.game).filter(format=found)
    ]
    also = {fact.cite for _, facts in policies for fact in facts if fact.cite}
    cited = queries.sections_cited(definition=definition, version=version, also=also)
    rules = [_rule(pool_text(definition.pool), definition.pool, cited)]
    rules += [_rule(rule_text(rule, zones), rule, cited) for rule in definition.constraints]
    context = {
        "format": found,
        "version": version,
        "versions": queries.versions_of(format=found),
        "day": day,
        "rules": rules,
        "entries": queries.status_entries_on(format=found, day=day),
        "tagged": queries.tagged_cards(definition=definition, game=found.game, day=day),
        "policies": [(policy, [(fact, cited.get(fact.cite or "")) for fact in facts]) for policy, facts in policies],
        "changes": queries.changes_of_format(version=version),
    }
    return render(request, "rules/format.html", context)


def _rule(text: RuleText, rule: AnyConstraint | Pool, cited: dict[str, Section]) -> dict[str, Any]:
    return {"text": text, "cite": cited.get(rule.cite or ""), "reading": cited.get(rule.reading or "")}
