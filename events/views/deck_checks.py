"""Deck checks: what there is to check, and what was found."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from config.errors import DomainError
from events.forms_staff import DeckCheckForm
from events.models import Event
from events.queries.access import Viewer
from events.queries.staffing import deck_rows
from events.services.deck_checks import record_deck_check
from events.views.desk import at_desk, attempt, show


@at_desk("checks_decks")
@require_safe
def deck_checks(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    return _page(request, event, viewer)


def _page(request: HttpRequest, event: Event, viewer: Viewer, refusal: DomainError | None = None) -> HttpResponse:
    rows = deck_rows(event)
    counts = {
        "decklists": sum(row.decklist is not None for row in rows),
        "checked": sum(bool(row.checks) for row in rows),
    }
    is_open = event.state in (Event.State.REGISTRATION, Event.State.RUNNING)
    return show(
        request,
        event,
        viewer,
        "deck_checks",
        tab="desk_deck_checks",
        refusal=refusal,
        rows=rows,
        counts=counts,
        is_open=is_open,
    )


@at_desk("checks_decks")
@require_POST
def record(request: HttpRequest, event: Event, viewer: Viewer, player_id: int) -> HttpResponse:
    form = DeckCheckForm(request.POST)
    if not form.is_valid():
        refusal = DomainError("deck_check.form", "Say whether the deck is in order, and what is not.")
        return _page(request, event, viewer, refusal)
    values = form.cleaned_data
    return attempt(
        request,
        event,
        record_deck_check,
        told=lambda _: "The deck check is written down.",
        back=reverse("events:desk_deck_checks", args=[event.code]) + f"#player-{player_id}",
        page=lambda refusal: _page(request, event, viewer, refusal),
        player_id=player_id,
        decklist_id=values["decklist"],
        found=values["found"],
        note=values["note"],
    )
