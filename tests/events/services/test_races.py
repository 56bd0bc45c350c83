"""What two people do at the same moment. Every guard has a control: with it off, the same race shows the fault."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from config.errors import Conflict
from events.models import DecklistSubmission, Event, Match, Pick, Player, Result, ResultReport, Round, Seat
from events.queries import swiss_round
from events.queries.registration import waitlist_place
from events.queries.verification import verify_event
from events.services import drafts, registration, results, rounds, submission, transaction
from events.services.transaction import AlreadyDone, Change, Command
from tests.events.factories import Made, actor_of, legal_text, make_event, make_user, user_of
from tests.threads import at_once, lock_no_rows, meeting, of_type

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("packs")]

ROUND_WALLS = ("one_round_per_number", "one_round_per_sequence", "one_open_round_per_event")


@contextlib.contextmanager
def without_walls(table: str, *names: str) -> Iterator[None]:
    """Take constraints away for a control, and put them back as they were."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE indexname = ANY(%s)", [list(names)])
        definitions = cursor.fetchall()
        assert {name for name, _ in definitions} == set(names)
        for name in names:
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}")
            cursor.execute(f"DROP INDEX IF EXISTS {name}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {table} CASCADE")
            for name, definition in definitions:
                cursor.execute(definition)
                if " WHERE " not in definition:
                    cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} UNIQUE USING INDEX {name}")


def lock_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transaction, "_lock", lambda event_id, mode: ("SELECT 1", []))


def pair(made: Made, version: int | None = None, key: str = "") -> Change:
    command = Command(key=key, expected_version=version) if key else None
    return rounds.draft_round(event_id=made.event.pk, actor=made.by_organiser, command=command)


# -- two scorekeepers pair the same round -----------------------------------------------------------------------------


def test_two_scorekeepers_who_pair_at_once_make_one_round() -> None:
    made = make_event(players=8, started=True)
    version = made.event.version
    answers = at_once(lambda: pair(made, version, "scorekeeper-a"), lambda: pair(made, version, "scorekeeper-b"))
    assert [len(of_type(answers, Change)), len(of_type(answers, Conflict))] == [1, 1]
    assert of_type(answers, Conflict)[0].code == "event.stale"
    assert Round.objects.filter(event=made.event).count() == 1
    assert Seat.objects.filter(event=made.event).count() == 8


def test_pairing_twice_at_once_without_a_version_is_refused_by_the_state() -> None:
    made = make_event(players=8, started=True)
    answers = at_once(lambda: pair(made), lambda: pair(made))
    assert [len(of_type(answers, Change)), [refusal.code for refusal in of_type(answers, Conflict)]] == [
        1,
        ["round.open"],
    ]


def test_control_without_lock_and_walls_both_scorekeepers_make_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_event(players=8, started=True)
    lock_off(monkeypatch)
    meet, state = meeting(2), swiss_round.pairing_state

    def slow_state(*asked: Any, **options: Any) -> Any:
        meet()
        return state(*asked, **options)

    monkeypatch.setattr(swiss_round, "pairing_state", slow_state)
    with without_walls("events_round", *ROUND_WALLS):
        answers = at_once(lambda: pair(made), lambda: pair(made))
        assert len(of_type(answers, Change)) == 2
        assert Round.objects.filter(event=made.event).count() == 2
        assert Seat.objects.filter(event=made.event).count() == 16


