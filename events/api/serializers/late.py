"""Coming in late: what is asked of it, and what it answers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from decks.serializers import Text
from events.api.serializers.changes import Changed
from events.api.serializers.fields import Whole, YesOrNo
from events.api.serializers.requests import MAX_NUMBER, PlainCommand


class LateQuestion(serializers.Serializer):
    player = serializers.IntegerField(required=False, min_value=1, max_value=MAX_NUMBER, help_text="Who has an entry.")


class LateTermsAnswer(serializers.Serializer):
    round = serializers.IntegerField(help_text="The first to be played. Send it back to accept the terms.")
    missed = serializers.ListField(child=serializers.IntegerField(), help_text="Rounds without points, never byes.")
    count_as_lost = serializers.BooleanField(help_text="Whether they are played and lost in percentages.")
    needs_decklist = serializers.BooleanField()
    sentence = serializers.CharField()


class EnterLate(PlainCommand):
    """Without ``name`` and ``player``: yourself."""

    round = Whole(min_value=1, max_value=10_000, help_text="Of the terms that you were shown.")
    name = Text(required=False, max_length=200, help_text="Staff: a person without an account.")
    player = Whole(required=False, min_value=1, max_value=MAX_NUMBER, help_text="Staff: who has an entry.")
    hides_surname = YesOrNo(default=False, help_text="Of your own entry.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "name" in attrs and "player" in attrs:
            raise serializers.ValidationError("Give a name or a player, not both.")
        return attrs


class EnteredLate(Changed):
    player = serializers.IntegerField()
    name = serializers.CharField()
    round = serializers.IntegerField()
    missed = serializers.ListField(child=serializers.IntegerField())
