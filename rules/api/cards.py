"""The search for cards, for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from cards.api import CardAnswer, PageParameters, PublicView, page_of
from cards.engine.facts import fact_specs
from cards.engine.filters import LONGEST, read_filters
from cards.queries import game_by_slug, near_cards, search_cards, sets_of, tags_of
from rules.queries import format_by_slug
from rules.queries.playable import MOST, playable_cards


class CardsParameters(PageParameters):
    q = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST, help_text="Words of a name.")
    text = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST, help_text="Words of the text.")
    set = serializers.CharField(required=False, max_length=20, help_text="The code of a set that they came out in.")
    tag = serializers.CharField(required=False, max_length=40, help_text="A tag that they have on the day.")
    format = serializers.CharField(
        required=False, max_length=60, help_text=f"They may be played in it on the day; for up to {MOST:,} cards."
    )
    on = serializers.DateField(required=False, input_formats=["%Y-%m-%d"], help_text="The day; today without it.")

    def to_internal_value(self, data: Any) -> Any:
        # Those of facts differ from game to game: cards.engine.filters reads them.
        plain = {k: v for k, v in data.items() if not k.startswith("f-")} if isinstance(data, Mapping) else data
        return super().to_internal_value(plain)


class NearAnswer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()


class CardsAnswer(serializers.Serializer):
    count = serializers.IntegerField()
    results = CardAnswer(many=True)
    undetermined = serializers.IntegerField(help_text="With format: cards that it can't be told of.")
    did_you_mean = NearAnswer(many=True, help_text="Cards with a name like q, where none was found.")


class CardsView(PublicView):
    @extend_schema(parameters=[CardsParameters], responses=CardsAnswer, operation_id="list_cards")
    def get(self, request: Request, game: str) -> Response:
        """Cards of a game, those called like ``q`` first, the others by name; everything that is asked for holds.

        Facts are asked for by their key: ``f-KEY=value``, many times for any of several values; for a number also
        ``f-KEY-min`` and ``f-KEY-max``. A card whose fact is not known is not found by it.
        """
        values = CardsParameters.of(request)
        found = game_by_slug(slug=game)
        pairs = [(name, value) for name, given in request.query_params.lists() for value in given]
        sets = [one.code for one in sets_of(game=found)]
        filters = read_filters(pairs, fact_specs(found.facts), sets, tags_of(game=found))
        day = values.get("on") or timezone.localdate()
        cards = search_cards(game=found, filters=filters, day=day)
        undetermined = 0
        if "format" in values:
            format = format_by_slug(game=game, slug=values["format"])
            playable = playable_cards(cards=cards, format=format, day=day)
            cards, undetermined = cards.filter(pk__in=playable.ids), playable.undetermined
        count, results = page_of(cards, values)
        near = near_cards(game=found, query=filters.name) if filters.name and not count else []
        answer = {"count": count, "results": results, "undetermined": undetermined, "did_you_mean": near}
        return Response(CardsAnswer(answer).data)


urlpatterns = [path("games/<slug:game>/cards", CardsView.as_view(), name="cards")]
