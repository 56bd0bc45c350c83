"""From what was decided in a transaction to one delivery for each player and way.

A service says ``tx.tell("round_posted", {"round": 3})``; that is stored with the change or not at all. Here, after the
commit and in a worker, the message becomes deliveries and is marked in one transaction: each leaves exactly once.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from events.models import Channel, Delivery, Notice, OutboxMessage, Player, Round
from events.queries.notices import lines_of, of_round, places_in, ways_of
from events.sentences_notices import DETAILS
from events.services.outbox import MOST_ATTEMPTS
from events.services.transaction import EventTransaction

ROWS_AT_ONCE = 1000
_log = logging.getLogger(__name__)


def fan_out() -> int:
    """Make the deliveries of every message that waits; their number. Any number of processes may run it.

    A message that fails by a bug is logged, tried ``MOST_ATTEMPTS`` times in all and then left lying.
    """
    made, failed = 0, list[int]()
    while True:
        with transaction.atomic():
            message = _next_message(but=failed)
            if message is None:
                return made
            try:
                with transaction.atomic():
                    made += _deliver(message)
            except Exception:
                _log.exception("Message %s (%s) tells nobody anything", message.pk, message.topic)
                failed.append(message.pk)
            else:
                OutboxMessage.objects.filter(pk=message.pk).update(sent_at=Now())
            OutboxMessage.objects.filter(pk=message.pk).update(attempts=F("attempts") + 1)


def tell_moved(tx: EventTransaction, round_: Round, *, before: dict[int, list[Any] | None]) -> None:
    """Have everybody told whose place in a posted round is another than ``before``, as ``places_before`` gave it."""
    tx.tell(Notice.PLAYERS_MOVED, {"round": round_.sequence, "before": before})


def places_before(round_: Round, players: Iterable[int]) -> dict[int, list[Any] | None]:
    """Where those players sit just now, for ``tell_moved``; None for who does not sit. 2 queries."""
    players = list(players)
    found = places_in(round_, players)
    return {player: found[player].as_json() if player in found else None for player in players}


def _next_message(*, but: list[int]) -> OutboxMessage | None:
    rows = OutboxMessage.objects.select_for_update(skip_locked=True, of=("self",)).select_related("event")
    waiting = rows.filter(topic__in=Notice.values, sent_at=None, attempts__lt=MOST_ATTEMPTS)
    return waiting.exclude(pk__in=but).order_by("pk").first()


def _deliver(message: OutboxMessage) -> int:
    deliveries = list(_deliveries(message))
    if message.topic == Notice.ROUND_UNPOSTED:
        of_round(message.event_id, message.payload["round"]).filter(state__in=Delivery.UNSENT).delete()
    Delivery.objects.bulk_create(deliveries, batch_size=ROWS_AT_ONCE, ignore_conflicts=True)
    return len(deliveries)


def _deliveries(message: OutboxMessage) -> Iterator[Delivery]:
    lines = lines_of(message)
    people = Player.objects.filter(pk__in=lines, user__is_active=True).values_list("pk", "user")
    player_user = {player: user for player, user in people if user is not None}
    ways = ways_of(message.event_id, message.topic, player_user.values())
    for player, user in player_user.items():
        payload = {
            "line": lines[player],
            "detail": DETAILS[message.topic],
            "path": f"/e/{message.event.code}/me/",
            "round": message.payload.get("round"),
        }
        if user in ways.by_mail:
            yield _delivery(message, Channel.EMAIL, player, payload)
        for browser in ways.browsers.get(user, []):
            yield _delivery(message, Channel.PUSH, player, payload, browser)


def _delivery(
    message: OutboxMessage, channel: Channel, player: int, payload: dict[str, Any], browser: int | None = None
) -> Delivery:
    return Delivery(
        event_id=message.event_id,
        channel=channel,
        kind=message.topic,
        key=f"{message.key}:{player}:{channel}" + ("" if browser is None else f":{browser}"),
        player_id=player,
        subscription_id=browser,
        payload=payload,
        next_try_at=Now(),
    )
