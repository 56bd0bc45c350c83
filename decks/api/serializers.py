"""The bodies and answers of the API of decks."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from decks.engine.containers.opening import MAX_BYTES
from decks.models import Deck
from decks.queries.history import newest_number
from decks.serializers import Strict, Text


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


class DeckChangeRequest(DeckRequest):
    seen = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        help_text="The version that the change was made from: 409 where the text has another by now.",
    )


class CompareRequest(Strict):
    game = Text(max_length=40)
    first = Text(trim_whitespace=False, allow_blank=True, max_length=MAX_BYTES)
    second = Text(trim_whitespace=False, allow_blank=True, max_length=MAX_BYTES)


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


class DeckRow(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    game = serializers.CharField(source="game.slug")
    format = serializers.CharField(source="format.slug")
    text = serializers.CharField()
    updated_at = serializers.DateTimeField()
    is_shared = serializers.SerializerMethodField(help_text="Whether whoever has its link may read the deck.")

    def get_is_shared(self, deck: Deck) -> bool:
        return deck.share_token is not None


class DeckAnswer(DeckRow):
    version = serializers.SerializerMethodField(help_text="The number of the text, to send as seen with a change.")

    def get_version(self, deck: Deck) -> int:
        return newest_number(deck=deck)


class CardDifferenceAnswer(serializers.Serializer):
    card = serializers.IntegerField()
    name = serializers.CharField()
    first = serializers.IntegerField()
    second = serializers.IntegerField()


class ZoneDifferenceAnswer(serializers.Serializer):
    zone = serializers.CharField()
    name = serializers.CharField()
    first = serializers.IntegerField(help_text="Cards of the first deck in the zone.")
    second = serializers.IntegerField()
    cards = CardDifferenceAnswer(many=True)


class LineAnswer(serializers.Serializer):
    number = serializers.IntegerField()
    raw = serializers.CharField()


class ComparisonAnswer(serializers.Serializer):
    is_same = serializers.BooleanField(help_text="The same cards in the same zones, and every line understood.")
    fingerprints = serializers.ListField(child=serializers.CharField(), help_text="Of the first deck and the second.")
    zones = ZoneDifferenceAnswer(many=True)
    first_problems = LineAnswer(many=True, source="first.problems", help_text="Lines that are not understood.")
    second_problems = LineAnswer(many=True, source="second.problems")


class DeckVersionRow(serializers.Serializer):
    number = serializers.IntegerField(source="version.number")
    name = serializers.CharField(source="version.name")
    saved_at = serializers.DateTimeField(source="version.saved_at")
    is_now = serializers.BooleanField(source="version.is_now")
    count = serializers.IntegerField(help_text="Cards in the deck.")
    problems = serializers.IntegerField(help_text="Lines that are not understood.")
    changed = ZoneDifferenceAnswer(many=True, help_text="What changed since the version before.")


class DeckHistoryAnswer(serializers.Serializer):
    versions = DeckVersionRow(many=True, source="changes")
    older = serializers.IntegerField(allow_null=True, help_text="Ask with before=older for the versions before these.")


class DeckVersionAnswer(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    text = serializers.CharField()
    saved_at = serializers.DateTimeField()
    is_now = serializers.BooleanField()


class ShareAnswer(serializers.Serializer):
    token = serializers.CharField(allow_null=True, help_text="None where nobody but its owner reads the deck.")
    path = serializers.CharField(allow_null=True, help_text="The page that whoever has the link reads.")


class SharedDeckAnswer(serializers.Serializer):
    name = serializers.CharField()
    owner = serializers.CharField(source="owner.display_name")
    game = serializers.CharField(source="game.slug")
    format = serializers.CharField(source="format.slug")
    text = serializers.CharField()
    updated_at = serializers.DateTimeField()


class DeckFileAnswer(serializers.Serializer):
    kind = serializers.CharField(source="format.key")
    name = serializers.CharField()
    media_type = serializers.CharField(source="format.media_type")
    text = serializers.CharField()


class BarAnswer(serializers.Serializer):
    value = serializers.CharField(source="label")
    count = serializers.IntegerField()


class ChartAnswer(serializers.Serializer):
    fact = serializers.CharField()
    name = serializers.CharField(source="label")
    bars = BarAnswer(many=True)
    unknown = serializers.IntegerField(help_text="Cards of which the fact is not known.")
    average = serializers.FloatField(allow_null=True)


class ZoneStatisticsAnswer(serializers.Serializer):
    zone = serializers.CharField()
    name = serializers.CharField()
    count = serializers.IntegerField()
    charts = ChartAnswer(many=True)


class DeckStatisticsAnswer(serializers.Serializer):
    zones = ZoneStatisticsAnswer(many=True)
