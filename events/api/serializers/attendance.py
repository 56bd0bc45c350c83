"""Who is not there: what is asked of it, and what it answers."""

from __future__ import annotations

from rest_framework import serializers

from events.api.serializers.changes import Changed, RoundChanged
from events.api.serializers.fields import Whole, YesOrNo
from events.api.serializers.requests import MAX_NUMBER, PlainCommand


class Miss(PlainCommand):
    player = Whole(min_value=1, max_value=MAX_NUMBER)
    came = YesOrNo(default=False, help_text="They were missed, and are there now.")


class NoShowRule(PlainCommand):
    minutes = Whole(allow_null=True, min_value=0, max_value=1000, help_text="Null: no rule, staff decide.")
    drops = YesOrNo(default=False, help_text="Who loses a match like this is dropped.")


class Missed(Changed):
    match = serializers.IntegerField()
    player = serializers.IntegerField()
    absent = serializers.BooleanField()


class NoShowRuleSet(Changed):
    minutes = serializers.IntegerField(allow_null=True)
    drops = serializers.BooleanField()


class NoShowsSwept(RoundChanged):
    tables = serializers.ListField(child=serializers.IntegerField(), help_text="Decided by this.")


class DoorSwept(Changed):
    dropped = serializers.ListField(child=serializers.CharField())
    let_in = serializers.ListField(child=serializers.CharField(), help_text="From the waitlist.")
    places = serializers.IntegerField(help_text="Taken now.")


class PersonAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class AbsenceAnswer(serializers.Serializer):
    player = PersonAnswer()
    said_at = serializers.DateTimeField()


class MissedTableAnswer(serializers.Serializer):
    match = serializers.IntegerField(source="match.pk")
    table = serializers.IntegerField(source="match.table")
    absences = AbsenceAnswer(many=True)
    is_due = serializers.BooleanField(help_text="Whether a sweep would decide it now.")
    due_at = serializers.DateTimeField(allow_null=True, help_text="If the clock goes on.")


class AttendanceAnswer(serializers.Serializer):
    now = serializers.DateTimeField()
    not_checked_in = PersonAnswer(many=True, source="at_the_door", help_text="Before the start.")
    door_closes = serializers.DateTimeField(help_text="From when on they can be dropped.")
    round = serializers.IntegerField(source="round.sequence", allow_null=True, default=None)
    missed = MissedTableAnswer(many=True)
