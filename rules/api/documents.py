"""Rules documents and their search, for programs."""

from __future__ import annotations

from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from cards.api import LARGEST_PAGE, PublicView, page_of
from cards.queries import game_by_slug
from rules import queries
from rules.api.parameters import DayParameters, GamePageParameters
from rules.api.rulings import RulingHitAnswer
from rules.models import Section


class SearchParameters(DayParameters):
    q = serializers.CharField(max_length=300, help_text="A rule's number, a card's name, or a question.")
    game = serializers.CharField(required=False, max_length=40)
    limit = serializers.IntegerField(min_value=1, max_value=10**9, default=10, help_text="At most 100 are given.")


class DocumentAnswer(serializers.Serializer):
    game = serializers.CharField(source="game.slug")
    slug = serializers.CharField()
    version = serializers.CharField()
    prefix = serializers.CharField()
    title = serializers.CharField()
    since = serializers.DateField(source="during.lower", allow_null=True)
    until = serializers.DateField(source="during.upper", allow_null=True)
    date_note = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field may be called so; DRF moves it


class DocumentsAnswer(serializers.Serializer):
    count = serializers.IntegerField()
    results = DocumentAnswer(many=True)


class SectionAnswer(serializers.Serializer):
    citation = serializers.SerializerMethodField()
    number = serializers.CharField()
    heading = serializers.CharField()
    body = serializers.CharField(help_text="Markdown: paragraphs, lists and emphasis.")
    is_reading = serializers.BooleanField(help_text="Our interpretation, where the source leaves a gap.")

    def get_citation(self, section: Section) -> str:
        return f"{section.document.prefix} {section.number}"


class SectionInContextAnswer(serializers.Serializer):
    document = DocumentAnswer(source="section.document")
    section = SectionAnswer()
    previous = serializers.CharField(source="previous.number", allow_null=True, default=None)
    next = serializers.CharField(source="next.number", allow_null=True, default=None)


class HitAnswer(serializers.Serializer):
    section = SectionAnswer()
    document = DocumentAnswer(source="section.document")
    because = serializers.ChoiceField(["number", "card", "words"])
    snippet = serializers.SerializerMethodField()

    def get_snippet(self, hit: queries.SectionHit) -> list[dict[str, Any]]:
        return [{"text": text, "is_match": is_match} for text, is_match in hit.snippet]


class SearchAnswer(serializers.Serializer):
    hits = HitAnswer(many=True)
    cards = serializers.ListField(child=serializers.CharField(), help_text="Cards that the question names.")
    rulings = RulingHitAnswer(many=True)
    repairs = serializers.DictField(child=serializers.CharField(), help_text="Words typed: words looked for instead.")


class DocumentsView(PublicView):
    @extend_schema(parameters=[GamePageParameters], responses=DocumentsAnswer, operation_id="list_documents")
    def get(self, request: Request) -> Response:
        values = GamePageParameters.of(request)
        game = game_by_slug(slug=values["game"]) if "game" in values else None
        count, documents = page_of(queries.documents(game=game), values)
        return Response(DocumentsAnswer({"count": count, "results": documents}).data)


class SectionView(PublicView):
    @extend_schema(responses=SectionInContextAnswer, operation_id="get_section")
    def get(self, request: Request, game: str, document: str, version: str, number: str) -> Response:
        found = queries.document_by_version(game=game, slug=document, version=version)
        here = queries.section_in_context(document=found, number=number)
        return Response(SectionInContextAnswer(here).data)


class SearchView(PublicView):
    @extend_schema(parameters=[SearchParameters], responses=SearchAnswer, operation_id="search_rules")
    def get(self, request: Request) -> Response:
        """Sections in force on the day: by number first, then those that name a card, then by words."""
        values = SearchParameters.of(request)
        found = queries.search(
            query=values["q"],
            game=game_by_slug(slug=values["game"]) if "game" in values else None,
            limit=min(values["limit"], LARGEST_PAGE),
            day=values.get("on"),
        )
        answer = {
            "hits": found.hits,
            "cards": [card.name for card in found.cards],
            "rulings": found.rulings,
            "repairs": found.repairs,
        }
        return Response(SearchAnswer(answer).data)


urlpatterns = [
    path("rules/documents", DocumentsView.as_view(), name="documents"),
    path("rules/search", SearchView.as_view(), name="search-rules"),
    path("rules/<slug:game>/<slug:document>@<str:version>/<str:number>", SectionView.as_view(), name="section"),
]
