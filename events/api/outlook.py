"""Who is in the cut for certain, who can still make it, and which draws are safe."""

from __future__ import annotations

from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from config.errors import NotFound
from events.api.commands import event_and_viewer
from events.engine.whatif_model import Chance
from events.queries.outlook import outlook_of
from events.queries.public_pages import situation_of
from events.sentences_outlook import why

CHANCES = [chance.value for chance in Chance]


class PlayerChance(serializers.Serializer):
    player = serializers.IntegerField()
    chance = serializers.ChoiceField(CHANCES, help_text="`alive` can make it; `unknown` where neither is proved.")
    least = serializers.IntegerField(help_text="Match points at the end of the Swiss rounds, at least.")
    most = serializers.IntegerField()
    reason = serializers.CharField(help_text="The code of what makes it so.")
    why = serializers.CharField()


class DrawChance(serializers.Serializer):
    """What becomes of both players of an open match if it is drawn."""

    round = serializers.IntegerField()
    a = serializers.IntegerField()
    b = serializers.IntegerField()
    safe = serializers.BooleanField(help_text="Whether both are certain of the cut then. False is “not proved”.")
    a_chance = serializers.ChoiceField(CHANCES)
    b_chance = serializers.ChoiceField(CHANCES)


class OutlookAnswer(serializers.Serializer):
    """Taken for granted: nobody else leaves or enters, and matches are played out."""

    cut = serializers.IntegerField()
    exact = serializers.BooleanField(help_text="Whether every end was played through, so that nothing is unknown.")
    players = PlayerChance(many=True)
    draws = DrawChance(many=True)


@extend_schema(responses=OutlookAnswer, operation_id="get_outlook")
@api_view(["GET"])
@permission_classes([AllowAny])
def outlook(request: Request, code: str) -> Response:
    """The way to the cut during the Swiss rounds before it. 404 while no cut by rank follows."""
    event, _ = event_and_viewer(request, code)
    found = outlook_of(situation_of(event))
    if found is None:
        raise NotFound("outlook.none", "There is no cut to look ahead to, or it is being counted at this moment.")
    cut = found.cut
    players: list[dict[str, Any]] = [
        {**told.as_json(), "reason": told.reason.code, "why": why(told)}
        for player in sorted(cut.players)
        if (told := found.of(player)) is not None
    ]
    draws = [
        {
            "round": match.round,
            "a": match.a,
            "b": match.b,
            "safe": cut.draw_is_safe(match),
            "a_chance": one.chance,
            "b_chance": other.chance,
        }
        for match, (one, other) in cut.after_draw.items()
    ]
    return Response(OutlookAnswer({"cut": cut.cut, "exact": cut.exact, "players": players, "draws": draws}).data)


urlpatterns = [path("events/<slug:code>/outlook", outlook, name="outlook")]
