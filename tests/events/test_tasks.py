"""A real Celery worker on the real broker takes over what a request could not hand on."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
import redis
from celery.contrib.testing.worker import start_worker

from config.celery import app
from events.models import OutboxMessage
from events.services import outbox, registration
from events.tasks import relay_outbox
from tests.events.factories import actor_of, make_event, make_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("packs")]


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            pytest.fail("It did not happen in time.")
        time.sleep(0.05)


def test_the_worker_hands_on_what_was_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_event(players=2)

    def away() -> None:
        raise redis.ConnectionError("away")

    with monkeypatch.context() as patched:
        patched.setattr(outbox, "_redis", away)
        person = make_user("Late Comer")
        change = registration.register(event_id=made.event.pk, actor=actor_of(person), user_id=person.pk)
    unsent = OutboxMessage.objects.filter(event=made.event, sent_at=None)
    assert [message.payload["version"] for message in unsent] == [change.version]

    queue = f"tests-{made.event.code}"  # nobody else's worker takes it
    with start_worker(app, perform_ping_check=False, pool="solo", queues=[queue], shutdown_timeout=20):
        relay_outbox.apply_async(queue=queue)
        wait_until(lambda: not unsent.all().exists())
    assert OutboxMessage.objects.get(event=made.event, payload__version=change.version).attempts == 1


def test_beat_names_tasks_that_there_are() -> None:
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)
