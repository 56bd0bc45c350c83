"""Rounds whose clock ran as a story tells, ended just now."""

from __future__ import annotations

from datetime import datetime, timedelta

from events.models import ClockInterval, Round
from events.queries.clocks import database_now


def clocked(round_: Round, *, since: timedelta, runs: list[tuple[timedelta, timedelta | None]]) -> datetime:
    """Store when the clock ran, counted from a start that was ``since`` ago; that start."""
    start = database_now() - since
    ClockInterval.objects.filter(round=round_).delete()
    for begun, ended in runs:
        stopped = None if ended is None else start + ended
        ClockInterval.objects.create(round=round_, started_at=start + begun, stopped_at=stopped)
    return start


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)
