"""A match game by game, and the extra turns that are counted when its time is over."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from events.engine.games import Ending
from events.models.players import Player
from events.models.rounds import Match


class Game(models.Model):
    """One game of a duel. Without an ``ending`` it is the next to be played, and ``first`` was chosen for it."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    first = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+", help_text="Who began.")
    ending = models.CharField(max_length=10, choices=[(e.value, e.value) for e in Ending], blank=True)
    winner = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    after_time = models.BooleanField(default=False, help_text="It ended when time had been called.")
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    recorded_at = models.DateTimeField()

    class Meta:
        ordering = ["match_id", "number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="one_game_per_number")]

    def __str__(self) -> str:
        return f"Game {self.number} of {self.match}"


class ExtraTurn(models.Model):
    """A turn that ended after time was called. Number 0 is the one that was under way then, the extra turns count from
    1; ``finished_by`` took it, where somebody said so."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="turns")
    number = models.PositiveSmallIntegerField()
    finished_by = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    counted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    counted_at = models.DateTimeField()

    class Meta:
        ordering = ["match_id", "number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="one_extra_turn_per_number")]

    def __str__(self) -> str:
        return f"Extra turn {self.number} of {self.match}"
