"""Pages of rules documents, formats and cards."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from cards.queries import card_by_slug, game_by_slug, games
from config.errors import DomainError
from rules import queries
from rules.descriptions import described, described_pool
from rules.engine.schema import FormatDefinition
from rules.markdown import to_html


@require_safe
def documents(request: HttpRequest) -> HttpResponse:
    today = timezone.localdate()
    listed = [(document, today in document.during) for document in queries.documents()]
    return render(
        request,
        "rules/documents.html",
        {"documents": listed, "formats": queries.formats(), "games": games(), "query": "", "game": None},
    )


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "")[:300]
    slug = request.GET.get("game", "")
    game = game_by_slug(slug=slug) if slug else None
    found = queries.search(query=query, game=game)
    context = {"query": query, "game": game, "games": games(), "found": found}
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
    context = {
        "document": found,
        "in_force": timezone.localdate() in found.during,
        "here": here,
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
    cited = queries.sections_cited(definition=definition, version=version)
    rules = [
        {"text": described(rule, zones), "cite": cited.get(rule.cite), "reading": cited.get(rule.reading or "")}
        for rule in definition.constraints
    ]
    pool = definition.pool
    context = {
        "format": found,
        "version": version,
        "versions": queries.versions_of(format=found),
        "day": day,
        "rules": rules,
        "pool": {
            "text": described_pool(pool),
            "cite": cited.get(pool.cite or ""),
            "reading": cited.get(pool.reading or ""),
        },
        "entries": queries.status_entries_on(format=found, day=day),
        "tagged": queries.tagged_cards(definition=definition, game=found.game, day=day),
        "policies": queries.policies_on(day=day, game=found.game).filter(format=found),
    }
    return render(request, "rules/format.html", context)


@require_safe
def card(request: HttpRequest, game: str, card: str) -> HttpResponse:
    day = _day(request)
    found_game = game_by_slug(slug=game)
    found = card_by_slug(game=found_game, slug=card)
    context = {
        "game": found_game,
        "card": found,
        "facts": [(spec["label"], found.facts.get(key)) for key, spec in found_game.facts.items()],
        "statuses": queries.statuses_of(card=found, day=day),
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
