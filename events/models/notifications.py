"""What people and programs are told, by which way, and how far each message has come."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from events.models.event import Event
from events.models.players import Player


class Notice(models.TextChoices):
    """What a player may be told; the topics of the outbox have the same names."""

    ROUND_POSTED = "round_posted", "Pairings: your table and opponent"
    ROUND_UNPOSTED = "round_unposted", "Pairings that were posted are taken back"
    PLAYERS_MOVED = "players_moved", "Your table or opponent has changed"
    TIME_CALLED = "time_called", "Time is called in your round"
    EVENT_STARTED = "event_started", "The event has started"
    DECKLIST_REMINDER = "decklist_reminder", "Your decklist is missing or illegal"
    PLAYER_DROPPED = "player_dropped", "Staff took you out of the event"
    PLACE_WON = "place_won", "You got a place from the waitlist"
    EVENT_CANCELLED = "event_cancelled", "The event is called off"


class Channel(models.TextChoices):
    EMAIL = "email", "E-mail"
    PUSH = "push", "Push"
    WEBHOOK = "webhook", "Webhook"


class NoticeChoice(models.Model):
    """Where somebody wants it otherwise than it is by default."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20, choices=Notice)
    channel = models.CharField(max_length=8, choices=Channel)
    wanted = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind", "channel"], name="one_choice_per_notice")]

    def __str__(self) -> str:
        return f"{self.kind} by {self.channel}: {self.wanted}"


class MutedEvent(models.Model):
    """Somebody wants to be told nothing of an event."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    event = models.ForeignKey(Event, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "event"], name="an_event_is_muted_once")]

    def __str__(self) -> str:
        return f"{self.user} of {self.event}"


class PushSubscription(models.Model):
    """A browser that shows notices. Its address and keys come from the browser; who holds them can write to it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    endpoint = models.CharField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=88, help_text="The browser's public key, base64url.")
    auth = models.CharField(max_length=24, help_text="The browser's secret, base64url.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"A browser of {self.user}"


class Webhook(models.Model):
    """An address that is told what is new in the public log of an event, up to entry ``told_seq``."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    secret = models.CharField(max_length=64, help_text="Signs what is sent. Needed in the clear for that.")
    told_seq = models.PositiveBigIntegerField()
    last_answer = models.CharField(max_length=300, blank=True)
    last_answer_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["event", "url"], name="one_webhook_per_address")]

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One message to one receiver, sent at least once. A receiver knows a repeat by ``key``.

    ``next_try_at`` is when it may be tried; who tries it moves it into the future first, so that nobody else does.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        FAILED = "failed", "Will be tried again"
        SENT = "sent", "Sent"
        DEAD = "dead", "Given up"

    UNSENT = (State.WAITING, State.FAILED)

    event = models.ForeignKey(Event, models.CASCADE, related_name="deliveries")
    channel = models.CharField(max_length=8, choices=Channel)
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=160, unique=True)
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="+")
    subscription = models.ForeignKey(PushSubscription, models.SET_NULL, null=True, blank=True, related_name="+")
    webhook = models.ForeignKey(Webhook, models.CASCADE, null=True, blank=True, related_name="deliveries")
    payload = models.JSONField()
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField()
    last_error = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["next_try_at"], name="deliveries_due", condition=models.Q(state__in=["waiting", "failed"])
            ),
            models.Index(fields=["event", "state"], name="deliveries_of_event"),
        ]

    def __str__(self) -> str:
        return self.key
