"""Checking a deck and keeping decks, for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from decks import queries
from decks.api import kept, sharing
from decks.api.kept import signed_in
from decks.api.serializers import CheckAnswer, CheckRequest, DeckAnswer, DeckChangeRequest, DeckRequest, DeckRow
from decks.models import Deck
from decks.panels import verdict_json
from decks.services import decks as services
from rules.queries import format_by_slug


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


def _changes(values: Mapping[str, Any]) -> dict[str, Any]:
    changes = {key: values[key] for key in ("name", "text", "seen") if key in values}
    if "format" in values:
        changes["format"] = format_by_slug(game=values["game"], slug=values["format"])
    return changes


def _answer(deck: Deck, code: int = status.HTTP_200_OK) -> Response:
    return Response(DeckAnswer(deck).data, status=code)


class DecksView(APIView):
    @extend_schema(responses=DeckRow(many=True), operation_id="list_decks")
    def get(self, request: Request) -> Response:
        """Your decks, the one saved last first."""
        return Response(DeckRow(queries.decks_of(owner=signed_in(request)), many=True).data)

    @extend_schema(request=DeckRequest, responses={201: DeckAnswer}, operation_id="create_deck")
    def post(self, request: Request) -> Response:
        asked = DeckRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        deck = services.create_deck(owner=signed_in(request), **_changes(asked.validated_data))
        return _answer(deck, status.HTTP_201_CREATED)


class DeckView(APIView):
    @extend_schema(responses=DeckAnswer, operation_id="get_deck")
    def get(self, request: Request, deck_id: int) -> Response:
        return _answer(queries.deck_of(owner=signed_in(request), deck_id=deck_id))

    @extend_schema(request=DeckChangeRequest(partial=True), responses=DeckAnswer, operation_id="change_deck")
    def patch(self, request: Request, deck_id: int) -> Response:
        """Change what is given, leave the rest."""
        queries.deck_of(owner=signed_in(request), deck_id=deck_id)
        asked = DeckChangeRequest(data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        return _answer(
            services.save_deck(owner=signed_in(request), deck_id=deck_id, **_changes(asked.validated_data)),
        )

    @extend_schema(responses={204: None}, operation_id="delete_deck")
    def delete(self, request: Request, deck_id: int) -> Response:
        services.delete_deck(owner=signed_in(request), deck_id=deck_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


urlpatterns = [
    path("check", CheckView.as_view(), name="check"),
    path("decks", DecksView.as_view(), name="decks"),
    path("decks/<int:deck_id>", DeckView.as_view(), name="deck"),
    path("decks/<int:deck_id>/history", kept.HistoryView.as_view(), name="deck_history"),
    path("decks/<int:deck_id>/history/<int:number>", kept.VersionView.as_view(), name="deck_version"),
    path("decks/<int:deck_id>/history/<int:number>/restore", kept.RestoreView.as_view(), name="deck_restore"),
    path("decks/<int:deck_id>/statistics", kept.StatisticsView.as_view(), name="deck_statistics"),
    path("decks/<int:deck_id>/export/<slug:kind>", kept.ExportView.as_view(), name="deck_export"),
    path("decks/<int:deck_id>/share", sharing.ShareView.as_view(), name="deck_share"),
    path("decks/compare", sharing.CompareView.as_view(), name="deck_compare"),
    path("decks/shared/<str:token>", sharing.SharedView.as_view(), name="deck_shared"),
    path("decks/shared/<str:token>/export/<slug:kind>", sharing.SharedExportView.as_view(), name="deck_shared_export"),
]
