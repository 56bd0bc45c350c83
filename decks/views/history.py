"""What a deck was before, and back to it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from decks import queries
from decks.queries.history import history_of, version_of
from decks.queries.texts import compare_texts
from decks.services import decks as services
from decks.views.posting import signed_in


@login_required
@require_safe
def history(request: HttpRequest, deck_id: int) -> HttpResponse:
    deck = queries.deck_of(owner=signed_in(request), deck_id=deck_id)
    before = request.GET.get("before", "")
    below = int(before) if before.isascii() and before.isdecimal() and len(before) < 10 else None
    context = {"deck": deck, "history": history_of(deck=deck, before=below), "before": below}
    return render(request, "decks/history.html", context)


@login_required
@require_safe
def version(request: HttpRequest, deck_id: int, number: int) -> HttpResponse:
    """One version, and what became of it since."""
    deck, found = version_of(owner=signed_in(request), deck_id=deck_id, number=number)
    compared = None if found.is_now else compare_texts(first=found.text, second=deck.text, game=deck.game)
    context = {"deck": deck, "version": found, "compared": compared}
    return render(request, "decks/version.html", context)


@login_required
@require_POST
def restore(request: HttpRequest, deck_id: int, number: int) -> HttpResponse:
    services.restore_revision(owner=signed_in(request), deck_id=deck_id, number=number)
    messages.success(request, f"Version {number} is the deck again. What it was until now is kept in its history.")
    return redirect("decks:edit", deck_id=deck_id)
