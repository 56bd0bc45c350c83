"""Decks that their owner edits, and decklists: what was submitted, frozen with its verdict."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from cards.models import Game
from rules.models import Format, FormatVersion


class Deck(models.Model):
    """A deck at home: text, editable at will, never what an event plays with."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="decks")
    game = models.ForeignKey(Game, models.PROTECT, related_name="+")
    format = models.ForeignKey(Format, models.PROTECT, related_name="+")
    name = models.CharField(max_length=100)
    text = models.TextField(blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-updated_at"]

    def __str__(self) -> str:
        return self.name


class Decklist(models.Model):
    """A submitted list, never changed: a correction is another row.

    ``entries`` is ``[{"zone": "main", "count": 3, "card": 17, "name": "...", "lines": [4]}, ...]`` in order of zone
    and name; ``fingerprint`` is order-free over zone, card and count.
    """

    format_version = models.ForeignKey(FormatVersion, models.PROTECT, related_name="+")
    legality_date = models.DateField()
    text = models.TextField()
    entries = models.JSONField()
    fingerprint = models.CharField(max_length=16)
    pool = models.JSONField(null=True, blank=True, help_text="Copies by card id that the player had, in limited play.")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.fingerprint


class Verdict(models.Model):
    """What the engine said of a decklist, with the digests that replay it."""

    class Outcome(models.TextChoices):
        LEGAL = "legal", "Legal"
        ILLEGAL = "illegal", "Illegal"
        UNDETERMINED = "undetermined", "Undetermined"

    decklist = models.OneToOneField(Decklist, models.CASCADE, related_name="verdict")
    outcome = models.CharField(max_length=12, choices=Outcome)
    violations = models.JSONField(default=list)
    problems = models.JSONField(default=list, help_text="Lines that are not understood, with their numbers.")
    digests = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.outcome
