"""Checking a deck and keeping decks, for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from decks import queries
from decks.engine.parser import MAX_BYTES
from decks.models import Deck
from decks.panels import verdict_json
from decks.serializers import Strict, Text
from decks.services import decks as services
from rules.queries import format_by_slug


class CheckRequest(Strict):
    game = Text(max_length=40)
    format = Text(max_length=60)
    on = serializers.DateField(required=False, input_formats=["%Y-%m-%d"], help_text="The day; today without it.")
    text = Text(trim_whitespace=False, allow_blank=True, max_length=MAX_BYTES)


class DeckRequest(Strict):
    name = Text(max_length=100)
    game = Text(max_length=40)
    format = Text(max_length=60)
    text = Text(trim_whitespace=False, allow_blank=True, max_length=MAX_BYTES, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("game" in attrs) != ("format" in attrs):
            raise serializers.ValidationError({"format": ["Give game and format together."]})
        return attrs


class ZoneAnswer(serializers.Serializer):
    zone = serializers.CharField()
    name = serializers.CharField()
    count = serializers.IntegerField()
    cards = serializers.ListField(child=serializers.DictField())


class CheckAnswer(serializers.Serializer):
    outcome = serializers.ChoiceField(["legal", "illegal", "undetermined"])
    game = serializers.CharField()
    format = serializers.CharField()
    format_version = serializers.CharField()
    on = serializers.DateField()
    fingerprint = serializers.CharField()
    violations = serializers.ListField(child=serializers.DictField(), help_text="Each with code, cite and sentence.")
    problems = serializers.ListField(child=serializers.DictField(), help_text="Lines that are not understood.")
    notices = serializers.ListField(child=serializers.DictField())
    counts = serializers.ListField(child=serializers.DictField(), help_text="Numbers of cards against their limits.")
    zones = ZoneAnswer(many=True)
    digests = serializers.DictField(child=serializers.CharField())


class DeckAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    game = serializers.CharField(source="game.slug")
    format = serializers.CharField(source="format.slug")
    text = serializers.CharField()
    updated_at = serializers.DateTimeField()


class CheckView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(request=CheckRequest, responses=CheckAnswer, operation_id="check_deck")
    def post(self, request: Request) -> Response:
        """Judge a decklist. Nothing is stored and nobody has to be logged in."""
        asked = CheckRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        values = asked.validated_data
        day = values.get("on") or timezone.localdate()
        return Response(verdict_json(game=values["game"], format=values["format"], day=day, text=values["text"]))


def _signed_in(request: Request) -> User:
    assert isinstance(request.user, User)
    return request.user


def _changes(values: Mapping[str, Any]) -> dict[str, Any]:
    changes = {key: values[key] for key in ("name", "text") if key in values}
    if "format" in values:
        changes["format"] = format_by_slug(game=values["game"], slug=values["format"])
    return changes


def _answer(deck: Deck, code: int = status.HTTP_200_OK) -> Response:
    return Response(DeckAnswer(deck).data, status=code)


class DecksView(APIView):
    @extend_schema(responses=DeckAnswer(many=True), operation_id="list_decks")
    def get(self, request: Request) -> Response:
        """Your decks, the one saved last first."""
        return Response(DeckAnswer(queries.decks_of(owner=_signed_in(request)), many=True).data)

    @extend_schema(request=DeckRequest, responses={201: DeckAnswer}, operation_id="create_deck")
    def post(self, request: Request) -> Response:
        asked = DeckRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        deck = services.create_deck(owner=_signed_in(request), **_changes(asked.validated_data))
        return _answer(deck, status.HTTP_201_CREATED)


class DeckView(APIView):
    @extend_schema(responses=DeckAnswer, operation_id="get_deck")
    def get(self, request: Request, deck_id: int) -> Response:
        return _answer(queries.deck_of(owner=_signed_in(request), deck_id=deck_id))

    @extend_schema(request=DeckRequest(partial=True), responses=DeckAnswer, operation_id="change_deck")
    def patch(self, request: Request, deck_id: int) -> Response:
        """Change what is given, leave the rest."""
        queries.deck_of(owner=_signed_in(request), deck_id=deck_id)
        asked = DeckRequest(data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        return _answer(
            services.save_deck(owner=_signed_in(request), deck_id=deck_id, **_changes(asked.validated_data)),
        )

    @extend_schema(responses={204: None}, operation_id="delete_deck")
    def delete(self, request: Request, deck_id: int) -> Response:
        services.delete_deck(owner=_signed_in(request), deck_id=deck_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


urlpatterns = [
    path("check", CheckView.as_view(), name="check"),
    path("decks", DecksView.as_view(), name="decks"),
    path("decks/<int:deck_id>", DeckView.as_view(), name="deck"),
]
