"""The organiser sees how far every message has come, and has another go."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.models import Delivery, LogEntry, Webhook
from events.services import notices
from tests.events.desk.conftest import key, said, send, version_of

pytestmark = pytest.mark.django_db
__all__ = ["send"]


@pytest.fixture
def told(make_event, work, mails):
    """An event whose players were told of round 1; the first player's address was refused."""
    made = make_event(started=True)
    notices.fan_out()
    made.post_round()
    bad = made.players[0].user.email
    mails.answers = lambda address: "550 no such person" if address == bad else "250 OK"
    assert work() == {"sent": 3, "dead": 1}
    mails.answers = lambda address: "250 OK"
    return made


def page(made) -> str:
    return f"/e/{made.event.code}/desk/deliveries/"


def test_the_page_counts_messages_by_state_and_says_what_went_wrong(told, as_user):
    words = said(as_user(told.organiser).get(page(told)))

    assert "Waiting: 0 Will be tried again: 0 Sent: 3 Given up: 1" in words
    assert "1 message did not arrive and will not be tried again." in words
    assert "The mail server refused the address: 550 no such person. Tried 1 time." in words


def test_the_page_shows_one_state(told, as_user):
    client = as_user(told.organiser)
    shown = {
        state: client.get(page(told), {"state": state}).content.decode().count('<th scope="row">')
        for state in ("", "sent", "dead", "waiting", "nonsense")
    }

    assert shown == {"": 4, "sent": 3, "dead": 1, "waiting": 0, "nonsense": 4}


@pytest.mark.parametrize("one", [True, False])
def test_another_go_sends_what_was_given_up(told, send, work, mails, one):
    dead = Delivery.objects.get(state="dead")
    response = send(told.organiser, page(told) + "retry", {"delivery": dead.pk} if one else {})
    assert response.url == page(told)
    assert work() == {"sent": 1}

    assert mails.mails[-1]["To"] == told.players[0].user.email
    entry = LogEntry.objects.filter(event=told.event).order_by("-seq")[0]
    assert (entry.kind, entry.payload, entry.is_public) == ("deliveries.retried", {"number": 1}, False)


def test_what_was_not_given_up_is_not_tried_again(told, send):
    sent = Delivery.objects.filter(state="sent")[0]

    assert send(told.organiser, page(told) + "retry", {"delivery": sent.pk}).status_code == 404
    assert send(told.organiser, page(told) + "retry", {"delivery": "x"}).status_code == 400


def test_another_events_messages_are_not_to_be_had(told, make_event, send):
    other = make_event(name="Another place")
    dead = Delivery.objects.get(state="dead")

    assert send(other.organiser, page(other) + "retry", {"delivery": dead.pk}).status_code == 404
    dead.refresh_from_db()
    assert dead.state == "dead"


def test_a_webhook_is_added_with_a_secret_that_is_shown_once(make_event, as_user, send, settings):
    settings.ALLOW_PRIVATE_TARGETS = True
    made = make_event(players=0)
    client = as_user(made.organiser)
    form = {"url": "http://127.0.0.1:9/hook", "secret": "", "idempotency_key": key()}
    first = said(client.post(f"/e/{made.event.code}/desk/webhooks/add", form, follow=True))
    secret = Webhook.objects.get().secret

    assert re.search(r"shown only now: (\S+)", first)[1] == secret
    assert secret not in said(client.get(page(made)))
    answer = client.get(f"/api/v1/events/{made.event.code}/webhooks").json()
    assert [sorted(row) for row in answer["results"]] == [["id", "last_answer", "last_answer_at", "told_seq", "url"]]


def test_a_webhook_into_a_private_network_is_refused_beside_the_form(make_event, send):
    made = make_event(players=0)
    answer = send(made.organiser, f"/e/{made.event.code}/desk/webhooks/add", {"url": "https://10.0.0.1/"})

    assert answer.status_code == 400
    assert "This address lies in a private network" in said(answer)
    assert Webhook.objects.count() == 0


def test_programs_see_and_do_the_same(told, as_user, work):
    client, api = as_user(told.organiser), f"/api/v1/events/{told.event.code}"
    listed = client.get(f"{api}/deliveries?state=dead").json()
    assert [(row["player"], row["state"], row["attempts"]) for row in listed["results"]] == [
        (told.players[0].pk, "dead", 1)
    ]
    command = {"content_type": "application/json", "headers": {"Idempotency-Key": key()}}
    for _ in range(2):
        assert client.post(f"{api}/deliveries/retry", {}, **command).json()["number"] == 1
    assert work() == {"sent": 1}
    assert client.get(f"{api}/deliveries?state=nonsense").status_code == 400

    added = client.post(
        f"{api}/webhooks",
        {"url": "https://hooks.example.org/x", "version": version_of(told.event)},
        content_type="application/json",
        headers={"Idempotency-Key": key()},
    )
    assert added.status_code == 201
    gone = client.post(
        f"{api}/webhooks/{added.json()['webhook']}/remove",
        {},
        content_type="application/json",
        headers={"Idempotency-Key": key()},
    )
    assert (gone.status_code, Webhook.objects.count()) == (200, 0)


@pytest.mark.parametrize("messages", [1, 3])
def test_the_page_asks_as_often_for_many_messages_as_for_one(told, as_user, messages):
    keep = Delivery.objects.order_by("pk").values_list("pk", flat=True)[:messages]
    Delivery.objects.exclude(pk__in=list(keep)).delete()
    client = as_user(told.organiser)
    client.get(page(told))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get(page(told))

    assert len(queries) == 9
