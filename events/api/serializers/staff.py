"""What the staff of an event see besides."""

from __future__ import annotations

from rest_framework import serializers

from events.api.serializers.player import OwnDecklistAnswer, OwnMatchAnswer
from events.api.serializers.public import PlayerAnswer
from events.models import Player, Result


class StaffPlayerAnswer(PlayerAnswer):
    has_account = serializers.SerializerMethodField()
    registered_at = serializers.DateTimeField()

    def get_has_account(self, player: Player) -> bool:
        return player.user_id is not None


class ResultAnswer(serializers.Serializer):
    decided = serializers.ChoiceField(Result.Source.choices, source="source", help_text="By whom.")
    scores = serializers.ListField(child=serializers.DictField())
    reason = serializers.CharField()
    decided_at = serializers.DateTimeField()
    superseded_at = serializers.DateTimeField(allow_null=True)


class StaffMatchAnswer(OwnMatchAnswer):
    results = ResultAnswer(many=True, help_text="What counts, and what counted before.")


class StaffDecklistAnswer(OwnDecklistAnswer):
    digests = serializers.DictField(child=serializers.CharField(), source="decklist.standing.digests")
