"""The players and meetings of a Swiss round as columns: what large fields are paired from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from events.engine.pairing_model import Entrant, Pair

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def integers(values: Iterable[int]) -> Ints:
    return np.fromiter(values, np.int64)


def _no_pairs() -> Ints:
    return np.empty((0, 2), np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Entrants:
    """Players by row; every column is as long as ``ids``, whose order is of no account.

    ``points`` are whole numbers (double half points). ``avoid`` holds pairs of rows to be kept apart, in either order.
    Rows that ``playing`` marks False take no part; None: all play. Raises ``ValueError`` for columns of unequal length,
    an id twice, or a row in ``avoid`` that isn't there.
    """

    ids: Ints
    points: Ints
    byes: Ints
    paired_down: Ints
    paired_up: Ints
    avoid: Ints = field(default_factory=_no_pairs)
    playing: Flags | None = None

    def __post_init__(self) -> None:
        columns = [self.points, self.byes, self.paired_down, self.paired_up]
        if any(
            column.shape != self.ids.shape for column in [*columns, *([] if self.playing is None else [self.playing])]
        ):
            raise ValueError("the columns of the entrants are of unequal length")
        ascending = np.sort(self.ids)
        if (ascending[1:] == ascending[:-1]).any():
            raise ValueError("an entrant appears twice")
        if self.avoid.size and not (self.avoid.min() >= 0 and self.avoid.max() < len(self.ids)):
            raise ValueError("a pair to be kept apart names a row that isn't there")

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, entrants: Iterable[Entrant]) -> Entrants:
        """From single entrants; ids in ``avoid`` of players who aren't among them are left out."""
        rows = list(entrants)
        row_of = {entrant.id: row for row, entrant in enumerate(rows)}
        apart = [
            (row, row_of[other])
            for row, entrant in enumerate(rows)
            for other in entrant.avoid
            if other in row_of and other != entrant.id
        ]
        return cls(
            integers(entrant.id for entrant in rows),
            integers(entrant.points for entrant in rows),
            integers(entrant.byes for entrant in rows),
            integers(entrant.paired_down for entrant in rows),
            integers(entrant.paired_up for entrant in rows),
            np.array(apart, np.int64).reshape(-1, 2),
        )

    @property
    def playing_rows(self) -> Ints:
        return np.arange(len(self)) if self.playing is None else np.flatnonzero(self.playing)

    @property
    def count(self) -> int:
        """How many play."""
        return len(self.playing_rows)

    def only(self, ids: Sequence[int]) -> Entrants:
        """Those of ``ids`` who play; everybody else sits out."""
        chosen = np.isin(self.ids, np.array(ids, np.int64))
        return replace(self, playing=chosen if self.playing is None else chosen & self.playing)

    def without(self, ids: Sequence[int]) -> Entrants:
        """Those who play but ``ids``."""
        stay = ~np.isin(self.ids, np.array(ids, np.int64))
        return replace(self, playing=stay if self.playing is None else stay & self.playing)

    def single(self) -> list[Entrant]:
        """Those who play, as objects."""
        apart: dict[int, set[int]] = {}
        for one, other in self.ids[self.avoid].tolist():
            apart.setdefault(one, set()).add(other)
            apart.setdefault(other, set()).add(one)
        columns = (self.ids, self.points, self.byes, self.paired_down, self.paired_up)
        rows = zip(*(column[self.playing_rows].tolist() for column in columns), strict=True)
        return [
            Entrant(id_, points, byes, down, up, avoid=frozenset(apart.get(id_, ())))
            for id_, points, byes, down, up in rows
        ]


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """Earlier meetings: ``opponents[row]`` holds the rows whom that entrant has met, -1 where none.

    Each meeting stands in the rows of both, once for each time they met. Raises ``ValueError`` where somebody has met
    themselves or a row isn't there.
    """

    opponents: Ints

    def __post_init__(self) -> None:
        rows = np.arange(len(self.opponents))[:, None]
        if self.opponents.ndim != 2 or (self.opponents == rows).any():
            raise ValueError("an entrant cannot have met itself")
        if self.opponents.size and self.opponents.max() >= len(self.opponents):
            raise ValueError("a meeting names a row that isn't there")

    @classmethod
    def of(cls, meetings: Sequence[Pair] | Ints, ids: Ints) -> History:
        """From pairs of ids; meetings with players who aren't among ``ids`` are left out."""
        count = len(ids)
        if not len(meetings) or not count:
            return cls(np.empty((count, 0), np.int64))
        met = np.array(meetings, np.int64)
        order = np.argsort(ids, kind="stable")
        found = np.minimum(np.searchsorted(ids[order], met), count - 1)
        rows = order[found]
        rows = rows[(ids[rows] == met).all(axis=1)]
        left, right = np.concatenate((rows, rows[:, ::-1])).T
        by_row = np.argsort(left, kind="stable")
        left, right = left[by_row], right[by_row]
        meetings_of = np.bincount(left, minlength=count)
        opponents = np.full((count, int(meetings_of.max(initial=0))), -1, np.int64)
        nth = np.arange(len(left)) - np.repeat(np.cumsum(meetings_of) - meetings_of, meetings_of)
        opponents[left, nth] = right
        return cls(opponents)

    def among(self, entrants: Entrants) -> list[Pair]:
        """Meetings of those who play, as pairs of ids, the smaller row first; as often as they met."""
        plays = np.zeros(len(entrants) + 1, np.bool_)
        plays[entrants.playing_rows] = True
        met = self.opponents
        rows = np.broadcast_to(np.arange(len(met))[:, None], met.shape)
        once = (met > rows) & plays[rows] & plays[met]
        pairs = np.stack([entrants.ids[rows[once]], entrants.ids[met[once]]], axis=1)
        return [(one, other) for one, other in pairs.tolist()]
