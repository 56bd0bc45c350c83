"""How an event ends, and what is asked for then."""

from __future__ import annotations

from collections.abc import Mapping

from rest_framework import serializers

from decks.serializers import Strict, Text
from events.api.serializers.changes import Changed
from events.api.serializers.fields import Instant, Whole, YesOrNo
from events.api.serializers.requests import PlainCommand
from events.engine.prizes import LAST_PLACE, LONGEST_WORDS, MOST_PRIZES, Award
from events.models import PrizeHandover
from events.queries.closing import Finish


class PrizeAnswer(serializers.Serializer):
    first = serializers.IntegerField(help_text="The best place that gets it.")
    last = serializers.IntegerField(help_text="The last place that gets it.")
    words = serializers.CharField()


class PrizeRow(Strict):
    first = Whole(min_value=1, max_value=LAST_PLACE)
    last = Whole(min_value=1, max_value=LAST_PLACE, required=False, help_text="Without it, only the first place.")
    words = Text(max_length=LONGEST_WORDS)


class SetPrizes(PlainCommand):
    prizes = serializers.ListField(child=PrizeRow(), max_length=MOST_PRIZES)


class PrizesSet(Changed):
    prizes = serializers.IntegerField(help_text="How many the table has now.")


class FinishAnswer(serializers.Serializer):
    place = serializers.IntegerField()
    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.shown_name")
    rank = serializers.IntegerField(allow_null=True, help_text="In the standings, before any elimination.")
    match_points = serializers.CharField(source="points", allow_null=True)
    lost_in = serializers.IntegerField(allow_null=True, help_text="The round of the elimination that put them out.")
    prize = serializers.SerializerMethodField()

    def get_prize(self, finish: Finish) -> str | None:
        award: Award | None = self.context["awards"].get(finish.player.pk)
        return award.told if award is not None else None


class HandoverAnswer(serializers.Serializer):
    at = serializers.DateTimeField()
    by = serializers.CharField(source="by_name")
    note = serializers.CharField()


class FinishForStaffAnswer(FinishAnswer):
    full_name = serializers.CharField(source="player.name")
    handed_over = serializers.SerializerMethodField()

    def get_handed_over(self, finish: Finish) -> Mapping[str, object] | None:
        found: PrizeHandover | None = self.context["handovers"].get(finish.player.pk)
        return HandoverAnswer(found).data if found is not None else None


class HandOver(Strict):
    given = YesOrNo(default=True)
    note = Text(allow_blank=True, default="", max_length=200, help_text="Such as how two finalists split.")


class Archive(PlainCommand):
    archived = YesOrNo()


class Archived(Changed):
    event = serializers.IntegerField()
    archived = serializers.BooleanField()


class Clone(Strict):
    name = Text(max_length=120)
    starts_at = Instant()
    with_staff = YesOrNo(default=False, help_text="Whether the same people get the same roles.")


class EventCloned(Changed):
    event = serializers.IntegerField()
    code = serializers.CharField()
    staff = serializers.IntegerField(help_text="Roles that were given besides yours.")
