"""Putting right what was found out late, and taking back the last step of a round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from decks.serializers import Text
from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read
from events.api.serializers import changes, requests
from events.api.serializers.fields import Whole
from events.services import repairs, swapping, undoing
from events.services.transaction import Change

PLAN_HELP = "The key of one of the plans that the refusal without it (409 repair.plan_needed) holds, cheapest first."


class Correct(requests.PlainCommand):
    """From the side of the first seat."""

    wins_a = Whole(min_value=0, max_value=99)
    wins_b = Whole(min_value=0, max_value=99)
    draws = Whole(min_value=0, max_value=99, default=0)
    reason = Text(max_length=300)
    plan = Text(max_length=40, allow_blank=True, default="", help_text=PLAN_HELP)
    match_version = Whole(required=False, min_value=0, max_value=requests.MAX_NUMBER)


class Mend(requests.PlainCommand):
    player = Whole(min_value=1, max_value=requests.MAX_NUMBER)
    reason = Text(max_length=300)
    plan = Text(max_length=40, allow_blank=True, default="", help_text=PLAN_HELP)


class Swap(requests.PlainCommand):
    one = Whole(min_value=1, max_value=requests.MAX_NUMBER)
    other = Whole(min_value=1, max_value=requests.MAX_NUMBER)
    reason = Text(max_length=300, help_text="Everybody reads it beside the pairings.")


def _carry_out(
    request: Request, code: str, service: Callable[..., Change], kind: type[serializers.Serializer], **arguments: Any
) -> Response:
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    values = read(request, kind)
    if "player" in values:
        values["player_id"] = values.pop("player")
    return carry_out(
        request,
        viewer,
        service,
        event=event,
        version=values.pop("version", None),
        needs_version=True,
        **values,
        **arguments,
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY], request=Correct, responses=changes.MatchChanged, operation_id="correct_result"
)
@api_view(["POST"])
def correct(request: Request, code: str, match_id: int) -> Response:
    """Correct a result of a complete round. Where the open round was paired on it, a plan says what becomes of that."""
    return _carry_out(request, code, repairs.correct_result, Correct, match_id=match_id)


@extend_schema(parameters=[IDEMPOTENCY_KEY], request=Mend, responses=changes.RoundChanged, operation_id="mend_round")
@api_view(["POST"])
def mend(request: Request, code: str, number: int) -> Response:
    """Mend the open round for a player who dropped: out of it who sits in it, back into the event who does not."""
    return _carry_out(request, code, repairs.repair_round, Mend, round_number=number)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=changes.RoundChanged,
    operation_id="unpost_round",
)
@api_view(["POST"])
def unpost(request: Request, code: str, number: int) -> Response:
    """Make a posted round a draft again, before anybody reported or the clock ran."""
    return _carry_out(request, code, undoing.unpost_round, requests.PlainCommand, round_number=number)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=changes.RoundChanged,
    operation_id="take_time_back",
)
@api_view(["POST"])
def take_time_back(request: Request, code: str, number: int) -> Response:
    """Take "time" back, before an extra turn or a result: the clock stands where it was."""
    return _carry_out(request, code, undoing.resume_after_time, requests.PlainCommand, round_number=number)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=changes.RoundChanged,
    operation_id="reopen_round",
)
@api_view(["POST"])
def reopen(request: Request, code: str, number: int) -> Response:
    """Open the last round again, before anything was made from its standings."""
    return _carry_out(request, code, undoing.reopen_round, requests.PlainCommand, round_number=number)


@extend_schema(parameters=[IDEMPOTENCY_KEY], request=Swap, responses=changes.RoundChanged, operation_id="swap_players")
@api_view(["POST"])
def swap(request: Request, code: str, number: int) -> Response:
    """Let two players of a draft trade places. Discarding the draft and pairing again undoes it."""
    return _carry_out(request, code, swapping.swap_players, Swap, round_number=number)


urlpatterns = [
    path("events/<slug:code>/rounds/<int:number>/swap", swap, name="swap-players"),
    path("events/<slug:code>/matches/<int:match_id>/correct", correct, name="correct-result"),
    path("events/<slug:code>/rounds/<int:number>/mend", mend, name="mend-round"),
    path("events/<slug:code>/rounds/<int:number>/unpost", unpost, name="unpost-round"),
    path("events/<slug:code>/rounds/<int:number>/take-time-back", take_time_back, name="take-time-back"),
    path("events/<slug:code>/rounds/<int:number>/reopen", reopen, name="reopen-round"),
]
