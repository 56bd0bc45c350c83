"""Rulings, for programs."""

from __future__ import annotations

from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from cards.api import PageParameters, PublicView, page_of
from cards.queries import game_by_slug
from rules.models import Ruling
from rules.queries.rulings import RulingHit, ruling_by_number, rulings_of_game


class RulingsParameters(PageParameters):
    q = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=200,
        help_text="Words that must all stand in the number, question, answer, citations or names of cards.",
    )


class RulingAnswer(serializers.Serializer):
    number = serializers.CharField()
    question = serializers.CharField()
    answer = serializers.CharField(help_text="Markdown: paragraphs, lists and emphasis.")
    kind = serializers.ChoiceField(Ruling.Kind.choices, help_text="A reminder repeats what the rules say already.")
    status = serializers.ChoiceField(Ruling.Status.choices)
    authority = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field may be called so; DRF moves it
    since = serializers.DateField(source="during.lower", allow_null=True)
    until = serializers.DateField(source="during.upper", allow_null=True, help_text="The first day without it.")
    date_note = serializers.CharField()
    citations = serializers.ListField(child=serializers.CharField())
    cards = serializers.SerializerMethodField()

    def get_cards(self, ruling: Ruling) -> list[str]:
        return [card.slug for card in ruling.cards.all()]


class RulingHitAnswer(serializers.Serializer):
    ruling = RulingAnswer()
    because = serializers.ChoiceField(["number", "card", "words"])
    snippet = serializers.SerializerMethodField()

    def get_snippet(self, hit: RulingHit) -> list[dict[str, Any]]:
        return [{"text": text, "is_match": is_match} for text, is_match in hit.snippet]


class RulingsAnswer(serializers.Serializer):
    count = serializers.IntegerField()
    results = RulingAnswer(many=True)


class RulingsView(PublicView):
    @extend_schema(parameters=[RulingsParameters], responses=RulingsAnswer, operation_id="list_rulings")
    def get(self, request: Request, game: str) -> Response:
        """Every ruling of a game, superseded and withdrawn ones too; with ``q`` those that have all its words."""
        values = RulingsParameters.of(request)
        count, rulings = page_of(rulings_of_game(game=game_by_slug(slug=game), words=values["q"]), values)
        return Response(RulingsAnswer({"count": count, "results": rulings}).data)


class RulingView(PublicView):
    @extend_schema(responses=RulingAnswer, operation_id="get_ruling")
    def get(self, request: Request, game: str, ruling: str) -> Response:
        found = ruling_by_number(game=game_by_slug(slug=game), number=ruling)
        return Response(RulingAnswer(found).data)


urlpatterns = [
    path("games/<slug:game>/rulings", RulingsView.as_view(), name="rulings"),
    path("games/<slug:game>/rulings/<str:ruling>", RulingView.as_view(), name="ruling"),
]
