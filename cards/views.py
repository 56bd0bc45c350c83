"""Pages of games and cards. A card's own page is in ``rules``, which knows the lists and sections that name it."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cards import queries

PAGE = 60


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    return render(request, "cards/games.html", {"games": queries.games_with_counts()})


@require_safe
def cards(request: HttpRequest, game: str) -> HttpResponse:
    found = queries.game_by_slug(slug=game)
    query = request.GET.get("q", "")[:200]
    page = Paginator(queries.search_cards(query=query, game=found), PAGE).get_page(request.GET.get("page"))
    return render(request, "cards/cards.html", {"game": found, "query": query, "page": page})
