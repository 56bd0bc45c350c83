"""Rounds, matches with seats, clocks, results and standings."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from events.engine.outcomes import Outcome
from events.models.drafting import Pod
from events.models.event import Event, Stage
from events.models.players import Player


class Round(models.Model):
    """DRAFT (only staff see it) → POSTED → PLAYING → TIME → COMPLETE.

    ``number`` counts within the stage, ``sequence`` within the event.
    """

    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        POSTED = "posted", "Posted"
        PLAYING = "playing", "Playing"
        TIME = "time", "Time"
        COMPLETE = "complete", "Complete"

    event = models.ForeignKey(Event, models.CASCADE, related_name="rounds")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    sequence = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.DRAFT)
    seconds = models.PositiveIntegerField(help_text="Length of the round clock.")
    hand_reason = models.CharField(max_length=300, blank=True, help_text="Why staff changed the engine's pairing.")
    posted_at = models.DateTimeField(null=True, blank=True)
    time_called_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["event_id", "sequence"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="one_round_per_number"),
            models.UniqueConstraint(fields=["event", "sequence"], name="one_round_per_sequence"),
            models.UniqueConstraint(
                fields=["event"], condition=~models.Q(state="complete"), name="one_open_round_per_event"
            ),
        ]

    def __str__(self) -> str:
        return f"Round {self.sequence}"


class RoundPlan(models.Model):
    """The engine's input and output, so that the pairing can be drawn again and compared.

    Megabytes in a large event, so it stands apart: a round's row is read with every match. ``content`` says its kind
    and, of Swiss rounds, has a group for each pod or for the whole field; ``history`` has the meetings before it, a
    list of pairs for each group.
    """

    round = models.OneToOneField(Round, models.CASCADE, primary_key=True, related_name="plan")
    content = models.JSONField()
    history = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"Plan of {self.round}"


class ClockInterval(models.Model):
    """A stretch in which the round clock ran. Remaining time is computed from these, never counted down."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="intervals")
    started_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["round_id", "started_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["round"], condition=models.Q(stopped_at=None), name="a_clock_runs_once_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.started_at:%H:%M:%S}"


class Match(models.Model):
    """Seats at a table. One seat is a bye, two a duel, three to seven a multiplayer table."""

    class State(models.TextChoices):
        OPEN = "open", "Playing"
        REPORTED = "reported", "Reported"
        DISPUTED = "disputed", "Disputed"
        CONFIRMED = "confirmed", "Confirmed"

    event = models.ForeignKey(Event, models.CASCADE, related_name="matches")
    round = models.ForeignKey(Round, models.CASCADE, related_name="matches")
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    pod = models.ForeignKey(Pod, models.PROTECT, null=True, blank=True, related_name="matches")
    bracket_slot = models.PositiveSmallIntegerField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    version = models.PositiveIntegerField(default=0)
    reasons = models.JSONField(default=list, help_text="Why these players meet, as the engine's data.")
    extra_turns = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Turns taken after time.")
    by_hand = models.BooleanField(default=False, help_text="Staff chose these players, not the engine.")

    class Meta:
        ordering = ["round_id", "table", "pk"]
        constraints = [models.UniqueConstraint(fields=["round", "table"], name="one_match_per_table")]

    def __str__(self) -> str:
        return f"Table {self.table}" if self.table else "Bye"


