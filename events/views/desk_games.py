"""A match at the floor game by game, as staff write it down, and the ends of one that is not played out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from config.errors import DomainError
from events.forms_games import AgreedDrawForm, ConcedeForm, FirstForm, GameForm, TurnForm, WinnerForm
from events.models import Event, StaffRole
from events.queries.access import Viewer
from events.services import agreements, games, results, turns
from events.services.transaction import Change
from events.views.desk import at_desk, attempt
from events.views.desk_results import match_shown


def _carry_out(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    match_id: int,
    form: Form,
    service: Callable[..., Change],
    *,
    told: str,
    read: Callable[[dict[str, Any]], dict[str, Any]],
    to_floor: bool = False,
) -> HttpResponse:
    """Run ``service`` with what the form holds, and go back to the match; a refusal is shown above it as it is now."""

    def page(refusal: DomainError) -> HttpResponse:
        return match_shown(request, event, viewer, match_id, refusal)

    if not form.is_valid():
        wrong = "; ".join(f"{name}: {errors[0]}" for name, errors in form.errors.items())
        return page(DomainError("match.form", f"That cannot be read: {wrong} Press one of the buttons below."))
    back = reverse("events:floor", args=[event.code])
    return attempt(
        request,
        event,
        service,
        told=lambda _: told,
        back=back if to_floor else reverse("events:floor_match", args=[event.code, match_id]),
        page=page,
        match_id=match_id,
        **read(form.cleaned_data),
    )


@at_desk("decides_results")
@require_POST
def game(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    return _carry_out(
        request,
        event,
        viewer,
        match_id,
        GameForm(request.POST),
        games.record_game,
        told="The game is written down.",
        read=lambda said: {"number": said["number"], "ending": said["ending"], "winner_id": said["winner"]},
    )


@at_desk("decides_results")
@require_POST
def take_game_back(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    return _carry_out(
        request,
        event,
        viewer,
        match_id,
        TurnForm(request.POST),
        games.take_game_back,
        told="The game is taken back.",
        read=lambda said: {"number": said["number"]},
    )


@at_desk("decides_results")
@require_POST
def choose_first(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    return _carry_out(
        request,
        event,
        viewer,
        match_id,
        FirstForm(request.POST),
        games.choose_first,
        told="Both players read now who begins.",
        read=lambda said: {"number": said["number"], "first_id": said["first"]},
    )


@at_desk("decides_results")
@require_POST
def turn(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    return _carry_out(
        request,
        event,
        viewer,
        match_id,
        TurnForm(request.POST),
        turns.count_turn,
        told="The turn is counted.",
        read=lambda said: {"number": said["number"], "finished_by_id": said["finished_by"]},
    )


@at_desk("decides_results")
@require_POST
def take_turn_back(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    return _carry_out(
        request,
        event,
        viewer,
        match_id,
        TurnForm(request.POST),
        turns.take_turn_back,
        told="That turn is not counted any more.",
        read=lambda said: {"number": said["number"]},
    )


@at_desk("decides_results")
@require_POST
def concede(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    form = ConcedeForm(request.POST)
    if "permitted" in request.POST:
        viewer.require(bool(viewer.roles & {StaffRole.Role.HEAD_JUDGE, StaffRole.Role.ORGANISER}))
    return _carry_out(
        request,
        event,
        viewer,
        match_id,
        form,
        agreements.concede,
        told="The concession is entered.",
        read=lambda said: {
            "player_id": said["player"],
            "for_prizes": said["for_prizes"],
            "permitted": said["permitted"],
            "reason": said["reason"],
            "by_staff": True,
        },
        to_floor=True,
    )


@at_desk("decides_results")
@require_POST
def agreed_draw(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    return _carry_out(
        request,
        event,
        viewer,
        match_id,
        AgreedDrawForm(request.POST),
        agreements.decide_agreed_draw,
        told="The draw by agreement is entered.",
        read=lambda said: {"reason": said["reason"]},
        to_floor=True,
    )


@at_desk("decides_results")
@require_POST
def decide_winner(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    """Elimination: who goes on, and how that was decided."""
    return _carry_out(
        request,
        event,
        viewer,
        match_id,
        WinnerForm(request.POST),
        results.decide_result,
        told="The winner is entered.",
        read=lambda said: {
            "wins_a": said["games"][0],
            "wins_b": said["games"][1],
            "winner_id": said["winner"],
            "decided_by": said["decided_by"],
            "reason": said["reason"],
        },
        to_floor=True,
    )
