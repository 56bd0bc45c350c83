"""Who is not there."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read
from events.api.serializers import attendance as answers
from events.api.serializers import changes, requests
from events.queries.attendance import attendance_of
from events.services import attendance as services


@extend_schema(responses=answers.AttendanceAnswer, operation_id="get_attendance")
@api_view(["GET"])
def attendance(request: Request, code: str) -> Response:
    """Staff: before the start who has not checked in, and during a round who is missed at a table."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.decides_results)
    return Response(answers.AttendanceAnswer(attendance_of(event)).data)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY], request=answers.Miss, responses=answers.Missed, operation_id="say_who_is_not_there"
)
@api_view(["POST"])
def absences(request: Request, code: str, match_id: int) -> Response:
    """Say that a player is not at the table, or has come: by the opponent, or by staff. Nothing is decided by it."""
    event, viewer = event_and_viewer(request, code)
    by_staff = viewer.decides_results
    player = None if by_staff else viewer.require_player()
    values = read(request, answers.Miss)
    return carry_out(
        request,
        viewer,
        services.take_absence_back if values["came"] else services.say_absent,
        event=event,
        version=values.get("version"),
        match_id=match_id,
        player_id=values["player"],
        by_player_id=None if player is None else player.pk,
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=answers.NoShowRule,
    responses=answers.NoShowRuleSet,
    operation_id="set_no_show_rule",
)
@api_view(["POST"])
def rule(request: Request, code: str) -> Response:
    """Organiser: how long a table waits for a player."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_event)
    values = read(request, answers.NoShowRule)
    return carry_out(
        request,
        viewer,
        services.set_no_show_rule,
        event=event,
        version=values.get("version"),
        needs_version=True,
        minutes=values["minutes"],
        drops=values["drops"],
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=answers.NoShowsSwept,
    operation_id="sweep_no_shows",
)
@api_view(["POST"])
def sweep(request: Request, code: str, number: int) -> Response:
    """Give the losses to who is missed at a table, once the round's clock has run for the event's minutes."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    values = read(request, requests.PlainCommand)
    return carry_out(
        request,
        viewer,
        services.sweep_no_shows,
        event=event,
        version=values.get("version"),
        needs_version=True,
        round_number=number,
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=changes.MatchChanged,
    operation_id="take_no_show_back",
)
@api_view(["POST"])
def take_back(request: Request, code: str, match_id: int) -> Response:
    """Open a match again that was decided because somebody was not there."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.decides_results)
    values = read(request, requests.PlainCommand)
    return carry_out(
        request,
        viewer,
        services.take_no_show_back,
        event=event,
        version=values.get("version"),
        needs_version=True,
        match_id=match_id,
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=answers.DoorSwept,
    operation_id="sweep_door",
)
@api_view(["POST"])
def door(request: Request, code: str) -> Response:
    """Before the start: drop who has not checked in by the hour that was set, and let in who waits."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    values = read(request, requests.PlainCommand)
    return carry_out(
        request, viewer, services.sweep_door, event=event, version=values.get("version"), needs_version=True
    )


urlpatterns = [
    path("events/<slug:code>/attendance", attendance, name="attendance"),
    path("events/<slug:code>/no-show-rule", rule, name="no-show-rule"),
    path("events/<slug:code>/sweep-door", door, name="sweep-door"),
    path("events/<slug:code>/rounds/<int:number>/sweep-no-shows", sweep, name="sweep-no-shows"),
    path("events/<slug:code>/matches/<int:match_id>/absences", absences, name="absences"),
    path("events/<slug:code>/matches/<int:match_id>/take-no-show-back", take_back, name="take-no-show-back"),
]
