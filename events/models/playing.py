"""What a player brought to each game of a match, and papers that are printed in the background."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from events.models.event import Event
from events.models.players import DecklistSubmission, Player
from events.models.rounds import Match


class GameConfiguration(models.Model):
    """The deck of one game, by the cards that changed places since the decklist; the next match begins as registered.

    ``moves`` is ``[{"card": 17, "from": "main", "to": "side", "count": 2}, ...]`` in order of card, from and to.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="configurations")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    submission = models.ForeignKey(DecklistSubmission, models.PROTECT, related_name="+")
    game = models.PositiveSmallIntegerField(help_text="From 2: the first game is played with the decklist.")
    moves = models.JSONField(default=list)
    recorded_at = models.DateTimeField()

    class Meta:
        ordering = ["match_id", "player_id", "game"]
        constraints = [
            models.UniqueConstraint(fields=["match", "player", "game"], name="one_configuration_per_game"),
            models.CheckConstraint(condition=models.Q(game__gte=2), name="the_first_game_is_the_decklist"),
        ]

    def __str__(self) -> str:
        return f"{self.player}, game {self.game}"


class PrintJob(models.Model):
    """A PDF that is made in the background, and how far it has come. ``content`` is kept until ``expires_at``."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"

    event = models.ForeignKey(Event, models.CASCADE, related_name="print_jobs")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    content = models.BinaryField(null=True)
    requested_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind}: {self.done} of {self.total}"
