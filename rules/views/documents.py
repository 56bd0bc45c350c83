"""Pages of rules documents, and the search in them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from cards.queries import game_by_slug, games
from rules import queries
from rules.markdown import to_html
from rules.queries.rulings import rulings_citing


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
    today = timezone.localdate()
    context = {
        "document": found,
        "today": today,
        "in_force": today in found.during,
        "rulings": [(one, to_html(one.answer)) for one in rulings_citing(section=here.section, document=found)],
        "here": here,
        "others": others,
        "body": to_html(here.section.body),
        "parts": [(part, to_html(part.body)) for part in here.parts],
    }
    return render(request, "rules/section.html", context)
