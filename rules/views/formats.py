"""Pages of formats: what is legal on a day, what changed and when, and one version beside another."""

from __future__ import annotations

from datetime import date
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from config.errors import NotFound
from rules import queries
from rules.descriptions import RuleText, policy_facts, pool_text, rule_text
from rules.engine.formatschema import AnyConstraint, FormatDefinition, Pool
from rules.lists import entry_text
from rules.models import Format, FormatVersion, Section
from rules.views.days import day_asked

FOLD_FROM = 8
"""A list longer than this is folded away."""


@require_safe
def format_page(request: HttpRequest, game: str, format: str) -> HttpResponse:
    day = day_asked(request)
    found = queries.format_by_slug(game=game, slug=format)
    versions = list(queries.versions_of(format=found))
    version = next((one for one in versions if day in one.during), None)
    moments = queries.timeline_of(format=found)
    context = {
        "format": found,
        "version": version,
        "versions": versions,
        "day": day,
        "today": timezone.localdate(),
        "moments": moments,
        "next_moments": queries.next_moments(moments, after=day),
        "fold_from": FOLD_FROM,
    }
    if version is None:
        context["before"] = next((one for one in versions if one.during.upper and one.during.upper <= day), None)
        context["after"] = next((one for one in versions[::-1] if one.during.lower and one.during.lower > day), None)
        return render(request, "rules/format_none.html", context, status=404)
    return render(request, "rules/format.html", context | _in_force(found, version, day))


def _in_force(format: Format, version: FormatVersion, day: date) -> dict[str, Any]:
    definition = FormatDefinition.model_validate(version.definition)
    zones = {zone["key"]: zone["label"] for zone in format.game.zones}
    policies = [
        (policy, policy_facts(queries.policy_definition(policy)))
        for policy in queries.policies_on(day=day, game=format.game).filter(format=format)
    ]
    also = {fact.cite for _, facts in policies for fact in facts if fact.cite}
    cited = queries.sections_cited(definition=definition, version=version, also=also)
    rules = [_rule(pool_text(definition.pool), definition.pool, cited)]
    rules += [_rule(rule_text(rule, zones), rule, cited) for rule in definition.constraints]
    entries = queries.status_entries_on(format=format, day=day)
    return {
        "rules": rules,
        "play": [(one, cited.get(one.cite), cited.get(one.reading or "")) for one in definition.play],
        "entries": [(entry, entry_text(entry, zones)) for entry in entries],
        "lists": _lists_of(definition),
        "tags": [
            (found.tag, len(found.cards), _by_source(found))
            for found in queries.tag_lists_on(definition=definition, game=format.game, day=day)
        ],
        "policies": [(policy, [(fact, cited.get(fact.cite or "")) for fact in facts]) for policy, facts in policies],
        "changes": queries.changes_of_format(version=version),
    }


def _lists_of(definition: FormatDefinition) -> str:
    """What an empty list means: not known, nothing that the rules have, or a list without a card."""
    if definition.pool.kind == "unknown":
        return "unknown"
    return "kept" if any(rule.kind == "status" for rule in definition.constraints) else "none"


def _rule(text: RuleText, rule: AnyConstraint | Pool, cited: dict[str, Section]) -> dict[str, Any]:
    return {"text": text, "cite": cited.get(rule.cite or ""), "reading": cited.get(rule.reading or "")}


def _by_source(found: queries.TagList) -> list[dict[str, Any]]:
    """The cards of a tag, those together that one source gave it on one day."""
    order = sorted(found.cards, key=lambda row: (row.during.lower or date.min, row.source, row.card.name))
    return [
        {"since": since, "source": source, "announced_on": announced_on, "cards": [row.card for row in rows]}
        for (since, source, announced_on), rows in groupby(
            order, key=lambda row: (row.during.lower, row.source, row.announced_on)
        )
    ]


@require_safe
def format_changes(request: HttpRequest, game: str, format: str) -> HttpResponse:
    """``?from=`` and ``?to=`` are versions or days; without them the last two versions are compared."""
    found = queries.format_by_slug(game=game, slug=format)
    versions = list(queries.versions_of(format=found))
    if not versions:
        raise NotFound("format.no_version", f"{found.name} has no version yet.", {"format": found.slug})
    newest, one_before = versions[0].version, versions[min(1, len(versions) - 1)].version
    before, after = queries.points_between(
        format=found,
        before=request.GET.get("from", "") or one_before,
        after=request.GET.get("to", "") or newest,
        today=timezone.localdate(),
    )
    context = {
        "format": found,
        "versions": versions,
        "changes": queries.changes_between(before=before, after=after),
        "before": before,
        "after": after,
    }
    return render(request, "rules/format_changes.html", context)
