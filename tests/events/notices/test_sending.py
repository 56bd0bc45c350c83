"""Deliveries leave by the real protocols, again until they arrive or are given up."""

from __future__ import annotations

import socket
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from events.channels import outward
from events.models import Delivery, PushSubscription
from events.services import deliveries, housekeeping, notices, results, rounds
from tests.events.factories import user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def posted(make_event, work, mails):
    """An event whose players are about to be told of round 1, by mail."""
    made = make_event(started=True)
    notices.fan_out()
    made.round_ = made.post_round()
    return made


def states(made) -> list[tuple[str, int]]:
    return list(Delivery.objects.filter(event=made.event).order_by("pk").values_list("state", "attempts"))


def test_each_player_gets_one_mail_that_says_table_and_opponent(posted, work, mails):
    assert work() == {"sent": 4}
    assert work() == {}

    ada = posted.players[0]
    line = (
        f"Round 1: table {posted.match_of(ada, posted.round_).table} against "
        f"{posted.opponent_of(ada, posted.round_).name}"
    )
    (mail,) = [mail for mail in mails.mails if mail["To"] == user_of(ada).email]
    assert mail["Subject"] == line
    assert mail.get_payload().splitlines()[0] == line
    assert f"/e/{posted.event.code}/me/" in mail.get_payload()
    assert sorted(mail["To"] for mail in mails.mails) == sorted(user_of(player).email for player in posted.players)


def test_all_mails_of_a_run_go_through_one_connection(posted, work, mails):
    work()

    assert (len(mails.mails), mails.connections) == (4, 1)


def test_a_repeat_has_the_same_message_id(posted, work, mails):
    work()
    first = {mail["To"]: mail["Message-ID"] for mail in mails.mails}
    Delivery.objects.update(state="waiting")  # as if the process had died before it could mark them
    work()

    assert {mail["To"]: mail["Message-ID"] for mail in mails.mails[4:]} == first
    assert len(set(first.values())) == 4


def test_what_fails_is_tried_again_later_each_time_and_then_given_up(posted, work, mails):
    mails.answers = lambda address: "451 try later"
    waits = []
    for _ in range(8):
        work(jitter=1.0)
        row = Delivery.objects.filter(event=posted.event)[0]
        waits.append((row.state, row.attempts, row.last_error))
    said = "The mail server refused the address: 451 try later."

    assert waits == [*[("failed", number, said) for number in range(1, 8)], ("dead", 8, said)]
    assert work() == {}


def test_waits_grow_and_are_spread(make_event, posted, mails):
    mails.answers = lambda address: "451 try later"
    spread = iter([0.0, 1.0, 0.0, 1.0])
    notices.fan_out()
    deliveries.send_due(jitter=lambda: next(spread))

    rows = Delivery.objects.filter(event=posted.event).order_by("pk")
    waits = [round((row.next_try_at - row.created_at).total_seconds()) for row in rows]
    assert [5 <= waits[0] <= 9, 10 <= waits[1] <= 14] == [True, True]


def test_an_address_that_is_refused_for_good_is_given_up_at_once(posted, work, mails):
    bad = user_of(posted.players[0]).email
    mails.answers = lambda address: "550 no such person" if address == bad else "250 OK"

    assert work() == {"dead": 1, "sent": 3}


def test_while_the_mail_server_is_away_one_try_is_enough_to_know(posted, settings, work):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        settings.EMAIL_PORT = unused.getsockname()[1]
        notices.fan_out()
        assert work() == {"failed": 1}

    assert sorted(states(posted)) == [("failed", 1), ("waiting", 0), ("waiting", 0), ("waiting", 0)]


