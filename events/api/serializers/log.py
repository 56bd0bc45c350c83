"""An event as it stood after an entry of its log."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from events.engine.replay import RoundState
from events.models import Event, Round


class TableStateAnswer(serializers.Serializer):
    table = serializers.IntegerField(allow_null=True)
    players = serializers.ListField(child=serializers.IntegerField())
    state = serializers.CharField(source="word", help_text="open, reported, disputed, confirmed or bye")
    scores = serializers.ListField(child=serializers.DictField())


class RoundStateAnswer(serializers.Serializer):
    round = serializers.IntegerField(source="sequence")
    state = serializers.ChoiceField(Round.State.choices, source="word")
    matches = TableStateAnswer(many=True, allow_null=True, help_text="Null: the log does not say (a draft).")


class StandingsStateAnswer(serializers.Serializer):
    round = serializers.IntegerField(source="sequence")
    rows = serializers.ListField(source="standings", help_text="[player, match points] by rank, as counted then.")


class LogStateAnswer(serializers.Serializer):
    """Read from the log alone, up to and with one entry."""

    entry = serializers.SerializerMethodField()
    state = serializers.ChoiceField(Event.State.choices, source="word")
    players = serializers.DictField(child=serializers.CharField(), help_text="Their states, by id.")
    rounds = serializers.SerializerMethodField(help_text="Numbers of the rounds that there were.")
    round = serializers.SerializerMethodField(help_text="The one asked for, or the newest.")
    standings = StandingsStateAnswer(source="last_complete", allow_null=True)
    passed_over = serializers.DictField(
        child=serializers.IntegerField(), help_text="Entries by kind that this could not make sense of."
    )

    def get_entry(self, state: object) -> int:
        number: int = self.context["entry"]
        return number

    def get_rounds(self, state: object) -> list[int]:
        numbers: list[int] = self.context["rounds"]
        return numbers

    @extend_schema_field(RoundStateAnswer(allow_null=True))
    def get_round(self, state: object) -> Any:
        shown: RoundState | None = self.context["shown"]
        return None if shown is None else RoundStateAnswer(shown).data
