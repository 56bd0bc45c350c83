"""Staff, invites and deck checks: what is sent, and what is answered."""

from __future__ import annotations

from rest_framework import serializers

from decks.serializers import Strict, Text
from events.api.serializers.changes import Changed
from events.api.serializers.fields import Instant, Whole
from events.api.serializers.requests import MAX_NUMBER, PlainCommand
from events.models import DeckCheck, StaffInvite, StaffRole

INVITE_STATES = [("open", "Open"), ("used", "Used up"), ("expired", "Expired"), ("revoked", "Revoked")]


class AddStaff(PlainCommand):
    email = Text(max_length=254, help_text="Of an account.")
    role = serializers.ChoiceField(StaffRole.Role.choices)
    expires_at = Instant(required=False, allow_null=True, help_text="Without it, two weeks after the event.")


class RoleEnd(PlainCommand):
    expires_at = Instant(allow_null=True, help_text="Null: the role does not end.")


class Leave(Strict):
    role = serializers.ChoiceField(StaffRole.Role.choices)


class Invite(PlainCommand):
    role = serializers.ChoiceField(StaffRole.Role.choices)
    email = Text(allow_blank=True, default="", max_length=254, help_text="Gets a mail; empty: the answer has a link.")
    most_uses = Whole(default=1, min_value=1, max_value=StaffInvite.MOST_USES, help_text="Of a link.")
    days = Whole(default=7, min_value=1, max_value=StaffInvite.MOST_DAYS, help_text="How long the invite is open.")
    role_expires_at = Instant(required=False, allow_null=True, help_text="Without it, two weeks after the event.")


class RecordDeckCheck(PlainCommand):
    decklist = Whole(min_value=1, max_value=MAX_NUMBER, help_text="Which decklist was counted: of the list of checks.")
    found = serializers.ChoiceField(DeckCheck.Found.choices)
    note = Text(allow_blank=True, default="", max_length=300, help_text="Needed where something is not in order.")


class StaffAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField(source="user.display_name")
    role = serializers.ChoiceField(StaffRole.Role.choices)
    expires_at = serializers.DateTimeField(allow_null=True)
    ended = serializers.BooleanField(help_text="Gives no rights any more.")


class InviteAnswer(serializers.Serializer):
    """Never its token."""

    id = serializers.IntegerField()
    role = serializers.ChoiceField(StaffRole.Role.choices)
    email = serializers.CharField(help_text="Empty for a link.")
    state = serializers.ChoiceField(INVITE_STATES)
    uses = serializers.IntegerField()
    most_uses = serializers.IntegerField()
    expires_at = serializers.DateTimeField()
    role_expires_at = serializers.DateTimeField(allow_null=True)
    inviter = serializers.CharField(source="inviter_name")


class HeldOutAnswer(serializers.Serializer):
    """What an invite says to whoever has its link."""

    event = serializers.CharField(source="event.name")
    role = serializers.ChoiceField(StaffRole.Role.choices)
    inviter = serializers.CharField(source="inviter_name")
    state = serializers.ChoiceField(INVITE_STATES)
    expires_at = serializers.DateTimeField()
    role_expires_at = serializers.DateTimeField(allow_null=True)


class DeckCheckAnswer(serializers.Serializer):
    found = serializers.ChoiceField(DeckCheck.Found.choices)
    note = serializers.CharField()
    decklist = serializers.IntegerField(source="decklist_id")
    round = serializers.IntegerField(allow_null=True, help_text="The newest that was posted then.")
    checker = serializers.CharField(source="checker_name")
    checked_at = serializers.DateTimeField()


class DeckRowAnswer(serializers.Serializer):
    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    decklist = serializers.IntegerField(allow_null=True, help_text="The one that counts.")
    outcome = serializers.CharField(help_text="What it was judged; empty without a decklist.")
    checks = DeckCheckAnswer(many=True, help_text="The newest first.")


class RoleChanged(Changed):
    user = serializers.IntegerField()
    role = serializers.ChoiceField(StaffRole.Role.choices)


class Invited(Changed):
    invite = serializers.IntegerField()
    role = serializers.ChoiceField(StaffRole.Role.choices)
    link = serializers.CharField(required=False, help_text="Only here, and only without an address.")


class InviteRevoked(Changed):
    invite = serializers.IntegerField()


class InviteAccepted(RoleChanged):
    event = serializers.IntegerField()
    code = serializers.CharField()


class DeckChecked(Changed):
    check = serializers.IntegerField()
    player = serializers.IntegerField()
    found = serializers.ChoiceField(DeckCheck.Found.choices)
