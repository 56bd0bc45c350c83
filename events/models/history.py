"""What happened: the hash-chained log, what has to be told to others, and which requests were already carried out."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from events.models.event import Event


class LogEntry(models.Model):
    """Append-only (a trigger refuses UPDATE and DELETE). ``hash`` covers the entry and the hash before it."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="log")
    seq = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=40)
    payload = models.JSONField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    actor_name = models.CharField(max_length=60)
    at = models.DateTimeField()
    is_public = models.BooleanField(default=False, help_text="Whether spectators may read it.")
    prev_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["event_id", "seq"]
        constraints = [models.UniqueConstraint(fields=["event", "seq"], name="log_entries_are_numbered")]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"


class OutboxMessage(models.Model):
    """A side effect that was decided in a transaction and leaves after it, at least once, deduplicated by key."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="+")
    topic = models.CharField(max_length=40)
    key = models.CharField(max_length=100, unique=True)
    payload = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["id"], name="outbox_unsent", condition=models.Q(sent_at=None))]

    def __str__(self) -> str:
        return self.key


class IdempotencyRecord(models.Model):
    """A request that was carried out, with its answer. ``actor`` is "user:17" or "player:42"."""

    actor = models.CharField(max_length=40)
    key = models.CharField(max_length=80)
    request_hash = models.CharField(max_length=64)
    answer = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["actor", "key"], name="one_answer_per_request_key")]
        indexes = [models.Index(fields=["created_at"], name="idempotency_age")]

    def __str__(self) -> str:
        return self.key
