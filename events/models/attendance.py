"""Who is not at their table."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from events.models.players import Player
from events.models.rounds import Match


class Absence(models.Model):
    """Somebody said that a player is not at their table. When the player comes the row is deleted; the log keeps it."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="absences")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    said_at = models.DateTimeField()
    said_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["match_id", "said_at"]
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="one_absence_per_seat")]

    def __str__(self) -> str:
        return f"{self.player} is not at {self.match}"
