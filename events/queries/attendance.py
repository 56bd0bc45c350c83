"""Who is not there: at the door before the start, and at the tables of the round that is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from events.models import Absence, Event, Match, Player, Result, Round, Seat, Stage
from events.queries.clocks import clock_state, database_now, round_in_play
from events.queries.visibility import seats_by_index

IN_PLAY = (Round.State.POSTED, Round.State.PLAYING, Round.State.TIME)


@dataclass(frozen=True)
class MissedTable:
    """A table at which somebody is said not to be. ``due_at`` is when the event's rule gives the loss if the clock goes
    on, None where there is no rule or the clock stands."""

    match: Match
    absences: Sequence[Absence]
    due_at: datetime | None
    is_due: bool

    @property
    def names(self) -> str:
        return " and ".join(absence.player.name for absence in self.absences)


@dataclass(frozen=True)
class Attendance:
    """``at_the_door`` are registered and not checked in; ``missed`` are tables of ``round``; ``silent`` are its other
    tables without a word from anybody; ``swept`` have lost by not being there."""

    now: datetime
    at_the_door: Sequence[Player]
    door_closes: datetime
    round: Round | None
    missed: Sequence[MissedTable]
    silent: Sequence[Match]
    swept: Sequence[Match]

    @property
    def due(self) -> list[MissedTable]:
        return [table for table in self.missed if table.is_due]

    @property
    def door_is_closed(self) -> bool:
        return self.now >= self.door_closes


def attendance_of(event: Event) -> Attendance:
    """2 queries before the start, and 9 at most while a round is played."""
    if event.state == Event.State.REGISTRATION:
        door = list(event.players.filter(state=Player.State.REGISTERED).order_by("name"))
        return Attendance(database_now(), door, door_closes(event), None, (), (), ())
    now, round_ = database_now(), round_in_play(event)
    if round_ is None:
        return Attendance(now, (), door_closes(event), None, (), (), ())
    open_ = round_.matches.filter(state=Match.State.OPEN).exclude(table=None).prefetch_related(seats_by_index())
    missed = missed_tables(event, round_, now)
    told = {table.match.pk for table in missed}
    silent = [match for match in open_.order_by("table") if match.pk not in told]
    return Attendance(now, (), door_closes(event), round_, missed, silent, swept_matches(round_))


def door_closes(event: Event) -> datetime:
    """From when on staff may drop who has not checked in. No query."""
    return event.starts_at + timedelta(minutes=event.no_show_minutes or 0)


def missed_tables(event: Event, round_: Round, now: datetime) -> list[MissedTable]:
    """Open tables at which somebody is said not to be, by table. 3 queries, 1 where there are none, and that of the
    round's intervals."""
    found = Absence.objects.filter(match__round=round_, match__state=Match.State.OPEN)
    rows: dict[int, list[Absence]] = {}
    matches: dict[int, Match] = {}
    for absence in found.select_related("player", "match", "said_by").order_by("match__table", "said_at", "pk"):
        rows.setdefault(absence.match_id, []).append(absence)
        matches.setdefault(absence.match_id, absence.match)
    is_due, due_at = due(event, round_, now)
    return [MissedTable(match, rows[pk], due_at, is_due) for pk, match in matches.items()]


def missed_count(round_: Round) -> int:
    """Open tables at which somebody is said not to be. 1 query."""
    found = Absence.objects.filter(match__round=round_, match__state=Match.State.OPEN)
    return found.values("match").distinct().count()


def due(event: Event, round_: Round, now: datetime) -> tuple[bool, datetime | None]:
    """Whether the minutes that the event waits have run on the round's clock, and when they will have. 1 query, none
    for a round with its intervals."""
    if event.no_show_minutes is None:
        return False, None
    clock = clock_state(round_)
    left = timedelta(minutes=event.no_show_minutes) - clock.elapsed(now)
    if left <= timedelta(0):
        return True, None
    runs = bool(clock.intervals) and clock.intervals[-1][1] is None
    return False, now + left if runs else None


def swept_matches(round_: Round) -> list[Match]:
    """What was decided because somebody was not there, by table. 1 query, 2 more with any."""
    counts = Result.objects.filter(superseded_at=None, how=Result.How.NO_SHOW, match__round=round_)
    found = round_.matches.filter(pk__in=counts.values("match")).prefetch_related(seats_by_index())
    return list(found.order_by("table"))


def may_be_missed(match: Match, seats: Sequence[Seat], round_: Round) -> bool:
    """Whether a loss for not being there can be given: a duel of which nobody has told a result. No query for a round
    with its stage."""
    duel = len(seats) == 2 and round_.stage.kind not in (Stage.Kind.TABLES, Stage.Kind.TEAMS)
    return duel and match.state == Match.State.OPEN and round_.state in IN_PLAY
