"""Side effects leave after the commit, once, whoever carries them and whatever Redis does meanwhile."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.conf import settings
from django.db import connection, transaction

from events.models import Event, OutboxMessage
from events.services import outbox, registration
from events.tasks import relay_outbox
from tests.events.factories import Made, make_event
from tests.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("packs")]


@pytest.fixture(autouse=True)
def fresh_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "_client", None)


@pytest.fixture
def made() -> Made:
    return make_event(players=0)


@pytest.fixture
def heard(made: Made) -> Iterator[Any]:
    """A subscription to the event's channel."""
    client = redis.Redis.from_url(settings.REDIS_URL)
    subscription = client.pubsub()
    subscription.subscribe(outbox.CHANNEL.format(code=made.event.code))
    assert subscription.get_message(timeout=5)["type"] == "subscribe"
    yield subscription
    subscription.close()
    client.close()


def versions(subscription: Any, quiet: float = 0.3) -> list[int]:
    """Everything heard until it was quiet for a while."""
    found = []
    while (message := subscription.get_message(timeout=quiet)) is not None:
        found.append(json.loads(message["data"])["version"])
    return found


def queue(event: Event, *numbers: int) -> None:
    """Messages that nobody has handed on yet."""
    OutboxMessage.objects.bulk_create(
        OutboxMessage(
            event=event, topic="event.version", key=f"{event.pk}:{n}", payload={"code": event.code, "version": n}
        )
        for n in numbers
    )


def enter(made: Made, name: str) -> int:
    return registration.add_player(event_id=made.event.pk, actor=made.by_organiser, name=name).version


def test_a_change_is_told_at_once(made: Made, heard: Any) -> None:
    assert enter(made, "Guest One") == 3
    message = heard.get_message(timeout=2)
    assert json.loads(message["data"]) == {"event": made.event.code, "version": 3}
    assert outbox.relay() == 0


def test_without_redis_changes_still_commit_and_are_told_once_when_it_is_back(
    made: Made, heard: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.socket() as unused, monkeypatch.context() as away:
        unused.bind(("127.0.0.1", 0))
        away.setattr(settings, "REDIS_URL", f"redis://127.0.0.1:{unused.getsockname()[1]}/0")
        away.setattr(outbox, "_client", None)
        began = time.monotonic()
        assert [enter(made, "Guest One"), enter(made, "Guest Two")] == [3, 4]
        assert time.monotonic() - began < 5
        with pytest.raises(redis.RedisError):
            outbox.relay()
    assert made.event.players.count() == 2
    assert "on_commit" in caplog.text
    left = OutboxMessage.objects.filter(event=made.event, sent_at=None)
    assert [(row.payload["version"], row.attempts) for row in left] == [(3, 0), (4, 0)]
    outbox._client = None
    assert relay_outbox() == 2
    assert relay_outbox() == 0
    assert versions(heard) == [3, 4]


def test_two_relays_send_each_message_once(made: Made, heard: Any) -> None:
    numbers = range(100, 160)
    queue(made.event, *numbers)
    sent = at_once(outbox.relay, outbox.relay, outbox.relay)
    assert sum(sent) == 60
    assert sorted(versions(heard)) == list(numbers)
    assert set(OutboxMessage.objects.filter(event=made.event, payload__version__gte=100).values_list("attempts")) == {
        (1,)
    }


def test_what_another_relay_holds_is_left_to_it(made: Made, heard: Any) -> None:
    queue(made.event, 100, 101)

    def beside() -> int:
        with transaction.atomic():
            held = OutboxMessage.objects.select_for_update().get(key=f"{made.event.pk}:100")
            (sent,) = at_once(outbox.relay)
            assert held.sent_at is None
        connection.close()
        return int(sent)

    assert beside() == 1
    assert versions(heard) == [101]
    assert outbox.relay() == 1
    assert versions(heard) == [100]


def test_a_change_tells_nothing_but_its_own(made: Made, heard: Any) -> None:
    queue(made.event, 100)
    version = enter(made, "Guest One")
    assert versions(heard) == [version]
    assert outbox.relay() == 1
    assert versions(heard) == [100]


def test_a_long_queue_leaves_in_batches(made: Made) -> None:
    queue(made.event, *range(100, 100 + outbox.BATCH + 5))
    assert [outbox.relay(), outbox.relay(), outbox.relay()] == [outbox.BATCH, 5, 0]
