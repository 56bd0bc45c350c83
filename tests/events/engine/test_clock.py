from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from events.engine.clock import ClockPhase, ClockState


def at(clock: str) -> datetime:
    hours, minutes, seconds = (int(part) for part in clock.split(":"))
    return datetime(2026, 3, 14, hours, minutes, seconds, tzinfo=UTC)


FIFTY = timedelta(minutes=50)
PAUSED = ClockState(FIFTY, ((at("10:00:00"), at("10:20:00")),))
RESUMED = ClockState(FIFTY, ((at("10:00:00"), at("10:20:00")), (at("10:27:30"), None)))
TABLE_FOUR = RESUMED.with_extensions([timedelta(minutes=6)])


def test_a_pause_holds_the_time_left() -> None:
    assert PAUSED.remaining(at("10:25:00")) == timedelta(minutes=30)
    assert PAUSED.phase(at("10:25:00")) is ClockPhase.PAUSED
    assert PAUSED.ends_at is None


def test_after_the_pause_the_rest_is_counted_and_a_table_has_its_extension() -> None:
    assert RESUMED.remaining(at("10:45:00")) == timedelta(minutes=12, seconds=30)
    assert TABLE_FOUR.remaining(at("10:45:00")) == timedelta(minutes=18, seconds=30)
    assert RESUMED.ends_at == at("10:57:30")
    assert TABLE_FOUR.ends_at == at("11:03:30")


def test_past_moments_are_answered_from_the_same_facts() -> None:
    assert RESUMED.remaining(at("10:10:00")) == timedelta(minutes=40)
    assert RESUMED.remaining(at("10:25:00")) == timedelta(minutes=30)
    assert RESUMED.phase(at("10:25:00")) is ClockPhase.PAUSED
    assert RESUMED.phase(at("09:59:59")) is ClockPhase.NOT_STARTED


def test_phases_of_a_round() -> None:
    assert ClockState(FIFTY).phase(at("10:00:00")) is ClockPhase.NOT_STARTED
    assert ClockState(FIFTY).remaining(at("10:00:00")) == FIFTY
    assert ClockState(FIFTY).ends_at is None
    assert RESUMED.phase(at("10:00:00")) is ClockPhase.RUNNING
    assert RESUMED.phase(at("10:57:29")) is ClockPhase.RUNNING
    assert RESUMED.phase(at("10:57:30")) is ClockPhase.TIME
    assert TABLE_FOUR.phase(at("10:57:30")) is ClockPhase.RUNNING
    assert RESUMED.remaining(at("12:00:00")) == timedelta(0)
    assert RESUMED.elapsed(at("12:00:00")) == timedelta(minutes=112, seconds=30)


def test_a_clock_stopped_after_its_end_has_ended_when_the_time_was_up() -> None:
    stopped = ClockState(FIFTY, ((at("10:00:00"), at("11:00:00")),))
    assert stopped.ends_at == at("10:50:00")
    assert stopped.phase(at("11:30:00")) is ClockPhase.TIME


def test_intervals_that_cannot_be_are_bugs() -> None:
    for intervals in (
        ((at("10:00:00"), None), (at("10:10:00"), None)),
        ((at("10:00:00"), at("09:00:00")),),
        ((at("10:00:00"), at("10:20:00")), (at("10:10:00"), None)),
    ):
        with pytest.raises(ValueError):
            ClockState(FIFTY, intervals)
    with pytest.raises(ValueError):
        ClockState(timedelta(minutes=-1))
