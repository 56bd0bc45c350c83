from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def cards(request: HttpRequest, game: str) -> HttpResponse:
    return render(request, "cards/cards.html")


def card(request: HttpRequest, game: str, card: str) -> HttpResponse:
    return render(request, "cards/card.html")
