"""A real Celery worker on the real broker takes over what a request could not hand on."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
import redis
from celery.contrib.testing.worker import start_worker
from django.utils import timezone
from kombu.exceptions import OperationalError

from cards.models import Card
from config.celery import app
from decks.models import Decklist, Revalidation
from events.models import OutboxMessage
from events.queries.publishing import unfollowed_publications
from events.services import outbox, registration
from events.tasks import follow_publication, follow_publications, relay_outbox, start_following
from rules.engine.publication import publication_of
from rules.services.publishing import add_game_organiser, publish
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


def test_the_worker_follows_a_publication_to_its_end() -> None:
    made = make_event(players=2, decklists=True, starts_at=timezone.now() + timedelta(days=3))
    add_game_organiser(game=made.event.game, user=made.organiser)
    card = Card.objects.filter(pk__in=Decklist.objects.order_by("pk")[0].card_ids)[0]
    change = {"format": "designed-deck", "card": card.name, "status": "banned", "section": "EPIC 12.6"}
    day = made.event.legality_date
    file = publication_of({"title": "List", "source": "Letter", "effective_on": day, "changes": [change]})
    number = publish(game=made.event.game, user=made.organiser, file=file).publication.pk
    assert unfollowed_publications() == [number]
    assert follow_publications() == 1

    queue = f"tests-{made.event.code}"
    with start_worker(app, perform_ping_check=False, pool="solo", queues=[queue], shutdown_timeout=20):
        follow_publication.apply_async([number], queue=queue)
        wait_until(lambda: not unfollowed_publications())
    assert Revalidation.objects.get(publication=number).done == 2
    assert follow_publications() == 0


def test_a_publication_waits_for_the_sweep_while_the_queue_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*arguments: object) -> None:
        raise OperationalError("away")

    monkeypatch.setattr(follow_publication, "delay", away)
    start_following(1)


def test_beat_names_tasks_that_there_are() -> None:
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)
