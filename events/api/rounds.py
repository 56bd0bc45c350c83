"""The life of a round, and what it came to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.urls import path
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, page, read
from events.api.listing import paged
from events.api.serializers import changes, requests
from events.api.serializers.player import OwnMatchAnswer
from events.api.serializers.public import MatchAnswer, PlaceAnswer, RoundAnswer, RoundRow, StandingAnswer
from events.api.serializers.staff import StaffMatchAnswer
from events.models import Match
from events.queries.access import Viewer
from events.queries.clocks import clock_of
from events.queries.places import place_in
from events.queries.tie_breakers import has_own_order
from events.queries.visibility import matches_of, standings_after, visible_round, visible_rounds
from events.services import rounds as services
from events.services.transaction import Change

_View = TypeVar("_View", bound=Callable[..., Any])
_MATCHES = PolymorphicProxySerializer(
    "MatchForAudience", [MatchAnswer, OwnMatchAnswer, StaffMatchAnswer], resource_type_field_name=None, many=True
)


@extend_schema(
    methods=["GET"], parameters=[requests.Page], responses=paged("RoundPage", RoundRow), operation_id="list_rounds"
)
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses={201: changes.RoundChanged},
    operation_id="draft_round",
)
@api_view(["GET", "POST"])
@permission_classes([IsAuthenticatedOrReadOnly])
def rounds(request: Request, code: str) -> Response:
    """GET: the rounds that are posted. POST, staff: pair the next one, as a draft that only staff see."""
    event, viewer = event_and_viewer(request, code)
    if request.method == "GET":
        return page(request, visible_rounds(event, viewer), RoundRow)
    viewer.require(viewer.runs_rounds)
    values = read(request, requests.PlainCommand)
    return carry_out(
        request,
        viewer,
        services.draft_round,
        event=event,
        version=values.get("version"),
        needs_version=True,
        created=True,
    )


@extend_schema(responses=RoundAnswer, operation_id="get_round")
@api_view(["GET"])
@permission_classes([AllowAny])
def round_(request: Request, code: str, number: int) -> Response:
    """A posted round with its clock."""
    event, viewer = event_and_viewer(request, code)
    found = visible_round(event, viewer, number)
    return Response(RoundAnswer(found, context={"clock": clock_of(found)}).data)


@extend_schema(responses=_MATCHES, operation_id="list_matches")
@api_view(["GET"])
@permission_classes([AllowAny])
def matches(request: Request, code: str, number: int) -> Response:
    """The pairings of a posted round, by table. Your own match shows both reports."""
    event, viewer = event_and_viewer(request, code)
    found = matches_of(visible_round(event, viewer, number))
    return Response([_match_answer(viewer, match)(match).data for match in found])


def _match_answer(viewer: Viewer, match: Match) -> type[MatchAnswer]:
    if viewer.follows_event:
        return StaffMatchAnswer
    own = viewer.player is not None and viewer.player.pk in [seat.player_id for seat in match.seats.all()]
    return OwnMatchAnswer if own else MatchAnswer


@extend_schema(
    parameters=[requests.Page], responses=paged("StandingsPage", StandingAnswer), operation_id="list_standings"
)
@api_view(["GET"])
@permission_classes([AllowAny])
def standings(request: Request, code: str, number: int) -> Response:
    """The standings after a completed round."""
    event, viewer = event_and_viewer(request, code)
    return page(request, standings_after(visible_round(event, viewer, number)), StandingAnswer)


@extend_schema(responses=PlaceAnswer, operation_id="explain_standing")
@api_view(["GET"])
@permission_classes([AllowAny])
def place(request: Request, code: str, number: int, player_id: int) -> Response:
    """Why a player has a place in the standings after a completed round."""
    event, viewer = event_and_viewer(request, code)
    found = visible_round(event, viewer, number)
    standings_after(found)
    told = place_in(event, found, player_id)
    names = {str(player): name for player, name in told.names.items()}
    answer = {**told.explanation.as_json(), "round": number, "names": names, "policy": event.rules}
    answer["own_order"] = has_own_order(event)
    return Response(PlaceAnswer(answer).data)


def _change(request: Request, code: str, number: int, service: Callable[..., Change]) -> Response:
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    values = read(request, requests.PlainCommand)
    return carry_out(
        request,
        viewer,
        service,
        event=event,
        version=values.get("version"),
        needs_version=True,
        round_number=number,
    )


def _described(operation: str) -> Callable[[_View], _View]:
    return extend_schema(
        parameters=[IDEMPOTENCY_KEY],
        request=requests.PlainCommand,
        responses=changes.RoundChanged,
        operation_id=operation,
    )


@_described("post_round")
@api_view(["POST"])
def post(request: Request, code: str, number: int) -> Response:
    """Show the pairings to everybody."""
    return _change(request, code, number, services.post_round)


@_described("discard_round")
@api_view(["POST"])
def discard(request: Request, code: str, number: int) -> Response:
    """Throw a draft away, so that the round can be paired anew."""
    return _change(request, code, number, services.discard_draft)


@_described("start_clock")
@api_view(["POST"])
def start_clock(request: Request, code: str, number: int) -> Response:
    """Start the clock, or let it go on after a pause."""
    return _change(request, code, number, services.start_clock)


@_described("pause_clock")
@api_view(["POST"])
def pause_clock(request: Request, code: str, number: int) -> Response:
    """Stop the clock for a while."""
    return _change(request, code, number, services.pause_clock)


@_described("call_time")
@api_view(["POST"])
def call_time(request: Request, code: str, number: int) -> Response:
    """End the clock: matches that still play take their extra turns."""
    return _change(request, code, number, services.call_time)


@_described("complete_round")
@api_view(["POST"])
def complete(request: Request, code: str, number: int) -> Response:
    """Close the round and keep the standings after it."""
    return _change(request, code, number, services.complete_round)


urlpatterns = [
    path("events/<slug:code>/rounds", rounds, name="rounds"),
    path("events/<slug:code>/rounds/<int:number>", round_, name="round"),
    path("events/<slug:code>/rounds/<int:number>/matches", matches, name="matches"),
    path("events/<slug:code>/rounds/<int:number>/standings", standings, name="standings"),
    path("events/<slug:code>/rounds/<int:number>/standings/<int:player_id>", place, name="place"),
    path("events/<slug:code>/rounds/<int:number>/post", post, name="post-round"),
    path("events/<slug:code>/rounds/<int:number>/discard", discard, name="discard-round"),
    path("events/<slug:code>/rounds/<int:number>/start-clock", start_clock, name="start-clock"),
    path("events/<slug:code>/rounds/<int:number>/pause-clock", pause_clock, name="pause-clock"),
    path("events/<slug:code>/rounds/<int:number>/call-time", call_time, name="call-time"),
    path("events/<slug:code>/rounds/<int:number>/complete", complete, name="complete-round"),
]
