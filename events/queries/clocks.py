"""A round's clock at one moment, by the database's time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Exists, OuterRef, Q, prefetch_related_objects

from events.engine.clock import ClockPhase, ClockState
from events.models import Event, Match, Round, TimeExtension
from events.queries.visibility import seats_by_index

IN_PLAY = (Round.State.POSTED, Round.State.PLAYING, Round.State.TIME)


@dataclass(frozen=True)
class RoundClock:
    """What a page counts down from. ``deadline`` while it runs is the instant of time; while it stands, the instant
    at which time would be if it went on now. ``remaining`` is in whole seconds, and so is ``length``, pauses left out
    and what the table was given counted in."""

    phase: ClockPhase
    now: datetime
    deadline: datetime
    remaining: int
    length: int

    @property
    def is_running(self) -> bool:
        return self.phase is ClockPhase.RUNNING

    @property
    def figure(self) -> str:
        """The length as a clock shows it: "50:00"."""
        return minutes_words(self.length)

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


def minutes_words(seconds: int) -> str:
    """ "6:00", "62:30"."""
    return f"{seconds // 60}:{seconds % 60:02d}"


def clock_state(round_: Round, extensions: Sequence[int] = ()) -> ClockState:
    """1 query, none for a round with its intervals. ``extensions`` are the seconds given to one table."""
    prefetch_related_objects([round_], "intervals")
    intervals = tuple((interval.started_at, interval.stopped_at) for interval in round_.intervals.all())
    clock = ClockState(timedelta(seconds=round_.seconds), intervals)
    if round_.time_called_at is not None:
        clock = clock.called(round_.time_called_at)
    return clock.with_extensions([timedelta(seconds=number) for number in extensions])


def clock_at(round_: Round, now: datetime, *, extensions: Sequence[int] = ()) -> RoundClock:
    """1 query, none for a round with its intervals. ``extensions`` are the seconds given to one table."""
    clock = clock_state(round_, extensions)
    left = clock.remaining(now)
    return RoundClock(
        phase=clock.phase(now),
        now=now,
        deadline=clock.ends_at or now + left,
        remaining=int(left.total_seconds()),
        length=int(clock.total.total_seconds()),
    )


def clock_of(round_: Round) -> RoundClock:
    """2 queries, 1 for a round with its intervals."""
    return clock_at(round_, database_now())


@dataclass(frozen=True)
class TableClock:
    """A table with the time that it was given, and its own clock. Its match has its seats, players and extensions."""

    match: Match
    clock: RoundClock

    @property
    def extensions(self) -> list[TimeExtension]:
        return extensions_of(self.match)

    @property
    def added(self) -> str:
        """ "+6:00", "" where nothing was given."""
        seconds = sum(extension.seconds for extension in self.extensions)
        return f"+{minutes_words(seconds)}" if seconds else ""

    @property
    def reasons(self) -> str:
        return "; ".join(extension.reason for extension in self.extensions)

    @property
    def shown_names(self) -> str:
        """As everybody reads them."""
        return ", ".join(seat.player.shown_name for seat in self.match.seats.all())

    @property
    def names(self) -> str:
        """As staff read them."""
        return ", ".join(seat.player.name for seat in self.match.seats.all())


def extensions_of(match: Match) -> list[TimeExtension]:
    """In the order in which they were given. No query for a match with its extensions."""
    return sorted(match.extensions.all(), key=lambda extension: (extension.given_at, extension.pk))


def table_clock(round_: Round, match: Match, now: datetime) -> TableClock:
    """No query for a round with its intervals and a match with its extensions."""
    given = [extension.seconds for extension in match.extensions.all()]
    return TableClock(match, clock_at(round_, now, extensions=given))


def is_at_time(match: Match, now: datetime) -> bool:
    """Whether time is over at a table: called in its round, and what the table was given besides is used up. Given the
    round, no query before time is called, else 1, and 1 more where the table was given time."""
    if match.round.state != Round.State.TIME:
        return False
    prefetch_related_objects([match], "extensions")
    return not match.extensions.all() or table_clock(match.round, match, now).clock.phase is ClockPhase.TIME


def tables_beside(round_: Round, clock: RoundClock) -> list[TableClock]:
    """Tables that still play and end at another time than the round, the first to end before the others: those with
    time of their own and, once the round's time is over, all of them. 3 queries, 1 where there are none, beside that of
    the round's intervals."""
    return _tables_of({round_: clock}).get(round_, [])


def _tables_of(clocks: Mapping[Round, RoundClock]) -> dict[Round, list[TableClock]]:
    """``tables_beside`` of several rounds by their clocks, in the same queries."""
    playing = {round_.pk: round_ for round_ in clocks if round_.state != Round.State.COMPLETE}
    over = [pk for pk, round_ in playing.items() if clocks[round_].phase is ClockPhase.TIME]
    given = Exists(TimeExtension.objects.filter(match=OuterRef("pk")))
    matches = (
        Match.objects.filter(Q(round__in=over) | given, round__in=list(playing), table__isnull=False)
        .exclude(state=Match.State.CONFIRMED)
        .prefetch_related(seats_by_index(), "extensions")
    )
    found: dict[Round, list[TableClock]] = {}
    for match in matches:
        round_ = playing[match.round_id]
        found.setdefault(round_, []).append(table_clock(round_, match, clocks[round_].now))
    for tables in found.values():
        tables.sort(key=lambda table: (table.clock.deadline, table.match.table or 0))
    return found


@dataclass(frozen=True)
class EventClock:
    """An event's round that is played, its clock, and the tables that end at another time."""

    event: Event
    round: Round
    clock: RoundClock
    tables: Sequence[TableClock]


MOST_CLOCKS = 24
"""That one screen has room for."""


def running_clocks(codes: Sequence[str] = ()) -> list[EventClock]:
    """The clocks of all events in which a round is played, or of those with ``codes``, by name. 6 queries at most."""
    rounds = Round.objects.filter(event__state=Event.State.RUNNING, state__in=IN_PLAY)
    if codes:
        rounds = rounds.filter(event__code__in=codes)
    shown = list(rounds.select_related("event", "stage").prefetch_related("intervals").order_by("event__name", "pk"))
    now = database_now()
    clocks = {round_: clock_at(round_, now) for round_ in shown[:MOST_CLOCKS]}
    tables = _tables_of(clocks)
    return [EventClock(round_.event, round_, clock, tables.get(round_, ())) for round_, clock in clocks.items()]


def round_in_play(event: Event) -> Round | None:
    """The open round that people may know of, with its stage and intervals. 2 queries, 1 without one."""
    found = event.rounds.filter(state__in=IN_PLAY)
    return found.select_related("stage").prefetch_related("intervals").first()
