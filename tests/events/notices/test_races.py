"""Two workers at the same moment, on real PostgreSQL, and a real Celery worker on the real broker."""

from __future__ import annotations

import socket

import pytest
from celery.contrib.testing.worker import start_worker
from django.db.models.query import QuerySet

from config.celery import app
from events.models import Delivery
from events.services import deliveries, notices, registration, webhooks
from events.tasks import send_notices
from tests.events.factories import Made, make_event
from tests.events.test_tasks import wait_until
from tests.receivers import MailServer
from tests.threads import at_once, lock_no_rows, meeting

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("packs")]


def posted() -> Made:
    """Eight players who are about to be told of round 1, and of nothing else."""
    made = make_event(players=8, started=True)
    notices.fan_out()
    made.post_round()
    return made


def send() -> dict[str, int]:
    return deliveries.send_due(jitter=lambda: 0.5, seconds=30)


def test_two_workers_make_each_delivery_once() -> None:
    posted()
    made = at_once(notices.fan_out, notices.fan_out, notices.fan_out)

    assert sorted(made) == [0, 0, 8]
    assert Delivery.objects.count() == 8


def test_two_workers_send_each_mail_once(mails: MailServer) -> None:
    posted()
    notices.fan_out()
    at_once(send, send, send)

    assert len(mails.mails) == 8
    assert len({mail["To"] for mail in mails.mails}) == 8
    assert set(Delivery.objects.values_list("state", "attempts")) == {("sent", 1)}


def test_control_without_the_row_lock_two_workers_send_twice(
    mails: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted()
    notices.fan_out()
    lock_no_rows(monkeypatch)
    meet, list_ = meeting(2), QuerySet.values_list

    def read_then_meet(rows: QuerySet, *fields: str, **options: object) -> object:
        found = list_(rows, *fields, **options)
        if rows.model is Delivery and fields == ("pk",):
            found = found[: deliveries.BATCH]
            list(found)
            meet()
        return found

    monkeypatch.setattr(QuerySet, "values_list", read_then_meet)
    at_once(send, send)

    assert len(mails.mails) == 16


def test_two_workers_queue_what_is_new_once() -> None:
    made = make_event(players=0)
    hook = {"event_id": made.event.pk, "actor": made.by_organiser, "url": "https://hooks.example.org/"}
    webhooks.add_webhook(**hook)
    registration.add_player(event_id=made.event.pk, actor=made.by_organiser, name="Guest One")
    queued = at_once(*[webhooks.queue_changes] * 3)

    assert sorted(queued) == [0, 0, 1]
    assert Delivery.objects.count() == 1


def test_the_worker_tells_players_once_the_mail_server_is_back(mails: MailServer, settings) -> None:
    made = posted()
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        working, settings.EMAIL_PORT = settings.EMAIL_PORT, unused.getsockname()[1]
        notices.fan_out()
        assert send() == {"failed": 1}
    settings.EMAIL_PORT = working
    Delivery.objects.update(next_try_at=made.event.created_at)

    queue = f"tests-{made.event.code}"  # nobody else's worker takes it
    with start_worker(app, perform_ping_check=False, pool="solo", queues=[queue], shutdown_timeout=20):
        send_notices.apply_async(queue=queue)
        wait_until(lambda: not Delivery.objects.exclude(state="sent").exists())
    assert len({mail["To"] for mail in mails.mails}) == 8
