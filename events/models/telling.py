"""How people are told: what they asked for, where to, and what has left."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from events.models.event import Event


class NotificationSetting(models.Model):
    """What a user wants to be told by; a user without a row wants e-mail."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notification_setting")
    by_email = models.BooleanField(default=True)
    by_push = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"Notifications of {self.user}"


class PushSubscription(models.Model):
    """A browser that agreed to be told. ``p256dh`` and ``auth`` are its keys (RFC 8291)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=500, unique=True)
    p256dh = models.CharField(max_length=120)
    auth = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"A browser of {self.user}"


class Webhook(models.Model):
    """An address of others that is told what happens in an event, signed with ``secret``."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=300)
    secret = models.CharField(max_length=64)
    is_active = models.BooleanField(default=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["event_id", "pk"]
        constraints = [models.UniqueConstraint(fields=["event", "url"], name="one_webhook_per_address")]

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One thing to tell one receiver by one way: once for each ``key``, and given up after some tries."""

    class Way(models.TextChoices):
        EMAIL = "email", "e-mail"
        PUSH = "push", "push message"
        WEBHOOK = "webhook", "webhook"

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        SENT = "sent", "sent"
        DEAD = "dead", "given up"

    event = models.ForeignKey(Event, models.CASCADE, related_name="deliveries")
    way = models.CharField(max_length=8, choices=Way)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    subscription = models.ForeignKey(PushSubscription, models.SET_NULL, null=True, blank=True, related_name="+")
    webhook = models.ForeignKey(Webhook, models.CASCADE, null=True, blank=True, related_name="deliveries")
    topic = models.CharField(max_length=40)
    key = models.CharField(max_length=160, unique=True)
    payload = models.JSONField()
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    next_try_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["next_try_at"], name="deliveries_due", condition=models.Q(state="waiting"))]

    def __str__(self) -> str:
        return self.key
