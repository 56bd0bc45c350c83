"""Sending what waits to be sent, again until it arrives or is given up.

Whoever sends first moves ``next_try_at`` beyond the end of any task, in a short transaction that skips rows which
another holds: no two send the same at once, and nothing is locked while a receiver takes its time. A process that dies
between sending and marking leaves the delivery to be sent once more; receivers know it by its key.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from config.errors import NotFound
from events.channels import mail, push, webhooks
from events.channels.answers import Gone, Refused, Undelivered, Unreachable
from events.channels.tokens import UNSUBSCRIBE, token_for
from events.engine.retries import MOST_ATTEMPTS, wait_before
from events.models import Channel, Delivery, PushSubscription, Webhook
from events.queries.deliveries import round_is_over
from events.services.transaction import Actor, Change, Command, event_transaction

LEASE = timedelta(seconds=180)  # longer than a task may run
BATCH = 20
AT_ONCE = 8  # requests to push services and webhooks, which mostly wait
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outcome:
    """What came of a try: words of the receiver's, or what went wrong."""

    words: str = ""
    error: Undelivered | None = None


def send_due(*, jitter: Callable[[], float], seconds: float = 10) -> dict[str, int]:
    """Send deliveries that are due until none is or ``seconds`` are over; how many came to which state.

    ``jitter`` gives numbers in [0, 1). Any number of processes may run it.
    """
    until, counts = time.monotonic() + seconds, dict[str, int]()
    silent: set[str] = set()
    connection = get_connection()
    with contextlib.closing(connection), ThreadPoolExecutor(AT_ONCE) as pool:
        while time.monotonic() < until and (batch := _claim()):
            for delivery, outcome in _try_all(batch, pool, connection, silent, until):
                if outcome is None:
                    _put_back(delivery, jitter())
                    continue
                state = _mark(delivery, outcome, jitter())
                counts[state] = counts.get(state, 0) + 1
    return counts


def _try_all(
    batch: list[Delivery], pool: Executor, connection: BaseEmailBackend, silent: set[str], until: float
) -> Iterator[tuple[Delivery, Outcome | None]]:
    """Each with what came of it, None if it was not tried: its server is ``silent``, or time is over. Mails go one
    after the other through one connection; this thread alone asks the database."""
    hopeless = {delivery.pk: Outcome(error=why) for delivery in batch if (why := _why_not(delivery))}
    far = {
        delivery.pk: pool.submit(_try, delivery, connection)
        for delivery in batch
        if delivery.channel != Channel.EMAIL and delivery.pk not in hopeless and _target(delivery) not in silent
    }
    for delivery in batch:
        outcome: Outcome | None = hopeless.get(delivery.pk)
        if delivery.pk in far:
            outcome = far[delivery.pk].result()
        elif outcome is None and _target(delivery) not in silent and time.monotonic() < until:
            outcome = _try(delivery, connection)
        if outcome is not None and isinstance(outcome.error, Unreachable):
            silent.add(_target(delivery))
        yield delivery, outcome


def _why_not(delivery: Delivery) -> Refused | None:
    if delivery.attempts > MOST_ATTEMPTS:
        return Refused("Every try was broken off on our side.")
    if delivery.attempts > 1 and round_is_over(delivery):
        return Refused("The round was over before it could arrive.")
    return None


def _try(delivery: Delivery, connection: BaseEmailBackend) -> Outcome:
    try:
        return Outcome(_hand_over(delivery, connection))
    except Undelivered as error:
        return Outcome(error=error)
    except Exception:
        _log.exception("Delivery %s could not be sent", delivery.pk)
        return Outcome(error=Undelivered("Something is wrong on our side; it is in the log of the site."))


def _mark(delivery: Delivery, outcome: Outcome, jitter: float) -> str:
    """Its state from now on."""
    error = outcome.error
    if delivery.webhook_id is not None:
        words = outcome.words if error is None else str(error)
        Webhook.objects.filter(pk=delivery.webhook_id).update(last_answer=words[:300], last_answer_at=Now())
    if error is None:
        _settle(delivery, state=Delivery.State.SENT, last_error="", sent_at=Now())
        return str(Delivery.State.SENT)
    if isinstance(error, Gone) and delivery.subscription_id is not None:
        PushSubscription.objects.filter(pk=delivery.subscription_id).delete()
    over = isinstance(error, Refused) or delivery.attempts >= MOST_ATTEMPTS
    state = Delivery.State.DEAD if over else Delivery.State.FAILED
    again = _in(wait_before(delivery.attempts, jitter))
    _settle(delivery, state=state, last_error=str(error)[:300], next_try_at=again)
    return str(state)


