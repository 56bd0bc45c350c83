"""A round clock as facts: when it ran, how long it is. Whoever asks brings the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

ZERO = timedelta(0)


class ClockPhase(StrEnum):
    NOT_STARTED = "not_started"
    RUNNING = "running"
    PAUSED = "paused"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class ClockState:
    """``intervals`` are (start, stop) in order, the last one open (None) while the clock runs; ``extensions`` add to
    ``length``. Times are aware datetimes of one clock, the database's.

    Raises ``ValueError`` for overlapping, reversed or early open intervals, and for a length below zero.
    """

    length: timedelta
    intervals: tuple[tuple[datetime, datetime | None], ...] = ()
    extensions: tuple[timedelta, ...] = ()

    def __post_init__(self) -> None:
        if self.length < ZERO:
            raise ValueError("a clock's length is not negative")
        previous: datetime | None = None
        for index, (start, stop) in enumerate(self.intervals):
            if stop is None and index < len(self.intervals) - 1:
                raise ValueError("only the last interval is open")
            if (previous is not None and start < previous) or (stop is not None and stop < start):
                raise ValueError("intervals follow one another")
            previous = stop

    @property
    def total(self) -> timedelta:
        return self.length + sum(self.extensions, ZERO)

    def with_extensions(self, extensions: Sequence[timedelta]) -> ClockState:
        """The clock of one table: the round's, and its own extensions."""
        return replace(self, extensions=(*self.extensions, *extensions))

    def called(self, at: datetime) -> ClockState:
        """The clock of a round in which time was called at ``at``. Where it had come by itself before, its instant
        stays; else it is this one. What was given to single tables runs on from there, whatever stood still."""
        if self.elapsed(at) < self.length:
            return ClockState(ZERO, ((at, None),), self.extensions)
        run = ((start, at if stop is None else stop) for start, stop in self.intervals)
        return replace(self, intervals=(*run, (at, None)))

    def elapsed(self, now: datetime) -> timedelta:
        """Time run up to ``now``, pauses left out; it goes on past the end."""
        run = ZERO
        for start, stop in self.intervals:
            until = now if stop is None else min(stop, now)
            run += max(until - start, ZERO)
        return run

    def remaining(self, now: datetime) -> timedelta:
        """Time left at ``now``, never below zero."""
        return max(self.total - self.elapsed(now), ZERO)

    def phase(self, now: datetime) -> ClockPhase:
        started = [interval for interval in self.intervals if interval[0] <= now]
        if not started:
            return ClockPhase.NOT_STARTED
        if not self.remaining(now):
            return ClockPhase.TIME
        stop = started[-1][1]
        return ClockPhase.RUNNING if stop is None or now < stop else ClockPhase.PAUSED

    @property
    def ends_at(self) -> datetime | None:
        """The instant of time, past or to come; None before the start and in a pause, when no instant is known."""
        left = self.total
        for start, stop in self.intervals:
            if stop is None or stop - start >= left:
                return start + left
            left -= stop - start
        return None
