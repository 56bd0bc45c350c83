"""A round's clock at one moment, by the database's time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection

from events.engine.clock import ClockPhase, ClockState
from events.models import Round


@dataclass(frozen=True)
class RoundClock:
    """What a page counts down from. ``deadline`` while it runs is the instant of time; while it stands, the instant
    at which time would be if it went on now. ``remaining`` is in whole seconds."""

    phase: ClockPhase
    now: datetime
    deadline: datetime
    remaining: int

    @property
    def is_running(self) -> bool:
        return self.phase is ClockPhase.RUNNING

    @property
    def word(self) -> str:
        """none, running, paused or over."""
        words = {
            ClockPhase.NOT_STARTED: "none",
            ClockPhase.RUNNING: "running",
            ClockPhase.PAUSED: "paused",
            ClockPhase.TIME: "over",
        }
        return words[self.phase]


def database_now() -> datetime:
    """1 query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        row = cursor.fetchone()
    now: datetime = row[0]
    return now


def clock_at(round_: Round, now: datetime, *, extensions: Sequence[int] = ()) -> RoundClock:
    """1 query, none for a round with its intervals. ``extensions`` are the seconds given to one table."""
    intervals = tuple((interval.started_at, interval.stopped_at) for interval in round_.intervals.all())
    added = tuple(timedelta(seconds=number) for number in extensions)
    clock = ClockState(timedelta(seconds=round_.seconds), intervals, added)
    left = clock.remaining(now)
    return RoundClock(clock.phase(now), now, clock.ends_at or now + left, int(left.total_seconds()))


def clock_of(round_: Round) -> RoundClock:
    """2 queries, 1 for a round with its intervals."""
    return clock_at(round_, database_now())
