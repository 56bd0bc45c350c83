"""A field of players in pairing order, and what each pair of it costs."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from cards.engine.streams import Stream
from events.engine.pairing_columns import Entrants, Flags, History, Ints
from events.engine.pairing_model import AvoidMode, PairingCost, PairingOptions

NOBODY = -1
ANONYMOUS = -2
"""Stand in columns of positions: no opponent there, and a member of a score group of whom only the score is known."""


class Field:
    """Entrants by position: points descending, drawn by ``rng`` inside a score (by id without one).

    ``score`` is points above the lowest in their common measure: squares stay small and their order the same.
    ``opponents[position]`` are the positions met, NOBODY for meetings with somebody who isn't in the field. Score
    group g is the positions ``start[g]`` to ``stop[g] - 1``; ``group[position]`` is its number, 0 for the leaders.
    """

    def __init__(self, entrants: Entrants, history: History, options: PairingOptions, rng: Stream | None) -> None:
        if len(history.opponents) != len(entrants):
            raise ValueError("the history has not one row for each entrant")
        rows = np.arange(len(entrants)) if entrants.playing is None else np.flatnonzero(entrants.playing)
        # By id before the draw: the result may depend on the stream, never on the order of the input.
        rows = rows[np.argsort(entrants.ids[rows], kind="stable")]
        if rng is not None:
            rows = rows[np.argsort(rng.words(len(rows)), kind="stable")]
        rows = rows[np.argsort(-entrants.points[rows], kind="stable")]
        self.options = options
        self.strict = options.avoid_mode is AvoidMode.STRICT
        self.ids = entrants.ids[rows]
        self.points = entrants.points[rows]
        self.byes = entrants.byes[rows]
        self.down = entrants.paired_down[rows]
        self.up = entrants.paired_up[rows]
        # One place more, so that "no opponent" (-1) is looked up as itself.
        position = np.full(len(entrants) + 1, NOBODY, np.int64)
        position[rows] = np.arange(len(rows))
        self.opponents = position[history.opponents[rows]]
        self._met: dict[int, set[int]] = {}
        apart = np.sort(position[entrants.avoid], axis=1)
        apart = apart[(apart[:, 0] >= 0) & (apart[:, 0] < apart[:, 1])]
        self._apart_codes = np.unique(apart[:, 0] * len(rows) + apart[:, 1])
        above = self.points - (self.points[-1] if len(rows) else 0)
        self.unit = int(np.gcd.reduce(above)) or 1
        self.score = above // self.unit
        edges = np.flatnonzero(np.diff(self.score)) + 1
        self.start = np.concatenate(([0], edges)) if len(rows) else edges
        self.stop = np.concatenate((edges, [len(rows)])) if len(rows) else edges
        self.group = np.repeat(np.arange(len(self.start)), self.stop - self.start)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def somebody_is_kept_apart(self) -> bool:
        return len(self._apart_codes) > 0

    @cached_property
    def apart_pairs(self) -> Ints:
        """Positions to be kept apart, (k, 2), the higher first."""
        return np.stack(np.divmod(self._apart_codes, max(len(self), 1)), axis=1)

    @cached_property
    def _apart_from(self) -> dict[int, set[int]]:
        found: dict[int, set[int]] = {}
        for a, b in self.apart_pairs.tolist():
            found.setdefault(a, set()).add(b)
            found.setdefault(b, set()).add(a)
        return found

    def met(self, place: int) -> set[int]:
        """Positions whom this one has met."""
        known = self._met.get(place)
        if known is None:
            known = self._met[place] = set(self.opponents[place].tolist()) - {NOBODY}
        return known

    def apart_from(self, place: int) -> set[int]:
        return self._apart_from.get(place, set())

    def meetings(self, a: Ints, b: Ints) -> Ints:
        """How often ``a[i]`` and ``b[i]`` have met. ANONYMOUS has met nobody."""
        if not self.opponents.shape[1] or not len(a):
            return np.zeros(len(a), np.int64)
        times: Ints = (self.opponents[np.maximum(a, NOBODY)] == b[:, None]).sum(axis=1)
        times[(a < 0) | (b < 0)] = 0
        return times

    def apart(self, a: Ints, b: Ints) -> Flags:
        """Whether ``a[i]`` and ``b[i]`` are to be kept apart."""
        if not self.somebody_is_kept_apart:
            return np.zeros(len(a), np.bool_)
        codes = np.minimum(a, b) * len(self) + np.maximum(a, b)
        found = np.minimum(np.searchsorted(self._apart_codes, codes), len(self._apart_codes) - 1)
        apart: Flags = (self._apart_codes[found] == codes) & (a >= 0) & (b >= 0)
        return apart

    @cached_property
    def meetings_inside(self) -> Ints:
        """For each score group, the most meetings that one member has had with others of it."""
        return self._most(self._meetings_in_group)

    @cached_property
    def clashes_inside(self) -> Ints:
        """For each score group, the most others of it whom one member has met or should be kept apart from."""
        if not self.somebody_is_kept_apart:
            return self.meetings_inside
        pairs = self.apart_pairs[np.diff(self.group[self.apart_pairs], axis=1)[:, 0] == 0]
        return self._most(self._meetings_in_group + np.bincount(pairs.ravel(), minlength=len(self)))

    @cached_property
    def _meetings_in_group(self) -> Ints:
        met = self.opponents
        inside: Ints = np.count_nonzero((self.group[met] == self.group[:, None]) & (met >= 0), axis=1)
        return inside

    def _most(self, of_each: Ints) -> Ints:
        most: Ints = np.maximum.reduceat(of_each, self.start) if len(self) else of_each
        return most

    def best_receivers(self) -> Ints:
        """Positions whom the bye should go to: fewest earlier byes, then lowest score. Empty in an even field."""
        if not len(self) % 2:
            return np.empty(0, np.int64)
        fewest = np.flatnonzero(self.byes == self.byes.min())
        best: Ints = fewest[self.score[fewest] == self.score[fewest[-1]]]
        return best

    def cost(self, pairs: Ints, bye: int | None) -> PairingCost:
        """Cost of a complete pairing given by positions, (k, 2)."""
        a, b = pairs.min(axis=1), pairs.max(axis=1)
        gap = self.points[a] - self.points[b]
        floats = (self.down[a] + self.up[b]) * (gap != 0)
        return PairingCost(
            rematches=int(self.meetings(a, b).sum()),
            bye_earlier_byes=int(self.byes[bye]) if bye is not None else 0,
            bye_points=int(self.points[bye]) if bye is not None else 0,
            avoided=int(self.apart(a, b).sum()),
            score_gap=int((gap * gap).sum()),
            repeated_floats=int(floats.sum()),
        )
