"""Pages of rulings."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from cards.queries import game_by_slug
from rules.markdown import to_html
from rules.queries.rulings import ruling_by_number, rulings_of_game, sections_of

PAGE = 30


@require_safe
def rulings(request: HttpRequest, game: str) -> HttpResponse:
    found = game_by_slug(slug=game)
    words = request.GET.get("q", "")[:200]
    page = Paginator(rulings_of_game(game=found, words=words), PAGE).get_page(request.GET.get("page"))
    rows = [(one, to_html(one.answer), one.citations) for one in page]
    context = {"game": found, "query": words, "page": page, "rows": rows, "today": timezone.localdate()}
    return render(request, "rules/rulings.html", context)


@require_safe
def ruling(request: HttpRequest, game: str, ruling: str) -> HttpResponse:
    found = game_by_slug(slug=game)
    one = ruling_by_number(game=found, number=ruling)
    today = timezone.localdate()
    sections = sections_of(rulings=[one], game=found, day=today)
    context = {
        "game": found,
        "ruling": one,
        "answer": to_html(one.answer),
        "sections": [
            (cite, sections.get(cite), to_html(sections[cite].body) if cite in sections else "")
            for cite in one.citations
        ],
        "today": today,
    }
    return render(request, "rules/ruling.html", context)
