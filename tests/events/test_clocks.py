"""One clock for the desk, for everybody's pages and for programs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from events.engine.clock import ClockPhase
from events.models import ClockInterval, Round, TimeExtension
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
        length=round_.seconds,
    )


def test_time_given_to_one_table_moves_the_end_for_it(make_event: Make) -> None:
    round_ = started(make_event(players=2, started=True).post_round())
    start = round_.intervals.get().started_at
    end = start + timedelta(seconds=round_.seconds)

    assert clock_at(round_, end).word == "over"
    assert clock_at(round_, end, extensions=[120, 60]) == RoundClock(
        ClockPhase.RUNNING, end, end + timedelta(seconds=180), 180, round_.seconds + 180
    )


def test_a_round_with_its_intervals_needs_no_query_and_one_without_two(make_event, django_assert_num_queries) -> None:
    round_ = make_event(players=2, started=True).post_round()
    with django_assert_num_queries(2):
        now = clock_of(Round(pk=round_.pk, seconds=round_.seconds)).now
    round_ = started(round_)
    with django_assert_num_queries(0):
        assert clock_at(round_, now).is_running


def test_a_pause_and_time_given_to_one_table_are_counted_from_what_is_stored(make_event: Make) -> None:
    def at(hour: int, minute: int, second: int = 0) -> datetime:
        return datetime(2026, 3, 14, hour, minute, second, tzinfo=UTC)

    posted = make_event(players=2, started=True).post_round()
    Round.objects.filter(pk=posted.pk).update(seconds=3000)
    posted.intervals.all().delete()
    ClockInterval.objects.create(round=posted, started_at=at(10, 0), stopped_at=at(10, 20))
    assert clock_at(started(posted), at(10, 25)) == RoundClock(ClockPhase.PAUSED, at(10, 25), at(10, 55), 1800, 3000)

    ClockInterval.objects.create(round=posted, started_at=at(10, 27, 30))
    table = posted.matches.get()
    TimeExtension.objects.create(match=table, seconds=360, reason="Deck check.", given_at=at(10, 31))
    given = list(table.extensions.values_list("seconds", flat=True))
    round_ = started(posted)

    now = at(10, 45)
    assert clock_at(round_, now) == RoundClock(ClockPhase.RUNNING, now, at(10, 57, 30), 750, 3000)
    assert clock_at(round_, now, extensions=given) == RoundClock(ClockPhase.RUNNING, now, at(11, 3, 30), 1110, 3360)
