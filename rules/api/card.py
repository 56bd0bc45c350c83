"""One card, for programs: what it says and may do on a day."""

from __future__ import annotations

from typing import Any

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from cards.api import CardAnswer, PublicView
from cards.queries import card_by_slug, card_text_on, errata_of, game_by_slug
from rules import queries
from rules.api.parameters import DayParameters
from rules.queries.rulings import rulings_of_card
from rules.standing import standing_text


class PrintingAnswer(serializers.Serializer):
    set = serializers.CharField(source="card_set.code")
    set_name = serializers.CharField(source="card_set.name")
    number = serializers.CharField()
    released_on = serializers.DateField(source="card_set.released_on", allow_null=True)
    legal_on = serializers.DateField(source="card_set.legal_on", allow_null=True)


class CardNameAnswer(serializers.Serializer):
    text = serializers.CharField()
    kind = serializers.CharField(help_text="canonical, alias, face or former.")


class DuringAnswer(serializers.Serializer):
    since = serializers.DateField(source="during.lower", allow_null=True)
    until = serializers.DateField(source="during.upper", allow_null=True, help_text="The first day without it.")
    announced_on = serializers.DateField(allow_null=True)
    source = serializers.CharField()  # type: ignore[assignment]  # a field may be called so; DRF moves it


class CardTagAnswer(DuringAnswer):
    tag = serializers.CharField()


class CardStatusAnswer(DuringAnswer):
    format = serializers.CharField(source="format.slug")
    status = serializers.CharField()
    max_copies = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    zone = serializers.CharField(help_text="The only zone that it speaks of; empty for all.")
    section = serializers.CharField()


class ErratumAnswer(serializers.Serializer):
    starts_on = serializers.DateField()
    facts = serializers.DictField(help_text="Only the facts that changed.")
    text = serializers.CharField(help_text="The new text; empty where it stays.")
    announced_on = serializers.DateField(allow_null=True)
    source = serializers.CharField()  # type: ignore[assignment]  # a field may be called so; DRF moves it


class LegalityAnswer(serializers.Serializer):
    format = serializers.CharField(source="format.slug")
    version = serializers.CharField(source="version.version")
    standing = serializers.CharField(help_text="legal, restricted, banned, illegal, undetermined or own pool.")
    zones = serializers.ListField(child=serializers.CharField())
    copies = serializers.IntegerField(allow_null=True, help_text="At most so many; null where nothing bounds them.")
    cite = serializers.CharField()
    why = serializers.SerializerMethodField()

    def get_why(self, standing: queries.CardStanding) -> str:
        return standing_text(standing, standing.format.game)


class CardDetailAnswer(CardAnswer):
    on = serializers.DateField()
    names = CardNameAnswer(many=True)
    printings = PrintingAnswer(many=True)
    legality = LegalityAnswer(many=True, help_text="In every format that has a version in force on the day.")
    tags = CardTagAnswer(many=True, help_text="Those of all days.")
    lists = CardStatusAnswer(many=True, help_text="Those of all days.")
    errata = ErratumAnswer(many=True, help_text="Those of all days.")
    rulings = serializers.ListField(child=serializers.CharField(), help_text="Numbers of rulings that hold on the day.")
    sections = serializers.ListField(child=serializers.CharField(), help_text="Rules of the day that name the card.")


class CardView(PublicView):
    @extend_schema(parameters=[DayParameters], responses=CardDetailAnswer, operation_id="get_card")
    def get(self, request: Request, game: str, card: str) -> Response:
        """A card with its text and facts of the day, its legality on it, and its history."""
        day = DayParameters.of(request).get("on") or timezone.localdate()
        found = card_by_slug(game=game_by_slug(slug=game), slug=card)
        facts = queries.card_facts_for([found.pk], day=day)[found.pk]
        answer: dict[str, Any] = {
            "slug": found.slug,
            "name": found.name,
            "on": day,
            "text": card_text_on(card=found, day=day),
            "facts": facts.facts,
            "is_sample": found.is_sample,
            "names": sorted(found.names.all(), key=lambda name: (name.kind != "canonical", name.kind, name.text)),
            "printings": sorted(found.printings.all(), key=lambda one: (one.card_set.code, one.number)),
            "legality": queries.standings_of_card(card=found, facts=facts, day=day),
            "tags": found.tags.all(),
            "lists": [status.entry for status in queries.statuses_of(card=found, day=day)],
            "errata": errata_of(card=found),
            "rulings": [ruling.number for ruling in rulings_of_card(card=found, day=day)],
            "sections": [f"{s.document.prefix} {s.number}" for s in queries.sections_about(card=found, day=day)],
        }
        return Response(CardDetailAnswer(answer).data)


urlpatterns = [path("games/<slug:game>/cards/<slug:card>", CardView.as_view(), name="card")]
