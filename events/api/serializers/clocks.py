"""Clocks: what is asked of them, and what they answer."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from decks.serializers import Text
from events.api.serializers.changes import Changed, RoundChanged
from events.api.serializers.fields import Whole
from events.api.serializers.public import ClockAnswer, RoundRow
from events.api.serializers.requests import PlainCommand
from events.queries.clocks import TableClock
from events.services.clocks import LONGEST_REASON


class AdjustClock(PlainCommand):
    minutes = Whole(min_value=-1000, max_value=1000, help_text="Below zero: shorter.")
    reason = Text(max_length=LONGEST_REASON)


class ExtendTable(PlainCommand):
    minutes = Whole(min_value=0, max_value=1000)
    reason = Text(max_length=LONGEST_REASON, help_text="Read by the table's players and by staff.")


class ClockAdjusted(RoundChanged):
    seconds = serializers.IntegerField(help_text="Length of the round clock now.")


class TableExtended(Changed):
    match = serializers.IntegerField()
    table = serializers.IntegerField()
    seconds = serializers.IntegerField(help_text="All that the table has been given.")
    match_version = serializers.IntegerField()


class ExtensionAnswer(serializers.Serializer):
    """Why it was given is for staff and for the players of the table."""

    seconds = serializers.IntegerField()
    given_at = serializers.DateTimeField()
    reason = serializers.CharField(required=False)


class TableClockAnswer(serializers.Serializer):
    match = serializers.IntegerField(source="match.pk")
    table = serializers.IntegerField(source="match.table")
    clock = ClockAnswer()
    extra_turns = serializers.IntegerField(source="match.extra_turns", allow_null=True)
    extensions = serializers.SerializerMethodField()

    @extend_schema_field(ExtensionAnswer(many=True))
    def get_extensions(self, table: TableClock) -> list[dict[str, Any]]:
        rows = [dict(row) for row in ExtensionAnswer(table.extensions, many=True).data]
        if not self.context["may_read"](table.match):
            for row in rows:
                del row["reason"]
        return rows


class ClocksAnswer(serializers.Serializer):
    """The clock of the round that is played, and the tables that end at another time: those with time of their own, and
    once time is called everybody who still plays, the first to end before the others."""

    now = serializers.DateTimeField(help_text="By the clock that decides.")
    round = RoundRow(allow_null=True, help_text="None while no round is played.")
    clock = ClockAnswer(allow_null=True)
    tables = TableClockAnswer(many=True)
