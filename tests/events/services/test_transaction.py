"""The one way to write to an event: order, repeats, stale senders, bounded waits, and no traces of a failure."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from config.errors import Conflict, NotFound, Unavailable, Unprocessable
from events.models import Event, IdempotencyRecord, LogEntry, OutboxMessage, Player
from events.services import registration, setup
from events.services import transaction as services
from events.services.transaction import SYSTEM, Actor, AlreadyDone, Command, event_transaction
from tests.events.factories import STARTS, Made, actor_of, make_user, policy_of
from tests.events.factories import make_event as make_now
from tests.events.services.watching import everything, nothing_new, one_change, refused

Make = Callable[..., Made]


def enter(made: Made, name: str, **command: Any) -> services.Change:
    return registration.add_player(
        event_id=made.event.pk,
        actor=made.by_organiser,
        name=name,
        command=Command(**command) if command else None,
    )


@pytest.mark.django_db
def test_every_change_raises_the_version_by_one_and_says_so_in_log_and_outbox(make_event: Make) -> None:
    made = make_event(players=2)
    with one_change(made.event, "player.registered"):
        change = enter(made, "Third Person")
    assert change.version == Event.objects.get(pk=made.event.pk).version
    assert set(change.as_json()) == {"version", "player", "name", "state", "claim_token"}


@pytest.mark.django_db
def test_a_repeat_gets_the_first_answer_and_changes_nothing(make_event: Make) -> None:
    made = make_event(players=2)
    first = enter(made, "Third Person", key="the-key-1", body={"name": "Third Person"})
    enter(made, "Fourth Person")
    with nothing_new(), pytest.raises(AlreadyDone) as repeat:
        enter(made, "Third Person", key="the-key-1", body={"name": "Third Person"})
    assert repeat.value.change == first


@pytest.mark.django_db
def test_a_repeat_is_recognised_before_its_version_is_called_stale(make_event: Make) -> None:
    made = make_event(players=2)
    sent = {"key": "the-key-1", "expected_version": made.event.version}
    first = enter(made, "Third Person", **sent)
    with pytest.raises(AlreadyDone) as repeat:
        enter(made, "Third Person", **sent)
    assert repeat.value.change == first


@pytest.mark.django_db
def test_a_key_used_for_another_body_is_refused(make_event: Make) -> None:
    made = make_event(players=2)
    enter(made, "Third Person", key="the-key-1", body={"name": "Third Person"})
    with refused(Unprocessable, "request.key_reused", 422):
        enter(made, "Fourth Person", key="the-key-1", body={"name": "Fourth Person"})


@pytest.mark.django_db
def test_two_people_may_use_the_same_key(make_event: Make) -> None:
    made = make_event(players=0)
    for name in ("First Comer", "Other Comer"):
        person = make_user(name)
        registration.register(
            event_id=made.event.pk, actor=actor_of(person), user_id=person.pk, command=Command(key="same-key")
        )
    assert list(made.event.players.values_list("name", flat=True)) == ["First Comer", "Other Comer"]


@pytest.mark.django_db
def test_a_stale_sender_is_told_the_version_now(make_event: Make) -> None:
    made = make_event(players=2)
    seen = made.event.version
    enter(made, "Third Person")
    with refused(Conflict, "event.stale", 409, {"version": seen + 1}):
        enter(made, "Fourth Person", key="the-key-1", expected_version=seen)
    assert enter(made, "Fourth Person", key="the-key-1", expected_version=seen + 1).version == seen + 2


@pytest.mark.django_db
def test_a_version_from_the_future_is_stale_too(make_event: Make) -> None:
    made = make_event(players=2)
    with refused(Conflict, "event.stale", 409, {"version": made.event.version}):
        enter(made, "Third Person", key="the-key-1", expected_version=made.event.version + 1)


@pytest.mark.django_db
def test_a_refused_command_leaves_nothing_and_its_key_may_be_sent_again(make_event: Make) -> None:
    made = make_event(players=2)
    with refused(Conflict, "registration.name_taken", 409):
        enter(made, made.players[0].name, key="the-key-1")
    assert IdempotencyRecord.objects.count() == 0
    made.event.players.filter(pk=made.players[0].pk).update(name="Somebody", name_key="somebody")
    assert enter(made, made.players[0].name, key="the-key-1").facts["name"] == made.players[0].name


@pytest.mark.django_db
def test_a_crash_inside_a_service_leaves_nothing(make_event: Make) -> None:
    made = make_event(players=2)
    before = everything()

    def crash() -> None:
        with event_transaction(made.event.pk, actor=made.by_organiser, command=Command(key="the-key-1")) as tx:
            Player.objects.filter(event=tx.event).delete()
            tx.log("player.dropped", {})
            tx.done()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        crash()
    assert everything() == before


@pytest.mark.django_db
def test_a_service_that_does_not_say_what_it_did_is_a_bug_and_leaves_nothing(make_event: Make) -> None:
    made = make_event(players=2)
    before = everything()
    with pytest.raises(RuntimeError, match="without saying"), event_transaction(made.event.pk, actor=SYSTEM):
        Player.objects.filter(event=made.event).delete()
    assert everything() == before


@pytest.mark.django_db
def test_a_change_that_changes_nothing_keeps_the_version(make_event: Make) -> None:
    made = make_event(players=2)
    player = made.players[0]
    arguments: dict[str, Any] = {"event_id": made.event.pk, "actor": made.by_organiser, "player_id": player.pk}
    first = registration.check_in(**arguments)
    with nothing_new():
        assert registration.check_in(**arguments) == first


@pytest.mark.django_db
def test_there_is_no_such_event(make_event: Make) -> None:
    make_event(players=0)
    with refused(NotFound, "event.unknown", 404):
        registration.add_player(event_id=2**40, actor=SYSTEM, name="Nobody", command=Command(key="the-key-1"))


@pytest.mark.django_db
def test_the_log_names_the_actor_the_clock_and_whether_spectators_may_read_it(make_event: Make) -> None:
    made = make_event(players=2)
    with event_transaction(made.event.pk, actor=Actor(user_id=made.judge.pk, name="Jun")) as tx:
        tx.log("note.one", {"n": 1})
        tx.log("note.two", {"n": 2}, public=False)
        tx.done()
    rows = LogEntry.objects.filter(event=made.event).order_by("-seq")[:2]
    assert [(row.kind, row.payload, row.actor_id, row.actor_name, row.at, row.is_public) for row in rows] == [
        ("note.two", {"n": 2}, made.judge.pk, "Jun", tx.now, False),
        ("note.one", {"n": 1}, made.judge.pk, "Jun", tx.now, True),
    ]
    assert rows[0].prev_hash == rows[1].hash
    assert rows[0].seq == rows[1].seq + 1


@pytest.mark.django_db
def test_making_an_event_twice_by_one_command_makes_one(packs: None) -> None:
    person = make_user("Odile Marchetti")

    def create(body: str) -> services.Change:
        return setup.create_event(
            actor=actor_of(person),
            policy_id=policy_of("designed-deck").pk,
            name="Only Once",
            starts_at=STARTS,
            command=Command(key="create-it", body={"name": body}),
        )

    first = create("a")
    with nothing_new(), pytest.raises(AlreadyDone) as repeat:
        create("a")
    assert repeat.value.change == first
    with refused(Unprocessable, "request.key_reused", 422):
        create("b")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("packs")
class TestRealTransactions:
    def test_a_service_inside_a_transaction_is_refused(self) -> None:
        made = make_now(players=0)
        with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
            enter(made, "Third Person")
        assert made.event.players.count() == 0

    def test_a_service_inside_a_service_is_refused(self) -> None:
        made = make_now(players=0)
        with pytest.raises(RuntimeError, match="durable"), event_transaction(made.event.pk, actor=SYSTEM):
            enter(made, "Third Person")
        assert made.event.players.count() == 0

    @pytest.mark.parametrize(
        ("holder", "asker", "waits"),
        [
            ("exclusive", "exclusive", True),
            ("exclusive", "shared", True),
            ("shared", "exclusive", True),
            ("shared", "shared", False),
        ],
    )
    def test_who_waits_for_whom_and_not_for_ever(
        self, monkeypatch: pytest.MonkeyPatch, holder: services.Mode, asker: services.Mode, waits: bool
    ) -> None:
        monkeypatch.setattr(services, "LOCK_TIMEOUT", "100ms")
        made = make_now(players=0)

        def ask() -> int:
            with event_transaction(made.event.pk, actor=SYSTEM, mode=asker, command=Command(key="the-key-1")) as tx:
                tx.log("note.two", {})
                return tx.done().version

        held, release = threading.Event(), threading.Event()

        def hold() -> None:
            try:
                with event_transaction(made.event.pk, actor=SYSTEM, mode=holder) as tx:
                    held.set()
                    release.wait(20)
                    tx.done()
            finally:
                connection.close()

        thread = threading.Thread(target=hold)
        thread.start()
        assert held.wait(10)
        try:
            if waits:
                with refused(Unavailable, "event.busy", 503):
                    ask()
            else:
                assert ask() == made.event.version + 1
        finally:
            release.set()
            thread.join(10)
        if waits:
            assert ask() == made.event.version + 1

    def test_events_do_not_wait_for_each_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(services, "LOCK_TIMEOUT", "100ms")
        one, other = make_now(players=0), make_now(players=0, name="Another Open")
        done: list[int] = []

        def elsewhere() -> None:
            try:
                done.append(enter(other, "Third Person").version)
            finally:
                connection.close()

        with event_transaction(one.event.pk, actor=SYSTEM) as tx:
            thread = threading.Thread(target=elsewhere)
            thread.start()
            thread.join(10)
            tx.done()
        assert done == [other.event.version + 1]

    def test_the_message_leaves_only_after_the_commit(self) -> None:
        made = make_now(players=0)
        seen: list[int] = []

        def look() -> None:
            try:
                seen.append(OutboxMessage.objects.filter(event=made.event, sent_at=None).count())
                seen.append(Event.objects.get(pk=made.event.pk).version)
            finally:
                connection.close()

        with event_transaction(made.event.pk, actor=SYSTEM) as tx:
            tx.log("note.one", {})
            tx.done()
            thread = threading.Thread(target=look)
            thread.start()
            thread.join(10)
        assert seen == [0, made.event.version]
        newest = OutboxMessage.objects.filter(event=made.event).order_by("-pk")[0]
        assert newest.payload == {"code": made.event.code, "version": made.event.version + 1}
        assert (newest.sent_at is not None, newest.attempts) == (True, 1)