def test_a_browser_gets_the_pairing_that_only_it_can_read(posted, work, subscribe, receiver):
    browser = subscribe(posted, 0)
    ada = posted.players[0]
    work()

    (got,) = receiver.received
    assert (got.path, got.headers["Content-Encoding"], got.headers["TTL"]) == ("/push/0", "aes128gcm", "1800")
    message = browser.reads(got.body)
    tag = message.pop("tag")
    assert tag == Delivery.objects.get(channel="push").key
    assert message == {
        "title": "Open of Hollowmere",
        "body": f"Round 1: table {posted.match_of(ada, posted.round_).table} against "
        f"{posted.opponent_of(ada, posted.round_).name}",
        "path": f"/e/{posted.event.code}/me/",
    }


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(posted, work, subscribe, receiver, status):
    subscribe(posted, 0)
    receiver.answer = lambda number: (status, {}, b"")
    assert work() == {"sent": 4, "dead": 1}

    assert PushSubscription.objects.count() == 0
    dead = Delivery.objects.get(channel="push")
    assert (dead.state, dead.last_error) == ("dead", "The browser takes no notices any more.")


def test_a_push_service_that_is_busy_is_asked_again(posted, work, subscribe, receiver):
    subscribe(posted, 0)
    receiver.answer = lambda number: (503, {}, b"") if number == 0 else (201, {}, b"")

    assert work() == {"sent": 4, "failed": 1}
    assert work() == {"sent": 1}
    assert PushSubscription.objects.count() == 1


def test_a_push_service_that_keeps_silent_holds_nobody_else_up(posted, work, subscribe, receiver, monkeypatch):
    monkeypatch.setattr(outward, "SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections and says nothing
        for number in range(3):
            subscribe(posted, number)
            away = f"https://127.0.0.1:{silent.getsockname()[1]}/{number}"
            if number:
                PushSubscription.objects.filter(endpoint__endswith=f"push/{number}").update(endpoint=away)
        began = time.monotonic()
        counts = work()

    assert counts == {"sent": 5, "failed": 2}
    assert time.monotonic() - began < 5
    assert [got.path for got in receiver.received] == ["/push/0"]


def test_a_fault_of_ours_in_one_delivery_keeps_no_other_waiting(posted, work, subscribe, receiver, caplog):
    subscribe(posted, 0)
    PushSubscription.objects.update(p256dh="no key at all")

    assert work() == {"sent": 4, "failed": 1}
    assert "could not be sent" in caplog.text


def test_a_delivery_whose_tries_never_come_to_an_end_is_given_up(posted, work):
    notices.fan_out()
    Delivery.objects.update(attempts=8)  # a process died in each of them

    assert work() == {"dead": 4}


def test_what_comes_after_the_end_of_the_round_is_not_sent_any_more(posted, work, mails):
    mails.answers = lambda address: "451 try later"
    assert work() == {"failed": 4}
    for match in posted.round_.matches.all():
        results.decide_result(
            event_id=posted.event.pk, actor=posted.by_organiser, match_id=match.pk, wins_a=2, wins_b=0
        )
    rounds.complete_round(event_id=posted.event.pk, actor=posted.by_organiser, round_number=1)
    mails.answers = lambda address: "250 OK"

    assert work() == {"dead": 4}
    assert mails.mails == []


def test_what_was_sent_is_forgotten_after_a_week_and_what_was_given_up_after_a_month(posted, work, mails):
    bad = user_of(posted.players[0]).email
    mails.answers = lambda address: "550 no such person" if address == bad else "250 OK"
    work()
    now = timezone.now()
    Delivery.objects.update(created_at=now - timedelta(days=8), sent_at=now - timedelta(days=8))
    assert housekeeping.forget_old()["deliveries"] == 3
    Delivery.objects.update(created_at=now - timedelta(days=31))
    assert housekeeping.forget_old()["deliveries"] == 1


def test_what_was_not_sent_is_never_forgotten(posted):
    notices.fan_out()
    Delivery.objects.update(created_at=timezone.now() - timedelta(days=365))

    assert housekeeping.forget_old()["deliveries"] == 0
