"""What hangs on a deck of one's own: its versions, statistics and files."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from decks.api.serializers import (
    DeckAnswer,
    DeckFileAnswer,
    DeckHistoryAnswer,
    DeckStatisticsAnswer,
    DeckVersionAnswer,
)
from decks.queries import deck_of
from decks.queries.history import history_of, version_of
from decks.queries.texts import deck_file, deck_statistics
from decks.services.decks import restore_revision


def signed_in(request: Request) -> User:
    assert isinstance(request.user, User)
    return request.user


class HistoryQuery(serializers.Serializer):
    before = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False)


class HistoryView(APIView):
    @extend_schema(
        parameters=[OpenApiParameter("before", int, description="Only versions of a lower number.")],
        responses=DeckHistoryAnswer,
        operation_id="get_deck_history",
    )
    def get(self, request: Request, deck_id: int) -> Response:
        """The deck's versions, the newest first, at most twenty, with what changed in each."""
        deck = deck_of(owner=signed_in(request), deck_id=deck_id)
        asked = HistoryQuery(data=request.query_params)
        asked.is_valid(raise_exception=True)
        return Response(DeckHistoryAnswer(history_of(deck=deck, before=asked.validated_data.get("before"))).data)


class VersionView(APIView):
    @extend_schema(responses=DeckVersionAnswer, operation_id="get_deck_version")
    def get(self, request: Request, deck_id: int, number: int) -> Response:
        _, version = version_of(owner=signed_in(request), deck_id=deck_id, number=number)
        return Response(DeckVersionAnswer(version).data)


class RestoreView(APIView):
    @extend_schema(request=None, responses=DeckAnswer, operation_id="restore_deck_version")
    def post(self, request: Request, deck_id: int, number: int) -> Response:
        """Save the name and text of an older version anew. What the deck was until now stays in its history."""
        deck = restore_revision(owner=signed_in(request), deck_id=deck_id, number=number)
        return Response(DeckAnswer(deck).data)


class StatisticsView(APIView):
    @extend_schema(responses=DeckStatisticsAnswer, operation_id="get_deck_statistics")
    def get(self, request: Request, deck_id: int) -> Response:
        """Cards by value of each fact, for every zone of two cards or more; facts as they are today."""
        deck = deck_of(owner=signed_in(request), deck_id=deck_id)
        return Response(DeckStatisticsAnswer({"zones": deck_statistics(deck=deck, day=timezone.localdate())}).data)


class ExportView(APIView):
    @extend_schema(responses=DeckFileAnswer, operation_id="export_deck")
    def get(self, request: Request, deck_id: int, kind: str) -> Response:
        """The deck as a file of another program, its content in ``text``."""
        deck = deck_of(owner=signed_in(request), deck_id=deck_id)
        return Response(DeckFileAnswer(deck_file(deck=deck, kind=kind)).data)
