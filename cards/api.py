"""Games, for programs; their cards are in ``rules``, which knows the formats and lists that name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cards import queries

LARGEST_PAGE = 100


class QueryParameters(serializers.Serializer):
    """What may stand behind the ``?``. A parameter that isn't known is refused: it is most likely misspelt."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            raise serializers.ValidationError({name: ["There is no such parameter."] for name in unknown})
        return super().to_internal_value(data)

    @classmethod
    def of(cls, request: Request) -> dict[str, Any]:
        """The parameters of a request, read and found sound. ValidationError (400) names those that aren't."""
        read = cls(data=request.query_params.dict())
        read.is_valid(raise_exception=True)
        values: dict[str, Any] = read.validated_data
        return values


class PageParameters(QueryParameters):
    limit = serializers.IntegerField(min_value=1, max_value=10**9, default=20, help_text="At most 100 are given.")
    offset = serializers.IntegerField(min_value=0, max_value=10**9, default=0)


class GameAnswer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    facts = serializers.DictField()
    zones = serializers.ListField(child=serializers.DictField())
    glossary = serializers.DictField(child=serializers.CharField())


class CardAnswer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    text = serializers.CharField()
    facts = serializers.DictField(help_text="A fact that is missing is not known.")
    is_sample = serializers.BooleanField()


def page_of(found: QuerySet[Any, Any], values: Mapping[str, Any]) -> tuple[int, list[Any]]:
    """How many there are, and those that ``limit`` and ``offset`` ask for. Two queries."""
    offset = min(values["offset"], 1_000_000)
    return found.count(), list(found[offset : offset + min(values["limit"], LARGEST_PAGE)])


class PublicView(APIView):
    permission_classes = [AllowAny]


class GamesView(PublicView):
    @extend_schema(responses=GameAnswer(many=True), operation_id="list_games")
    def get(self, request: Request) -> Response:
        return Response(GameAnswer(queries.games(), many=True).data)


class GameView(PublicView):
    @extend_schema(responses=GameAnswer, operation_id="get_game")
    def get(self, request: Request, game: str) -> Response:
        return Response(GameAnswer(queries.game_by_slug(slug=game)).data)


urlpatterns = [
    path("games", GamesView.as_view(), name="games"),
    path("games/<slug:game>", GameView.as_view(), name="game"),
]
