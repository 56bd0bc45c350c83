"""What the staff of an event see besides."""

from __future__ import annotations

from rest_framework import serializers

from events.api.serializers.player import OwnDecklistAnswer, OwnMatchAnswer
from events.api.serializers.public import PlayerAnswer
from events.models import Player, Result


class StaffPlayerAnswer(PlayerAnswer):
    name = serializers.CharField()
    public_name = serializers.CharField(help_text="What others read instead; empty: the name.")
    has_account = serializers.SerializerMethodField()
    registered_at = serializers.DateTimeField()
    paid_at = serializers.DateTimeField(allow_null=True)
    assigned_byes = serializers.IntegerField()
    fixed_table = serializers.IntegerField(allow_null=True)
    fixed_table_kind = serializers.CharField()
    team = serializers.CharField(source="team.name", allow_null=True, default=None)

    def get_has_account(self, player: Player) -> bool:
        return player.user_id is not None


class AvoidanceAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    one = serializers.IntegerField(source="one_id")
    other = serializers.IntegerField(source="other_id")
    is_strict = serializers.BooleanField()
    reason = serializers.CharField()


class ResultAnswer(serializers.Serializer):
    decided = serializers.ChoiceField(Result.Source.choices, source="source", help_text="By whom.")
    how = serializers.ChoiceField(Result.How.choices)
    scores = serializers.ListField(child=serializers.DictField())
    reason = serializers.CharField()
    decided_at = serializers.DateTimeField()
    superseded_at = serializers.DateTimeField(allow_null=True)


class StaffMatchAnswer(OwnMatchAnswer):
    results = ResultAnswer(many=True, help_text="What counts, and what counted before.")


class StaffDecklistAnswer(OwnDecklistAnswer):
    digests = serializers.DictField(child=serializers.CharField(), source="decklist.standing.digests")
