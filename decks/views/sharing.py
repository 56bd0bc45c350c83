"""A deck as whoever has its link reads it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from config.errors import NotFound
from decks.engine.exports import FILE_FORMATS
from decks.queries.sharing import shared_deck
from decks.queries.texts import deck_file
from decks.views.posting import judged
from decks.views.sending import as_download
from rules.engine.days import day_of


@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    deck = shared_deck(token=token)
    day = day_of(request.GET["on"]) if request.GET.get("on") else timezone.localdate()
    context: dict[str, Any] = {"deck": deck, "day": day, "file_formats": FILE_FORMATS.values()}
    try:
        found = judged(format=deck.format, day=day, text=deck.text, mendable=False)
        context |= {"panel": found.panel, "details": found.details}
    except NotFound as error:
        context["out_of_force"] = error.message
    return _unlisted(render(request, "decks/shared.html", context))


@require_safe
def export(request: HttpRequest, token: str, kind: str) -> HttpResponse:
    return _unlisted(as_download(deck_file(deck=shared_deck(token=token), kind=kind)))


def _unlisted(response: HttpResponse) -> HttpResponse:
    """In no search engine and no cache, and the link is told to no other site: it may be taken back."""
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    return response
