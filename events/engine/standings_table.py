"""Results in columns: what standings are counted from without touching an object a match."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from events.engine.outcomes import OUTCOMES, Outcome
from events.engine.standings_model import PlayerEntry, Result, StandingsPolicy, TableResult, TableSeat

Ints = NDArray[np.int64]
_CODES = {outcome: code for code, outcome in enumerate(OUTCOMES)}
NO_POINTS = -1
"""In ``ResultTable.points``: as the policy has it for the outcome."""


@dataclass(frozen=True, slots=True, eq=False)
class ResultTable:
    """Players by index, and a row for every seat of every match. All arrays are int64 but ``dropped``.

    Of players: ``ids``, whether ``dropped``, ``seeds`` (those without one have one more than the highest), ``lots``.
    Of seats: index of the ``player``, ``round``, index of the ``opponent`` or -1, ``outcome`` as a place in
    ``OUTCOMES``, and ``wins``, ``losses``, ``draws`` of games. Those of tables of several players have -1 for the
    opponent, and a pair of (``table_seat`` the row, ``table_opponent`` the index) for everybody else at the table;
    ``points`` are match points other than the policy's, or -1; ``victory`` and ``tournament`` points are in
    ``unit`` parts.
    """

    ids: Ints
    dropped: NDArray[np.bool_]
    seeds: Ints
    lots: Ints
    player: Ints
    round: Ints
    opponent: Ints
    outcome: Ints
    wins: Ints
    losses: Ints
    draws: Ints
    table_seat: Ints | None = None
    table_opponent: Ints | None = None
    points: Ints | None = None
    victory: Ints | None = None
    tournament: Ints | None = None
    unit: int = 1

    @property
    def players(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, players: Iterable[PlayerEntry], results: Iterable[Result | TableResult]) -> ResultTable:
        """Raises ``ValueError`` for a result of somebody who is not a player, and for negative seeds or lots."""
        entries = list({entry.id: entry for entry in players}.values())
        index = {entry.id: place for place, entry in enumerate(entries)}
        no_seed = max((entry.seed for entry in entries if entry.seed is not None), default=0) + 1
        duels: list[Result] = []
        tables: list[TableResult] = []
        for result in results:
            if isinstance(result, Result):
                duels.append(result)
            else:
                tables.append(result)
        _refuse_strangers(index, duels, tables)
        table = cls(
            _ints(entry.id for entry in entries),
            np.array([entry.dropped for entry in entries], bool),
            _ints(no_seed if entry.seed is None else entry.seed for entry in entries),
            _ints(entry.lot for entry in entries),
            *_seats_of_duels(index, duels),
        )
        return _with_tables(table, index, tables) if tables else table

    def outcomes_worth(self, worth: Callable[[Outcome], int]) -> Ints:
        """A number for each outcome, by code."""
        return _ints(worth(outcome) for outcome in OUTCOMES)

    def final(self) -> ResultTable:
        """Without the seats of unfinished matches."""
        kept = self.outcome != _CODES[Outcome.UNFINISHED]
        if kept.all():
            return self
        seats = ("player", "round", "opponent", "outcome", "wins", "losses", "draws", "points", "victory", "tournament")
        changed = {name: column[kept] for name in seats if (column := getattr(self, name)) is not None}
        if self.table_seat is not None and self.table_opponent is not None:
            still = kept[self.table_seat]
            changed["table_seat"] = (np.cumsum(kept) - 1)[self.table_seat[still]]
            changed["table_opponent"] = self.table_opponent[still]
        return replace(self, **changed)

    def meetings(self, policy: StandingsPolicy) -> tuple[Ints, Ints]:
        """Rows of seats, and the index of an opponent whom the seat's player met there."""
        met = self.opponent >= 0
        if not policy.forfeits_make_opponents:
            met &= ~self.outcomes_worth(lambda outcome: outcome.is_forfeit).astype(bool)[self.outcome]
        seats = np.flatnonzero(met)
        opponents = self.opponent[seats]
        if self.table_seat is None or self.table_opponent is None:
            return seats, opponents
        return np.concatenate([seats, self.table_seat]), np.concatenate([opponents, self.table_opponent])


def _ints(numbers: Iterable[int]) -> Ints:
    return np.fromiter(numbers, np.int64)


def _refuse_strangers(index: dict[int, int], duels: list[Result], tables: list[TableResult]) -> None:
    for duel in duels:
        if duel.a not in index or (duel.b is not None and duel.b not in index):
            raise ValueError(f"round {duel.round} has a result of {duel.a} and {duel.b}, who are not both players")
    for table in tables:
        strangers = [seat.player for seat in table.seats if seat.player not in index]
        if strangers:
            raise ValueError(f"round {table.round} has a table with {strangers}, who are not players")


def _seats_of_duels(index: dict[int, int], results: list[Result]) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints]:
    """First the seats of all ``a``, then those of all ``b`` that there are."""
    pairs = [result for result in results if result.b is not None]
    outcomes = [result.outcome_a for result in results]
    outcomes += [result.outcome_b for result in pairs if result.outcome_b is not None]
    first = [index[result.a] for result in results]
    second = [-1 if result.b is None else index[result.b] for result in results]
    scores = [result.games for result in results] + [result.games.reversed for result in pairs]
    return (
        _ints(first + [place for place in second if place >= 0]),
        _ints(result.round for result in results + pairs),
        _ints(second + [index[result.a] for result in pairs]),
        _ints(_CODES[outcome] for outcome in outcomes),
        _ints(score.wins for score in scores),
        _ints(score.losses for score in scores),
        _ints(score.draws for score in scores),
    )


def _with_tables(table: ResultTable, index: dict[int, int], results: list[TableResult]) -> ResultTable:
    seats: list[tuple[int, TableSeat]] = [(result.round, seat) for result in results for seat in result.seats]
    unit = lcm(*(p.denominator for _, seat in seats for p in (seat.victory_points, seat.tournament_points)))
    duels = len(table.player)
    pairs: list[tuple[int, int]] = []
    row = duels
    for result in results:
        at_table = [index[seat.player] for seat in result.seats]
        for place in range(len(at_table)):
            pairs += [(row + place, other) for k, other in enumerate(at_table) if k != place]
        row += len(at_table)
    none = np.zeros(len(seats), np.int64)

    def longer(column: Ints, more: Ints) -> Ints:
        return np.concatenate([column, more])

    def numbered(default: int, of: Callable[[TableSeat], int]) -> Ints:
        return longer(np.full(duels, default, np.int64), _ints(of(seat) for _, seat in seats))

    return replace(
        table,
        player=longer(table.player, _ints(index[seat.player] for _, seat in seats)),
        round=longer(table.round, _ints(number for number, _ in seats)),
        opponent=longer(table.opponent, none - 1),
        outcome=longer(table.outcome, _ints(_CODES[seat.outcome] for _, seat in seats)),
        wins=longer(table.wins, none),
        losses=longer(table.losses, none),
        draws=longer(table.draws, none),
        table_seat=_ints(seat for seat, _ in pairs),
        table_opponent=_ints(other for _, other in pairs),
        points=numbered(NO_POINTS, lambda seat: NO_POINTS if seat.points is None else seat.points),
        victory=numbered(0, lambda seat: int(Fraction(seat.victory_points) * unit)),
        tournament=numbered(0, lambda seat: int(Fraction(seat.tournament_points) * unit)),
        unit=unit,
    )
