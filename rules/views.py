"""Pages of rules documents, formats and cards."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from cards.queries import card_by_slug, game_by_slug, games
from config.errors import DomainError
from rules import queries
from rules.descriptions import RuleText, policy_facts, pool_text, rule_text
from rules.engine.formatschema import AnyConstraint, FormatDefinition, Pool
from rules.markdown import to_html
from rules.models import Section
from rules.standing import standing_text


@require_safe
def documents(request: HttpRequest) -> HttpResponse:
    today = timezone.localdate()
    all_games, listed, formats = list(games()), list(queries.documents()), list(queries.formats())
    shelves = []
    for game in all_games:
        own = [document for document in listed if document.game_id == game.pk]
        shelf = {
            "game": game,
            "in_force": [document for document in own if today in document.during],
            "others": [document for document in reversed(own) if today not in document.during],
            "formats": [format for format in formats if format.game_id == game.pk],
            "glossary": sorted(game.glossary.items(), key=lambda pair: pair[0].casefold()),
        }
        shelves.append(shelf)
    context = {"shelves": shelves, "games": all_games, "query": "", "game": None}
    return render(request, "rules/documents.html", context)


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "")[:300]
    slug = request.GET.get("game", "")
    game = game_by_slug(slug=slug) if slug else None
    found = queries.search(query=query, game=game)
    by_game: dict[int, list[queries.SectionHit]] = {}
    for hit in found.hits:
        by_game.setdefault(hit.section.document.game_id, []).append(hit)
    groups = [(hits[0].section.document.game, hits) for hits in by_game.values()]
    context = {
        "query": query,
        "game": game,
        "games": games(),
        "found": found,
        "groups": groups,
        "meanings": queries.meanings_in(query=query, game=game),
    }
    is_part = request.headers.get("HX-Request") == "true" and "HX-History-Restore-Request" not in request.headers
    response = render(request, "rules/_hits.html" if is_part else "rules/search.html", context)
    response["Vary"] = "HX-Request"
    return response


@require_safe
def document(request: HttpRequest, game: str, document: str, version: str) -> HttpResponse:
    found = queries.document_by_version(game=game, slug=document, version=version)
    sections = [(section, to_html(section.body)) for section in found.sections.all()]
    context = {"document": found, "sections": sections, "in_force": timezone.localdate() in found.during}
    return render(request, "rules/document.html", context)


@require_safe
def section(request: HttpRequest, game: str, document: str, version: str, number: str) -> HttpResponse:
    found = queries.document_by_version(game=game, slug=document, version=version)
    here = queries.section_in_context(document=found, number=number)
    others = [] if here.section.is_reading else queries.other_versions(section=here.section, document=found)
    context = {
        "document": found,
        "in_force": timezone.localdate() in found.during,
        "here": here,
        "others": others,
        "body": to_html(here.section.body),
        "parts": [(part, to_html(part.body)) for part in here.parts],
    }
    return render(request, "rules/section.html", context)


@require_safe
def format_page(request: HttpRequest, game: str, format: str) -> HttpResponse:
    day = _day(request)
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


@require_safe
def card(request: HttpRequest, game: str, card: str) -> HttpResponse:
    day = _day(request)
    found_game = game_by_slug(slug=game)
    found = card_by_slug(game=found_game, slug=card)
    specs = found_game.facts.items()
    facts = queries.card_facts_for([found.pk], day=day)[found.pk]
    statuses = queries.statuses_of(card=found, day=day)
    context = {
        "game": found_game,
        "card": found,
        "day": day,
        "facts": [(spec["label"], found.facts[key]) for key, spec in specs if found.facts.get(key) is not None],
        "unknown": [spec["label"] for key, spec in specs if found.facts.get(key) is None],
        "other_names": [name for name in found.names.all() if name.text != found.name],
        "standings": [
            (standing, standing_text(standing, found_game))
            for standing in queries.standings_of_card(card=found, facts=facts, day=day)
        ],
        "statuses": statuses,
        "tags": [tag for tag in found.tags.all() if day in tag.during],
        "sections": queries.sections_about(card=found, day=day),
    }
    return render(request, "rules/card.html", context)


def _day(request: HttpRequest) -> date:
    """``?on=``, today without it. DomainError: not a day."""
    asked = request.GET.get("on", "")
    if not asked:
        return timezone.localdate()
    try:
        # fromisoformat alone would also take 20250101 and week dates.
        if len(asked) == 10 and asked[4] == asked[7] == "-" and asked.isascii():
            return date.fromisoformat(asked)
    except ValueError:
        pass
    raise DomainError(
        "request.bad_day", f"{asked[:20]!r} is no day. Write it as year, month, day: 2025-03-01.", {"on": asked[:20]}
    )
