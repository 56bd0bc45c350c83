"""What a player sees of their own."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from decks.models import Verdict
from events.api.serializers.public import EntryAnswer, EventAnswer, MatchAnswer, PlayerAnswer
from events.models import DecklistSubmission, StaffRole
from events.queries.access import Viewer
from rules.sentences import sentence


class OwnPlayerAnswer(PlayerAnswer):
    name = serializers.CharField()
    public_name = serializers.CharField(help_text="What others read instead; empty: the name.")
    check_in_code = serializers.CharField(allow_null=True, help_text="What you show at the door, as a QR.")


class YouAnswer(serializers.Serializer):
    player = OwnPlayerAnswer(allow_null=True, help_text="Your entry.")
    roles = serializers.ListField(child=serializers.ChoiceField(StaffRole.Role.choices))


class EventForMemberAnswer(EventAnswer):
    """For whoever is signed in."""

    you = serializers.SerializerMethodField()

    @extend_schema_field(YouAnswer)
    def get_you(self, event: object) -> dict[str, Any]:
        viewer: Viewer = self.context["viewer"]
        return dict(YouAnswer({"player": viewer.player, "roles": sorted(viewer.roles)}).data)


class ReportAnswer(serializers.Serializer):
    """From the reporter's own side."""

    player = serializers.IntegerField(source="player_id")
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    draws = serializers.IntegerField()
    agreed_draw = serializers.BooleanField(help_text="They say that both agree to draw.")
    reported_at = serializers.DateTimeField()


class OwnMatchAnswer(MatchAnswer):
    reports = ReportAnswer(many=True)


class PublicationAnswer(serializers.Serializer):
    title = serializers.CharField()
    effective_on = serializers.DateField()


class OwnDecklistAnswer(serializers.Serializer):
    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player.shown_name")
    submitted_at = serializers.DateTimeField()
    by_staff = serializers.BooleanField()
    reason = serializers.CharField()
    fingerprint = serializers.CharField(source="decklist.fingerprint")
    text = serializers.CharField(source="decklist.text")
    entries = EntryAnswer(many=True, source="decklist.entries")
    outcome = serializers.ChoiceField(
        Verdict.Outcome.choices, source="decklist.standing.outcome", help_text="By the newest lists for its day."
    )
    outcome_at_submission = serializers.ChoiceField(Verdict.Outcome.choices, source="decklist.verdict.outcome")
    changed_by = serializers.SerializerMethodField(
        help_text="What was published and changed the outcome; null otherwise, and where the event's start did."
    )
    violations = serializers.SerializerMethodField(help_text="Each with code, cite and sentence.")
    problems = serializers.ListField(
        child=serializers.DictField(), source="decklist.verdict.problems", help_text="Lines that are not understood."
    )

    @extend_schema_field(PublicationAnswer(allow_null=True))
    def get_changed_by(self, submission: DecklistSubmission) -> dict[str, Any] | None:
        overturned = submission.decklist.overturned
        publication = None if overturned is None else overturned.publication
        return None if publication is None else dict(PublicationAnswer(publication).data)

    def get_violations(self, submission: DecklistSubmission) -> list[dict[str, Any]]:
        return [{**found, "sentence": sentence(found)} for found in submission.decklist.standing.violations]


class ConfigurationAnswer(serializers.Serializer):
    player = serializers.IntegerField(source="player_id")
    game = serializers.IntegerField()
    fingerprint = serializers.CharField(source="submission.decklist.fingerprint", help_text="Of the decklist.")
    moves = serializers.ListField(child=serializers.DictField(), help_text="card, from, to and count of each.")
    recorded_at = serializers.DateTimeField()


class DraftSeatAnswer(serializers.Serializer):
    seat = serializers.IntegerField(help_text="Clockwise, from 1.")
    player = serializers.IntegerField()
    name = serializers.CharField()


class DraftCardAnswer(serializers.Serializer):
    id = serializers.IntegerField(help_text="This one copy; send it as `card` to pick it.")
    card = serializers.IntegerField()
    name = serializers.CharField()


class DraftWindowAnswer(serializers.Serializer):
    pack = serializers.IntegerField(help_text="From 1.")
    pick = serializers.IntegerField(help_text="From 0.")
    direction = serializers.ChoiceField(["left", "right"], help_text="Where the pack goes next.")
    cards = DraftCardAnswer(many=True, help_text="In an order that changes with every pass.")


class DraftPickAnswer(DraftCardAnswer):
    pack = serializers.IntegerField()
    pick = serializers.IntegerField()


class DraftAnswer(serializers.Serializer):
    """All that one seat may know."""

    version = serializers.IntegerField(help_text="Of the event.")
    stage = serializers.IntegerField()
    pod = serializers.IntegerField()
    seat = serializers.IntegerField(help_text="Yours, from 1.")
    seats = DraftSeatAnswer(many=True)
    picks_each = serializers.IntegerField()
    is_finished = serializers.BooleanField(help_text="Whether you have made your last pick.")
    window = DraftWindowAnswer(allow_null=True, help_text="The pack in front of you.")
    waiting_for = DraftSeatAnswer(many=True, help_text="Whose picks have to come before your next one.")
    picks = DraftPickAnswer(many=True, help_text="Yours, in order.")
