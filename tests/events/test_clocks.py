"""One clock for the desk, for everybody's pages and for programs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from events.engine.clock import ClockPhase
from events.models import Round
from events.queries.clocks import RoundClock, clock_at, clock_of
from tests.events.factories import Made

Make = Callable[..., Made]


def started(round_: Round) -> Round:
    """The same round with its intervals read anew."""
    return Round.objects.prefetch_related("intervals").get(pk=round_.pk)


def test_a_running_clock_ends_its_length_after_its_start(make_event: Make) -> None:
    round_ = started(make_event(players=2, started=True).post_round())
    start = round_.intervals.get().started_at

    assert clock_at(round_, start + timedelta(minutes=10)) == RoundClock(
        phase=ClockPhase.RUNNING,
        now=start + timedelta(minutes=10),
        deadline=start + timedelta(seconds=round_.seconds),
        remaining=round_.seconds - 600,
    )


def test_time_given_to_one_table_moves_the_end_for_it(make_event: Make) -> None:
    round_ = started(make_event(players=2, started=True).post_round())
    start = round_.intervals.get().started_at
    end = start + timedelta(seconds=round_.seconds)

    assert clock_at(round_, end).word == "over"
    assert clock_at(round_, end, extensions=[120, 60]) == RoundClock(
        ClockPhase.RUNNING, end, end + timedelta(seconds=180), 180
    )


def test_a_round_with_its_intervals_needs_no_query_and_one_without_two(make_event, django_assert_num_queries) -> None:
    round_ = make_event(players=2, started=True).post_round()
    with django_assert_num_queries(2):
        now = clock_of(Round(pk=round_.pk, seconds=round_.seconds)).now
    round_ = started(round_)
    with django_assert_num_queries(0):
        assert clock_at(round_, now).is_running