def retry_deliveries(
    *, event_id: int, actor: Actor, delivery_id: int | None = None, command: Command | None = None
) -> Change:
    """Give what was given up another eight tries: one delivery, or all of the event.

    Raises NotFound "delivery.unknown" (there is none, or it was not given up).
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        dead = Delivery.objects.filter(event=tx.event, state=Delivery.State.DEAD)
        if delivery_id is not None:
            dead = dead.filter(pk=delivery_id)
        number = dead.update(state=Delivery.State.WAITING, attempts=0, next_try_at=Now())
        if delivery_id is not None and not number:
            raise NotFound("delivery.unknown", "There is nothing here that was given up.", {"delivery": delivery_id})
        if number:
            tx.log("deliveries.retried", {"number": number}, public=False)
        return tx.done(number=number)


def _claim() -> list[Delivery]:
    with transaction.atomic():
        due = Delivery.objects.select_for_update(skip_locked=True).filter(
            state__in=Delivery.UNSENT, next_try_at__lte=Now()
        )
        mine = list(due.order_by("next_try_at", "pk").values_list("pk", flat=True)[:BATCH])
        Delivery.objects.filter(pk__in=mine).update(next_try_at=Now() + LEASE, attempts=F("attempts") + 1)
    claimed = Delivery.objects.filter(pk__in=mine).select_related("event", "player__user", "subscription", "webhook")
    return list(claimed.order_by("pk"))


def _put_back(delivery: Delivery, jitter: float) -> None:
    """It was not tried."""
    _settle(delivery, attempts=F("attempts") - 1, next_try_at=_in(wait_before(1, jitter)))


def _settle(delivery: Delivery, **facts: object) -> None:
    """Unless it was taken up again by another, who came to think that we are gone."""
    Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts, state__in=Delivery.UNSENT).update(**facts)


def _in(seconds: float) -> object:
    return Now() + timedelta(seconds=seconds)


def _target(delivery: Delivery) -> str:
    """Which server takes it: where that is away, others for it need not be tried."""
    if delivery.channel == Channel.EMAIL:
        return "mail"
    receiver = delivery.subscription.endpoint if delivery.subscription else getattr(delivery.webhook, "url", "")
    return urlsplit(receiver).netloc


def _hand_over(delivery: Delivery, connection: BaseEmailBackend) -> str:
    """What the receiver said, "" where it says nothing."""
    match delivery.channel:
        case Channel.EMAIL:
            _mail(delivery, connection)
        case Channel.PUSH:
            _push(delivery)
        case Channel.WEBHOOK:
            return _webhook(delivery)
    return ""


def _mail(delivery: Delivery, connection: BaseEmailBackend) -> None:
    user = delivery.player.user if delivery.player is not None else None
    if user is None:
        raise Refused("The player has no account any more.")
    event, said = delivery.event, delivery.payload
    settings_url = f"{settings.SITE_URL}/account/notifications/"
    stop_url = f"{settings_url}stop/{token_for(UNSUBSCRIBE, user.pk)}"
    text = (
        f"{said['line']}\n\n{said['detail']}\n\n{event.name}{', ' if event.place else ''}{event.place}\n"
        f"{settings.SITE_URL}{said['path']}\n\n-- \nChoose what you are told: {settings_url}\n"
        f"No more e-mails of events: {stop_url}\n"
    )
    headers = {"List-Unsubscribe": f"<{stop_url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    mail.send(connection=connection, to=user.email, subject=said["line"], text=text, key=delivery.key, headers=headers)


def _push(delivery: Delivery) -> None:
    browser = delivery.subscription
    if browser is None:
        raise Refused("The browser takes no notices any more.")
    said = delivery.payload
    message = {"title": delivery.event.name, "body": said["line"], "path": said["path"], "tag": delivery.key}
    push.send(endpoint=browser.endpoint, p256dh=browser.p256dh, auth=browser.auth, message=message, topic=delivery.key)


def _webhook(delivery: Delivery) -> str:
    hook = delivery.webhook
    if hook is None:
        raise Refused("The webhook was taken away.")
    answer = webhooks.send(url=hook.url, secret=hook.secret, key=delivery.key, message=delivery.payload)
    return webhooks.answer_words(answer)
