"""Addresses of the organiser's that are told what is new in an event's public log."""

from __future__ import annotations

import json
import secrets
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Now

from config.errors import Conflict, DomainError, NotFound
from events.channels.outward import check_url
from events.channels.webhooks import LONGEST_SECRET, SHORTEST_SECRET
from events.models import Channel, Delivery, Event, LogEntry, Webhook
from events.services.transaction import Actor, Change, Command, event_transaction

MOST = 5
ENTRIES_AT_ONCE = 100
MOST_BYTES = 200_000


def add_webhook(*, event_id: int, actor: Actor, url: str, secret: str = "", command: Command | None = None) -> Change:
    """Tell an address of every later change. The answer holds the ``secret`` that signs, drawn where none is given; it
    is shown this once.

    Raises DomainError "address.form", "address.private", "webhook.secret", Conflict "webhook.already",
    "webhook.too_many".
    """
    check_url(url)
    secret = secret or secrets.token_urlsafe(32)
    if not (SHORTEST_SECRET <= len(secret) <= LONGEST_SECRET and secret.isascii() and secret.isprintable()):
        raise DomainError("webhook.secret", f"A secret has {SHORTEST_SECRET} to {LONGEST_SECRET} plain characters.")
    with event_transaction(event_id, actor=actor, command=command) as tx:
        hooks = Webhook.objects.filter(event=tx.event)
        if hooks.count() >= MOST:
            raise Conflict("webhook.too_many", f"An event tells at most {MOST} addresses. Take one away first.")
        if hooks.filter(url=url).exists():
            raise Conflict("webhook.already", "This address is told already.")
        newest = LogEntry.objects.filter(event=tx.event).order_by("-seq").values_list("seq", flat=True).first()
        hook = Webhook.objects.create(event=tx.event, url=url, secret=secret, told_seq=newest or 0)
        tx.log("webhook.added", {"webhook": hook.pk, "url": url}, public=False)
        return tx.done(webhook=hook.pk, secret=secret)


def remove_webhook(*, event_id: int, actor: Actor, webhook_id: int, command: Command | None = None) -> Change:
    """Raises NotFound "webhook.unknown"."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        hook = _webhook(tx.event, webhook_id)
        tx.log("webhook.removed", {"webhook": hook.pk, "url": hook.url}, public=False)
        hook.delete()
        return tx.done(webhook=webhook_id)


def try_webhook(*, event_id: int, actor: Actor, webhook_id: int, command: Command | None = None) -> Change:
    """Send it a message of the kind "test", as all others are sent. Raises NotFound "webhook.unknown"."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        hook = _webhook(tx.event, webhook_id)
        message = {"kind": "test", "event": _facts(tx.event), "entries": []}
        key = f"webhook:{hook.pk}:test:{secrets.token_hex(8)}"
        delivery = Delivery.objects.create(
            event=tx.event,
            channel=Channel.WEBHOOK,
            kind="test",
            key=key,
            webhook=hook,
            payload=message,
            next_try_at=Now(),
        )
        return tx.done(webhook=hook.pk, delivery=delivery.pk)


def queue_changes() -> int:
    """One delivery for each address that has not been told of the newest public entries; their number.

    An address that has one under way gets no other: so the messages arrive in order, and one that is away is not buried
    under them. Any number of processes may run it.
    """
    newest = LogEntry.objects.filter(event=OuterRef("event"), is_public=True).order_by("-seq").values("seq")[:1]
    with transaction.atomic():
        hooks = Webhook.objects.select_for_update(skip_locked=True, of=("self",)).select_related("event")
        behind = hooks.annotate(newest=Subquery(newest)).filter(told_seq__lt=F("newest"))
        busy = Q(deliveries__state__in=Delivery.UNSENT, deliveries__kind="changes")
        waiting = set(Webhook.objects.filter(busy).values_list("pk", flat=True))
        found = [hook for hook in behind.order_by("pk") if hook.pk not in waiting]
        for hook in found:
            _queue(hook)
    return len(found)


def _queue(hook: Webhook) -> None:
    entries = LogEntry.objects.filter(event=hook.event_id, seq__gt=hook.told_seq, is_public=True).order_by("seq")
    told: list[dict[str, Any]] = [
        {"seq": entry.seq, "kind": entry.kind, "at": entry.at.isoformat(), "payload": entry.payload}
        for entry in entries[:ENTRIES_AT_ONCE]
    ]
    if len(json.dumps(told)) > MOST_BYTES:
        told = [{**entry, "payload": None} for entry in told]
    last = told[-1]["seq"]
    Delivery.objects.bulk_create(
        [
            Delivery(
                event=hook.event,
                channel=Channel.WEBHOOK,
                kind="changes",
                key=f"webhook:{hook.pk}:{hook.told_seq + 1}-{last}",
                webhook=hook,
                payload={"kind": "changes", "event": _facts(hook.event), "entries": told},
                next_try_at=Now(),
            )
        ],
        ignore_conflicts=True,
    )
    Webhook.objects.filter(pk=hook.pk).update(told_seq=last)


def _facts(event: Event) -> dict[str, Any]:
    return {"code": event.code, "name": event.name, "version": event.version, "state": event.state}


def _webhook(event: Event, webhook_id: int) -> Webhook:
    hook = Webhook.objects.filter(event=event, pk=webhook_id).first()
    if hook is None:
        raise NotFound("webhook.unknown", "There is no such webhook here.", {"webhook": webhook_id})
    return hook
