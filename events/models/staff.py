"""How people come to a role, and what those who check decks write down."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from decks.models import Decklist
from events.models.event import Event, StaffRole
from events.models.players import Player


class StaffInvite(models.Model):
    """A role held out to whoever has its link, or to one address. The link is made of ``nonce`` and the site's key, and
    only its hash is stored: who reads the database can't use it."""

    MOST_USES = 50
    MOST_DAYS = 60

    event = models.ForeignKey(Event, models.CASCADE, related_name="staff_invites")
    role = models.CharField(max_length=12, choices=StaffRole.Role)
    email = models.EmailField(max_length=254, blank=True, help_text="Only its account may accept; empty: any account.")
    nonce = models.CharField(max_length=32)
    token_hash = models.CharField(max_length=64, unique=True)
    most_uses = models.PositiveSmallIntegerField(default=1)
    uses = models.PositiveSmallIntegerField(default=0)
    expires_at = models.DateTimeField()
    role_expires_at = models.DateTimeField(null=True, blank=True, help_text="When the role ends; empty: it does not.")
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    inviter_name = models.CharField(max_length=60)
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["event_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(uses__lte=models.F("most_uses")), name="an_invite_is_not_used_too_often"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_role_display()} of {self.event}"


class DeckCheck(models.Model):
    """What somebody found who counted a deck against its decklist. A second look is a new row."""

    class Found(models.TextChoices):
        IN_ORDER = "in_order", "In order"
        PROBLEM = "problem", "Not in order"

    event = models.ForeignKey(Event, models.CASCADE, related_name="deck_checks")
    player = models.ForeignKey(Player, models.CASCADE, related_name="deck_checks")
    decklist = models.ForeignKey(Decklist, models.PROTECT, related_name="+")
    round = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The newest round that was posted then.")
    found = models.CharField(max_length=8, choices=Found)
    note = models.CharField(max_length=300, blank=True)
    checker_name = models.CharField(max_length=60)
    checked_at = models.DateTimeField()

    class Meta:
        ordering = ["event_id", "pk"]

    def __str__(self) -> str:
        return f"{self.player}: {self.found}"
