"""Showing a deck by a link, reading one that is shown, and comparing two lists."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cards.queries import game_by_slug
from decks.api.kept import signed_in
from decks.api.serializers import CompareRequest, ComparisonAnswer, DeckFileAnswer, ShareAnswer, SharedDeckAnswer
from decks.queries import deck_of
from decks.queries.sharing import shared_deck
from decks.queries.texts import compare_texts, deck_file
from decks.services.sharing import share_deck, unshare_deck


def _link(token: str | None) -> Response:
    path = token and reverse("decks:shared", args=[token])
    return Response(ShareAnswer({"token": token, "path": path}).data)


class ShareView(APIView):
    @extend_schema(responses=ShareAnswer, operation_id="get_deck_link")
    def get(self, request: Request, deck_id: int) -> Response:
        return _link(deck_of(owner=signed_in(request), deck_id=deck_id).share_token)

    @extend_schema(request=None, responses=ShareAnswer, operation_id="share_deck")
    def post(self, request: Request, deck_id: int) -> Response:
        """Make a link by which anyone reads the deck; the one that there is, where there is one."""
        return _link(share_deck(owner=signed_in(request), deck_id=deck_id))

    @extend_schema(responses={204: None}, operation_id="unshare_deck")
    def delete(self, request: Request, deck_id: int) -> Response:
        """Take the link back. A later one is another."""
        unshare_deck(owner=signed_in(request), deck_id=deck_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SharedView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(responses=SharedDeckAnswer, operation_id="get_shared_deck")
    def get(self, request: Request, token: str) -> Response:
        return Response(SharedDeckAnswer(shared_deck(token=token)).data)


class SharedExportView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(responses=DeckFileAnswer, operation_id="export_shared_deck")
    def get(self, request: Request, token: str, kind: str) -> Response:
        return Response(DeckFileAnswer(deck_file(deck=shared_deck(token=token), kind=kind)).data)


class CompareView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(request=CompareRequest, responses=ComparisonAnswer, operation_id="compare_decklists")
    def post(self, request: Request) -> Response:
        """What two lists have in common and what only one has. Nothing is stored and nobody has to be logged in."""
        asked = CompareRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        values = asked.validated_data
        game = game_by_slug(slug=values["game"])
        return Response(ComparisonAnswer(compare_texts(first=values["first"], second=values["second"], game=game)).data)
