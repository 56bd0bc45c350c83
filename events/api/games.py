"""A match game by game, extra turns, conceding and draws by agreement: for its players, and for staff on any match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read, refuse_no_key
from events.api.serializers import changes
from events.api.serializers import games as bodies
from events.models import Event, StaffRole
from events.queries.access import Viewer
from events.queries.games import sits_at, visible_play
from events.services import agreements, games, turns
from events.services.transaction import Change


def _player(viewer: Viewer, match_id: int) -> int | None:
    """Who speaks as a player of the match; None is staff, who speak on every one. Raises NotAllowed."""
    if viewer.player is not None and (not viewer.decides_results or sits_at(viewer.player, match_id)):
        return viewer.player.pk
    viewer.require(viewer.decides_results)
    return None


def _change(
    request: Request,
    event: Event,
    viewer: Viewer,
    service: Callable[..., Change],
    *,
    match_id: int,
    player_id: int | None,
    version: int | None = None,
    **said: Any,
) -> Response:
    """Staff say by which version of the event they decided; for a DELETE its number is enough."""
    return carry_out(
        request,
        viewer,
        service,
        event=event,
        version=version,
        needs_version=player_id is None and request.method != "DELETE",
        match_id=match_id,
        player_id=player_id,
        **said,
    )


@extend_schema(methods=["GET"], responses=bodies.PlayAnswer, operation_id="get_games")
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=bodies.RecordGame,
    responses=changes.GamesChanged,
    operation_id="record_game",
)
@api_view(["GET", "POST"])
def match_games(request: Request, code: str, match_id: int) -> Response:
    """GET: the games of your match as they were written down, who begins the next, the extra turns, and the result that
    they come to; staff see any match. POST: how the next game ended. What is there already changes nothing."""
    event, viewer = event_and_viewer(request, code)
    if request.method == "GET":
        _, play = visible_play(event, viewer, match_id)
        return Response(bodies.PlayAnswer(play).data)
    said = read(request, bodies.RecordGame)
    player_id = _player(viewer, match_id)
    return _change(
        request,
        event,
        viewer,
        games.record_game,
        match_id=match_id,
        player_id=player_id,
        version=said.get("version"),
        number=said["number"],
        ending=said["ending"],
        winner_id=said.get("winner"),
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY], request=None, responses=changes.GamesChanged, operation_id="take_game_back"
)
@api_view(["DELETE"])
def match_game(request: Request, code: str, match_id: int, number: int) -> Response:
    """Take the last game back."""
    event, viewer = event_and_viewer(request, code)
    refuse_no_key(request)
    player_id = _player(viewer, match_id)
    return _change(request, event, viewer, games.take_game_back, match_id=match_id, player_id=player_id, number=number)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=bodies.ChooseFirst,
    responses=changes.FirstChosen,
    operation_id="choose_first",
)
@api_view(["POST"])
def first(request: Request, code: str, match_id: int, number: int) -> Response:
    """Say who begins the next game, where the policy lets you choose."""
    event, viewer = event_and_viewer(request, code)
    said = read(request, bodies.ChooseFirst)
    player_id = _player(viewer, match_id)
    return _change(
        request,
        event,
        viewer,
        games.choose_first,
        match_id=match_id,
        player_id=player_id,
        version=said.get("version"),
        number=number,
        first_id=said["first"],
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=bodies.CountTurn,
    responses=changes.ExtraTurnsNoted,
    operation_id="count_turn",
)
@api_view(["POST"])
def match_turns(request: Request, code: str, match_id: int) -> Response:
    """A turn after time is over: 0 is the one that was under way, the extra turns count from 1. The same number from
    another phone changes nothing; any other but the next is 409 with the count."""
    event, viewer = event_and_viewer(request, code)
    said = read(request, bodies.CountTurn)
    player_id = _player(viewer, match_id)
    return _change(
        request,
        event,
        viewer,
        turns.count_turn,
        match_id=match_id,
        player_id=player_id,
        version=said.get("version"),
        number=said["number"],
        finished_by_id=said.get("finished_by"),
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY], request=None, responses=changes.ExtraTurnsNoted, operation_id="take_turn_back"
)
@api_view(["DELETE"])
def match_turn(request: Request, code: str, match_id: int, number: int) -> Response:
    """Take the last counted turn back: who counted it, or staff."""
    event, viewer = event_and_viewer(request, code)
    refuse_no_key(request)
    player_id = _player(viewer, match_id)
    return _change(request, event, viewer, turns.take_turn_back, match_id=match_id, player_id=player_id, number=number)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY], request=bodies.Concede, responses=changes.MatchChanged, operation_id="concede"
)
@api_view(["POST"])
def concession(request: Request, code: str, match_id: int) -> Response:
    """Give your match to the opponent; it counts at once. Staff name the `player` who does."""
    event, viewer = event_and_viewer(request, code)
    said = read(request, bodies.Concede)
    player_id = _player(viewer, match_id)
    if said["permitted"]:
        viewer.require(bool(viewer.roles & {StaffRole.Role.HEAD_JUDGE, StaffRole.Role.ORGANISER}))
    return carry_out(
        request,
        viewer,
        agreements.concede,
        event=event,
        version=said.get("version"),
        needs_version=player_id is None,
        match_id=match_id,
        player_id=said.get("player") or 0 if player_id is None else player_id,
        by_staff=player_id is None,
        for_prizes=said["for_prizes"],
        permitted=said["permitted"],
        reason=said["reason"],
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=bodies.AgreedDraw,
    responses=changes.MatchChanged,
    operation_id="agree_to_draw",
)
@api_view(["POST"])
def agreed_draw(request: Request, code: str, match_id: int) -> Response:
    """Say that you two agree to draw; the same from your opponent makes it the result. Staff enter it at once, with a
    reason where the event does not allow it to everybody."""
    event, viewer = event_and_viewer(request, code)
    said = read(request, bodies.AgreedDraw)
    player_id = _player(viewer, match_id)
    if player_id is not None:
        return carry_out(request, viewer, agreements.offer_draw, event=event, match_id=match_id, player_id=player_id)
    return carry_out(
        request,
        viewer,
        agreements.decide_agreed_draw,
        event=event,
        version=said.get("version"),
        needs_version=True,
        match_id=match_id,
        reason=said["reason"],
    )


MATCH = "events/<slug:code>/matches/<int:match_id>"
urlpatterns = [
    path(f"{MATCH}/games", match_games, name="games"),
    path(f"{MATCH}/games/<int:number>", match_game, name="game"),
    path(f"{MATCH}/games/<int:number>/first", first, name="first"),
    path(f"{MATCH}/turns", match_turns, name="turns"),
    path(f"{MATCH}/turns/<int:number>", match_turn, name="turn"),
    path(f"{MATCH}/concession", concession, name="concession"),
    path(f"{MATCH}/agreed-draw", agreed_draw, name="agreed-draw"),
]
