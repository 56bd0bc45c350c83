"""The event itself, its stages and its staff."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models

from cards.models import Game
from rules.models import Format, FormatVersion, KeptRules, Policy


class Event(models.Model):
    """What an organiser runs. Every other row of this app carries its event: each event is an island.

    ``version`` grows by one with every committed change, and is what pages and the live feed compare.
    ``rules`` is the policy as it was when the event was made: a later policy never touches it. From its start on,
    ``kept_rules`` hold the lists and the cards as they were then: what is published later never touches it.
    """

    class State(models.TextChoices):
        REGISTRATION = "registration", "Registration open"
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        CANCELLED = "cancelled", "Cancelled"

    class Publication(models.TextChoices):
        NEVER = "never", "Decklists stay private"
        AFTER = "after", "Decklists are public after the event"
        CUT = "cut", "Decklists are public from the cut on, of those who agree"
        OPEN = "open", "Decklists are public once submitted"

    code = models.SlugField(max_length=20, unique=True)
    name = models.CharField(max_length=120)
    place = models.CharField(max_length=120, blank=True)
    starts_at = models.DateTimeField()
    time_zone = models.CharField(max_length=60, default="UTC")
    game = models.ForeignKey(Game, models.PROTECT, related_name="+")
    format = models.ForeignKey(Format, models.PROTECT, related_name="+")
    legality_date = models.DateField(help_text="The day whose rules and lists decide what is legal.")
    format_version = models.ForeignKey(FormatVersion, models.PROTECT, related_name="+")
    kept_rules = models.ForeignKey(
        KeptRules,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Lists and card facts by which every decklist is judged since the event began.",
    )
    policy = models.ForeignKey(Policy, models.PROTECT, related_name="+")
    rules = models.JSONField()
    state = models.CharField(max_length=12, choices=State, default=State.REGISTRATION)
    series = models.ForeignKey(
        "events.Series", models.SET_NULL, null=True, blank=True, related_name="events", help_text="Counts in it."
    )
    decklist_deadline = models.DateTimeField(null=True, blank=True)
    decklist_publication = models.CharField(max_length=8, choices=Publication, default=Publication.NEVER)
    capacity = models.PositiveIntegerField(null=True, blank=True)
    waitlist = models.BooleanField(default=False, help_text="Who comes when it is full waits in order for a place.")
    registration_opens_at = models.DateTimeField(null=True, blank=True)
    registration_closes_at = models.DateTimeField(null=True, blank=True)
    late_until_round = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Last round of the event into which latecomers are let; empty: none."
    )
    no_show_minutes = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="Minutes of a round after which who is not there loses it; empty: staff decide.",
    )
    no_show_drops = models.BooleanField(default=False, help_text="Who loses a match by not being there is dropped.")
    fee = models.CharField(
        max_length=40, blank=True, help_text="What a place costs, in words. Nothing is charged here."
    )
    players_report = models.BooleanField(default=True, help_text="Whether players enter their own results.")
    agreed_draws = models.BooleanField(default=False, help_text="Whether two players may agree to draw.")
    version = models.BigIntegerField(default=0)
    wide_version = models.BigIntegerField(
        default=0, db_default=0, help_text="The version of the newest change that was more than a few players' own."
    )
    log_head = models.CharField(max_length=64, blank=True, help_text="Hash of the newest log entry.")
    secret = models.BinaryField(max_length=32, help_text="Seeds every draw of the event; shown when it is finished.")
    commitment = models.CharField(max_length=64, help_text="SHA-256 of the secret, public from the start.")
    archived_at = models.DateTimeField(
        null=True, blank=True, help_text="Put away: in no list, and nothing in it changes until it is taken out again."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-starts_at", "-pk"]

    def __str__(self) -> str:
        return self.name


class StaffRole(models.Model):
    class Role(models.TextChoices):
        ORGANISER = "organiser", "Organiser"
        SCOREKEEPER = "scorekeeper", "Scorekeeper"
        HEAD_JUDGE = "head_judge", "Head judge"
        JUDGE = "judge", "Judge"
        DECK_CHECKER = "deck_checker", "Deck checker"
        COVERAGE = "coverage", "Coverage"

    event = models.ForeignKey(Event, models.CASCADE, related_name="staff")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="event_roles")
    role = models.CharField(max_length=12, choices=Role)
    expires_at = models.DateTimeField(
        null=True, blank=True, help_text="From then on the role gives no rights; empty: it does not expire."
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "user", "role"], name="one_row_per_role")]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"

    def has_ended(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now


class Stage(models.Model):
    """One part of an event. ``config`` is the stage's entry of the event's rules."""

    class Kind(models.TextChoices):
        DRAFT = "draft", "Draft"
        SEALED = "sealed", "Sealed packs"
        DECK_BUILDING = "deck_building", "Deck building"
        SWISS = "swiss", "Swiss"
        SINGLE_ELIMINATION = "single_elimination", "Single elimination"
        DOUBLE_ELIMINATION = "double_elimination", "Double elimination"
        ROUND_ROBIN = "round_robin", "Round robin"
        POOLS = "pools", "Pools"
        TABLES = "tables", "Multiplayer tables"
        TEAMS = "teams", "Team games"

    RANKED = (Kind.SWISS, Kind.ROUND_ROBIN, Kind.POOLS, Kind.TABLES, Kind.TEAMS)
    """Whose rounds count in the standings."""

    PLAYED = (*RANKED, Kind.SINGLE_ELIMINATION, Kind.DOUBLE_ELIMINATION)
    """That have rounds."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        ACTIVE = "active", "Under way"
        COMPLETE = "complete", "Complete"

    event = models.ForeignKey(Event, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=20, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    config = models.JSONField(default=dict)
    rounds_planned = models.PositiveSmallIntegerField(null=True, blank=True)
    seeds = models.JSONField(default=list, help_text="Players by seed, best first, once a cut was made.")

    class Meta:
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_stage_per_number"),
            models.UniqueConstraint(
                fields=["event"], condition=models.Q(state="active"), name="one_active_stage_per_event"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.event}"
