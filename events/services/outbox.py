"""Side effects that were decided in a transaction, handed on after it."""

from __future__ import annotations

import json
import logging

import redis
from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from config.prepared import prepared
from events.models import Notice, OutboxMessage
from events.services.invite_mail import send_invite_mail

_log = logging.getLogger(__name__)

MAILS = ("staff.invited",)
"""Topics that leave one by one, by the sweep: nobody waits for a mail, and a mail can't be called back."""
CHANNEL = "tiltyard:live:{code}"
BATCH = 200
MOST_ATTEMPTS = 8
PATIENCE_SECONDS = 0.5  # a request may be waiting
_client: redis.Redis | None = None


def _redis() -> redis.Redis:
    global _client
    if _client is None:
        _client = redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=PATIENCE_SECONDS, socket_connect_timeout=PATIENCE_SECONDS
        )
    return _client


class UnknownTopic(LookupError):
    """A message that no code hands on: a bug, which must not keep the other messages waiting."""


def relay(*, event_id: int | None = None) -> int:
    """Hand unsent messages on, of one event or of all; the number that left. Any number of processes may run it.
    What players are to be told is not theirs to wait for: ``events.services.notices`` takes those messages up.

    Rows that another process holds are skipped. Redis being away raises ``redis.RedisError`` and keeps the rows:
    the sweep comes back for them, and pages poll meanwhile. Messages of an unknown topic are tried ``MOST_ATTEMPTS``
    times and then left lying; ``UnknownTopic`` is raised once the others have left.
    """
    sent: list[int] = []
    unknown: dict[int, str] = {}
    with transaction.atomic():
        for message in _unsent_of(event_id) if event_id is not None else _unsent():
            try:
                _hand_on(message)
                sent.append(message.pk)
            except UnknownTopic:
                unknown[message.pk] = message.topic
        OutboxMessage.objects.filter(pk__in=sent).update(sent_at=Now(), attempts=F("attempts") + 1)
        if unknown:
            OutboxMessage.objects.filter(pk__in=list(unknown)).update(attempts=F("attempts") + 1)
    if unknown:
        raise UnknownTopic(f"Nobody hands on {', '.join(sorted(set(unknown.values())))}.")
    return len(sent)


def _unsent() -> QuerySet[OutboxMessage]:
    rows = OutboxMessage.objects.select_for_update(skip_locked=True).filter(sent_at=None, attempts__lt=MOST_ATTEMPTS)
    return rows.exclude(topic__in=[*MAILS, *Notice.values]).order_by("pk")[:BATCH]


@prepared
def _unsent_of(event_id: int) -> QuerySet[OutboxMessage]:
    rows = OutboxMessage.objects.select_for_update(skip_locked=True).filter(sent_at=None, attempts__lt=MOST_ATTEMPTS)
    return rows.filter(event=event_id).exclude(topic__in=[*MAILS, *Notice.values]).order_by("pk")[:BATCH]


def relay_mails(*, most: int = BATCH) -> int:
    """Send mails that wait; the number that left. Any number of processes may run it.

    Each leaves in a transaction of its own, which is over before the next begins: what goes wrong with one, or after
    it, sends none twice. A mail that the server refuses is tried ``MOST_ATTEMPTS`` times, the untried ones first.
    """
    left = 0
    for _ in range(most):
        with transaction.atomic():
            waiting = OutboxMessage.objects.filter(sent_at=None, attempts__lt=MOST_ATTEMPTS, topic__in=MAILS)
            message = waiting.select_for_update(skip_locked=True).order_by("attempts", "pk").first()
            if message is None:
                return left
            message.attempts += 1
            try:
                send_invite_mail(key=message.key, **message.payload)
            except OSError as error:  # SMTPException is one
                _log.warning("Mail %s was not taken: %s", message.key, error)
                message.save(update_fields=["attempts"])
                return left
            message.sent_at = Now()
            message.save(update_fields=["attempts", "sent_at"])
            left += 1
    return left


def _hand_on(message: OutboxMessage) -> None:
    match message.topic:
        case "event.version":
            said = {"event" if key == "code" else key: value for key, value in message.payload.items()}
            _redis().publish(CHANNEL.format(code=said["event"]), json.dumps(said))
        case topic:
            raise UnknownTopic(topic)
