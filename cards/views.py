"""The page of all games. Cards have theirs in ``rules``, which knows the lists, formats and sections that name them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cards import queries


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    return render(request, "cards/games.html", {"games": queries.games_with_counts()})
