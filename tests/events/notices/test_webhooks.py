"""Programs of the organiser's are told what is new in the public log, in order, signed, and no more than that."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest

from config.errors import Conflict, DomainError, NotFound
from events.models import Delivery, LogEntry, Webhook
from events.queries.verification import verify_event
from events.services import registration, webhooks

pytestmark = pytest.mark.django_db


@pytest.fixture
def hook(make_event, receiver):
    """An event whose organiser has the local server told."""
    made = make_event(players=2)
    added = webhooks.add_webhook(
        event_id=made.event.pk, actor=made.by_organiser, url=f"{receiver.url}/hook", secret="a secret of theirs"
    )
    made.hook = Webhook.objects.get(pk=added.facts["webhook"])
    return made


def enter(made, name: str) -> None:
    registration.add_player(event_id=made.event.pk, actor=made.by_organiser, name=name)


def told(receiver) -> list[dict]:
    return [json.loads(got.body) for got in receiver.received]


def test_what_is_new_in_the_public_log_is_told_with_event_and_version(hook, work, receiver):
    enter(hook, "Guest One")
    webhooks.queue_changes()
    assert work() == {"sent": 1}

    (message,) = told(receiver)
    entry = LogEntry.objects.filter(event=hook.event, is_public=True).order_by("-seq")[0]
    hook.refresh()
    assert message == {
        "kind": "changes",
        "event": {
            "code": hook.event.code,
            "name": "Open of Hollowmere",
            "version": hook.event.version,
            "state": "registration",
        },
        "entries": [
            {"seq": entry.seq, "kind": "player.registered", "at": entry.at.isoformat(), "payload": entry.payload}
        ],
    }


def test_what_is_sent_is_signed_with_the_secret(hook, work, receiver):
    enter(hook, "Guest One")
    webhooks.queue_changes()
    work()

    (got,) = receiver.received
    parts = dict(part.split("=") for part in got.headers["Tiltyard-Signature"].split(","))
    signed = hmac.new(b"a secret of theirs", f"{parts['t']}.".encode() + got.body, hashlib.sha256).hexdigest()
    assert parts["v1"] == signed
    assert "a secret of theirs" not in str(got)


def test_a_repeat_has_the_same_key(hook, work, receiver):
    enter(hook, "Guest One")
    webhooks.queue_changes()
    work()
    Delivery.objects.update(state="waiting")
    work()

    assert len({got.headers["Idempotency-Key"] for got in receiver.received}) == 1
    assert len(receiver.received) == 2


def test_nothing_new_is_not_told_and_nothing_is_told_twice(hook, work, receiver):
    assert webhooks.queue_changes() == 0
    enter(hook, "Guest One")
    assert [webhooks.queue_changes(), webhooks.queue_changes()] == [1, 0]
    work()
    assert webhooks.queue_changes() == 0


def test_what_happens_while_the_receiver_is_away_comes_after_what_was_before(hook, work, receiver):
    receiver.answer = lambda number: (503, {}, b"busy") if number == 0 else (200, {}, b"ok")
    enter(hook, "Guest One")
    webhooks.queue_changes()
    work()
    enter(hook, "Guest Two")
    enter(hook, "Guest Three")
    assert webhooks.queue_changes() == 0  # one is under way
    work()
    assert webhooks.queue_changes() == 1
    work()

    seqs = [[entry["seq"] for entry in message["entries"]] for message in told(receiver)]
    first = seqs[0][0]
    assert seqs == [[first], [first], [first + 1, first + 2]]


def test_what_is_not_public_is_not_told(make_event, hook, work, receiver):
    webhooks.add_webhook(event_id=hook.event.pk, actor=hook.by_organiser, url=f"{receiver.url}/other")
    private = LogEntry.objects.filter(event=hook.event).order_by("-seq")[0]
    enter(hook, "Guest One")
    webhooks.queue_changes()
    work()

    assert (private.kind, private.is_public) == ("webhook.added", False)
    assert all(private.seq not in [entry["seq"] for entry in message["entries"]] for message in told(receiver))
    assert len(told(receiver)) == 2


def test_the_last_answer_is_kept_for_the_organiser(hook, work, receiver):
    receiver.answer = lambda number: (500, {}, b"no\x00 such\ntable")
    enter(hook, "Guest One")
    webhooks.queue_changes()
    assert work() == {"failed": 1}

    hook.hook.refresh_from_db()
    assert hook.hook.last_answer == "Answered 500: no such table"


def test_a_test_is_sent_like_all_others(hook, work, receiver):
    webhooks.try_webhook(event_id=hook.event.pk, actor=hook.by_organiser, webhook_id=hook.hook.pk)
    assert work() == {"sent": 1}

    assert [(message["kind"], message["entries"]) for message in told(receiver)] == [("test", [])]


def test_a_webhook_that_was_taken_away_is_told_nothing(hook, work, receiver):
    enter(hook, "Guest One")
    webhooks.queue_changes()
    webhooks.remove_webhook(event_id=hook.event.pk, actor=hook.by_organiser, webhook_id=hook.hook.pk)

    assert (work(), receiver.received) == ({}, [])
    assert verify_event(hook.refresh()).faults == []


def test_a_target_that_came_to_lie_in_a_private_network_is_given_up_at_once(hook, work, receiver, settings):
    enter(hook, "Guest One")
    webhooks.queue_changes()
    settings.ALLOW_PRIVATE_TARGETS = False

    assert work() == {"dead": 1}
    assert receiver.received == []
    hook.hook.refresh_from_db()
    assert hook.hook.last_answer == "127.0.0.1 lies in a private network: nothing is sent there."


def test_what_cannot_be_told_is_refused(make_event):
    made = make_event(players=0)
    add = {"event_id": made.event.pk, "actor": made.by_organiser}
    for url, secret, code in (
        ("https://127.0.0.1/", "", "address.private"),
        ("http://hooks.example.org/", "", "address.form"),
        ("https://hooks.example.org/", "short", "webhook.secret"),
        ("https://hooks.example.org/", "ü" * 20, "webhook.secret"),
    ):
        with pytest.raises(DomainError) as refusal:
            webhooks.add_webhook(**add, url=url, secret=secret)
        assert refusal.value.code == code
    for number in range(webhooks.MOST):
        webhooks.add_webhook(**add, url=f"https://hooks.example.org/{number}")
    with pytest.raises(Conflict, match="at most 5"):
        webhooks.add_webhook(**add, url="https://hooks.example.org/more")
    with pytest.raises(NotFound):
        webhooks.remove_webhook(**add, webhook_id=0)
