"""Decks that their owner edits, and decklists: what was submitted, frozen with its verdict."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from cards.models import Game
from rules.models import Format, FormatVersion, Publication


class Deck(models.Model):
    """A deck at home: text, editable at will, never what an event plays with."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="decks")
    game = models.ForeignKey(Game, models.PROTECT, related_name="+")
    format = models.ForeignKey(Format, models.PROTECT, related_name="+")
    name = models.CharField(max_length=100)
    text = models.TextField(blank=True)
    share_token = models.CharField(
        max_length=43, null=True, blank=True, unique=True, help_text="Whoever has the link may read the deck."
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-updated_at"]

    def __str__(self) -> str:
        return self.name


class DeckRevision(models.Model):
    """A deck as it was saved, kept when a later text takes its place."""

    deck = models.ForeignKey(Deck, models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=100)
    text = models.TextField(blank=True)
    saved_at = models.DateTimeField(help_text="When this text was saved, not when it was replaced.")

    class Meta:
        ordering = ["deck", "-number"]
        constraints = [models.UniqueConstraint(fields=["deck", "number"], name="one_revision_per_number")]

    def __str__(self) -> str:
        return f"{self.name}, {self.number}"


class Decklist(models.Model):
    """A submitted list, never changed: a correction is another row.

    ``entries`` is ``[{"zone": "main", "count": 3, "card": 17, "name": "...", "lines": [4]}, ...]`` in order of zone
    and name, ``card_ids`` the cards in it, in order; ``fingerprint`` is order-free over zone, card and count.
    """

    format_version = models.ForeignKey(FormatVersion, models.PROTECT, related_name="+")
    legality_date = models.DateField()
    text = models.TextField()
    entries = models.JSONField()
    card_ids = ArrayField(models.BigIntegerField(), default=list, db_default=[])
    fingerprint = models.CharField(max_length=16)
    pool = models.JSONField(null=True, blank=True, help_text="Copies by card id that the player had, in limited play.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [GinIndex(fields=["card_ids"], name="decklist_cards")]

    def __str__(self) -> str:
        return self.fingerprint

    @property
    def standing(self) -> Verdict | LaterVerdict:
        """The verdict that counts: the newest. Select ``verdict`` and ``later_verdict`` with the decklist."""
        return getattr(self, "later_verdict", None) or self.verdict

    @property
    def overturned(self) -> LaterVerdict | None:
        """The later verdict where its outcome isn't the first one's. Select as for ``standing``."""
        later = getattr(self, "later_verdict", None)
        return later if later is not None and later.outcome != self.verdict.outcome else None


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


class Revalidation(models.Model):
    """Decklists that are judged again since a publication changed their rules, and how far that has come."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"

    publication = models.OneToOneField(Publication, models.CASCADE, related_name="revalidation")
    state = models.CharField(max_length=12, choices=State, default=State.WAITING)
    decklist_ids = ArrayField(models.BigIntegerField(), default=list, help_text="Whose verdicts may change, in order.")
    done = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.publication}: {self.done} of {len(self.decklist_ids)}"


class LaterVerdict(models.Model):
    """What the engine says of a decklist by the newest lists for its day, after its first verdict was given."""

    decklist = models.OneToOneField(Decklist, models.CASCADE, related_name="later_verdict")
    publication = models.ForeignKey(
        Publication,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="What was published and changed it; none where the beginning of its event did.",
    )
    outcome = models.CharField(max_length=12, choices=Verdict.Outcome)
    violations = models.JSONField(default=list)
    digests = models.JSONField()
    decided_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.outcome
