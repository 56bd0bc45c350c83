"""A whole Swiss round by hand: what there is to begin with, what a round costs, and the round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from decks.serializers import Strict, Text
from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read
from events.api.serializers import changes, requests
from events.api.serializers.fields import Whole
from events.engine.pairing import PairingCost
from events.queries.hand_pairing import HandRound, hand_round
from events.services.hand_pairing import draft_by_hand, refuse_amiss

LARGEST_ROUND = 10_000


def _players(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=Whole(min_value=1, max_value=requests.MAX_NUMBER), **options)


class HandPairs(Strict):
    """Everybody who is to be in the round exactly once."""

    pairs = serializers.ListField(child=_players(min_length=2, max_length=2), max_length=LARGEST_ROUND)
    byes = _players(default=list, max_length=LARGEST_ROUND)


class DraftByHand(HandPairs, requests.PlainCommand):
    reason = Text(max_length=300, help_text="Everybody reads it above the pairings.")


class Cost(serializers.Serializer):
    """Most important first; ``score_gap`` is the sum of squared gaps in points."""

    rematches = serializers.IntegerField()
    bye_earlier_byes = serializers.IntegerField()
    bye_points = serializers.IntegerField()
    avoided = serializers.IntegerField()
    score_gap = serializers.IntegerField()
    repeated_floats = serializers.IntegerField()


class GroupCost(serializers.Serializer):
    pod = serializers.IntegerField(allow_null=True)
    cost = Cost()
    engine = Cost(allow_null=True, help_text="Null where the engine's pairing failed its check.")


class HandGrade(serializers.Serializer):
    groups = GroupCost(many=True, help_text="The whole field, or one for each pod.")
    rematches = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))


class HandPlayer(serializers.Serializer):
    player = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.IntegerField()


class HandProposal(serializers.Serializer):
    """``pairs`` and ``byes`` are the engine's, and empty where its pairing failed the check."""

    round = serializers.IntegerField()
    holds = serializers.BooleanField(help_text="Whether the engine's pairing passes its check.")
    players = HandPlayer(many=True)
    pairs = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    byes = serializers.ListField(child=serializers.IntegerField())


@extend_schema(methods=["GET"], responses=HandProposal, operation_id="propose_round")
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=DraftByHand,
    responses={201: changes.RoundChanged},
    operation_id="draft_round_by_hand",
)
@api_view(["GET", "POST"])
@permission_classes([IsAuthenticated])
def by_hand(request: Request, code: str) -> Response:
    """GET: who is to be in the next Swiss round, and what the engine proposes. POST: draft it as staff wrote it,
    instead of the draft that may lie there."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    if request.method == "GET":
        return Response(HandProposal(_proposal(hand_round(event))).data)
    values = read(request, DraftByHand)
    return carry_out(
        request,
        viewer,
        draft_by_hand,
        event=event,
        version=values.pop("version", None),
        needs_version=True,
        created=True,
        **{**values, "pairs": _pairs(values["pairs"])},
    )


@extend_schema(request=HandPairs, responses=HandGrade, operation_id="grade_round_by_hand")
@api_view(["POST"])
@permission_classes([IsAuthenticated])
def grade(request: Request, code: str) -> Response:
    """What a round by hand would cost beside the engine's. Changes nothing."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    asked = HandPairs(data=request.data)
    asked.is_valid(raise_exception=True)
    pairs, byes = _pairs(asked.validated_data["pairs"]), asked.validated_data["byes"]
    hand = hand_round(event)
    refuse_amiss(hand, pairs, byes)
    groups = [
        {
            "pod": graded.group.pod.number if graded.group.pod else None,
            "cost": graded.cost.as_json(),
            "engine": _cost(graded.engine),
        }
        for graded in hand.graded(pairs, byes)
    ]
    return Response(HandGrade({"groups": groups, "rematches": hand.rematches(pairs)}).data)


def _proposal(hand: HandRound) -> dict[str, Any]:
    pairs, byes = hand.proposal
    points = hand.swiss.points
    players = [
        {"player": player, "name": hand.names[player], "points": points[player]} for player in sorted(hand.names)
    ]
    return {
        "round": hand.upcoming.sequence,
        "holds": hand.holds,
        "players": sorted(players, key=lambda row: -points[row["player"]]),
        "pairs": pairs,
        "byes": byes,
    }


def _pairs(rows: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    return [(row[0], row[1]) for row in rows]


def _cost(cost: PairingCost | None) -> dict[str, int] | None:
    return cost.as_json() if cost is not None else None


urlpatterns = [
    path("events/<slug:code>/rounds/by-hand", by_hand, name="rounds-by-hand"),
    path("events/<slug:code>/rounds/by-hand/grade", grade, name="grade-by-hand"),
]