class Seat(models.Model):
    """A player in a match. ``outcome`` and ``game_wins`` are set when the result is confirmed."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="+")
    round = models.ForeignKey(Round, models.CASCADE, related_name="seats")
    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    index = models.PositiveSmallIntegerField()
    outcome = models.CharField(
        max_length=16, choices=[(o.value, o.value.replace("_", " ")) for o in Outcome], null=True, blank=True
    )
    game_wins = models.PositiveSmallIntegerField(null=True, blank=True)
    game_losses = models.PositiveSmallIntegerField(null=True, blank=True)
    game_draws = models.PositiveSmallIntegerField(null=True, blank=True)
    side = models.CharField(max_length=20, blank=True, help_text="Of a team game: Light, Dark.")
    place = models.PositiveSmallIntegerField(null=True, blank=True, help_text="At a table; shared by equals.")
    points = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Match points, where they are others than the policy's for the outcome."
    )
    sheet = models.JSONField(null=True, blank=True, help_text="What a table's score was counted from.")

    class Meta:
        ordering = ["match_id", "index"]
        constraints = [
            models.UniqueConstraint(fields=["round", "player"], name="one_seat_per_player_and_round"),
            models.UniqueConstraint(fields=["match", "index"], name="one_seat_per_index"),
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.match}"


class TimeExtension(models.Model):
    """Time of its own that a table was given, for a deck check or a judge's call. Taken back, its row is deleted."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="extensions")
    seconds = models.PositiveIntegerField()
    reason = models.CharField(max_length=300)
    given_at = models.DateTimeField()
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return f"+{self.seconds} s"


class ResultReport(models.Model):
    """A player's claim, from their own side. Two that agree make a result."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="reports")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    wins = models.PositiveSmallIntegerField()
    losses = models.PositiveSmallIntegerField()
    draws = models.PositiveSmallIntegerField()
    agreed_draw = models.BooleanField(default=False, help_text="They want to draw by agreement, at this score.")
    reported_at = models.DateTimeField()

    class Meta:
        ordering = ["match_id", "reported_at"]
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="one_report_per_player")]

    def __str__(self) -> str:
        return f"{self.wins}-{self.losses}-{self.draws}"


class Result(models.Model):
    """What counts. A correction supersedes the row before it; nothing is overwritten.

    ``scores`` is ``[{"player": 17, "wins": 2, "losses": 1, "draws": 0, "outcome": "win"}, ...]`` by seat.
    """

    class Source(models.TextChoices):
        PLAYERS = "players", "both players"
        STAFF = "staff", "staff"
        PAIRING = "pairing", "the pairing"

    class How(models.TextChoices):
        """By what the match was decided. Staff say those behind ``AGREED_DRAW``, of elimination."""

        GAMES = "games", "by its games"
        TIME = "time", "by time"
        CONCESSION = "concession", "by concession"
        AGREED_DRAW = "agreed_draw", "by agreement to draw"
        PLAY_OFF = "play_off", "by a play-off"
        HIGHER_SEED = "higher_seed", "for the higher seed"
        NO_SHOW = "no_show", "by no-show"
        DISQUALIFICATION = "disqualification", "by disqualification"
        JUDGE = "judge", "by a judge"

    match = models.ForeignKey(Match, models.CASCADE, related_name="results")
    scores = models.JSONField()
    how = models.CharField(max_length=20, choices=How, default=How.GAMES)
    source = models.CharField(max_length=8, choices=Source)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    reason = models.CharField(max_length=300, blank=True)
    decided_at = models.DateTimeField()
    superseded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["match_id", "decided_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=models.Q(superseded_at=None), name="one_confirmed_result_per_match"
            )
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.scores}"


class Standing(models.Model):
    """A player's place after a completed round. ``values`` holds exact fractions as text ("7/12") by metric key."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="+")
    round = models.ForeignKey(Round, models.CASCADE, related_name="standings")
    player = models.ForeignKey(Player, models.CASCADE, related_name="standings")
    rank = models.PositiveIntegerField()
    values = models.JSONField()
    record = models.JSONField(help_text='Matches: {"wins": 3, "losses": 1, "draws": 0, "byes": 0}.')

    class Meta:
        ordering = ["round_id", "rank"]
        constraints = [
            models.UniqueConstraint(fields=["round", "player"], name="one_standing_per_player_and_round"),
            models.UniqueConstraint(fields=["round", "rank"], name="one_player_per_rank"),
        ]

    def __str__(self) -> str:
        return f"{self.rank}. {self.player}"
