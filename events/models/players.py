"""Who plays, and with what."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from decks.models import Decklist
from events.models.event import Event


class Team(models.Model):
    event = models.ForeignKey(Event, models.CASCADE, related_name="teams")
    name = models.CharField(max_length=60)
    name_key = models.CharField(max_length=60)

    class Meta:
        ordering = ["event_id", "name"]
        constraints = [models.UniqueConstraint(fields=["event", "name_key"], name="one_team_per_name")]

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """One person's entry in one event: registered by themselves, or by staff without an account.

    ``late_entries`` hold the first round each time, those missed before it, whether the lot was drawn then, and
    what is put back when the entry is undone.
    """

    class State(models.TextChoices):
        REGISTERED = "registered", "Registered"
        WAITLISTED = "waitlisted", "On the waitlist"
        CHECKED_IN = "checked_in", "Checked in"
        DROPPED = "dropped", "Dropped"

    class FixedTable(models.TextChoices):
        ACCESSIBILITY = "accessibility", "Needs this table"
        FEATURE = "feature", "Feature match"

    event = models.ForeignKey(Event, models.CASCADE, related_name="players")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="entries")
    name = models.CharField(max_length=60)
    public_name = models.CharField(
        max_length=60, blank=True, help_text="Shown to everybody but staff instead of the name; empty: the name."
    )
    name_key = models.CharField(max_length=60, help_text="Folded, so that one name can't be entered in two spellings.")
    state = models.CharField(max_length=12, choices=State, default=State.REGISTERED)
    claim_token = models.CharField(
        max_length=40, null=True, blank=True, unique=True, help_text="Opens the entry to its owner's account, once."
    )
    team = models.ForeignKey("events.Team", models.SET_NULL, null=True, blank=True, related_name="players")
    check_in_code = models.CharField(
        max_length=24, null=True, blank=True, unique=True, help_text="In the QR that staff read at the door."
    )
    paid_at = models.DateTimeField(null=True, blank=True)
    assigned_byes = models.PositiveSmallIntegerField(default=0, help_text="Rounds from the first on, as a reward.")
    fixed_table = models.PositiveSmallIntegerField(null=True, blank=True)
    fixed_table_kind = models.CharField(max_length=13, choices=FixedTable, blank=True)
    is_present = models.BooleanField(
        default=False, help_text="Waits for a place, and is there: takes that of a no-show at the start."
    )
    entered_from_round = models.PositiveSmallIntegerField(
        default=1, help_text="First round of the event that this player could play."
    )
    dropped_after_round = models.PositiveSmallIntegerField(null=True, blank=True)
    late_entries = models.JSONField(
        default=list,
        help_text='[{"round": 3, "missed": [1, 2], "new": true, "was": "dropped", "after": 0}], after the start.',
    )
    lot = models.PositiveIntegerField(
        default=0, help_text="Drawn when the event starts, or on a late entry; decides what nothing else does."
    )
    shows_decklist = models.BooleanField(
        default=False, help_text="Agreed that the decklist is public from the cut on, in an event that asks."
    )
    decklist_reminded_at = models.DateTimeField(
        null=True, blank=True, help_text="When staff last asked for the decklist that is missing or illegal."
    )
    registered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["event_id", "name"]
        constraints = [
            models.UniqueConstraint(fields=["event", "user"], name="one_entry_per_account"),
            models.UniqueConstraint(fields=["event", "name_key"], name="one_entry_per_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def drew_lot_late(self) -> bool:
        return any(entry["new"] for entry in self.late_entries)

    @property
    def shown_name(self) -> str:
        """What everybody but staff reads."""
        return self.public_name or self.name


class DecklistSubmission(models.Model):
    """Which frozen decklist counts for a player, and which ones it replaced."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.CASCADE, related_name="submissions")
    decklist = models.ForeignKey(Decklist, models.PROTECT, related_name="submissions")
    submitted_at = models.DateTimeField()
    replaced_at = models.DateTimeField(null=True, blank=True)
    by_staff = models.BooleanField(default=False)
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["player_id", "submitted_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=models.Q(replaced_at=None), name="one_current_decklist_per_player"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.decklist}"


class Avoidance(models.Model):
    """Two players who should not meet, such as family, or must not while it can be avoided (``is_strict``)."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="avoidances")
    one = models.ForeignKey(Player, models.CASCADE, related_name="+")
    other = models.ForeignKey(Player, models.CASCADE, related_name="+")
    is_strict = models.BooleanField(default=False)
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["event_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="one_avoidance_per_pair"),
            models.CheckConstraint(condition=models.Q(one__lt=models.F("other")), name="an_avoidance_is_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.one} and {self.other}"
