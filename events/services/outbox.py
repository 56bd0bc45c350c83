"""Side effects that were decided in a transaction, handed on after it."""

from __future__ import annotations

import json

import redis
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from events.models import OutboxMessage

CHANNEL = "tiltyard:live:{code}"
BATCH = 200
_client: redis.Redis | None = None


def _redis() -> redis.Redis:
    global _client
    if _client is None:
        _client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
    return _client


def relay(*, event_id: int | None = None) -> int:
    """Hand unsent messages on, of one event or of all; the number that left. Any number of processes may run it.

    Rows that another process holds are skipped. Redis being away raises ``redis.RedisError`` and keeps the rows:
    the sweep comes back for them, and pages poll meanwhile.
    """
    with transaction.atomic():
        rows = OutboxMessage.objects.select_for_update(skip_locked=True).filter(sent_at=None).order_by("pk")
        if event_id is not None:
            rows = rows.filter(event_id=event_id)
        messages = list(rows[:BATCH])
        for message in messages:
            _hand_on(message)
        OutboxMessage.objects.filter(pk__in=[m.pk for m in messages]).update(sent_at=Now(), attempts=F("attempts") + 1)
    return len(messages)


def _hand_on(message: OutboxMessage) -> None:
    match message.topic:
        case "event.version":
            payload = {"event": message.payload["code"], "version": message.payload["version"]}
            _redis().publish(CHANNEL.format(code=message.payload["code"]), json.dumps(payload))
        case topic:
            raise ValueError(f"Nobody handles the outbox topic {topic!r}.")
