"""Coming in late: what it costs, by oneself or at the desk, and taking it back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.errors import Conflict, DomainError
from events.forms import AddPlayerForm
from events.models import Event, Player
from events.queries.access import Viewer
from events.queries.late_entry import can_be_undone, late_terms
from events.queries.public_pages import situation_of
from events.queries.visibility import player_in
from events.sentences_late import terms_sentence
from events.services import late_entry, registration
from events.services.transaction import Change
from events.views import desk, pages
from events.views.commands import actor_of, carry_out, command_of, event_and_viewer
from events.views.player_forms import acts, number_of


def price_of(event: Event, player: Player | None = None, *, who: str = "You") -> dict[str, Any]:
    """The terms with their sentence, or why nobody is let in."""
    try:
        terms = late_terms(event, player)
    except Conflict as refusal:
        return {"refused": refusal.message}
    words = terms_sentence(terms.round, terms.missed, count_as_lost=terms.count_as_lost, who=who)
    return {"terms": terms, "price": words}


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, code: str) -> HttpResponse:
    """GET names the price, POST pays it: for somebody new, and for who was not there at the start."""
    event, viewer = event_and_viewer(request, code)
    if viewer.player is not None and viewer.player.state == Player.State.CHECKED_IN:
        return redirect("events:me", code=code)
    if viewer.user is None and request.method == "POST":
        return redirect("events:enter_late", code=code)
    if request.method != "POST":
        context = price_of(event, viewer.player)
        situation = situation_of(event)
        return pages.show(
            request, "enter_late", context, event=event, viewer=viewer, situation=situation, here="", refreshes=False
        )
    actor = actor_of(request)
    change = carry_out(
        late_entry.enter_late,
        event_id=event.pk,
        actor=actor,
        round_number=number_of(request, "round"),
        user_id=actor.user_id if viewer.player is None else None,
        player_id=None if viewer.player is None else viewer.player.pk,
        hides_surname=request.POST.get("hides_surname") == "1",
        by_staff=False,
        command=command_of(request),
    )
    messages.success(request, f"You play from round {change.facts['round']} on.")
    return redirect("events:me", code=code)


@acts
def undo_own(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    carry_out(
        late_entry.undo_late_entry,
        event_id=event.pk,
        actor=actor_of(request),
        player_id=viewer.require_player().pk,
        command=command_of(request),
    )
    messages.success(request, "Your late entry is taken back.")
    return redirect("events:overview", code=code)


@acts
def take_drop_back(request: HttpRequest, code: str) -> HttpResponse:
    """A player's own drop, until the next round is paired."""
    event, viewer = event_and_viewer(request, code)
    carry_out(
        registration.reinstate_player,
        event_id=event.pk,
        actor=actor_of(request),
        player_id=viewer.require_player().pk,
        by_staff=False,
        command=command_of(request),
    )
    messages.success(request, "You are back in the event.")
    return redirect("events:me", code=code)


@desk.at_desk("runs_rounds")
@require_safe
def late(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    return _late(request, event, viewer)


def _late(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    refusal: DomainError | None = None,
    form: AddPlayerForm | None = None,
    player: Player | None = None,
) -> HttpResponse:
    away = Q(state__in=(Player.State.DROPPED, Player.State.WAITLISTED))
    people = list(event.players.filter(away | ~Q(late_entries=[])).order_by("name"))
    return desk.show(
        request,
        event,
        viewer,
        "late",
        tab="desk_players",
        refusal=refusal,
        form=form or AddPlayerForm(),
        player=player,
        away=[person for person in people if person.state != Player.State.CHECKED_IN],
        undoable=[person for person in people if can_be_undone(event, person)],
        **price_of(event, player, who=player.name if player is not None else "Somebody new"),
    )


@desk.at_desk("runs_rounds")
@require_safe
def late_player(request: HttpRequest, event: Event, viewer: Viewer, player_id: int) -> HttpResponse:
    """The price for somebody who has an entry already."""
    return _late(request, event, viewer, player=player_in(event, player_id))


@desk.at_desk("runs_rounds")
@require_POST
def let_in(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    """Somebody new by name, or ``player``."""
    known = request.POST.get("player")
    player = player_in(event, number_of(request, "player")) if known else None
    form = AddPlayerForm(request.POST)

    def page(refusal: DomainError) -> HttpResponse:
        return _late(request, event, viewer, refusal, None if known else form, player)

    if player is None and not form.is_valid():
        return page(DomainError("player.form", "Nobody was let in: look at the name."))
    return desk.attempt(
        request,
        event,
        late_entry.enter_late,
        told=lambda change: f"{change.facts['name']} plays from round {change.facts['round']} on.",
        back=reverse("events:late", args=[event.code]),
        page=page,
        round_number=number_of(request, "round"),
        name=None if player is not None else form.cleaned_data["name"],
        player_id=None if player is None else player.pk,
    )


@desk.at_desk("runs_rounds")
@require_POST
def undo(request: HttpRequest, event: Event, viewer: Viewer, player_id: int) -> HttpResponse:
    player = player_in(event, player_id)

    def told(change: Change) -> str:
        return f"{player.name} does not come in after all."

    return desk.attempt(
        request,
        event,
        late_entry.undo_late_entry,
        told=told,
        back=reverse("events:late", args=[event.code]),
        page=lambda refusal: _late(request, event, viewer, refusal),
        player_id=player_id,
    )
