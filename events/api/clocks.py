"""Clocks of rounds and of tables."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read, refuse_no_key
from events.api.serializers import clocks as answers
from events.models import Match
from events.queries.access import Viewer
from events.queries.clocks import clock_at, database_now, round_in_play, tables_beside
from events.services import clocks as services


@extend_schema(responses=answers.ClocksAnswer, operation_id="get_clocks")
@api_view(["GET"])
@permission_classes([AllowAny])
def clocks(request: Request, code: str) -> Response:
    """The round's clock and every table that ends at another time."""
    event, viewer = event_and_viewer(request, code)
    now = database_now()
    round_ = round_in_play(event)
    clock = clock_at(round_, now) if round_ is not None else None
    tables = tables_beside(round_, clock) if round_ is not None and clock is not None else []
    found = {"now": now, "round": round_, "clock": clock, "tables": tables}
    return Response(answers.ClocksAnswer(found, context={"may_read": lambda match: _may_read(viewer, match)}).data)


def _may_read(viewer: Viewer, match: Match) -> bool:
    """Why a table was given time."""
    sits = viewer.player is not None and viewer.player.pk in [seat.player_id for seat in match.seats.all()]
    return viewer.is_staff or sits


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=answers.AdjustClock,
    responses=answers.ClockAdjusted,
    operation_id="adjust_clock",
)
@api_view(["POST"])
def adjust(request: Request, code: str, number: int) -> Response:
    """Make a round longer or shorter, until time is called."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    values = read(request, answers.AdjustClock)
    return carry_out(
        request,
        viewer,
        services.adjust_clock,
        event=event,
        version=values.get("version"),
        needs_version=True,
        round_number=number,
        minutes=values["minutes"],
        reason=values["reason"],
    )


@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=answers.ExtendTable,
    responses=answers.TableExtended,
    operation_id="extend_table",
)
@extend_schema(
    methods=["DELETE"],
    parameters=[IDEMPOTENCY_KEY],
    request=None,
    responses=answers.TableExtended,
    operation_id="take_back_extension",
)
@api_view(["POST", "DELETE"])
def extensions(request: Request, code: str, match_id: int) -> Response:
    """Staff. POST: give a table time beyond the round's. DELETE: take back what it was given last. What others change
    meanwhile does not matter to it, so it needs no version."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.decides_results)
    if request.method == "DELETE":
        refuse_no_key(request)
        return carry_out(request, viewer, services.take_back_extension, event=event, match_id=match_id)
    values = read(request, answers.ExtendTable)
    return carry_out(
        request,
        viewer,
        services.extend_table,
        event=event,
        version=values.get("version"),
        match_id=match_id,
        minutes=values["minutes"],
        reason=values["reason"],
    )


urlpatterns = [
    path("events/<slug:code>/clocks", clocks, name="clocks"),
    path("events/<slug:code>/rounds/<int:number>/adjust-clock", adjust, name="adjust-clock"),
    path("events/<slug:code>/matches/<int:match_id>/extensions", extensions, name="extensions"),
]