def test_without_the_lock_the_constraints_still_allow_one_round_only(monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_event(players=8, started=True)
    lock_off(monkeypatch)
    at_once(lambda: pair(made), lambda: pair(made))
    assert Round.objects.filter(event=made.event).count() == 1
    assert Seat.objects.filter(event=made.event).count() == 8


# -- two players report differently -----------------------------------------------------------------------------------


def report(made: Made, match: Match, player: Player, wins: int, losses: int) -> Change:
    return results.report_result(
        event_id=made.event.pk,
        actor=actor_of(user_of(player)),
        match_id=match.pk,
        player_id=player.pk,
        wins=wins,
        losses=losses,
    )


def both_claim_to_have_won(made: Made) -> list[Match]:
    round_ = made.post_round()
    matches = list(round_.matches.prefetch_related("seats__player__user"))
    for match in matches:
        first, second = (seat.player for seat in match.seats.all())
        at_once(
            lambda match=match, first=first: report(made, match, first, 2, 1),
            lambda match=match, second=second: report(made, match, second, 2, 0),
        )
    return list(round_.matches.all())


def test_two_players_who_report_differently_at_once_always_make_a_dispute() -> None:
    made = make_event(players=8, started=True)
    matches = both_claim_to_have_won(made)
    assert [match.state for match in matches] == ["disputed"] * 4
    assert ResultReport.objects.filter(match__event=made.event).count() == 8
    assert not Result.objects.filter(match__event=made.event).exists()


def test_control_without_the_row_lock_a_dispute_goes_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_event(players=2, started=True)
    lock_no_rows(monkeypatch)
    meet, lock = meeting(2), results.lock_table

    def lock_together(*arguments: Any) -> Any:
        table = lock(*arguments)
        meet()
        return table

    monkeypatch.setattr(results, "lock_table", lock_together)
    meet_again, agree = meeting(2), results.agree

    def agree_together(claims: Any) -> Any:
        found = list(claims)
        meet_again()
        return agree(found)

    monkeypatch.setattr(results, "agree", agree_together)
    (match,) = both_claim_to_have_won(made)
    assert match.state == "reported"
    assert ResultReport.objects.filter(match=match).count() >= 1


def test_two_players_who_agree_at_once_make_one_result() -> None:
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    match = round_.matches.prefetch_related("seats__player__user").first()
    assert match is not None
    first, second = (seat.player for seat in match.seats.all())
    answers = at_once(
        lambda: report(made, match, first, 2, 1),
        lambda: report(made, match, second, 1, 2),
    )
    assert sorted(answer.facts["state"] for answer in answers) == ["confirmed", "reported"]
    assert Result.objects.filter(match=match).count() == 1


def test_a_player_who_reports_twice_at_once_does_not_confirm_themselves() -> None:
    made = make_event(players=2, started=True)
    match = made.post_round().matches.prefetch_related("seats__player__user").get()
    first = match.seats.all()[0].player
    at_once(lambda: report(made, match, first, 2, 0), lambda: report(made, match, first, 2, 0))
    match.refresh_from_db()
    assert (match.state, match.reports.count()) == ("reported", 1)


# -- one request, sent six times --------------------------------------------------------------------------------------


def submit(made: Made, player: Player, command: Command | None) -> Change:
    try:
        return submission.submit_decklist(
            event_id=made.event.pk,
            actor=actor_of(user_of(player)),
            player_id=player.pk,
            text=legal_text(made.event),
            command=command,
        )
    except AlreadyDone as repeat:
        return repeat.change


def test_one_request_sent_six_times_has_one_effect_and_one_answer() -> None:
    made = make_event(players=2)
    player = made.players[0]
    answers = at_once(*[lambda: submit(made, player, Command(key="the-same-request"))] * 6)
    assert isinstance(answers[0], Change)
    assert answers == [answers[0]] * 6
    assert DecklistSubmission.objects.filter(player=player).count() == 1


def test_control_without_a_key_six_requests_have_six_effects() -> None:
    made = make_event(players=2)
    player = made.players[0]
    answers = at_once(*[lambda: submit(made, player, None)] * 6)
    assert len({answer.facts["decklist"] for answer in answers}) == 6
    assert DecklistSubmission.objects.filter(player=player).count() == 6


def test_a_report_sent_six_times_in_shared_mode_counts_once() -> None:
    made = make_event(players=2, started=True)
    match = made.post_round().matches.prefetch_related("seats__player__user").get()
    player = match.seats.all()[0].player

    def send() -> Change:
        try:
            return results.report_result(
                event_id=made.event.pk,
                actor=actor_of(user_of(player)),
                match_id=match.pk,
                player_id=player.pk,
                wins=2,
                losses=0,
                command=Command(key="one-report"),
            )
        except AlreadyDone as repeat:
            return repeat.change

    answers = at_once(*[send] * 6)
    assert isinstance(answers[0], Change)
    assert answers == [answers[0]] * 6
    match.refresh_from_db()
    assert match.version == 1


# -- the rest of the hall ---------------------------------------------------------------------------------------------


def test_one_person_who_registers_twice_at_once_has_one_entry() -> None:
    made = make_event(players=2)
    person = make_user("Quick Clicker")

    def enter() -> Change:
        return registration.register(event_id=made.event.pk, actor=actor_of(person), user_id=person.pk)

    answers = at_once(enter, enter)
    assert [len(of_type(answers, Change)), [refusal.code for refusal in of_type(answers, Conflict)]] == [
        1,
        ["registration.already"],
    ]


def test_the_last_place_is_given_once() -> None:
    made = make_event(players=2, capacity=3)
    people = [make_user("First Comer"), make_user("Other Comer")]
    answers = at_once(
        *[
            lambda person=person: registration.register(
                event_id=made.event.pk, actor=actor_of(person), user_id=person.pk
            )
            for person in people
        ]
    )
    assert [refusal.code for refusal in of_type(answers, Conflict)] == ["registration.full"]
    assert made.event.players.count() == 3


def claim_the_last_seat() -> tuple[Made, list[Change]]:
    made = make_event(players=2, capacity=3)
    Event.objects.filter(pk=made.event.pk).update(waitlist=True)
    people = [make_user("First Comer"), make_user("Other Comer")]
    answers = at_once(
        *[
            lambda person=person: registration.register(
                event_id=made.event.pk, actor=actor_of(person), user_id=person.pk
            )
            for person in people
        ]
    )
    return made, answers


def test_of_two_claims_of_the_last_seat_one_is_in_and_one_waits() -> None:
    made, answers = claim_the_last_seat()
    assert sorted(answer.facts["state"] for answer in answers) == ["registered", "waitlisted"]
    assert [waitlist_place(player) for player in made.event.players.order_by("state")] == [None, None, None, 1]


def test_control_without_the_lock_the_last_seat_is_given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    lock_off(monkeypatch)
    meet, full = meeting(2), registration.is_full
    armed: list[bool] = []

    def full_together(event: Event) -> bool:
        found = full(event)
        if event.players.count() == 2 and event.waitlist:
            armed.append(True)
            meet()
        return found

    monkeypatch.setattr(registration, "is_full", full_together)
    made, answers = claim_the_last_seat()
    assert [answer.facts["state"] for answer in answers] == ["registered", "registered"]
    assert (made.event.players.count(), made.event.capacity, len(armed)) == (4, 3, 2)


def test_two_drops_at_once_let_in_two_of_the_waitlist_and_nobody_twice() -> None:
    made = make_event(players=3, capacity=3)
    Event.objects.filter(pk=made.event.pk).update(waitlist=True)
    for name in ("Wim Toth", "Xenia Roth", "Yara Sen"):
        person = make_user(name)
        registration.register(event_id=made.event.pk, actor=actor_of(person), user_id=person.pk)
    answers = at_once(
        *[
            lambda player=player: registration.drop_player(
                event_id=made.event.pk, actor=actor_of(user_of(player)), player_id=player.pk
            )
            for player in made.players[:2]
        ]
    )
    assert len(of_type(answers, Change)) == 2
    assert dict(made.event.players.filter(pk__gt=made.players[2].pk).values_list("name", "state")) == {
        "Wim Toth": "registered",
        "Xenia Roth": "registered",
        "Yara Sen": "waitlisted",
    }


def test_a_drop_that_races_the_pairing_is_before_it_or_after_it() -> None:
    made = make_event(players=5, started=True)
    leaver = made.players[0]
    at_once(
        lambda: registration.drop_player(event_id=made.event.pk, actor=actor_of(user_of(leaver)), player_id=leaver.pk),
        lambda: pair(made),
    )
    leaver.refresh_from_db()
    seated = Seat.objects.filter(event=made.event, player=leaver).exists()
    assert (leaver.state, leaver.dropped_after_round) == ("dropped", 1 if seated else 0)


def test_two_tabs_that_pick_from_one_pack_take_one_card() -> None:
    made = make_event(policy="draft-2", players=4, started=True)
    player = made.players[0]
    draft = made.draft(player)
    seat = draft.seat_of_player(player.pk)
    assert seat is not None
    window = draft.state.waiting(seat.index).window
    assert window is not None
    picks = [
        lambda card=card: drafts.pick_card(
            event_id=made.event.pk,
            actor=actor_of(user_of(player)),
            player_id=player.pk,
            pack_number=1,
            pick_number=0,
            pack_card_id=card,
        )
        for card in window.cards[:2]
    ]
    answers = at_once(*picks)
    assert [len(of_type(answers, Change)), [refusal.code for refusal in of_type(answers, Conflict)]] == [
        1,
        ["draft.already_picked"],
    ]
    assert Pick.objects.filter(seat=seat).count() == 1


def test_many_reports_at_once_leave_a_log_without_gap_or_fork() -> None:
    made = make_event(players=16, started=True)
    round_ = made.post_round()
    calls = []
    for match in round_.matches.prefetch_related("seats__player__user"):
        first = match.seats.all()[0].player
        calls.append(lambda match=match, first=first: report(made, match, first, 2, 0))
    answers = at_once(*calls)
    assert [type(answer) for answer in answers] == [Change] * 8
    assert verify_event(made.refresh()).faults == []
    assert len({answer.version for answer in answers}) == 8
