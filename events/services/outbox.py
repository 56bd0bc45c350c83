"""Side effects that were decided in a transaction, handed on after it."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import redis
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from events.models import Notice, OutboxMessage
from events.services.invite_mail import send_invite_mail

_log = logging.getLogger(__name__)

LIVE = "event.version"
"""The topic that pages follow, and that a hall full of people waits for."""
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


@dataclass(frozen=True)
class Message:
    """A message as its row has it."""

    topic: str
    key: str
    payload: Mapping[str, Any]


def hand_on_at_once(*, messages: Sequence[Message]) -> None:
    """Hand on what somebody waits for, by whoever has just committed it. What does not leave, the sweep hands on."""
    keys = []
    for message in messages:
        if message.topic == LIVE:
            _hand_on(message)
            keys.append(message.key)
    if keys:
        with connection.cursor() as cursor:  # the ORM would begin a transaction for it
            cursor.execute(
                "UPDATE events_outboxmessage SET sent_at = clock_timestamp(), attempts = attempts + 1"
                " WHERE key = ANY(%s) AND sent_at IS NULL",
                [keys],
            )


def relay() -> int:
    """Hand unsent messages on; the number that left. Any number of processes may run it.
    What players are to be told is not theirs to wait for: ``events.services.notices`` takes those messages up.

    Rows that another process holds are skipped. Redis being away raises ``redis.RedisError`` and keeps the rows:
    the sweep comes back for them, and pages poll meanwhile. Messages of an unknown topic are tried ``MOST_ATTEMPTS``
    times and then left lying; ``UnknownTopic`` is raised once the others have left.
    """
    sent: list[int] = []
    unknown: dict[int, str] = {}
    with transaction.atomic():
        for message in _unsent():
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


def _hand_on(message: Message | OutboxMessage) -> None:
    if message.topic != LIVE:
        raise UnknownTopic(message.topic)
    said = {"event" if key == "code" else key: value for key, value in message.payload.items()}
    _redis().publish(CHANNEL.format(code=said["event"]), json.dumps(said))
