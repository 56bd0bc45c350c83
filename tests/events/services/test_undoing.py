"""The last step of a round is taken back, until something has been built upon it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from config.errors import Conflict
from events.models import Match, Round, Seat, Standing
from events.queries.verification import verify_event
from events.services import rounds, undoing
from events.services.transaction import Change
from events.services.turns import note_extra_turns
from tests.events.factories import Made
from tests.events.services.watching import one_change

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def call(made: Made, service: Callable[..., Change], number: int = 1) -> Change:
    return service(event_id=made.event.pk, actor=made.by_organiser, round_number=number)


def code(made: Made, service: Callable[..., Change], number: int = 1) -> str:
    with pytest.raises(Conflict) as refusal:
        call(made, service, number)
    return refusal.value.code


def state(made: Made, number: int = 1) -> str:
    return Round.objects.get(event=made.event, sequence=number).state


def test_a_posted_round_becomes_a_draft_and_is_posted_again(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    made.post_round(clock=False)

    with one_change(made.event, "round.unposted"):
        call(made, undoing.unpost_round)

    assert state(made) == "draft"
    call(made, rounds.post_round)
    assert verify_event(made.refresh()).faults == []


def test_a_round_taken_back_can_be_paired_anew_after_a_change(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    made.post_round(clock=False)
    call(made, undoing.unpost_round)
    call(made, rounds.discard_draft)
    made.players[0].refresh_from_db()
    made.post_round()

    assert Seat.objects.filter(event=made.event).count() == 4
    assert verify_event(made.refresh()).faults == []


def test_a_round_stays_posted_once_somebody_reported_or_the_clock_ran(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    round_ = made.post_round(clock=False)
    made.report(made.players[0], round_, 2, 0)
    other = make_event(players=4, started=True, name="Another")
    other.post_round()
    call(other, rounds.pause_clock)

    assert code(made, undoing.unpost_round) == "undo.built_upon"
    assert code(other, undoing.unpost_round) == "round.state"


def test_time_is_taken_back_until_a_result_or_an_extra_turn(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    call(made, rounds.call_time)

    with one_change(made.event, "round.time_taken_back"):
        call(made, undoing.resume_after_time)

    assert state(made) == "playing"
    assert Round.objects.get(pk=round_.pk).time_called_at is None
    call(made, rounds.start_clock)
    call(made, rounds.call_time)
    match = Match.objects.filter(round=round_)[0]
    note_extra_turns(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, turns=1)
    assert code(made, undoing.resume_after_time) == "undo.built_upon"


def test_the_last_round_is_opened_again_until_there_is_a_later_one(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    first = made.play_round()

    with one_change(made.event, "round.reopened"):
        call(made, undoing.reopen_round)

    assert state(made) == "playing"
    assert not Standing.objects.filter(round=first).exists()
    call(made, rounds.complete_round)
    assert Standing.objects.filter(round=first).count() == 4
    made.draft_round()
    assert code(made, undoing.reopen_round) == "undo.built_upon"
    assert verify_event(made.refresh()).faults == []
