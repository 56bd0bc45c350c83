"""What an event ends with: prizes, and whether they were handed over."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from events.models.event import Event
from events.models.players import Player


class Prize(models.Model):
    """What places from ``first`` to ``last`` get, each of them."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="prizes")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    words = models.CharField(max_length=120)

    class Meta:
        ordering = ["event_id", "first", "last", "pk"]
        constraints = [
            models.CheckConstraint(condition=models.Q(last__gte=models.F("first")), name="prize_places_in_order")
        ]

    def __str__(self) -> str:
        return f"{self.first}-{self.last}: {self.words}"


class PrizeHandover(models.Model):
    """That a player got what their place is worth. ``by_name`` stays when the account of who gave it is erased."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    by_name = models.CharField(max_length=60)
    note = models.CharField(max_length=200, blank=True, help_text="Such as how two finalists split.")

    class Meta:
        ordering = ["event_id", "at"]
        constraints = [models.UniqueConstraint(fields=["player"], name="one_handover_per_player")]

    def __str__(self) -> str:
        return f"{self.player} at {self.at}"
