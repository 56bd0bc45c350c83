"""What a service leaves behind: every row of the app before and after."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps

from config.errors import DomainError
from events.models import Event, LogEntry, Notice, OutboxMessage

Rows = dict[str, list[tuple[Any, ...]]]


def everything() -> Rows:
    """Every row of every table of events."""
    return {
        model.__name__: [
            tuple(bytes(value) if isinstance(value, memoryview) else value for value in row)
            for row in model._default_manager.order_by("pk").values_list()
        ]
        for model in apps.get_app_config("events").get_models()
    }


@contextlib.contextmanager
def refused(kind: type[DomainError], code: str, status: int, context: dict[str, Any] | None = None) -> Iterator[None]:
    """The block is refused with exactly this, and leaves every row of events as it was."""
    before = everything()
    with pytest.raises(DomainError) as caught:
        yield
    error = caught.value
    assert (type(error), error.code, error.status) == (kind, code, status)
    if context is not None:
        assert error.context == context
    assert error.message.endswith(".")
    assert everything() == before


@contextlib.contextmanager
def one_change(event: Event, *kinds: str) -> Iterator[None]:
    """The block raises the version by one, logs exactly ``kinds``, and queues one message that says the version, beside
    what players are told."""
    before = Event.objects.get(pk=event.pk).version
    entries = set(LogEntry.objects.filter(event=event).values_list("pk", flat=True))
    messages = set(OutboxMessage.objects.filter(event=event).values_list("pk", flat=True))
    yield
    after = Event.objects.get(pk=event.pk)
    new = LogEntry.objects.filter(event=event).exclude(pk__in=entries).order_by("seq")
    assert [entry.kind for entry in new] == list(kinds)
    assert after.version == before + 1
    told = OutboxMessage.objects.filter(event=event).exclude(pk__in=messages).exclude(topic__in=Notice.values)
    assert [(message.topic, {key: message.payload[key] for key in ("code", "version")}) for message in told] == [
        ("event.version", {"code": after.code, "version": after.version})
    ]
    assert new[len(kinds) - 1].hash == after.log_head


@contextlib.contextmanager
def nothing_new() -> Iterator[None]:
    """The block succeeds and leaves every row as it was."""
    before = everything()
    yield
    assert everything() == before


def last_entry(event: Event) -> LogEntry:
    return LogEntry.objects.filter(event=event).order_by("-seq")[0]
