"""Reports and results of matches."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from decks.engine.sideboarding import Move
from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_player, event_and_viewer, read, refuse_no_key
from events.api.serializers import changes, requests
from events.api.serializers.player import ConfigurationAnswer
from events.queries.sideboarding import configurations_for
from events.services import results, sideboarding, turns, undoing


@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=requests.Report,
    responses=changes.MatchChanged,
    operation_id="report_result",
)
@extend_schema(
    methods=["DELETE"],
    parameters=[IDEMPOTENCY_KEY],
    request=None,
    responses=changes.MatchChanged,
    operation_id="withdraw_report",
)
@api_view(["POST", "DELETE"])
def reports(request: Request, code: str, match_id: int) -> Response:
    """POST: say how your match went, from your side; an equal report by your opponent confirms it. DELETE: take your
    report back, until it is confirmed."""
    event, viewer = event_and_player(request, code)
    player = viewer.require_player()
    if request.method == "DELETE":
        refuse_no_key(request)
        return carry_out(request, viewer, results.withdraw_report, event=event, match_id=match_id, player_id=player.pk)
    values = read(request, requests.Report)
    return carry_out(
        request, viewer, results.report_result, event=event, match_id=match_id, player_id=player.pk, **values
    )


@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=requests.Decide,
    responses=changes.MatchChanged,
    operation_id="decide_result",
)
@extend_schema(
    methods=["DELETE"],
    parameters=[IDEMPOTENCY_KEY],
    request=None,
    responses=changes.MatchChanged,
    operation_id="take_back_result",
)
@api_view(["POST", "DELETE"])
def result(request: Request, code: str, match_id: int) -> Response:
    """POST: staff enter a result, from the side of the first seat. One that players dispute, or that was confirmed
    before, needs a reason. In a bracket somebody goes on: where the games are level, name the winner and how it was
    decided. DELETE: what staff entered last is taken back, and what counted before counts again."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.decides_results)
    if request.method == "DELETE":
        refuse_no_key(request)
        return carry_out(request, viewer, undoing.take_back_result, event=event, match_id=match_id)
    values = read(request, requests.Decide)
    return carry_out(
        request,
        viewer,
        results.decide_result,
        event=event,
        version=values.pop("version", None),
        needs_version=True,
        match_id=match_id,
        winner_id=values.pop("winner", None),
        **values,
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.ExtraTurns,
    responses=changes.ExtraTurnsNoted,
    operation_id="note_extra_turns",
)
@api_view(["POST"])
def extra_turns(request: Request, code: str, match_id: int) -> Response:
    """Staff: how many extra turns a match has taken since time was called."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.decides_results)
    values = read(request, requests.ExtraTurns)
    return carry_out(
        request,
        viewer,
        turns.note_extra_turns,
        event=event,
        version=values.get("version"),
        needs_version=True,
        match_id=match_id,
        turns=values["turns"],
    )


@extend_schema(methods=["GET"], responses=ConfigurationAnswer(many=True), operation_id="list_configurations")
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=requests.Configure,
    responses=changes.ConfigurationRecorded,
    operation_id="record_configuration",
)
@api_view(["GET", "POST"])
def configurations(request: Request, code: str, match_id: int) -> Response:
    """GET: what was recorded of the decks of a match's later games: your own, all for staff who do not play. POST: say
    which cards changed places since your decklist; staff who do not play say it for a player, with a reason."""
    event, viewer = event_and_viewer(request, code)
    if request.method == "GET":
        rows = [found.stored for found in configurations_for(event, viewer, match_id=match_id)]
        return Response(ConfigurationAnswer(rows, many=True).data)
    values = read(request, requests.Configure)
    own = viewer.player is not None and values.get("player") in (None, viewer.player.pk)
    if own:
        player_id = viewer.require_player().pk
    else:
        viewer.require(viewer.sees_decklists and viewer.decides_results)
        player_id = values.get("player") or 0
    return carry_out(
        request,
        viewer,
        sideboarding.record_configuration,
        event=event,
        version=values.get("version"),
        needs_version=not own,
        match_id=match_id,
        player_id=player_id,
        game=values["game"],
        moves=[Move.of_json(move) for move in values["moves"]],
        by_staff=not own,
        reason=values["reason"],
    )


urlpatterns = [
    path("events/<slug:code>/matches/<int:match_id>/configurations", configurations, name="configurations"),
    path("events/<slug:code>/matches/<int:match_id>/reports", reports, name="reports"),
    path("events/<slug:code>/matches/<int:match_id>/result", result, name="result"),
    path("events/<slug:code>/matches/<int:match_id>/extra-turns", extra_turns, name="extra-turns"),
]
