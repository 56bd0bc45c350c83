"""The decks of who is logged in: written, saved, shown by a link, taken away as a file."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.errors import Conflict, NotFound
from decks import queries
from decks.engine.exports import FILE_FORMATS
from decks.forms import DeckForm
from decks.models import Deck
from decks.queries.history import newest_number
from decks.queries.texts import deck_file
from decks.services import decks as services
from decks.services.sharing import share_deck, unshare_deck
from decks.views.posting import answer, judged, posted, signed_in
from decks.views.sending import as_download


@login_required
@require_safe
def deck_list(request: HttpRequest) -> HttpResponse:
    return render(request, "decks/deck_list.html", {"decks": queries.decks_of(owner=signed_in(request))})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def deck_new(request: HttpRequest) -> HttpResponse:
    return _edit(request, None)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def deck_edit(request: HttpRequest, deck_id: int) -> HttpResponse:
    return _edit(request, queries.deck_of(owner=signed_in(request), deck_id=deck_id))


def _edit(request: HttpRequest, deck: Deck | None) -> HttpResponse:
    """Save on "save"; anything else (a mend, htmx's live check, the check button) only judges what is in the form."""
    context: dict[str, Any] = {"deck": deck, "file_formats": FILE_FORMATS.values()}
    status = None
    if request.method == "POST":
        sent = posted(request)
        form = DeckForm(sent.data)
        sent.tell(form)
        context["sent"] = sent
        if form.is_valid() and "save" in request.POST:
            try:
                return _save(request, deck, form.cleaned_data)
            except Conflict as error:
                status, context["refusal"] = error.status, error
                # Whoever reads that and saves again means it.
                form.data = {**sent.data, "seen": str(error.context["version"])}
    elif deck is not None:
        stored = {"name": deck.name, "format": f"{deck.game.slug}/{deck.format.slug}", "text": deck.text}
        form = DeckForm({**stored, "seen": newest_number(deck=deck)})
    else:
        form = DeckForm()
    if form.is_bound and form.is_valid() and form.cleaned_data["text"].strip():
        values = form.cleaned_data
        try:
            context["judged"] = judged(format=values["format"], day=timezone.localdate(), text=values["text"])
        except NotFound as error:
            # The format is of other days: the deck is kept all the same.
            context["out_of_force"] = error.message
    context["form"] = form
    return answer(request, "decks/deck_edit.html", context, 200 if request.method != "POST" else status)


def _save(request: HttpRequest, deck: Deck | None, values: dict[str, Any]) -> HttpResponse:
    change = {key: values[key] for key in ("name", "format", "text")}
    if deck is None:
        deck = services.create_deck(owner=signed_in(request), **change)
    else:
        deck = services.save_deck(owner=signed_in(request), deck_id=deck.pk, **change, seen=values["seen"])
    messages.success(request, f"{deck.name} is saved.")
    return redirect("decks:edit", deck_id=deck.pk)


@login_required
@require_POST
def deck_delete(request: HttpRequest, deck_id: int) -> HttpResponse:
    services.delete_deck(owner=signed_in(request), deck_id=deck_id)
    messages.success(request, "The deck is deleted.")
    return redirect("decks:list")


@login_required
@require_POST
def share(request: HttpRequest, deck_id: int) -> HttpResponse:
    share_deck(owner=signed_in(request), deck_id=deck_id)
    messages.success(request, "Whoever has the link can read the deck now. You can take it back at any time.")
    return redirect("decks:edit", deck_id=deck_id)


@login_required
@require_POST
def unshare(request: HttpRequest, deck_id: int) -> HttpResponse:
    unshare_deck(owner=signed_in(request), deck_id=deck_id)
    messages.success(request, "The link is taken back: nobody but you reads the deck.")
    return redirect("decks:edit", deck_id=deck_id)


@login_required
@require_safe
def export(request: HttpRequest, deck_id: int, kind: str) -> HttpResponse:
    return as_download(deck_file(deck=queries.deck_of(owner=signed_in(request), deck_id=deck_id), kind=kind))
