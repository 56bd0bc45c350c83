"""Who sits with whom: the least cost by trying all there is in small fields, by swaps in large ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from cards.engine.streams import Stream
from events.engine.multiplayer_model import TableField

Ints = npt.NDArray[np.int64]

EXACT_UP_TO = 16
"""Players up to whom every split is weighed, by subsets of players (30 ms)."""

WINDOW = 64
"""Tables that one search covers. Larger fields are searched by neighbourhoods of the standing, twice, the second time
shifted by half: who sits together hardly ever comes from farther away, and time then grows with the field alone."""

_LARGEST = 2**62


class Known:
    """Who met and who is to be kept apart in a whole field, ready to be looked up for some of its players."""

    def __init__(self, field: TableField) -> None:
        self.field = field
        self.met = np.array([(a, b, times * times) for (a, b), times in field.met.items()], np.int64).reshape(-1, 3).T
        self.apart = np.array([(a, b, 1) for a, b in field.apart], np.int64).reshape(-1, 3).T

    def among(self, positions: Sequence[int]) -> tuple[Ints, Ints]:
        """Squared meetings, and 1 where two are to be kept apart, as matrices over these positions."""
        place = np.full(len(self.field), -1)
        place[list(positions)] = np.arange(len(positions))
        matrices = []
        for first, second, value in (self.met, self.apart):
            matrix = np.zeros((len(positions), len(positions)), np.int64)
            here = (place[first] >= 0) & (place[second] >= 0)
            first, second = place[first[here]], place[second[here]]
            matrix[first, second] = matrix[second, first] = value[here]
            matrices.append(matrix)
        return matrices[0], matrices[1]


class Weights:
    """The parts of a cost as one whole number per pair and per player, so that sums compare as ``TablesCost.key`` does.

    Whole numbers in 64 bits add up to the same in any order and on any machine. Only where points lie so far apart
    that the sums would not fit are their differences rounded to steps.
    """

    def __init__(self, known: Known, positions: Sequence[int], sizes: Sequence[int]) -> None:
        field = known.field
        options = field.options
        met, apart = known.among(positions)
        uneven = np.array([field.uneven[position] for position in positions], np.int64)
        points = [field.points[position] for position in positions]
        lowest, highest = min(points), max(points)
        pairs = sum(comb(size, 2) for size in sizes)
        seats = sum(size for size in sizes if size != options.sizes.preferred)
        parts = [
            ("uneven", options.uneven_weight, seats * int(uneven.max())),
            ("apart", None, pairs * int(apart.max())),
            ("met", options.repeat_weight, pairs * int(met.max())),
        ]
        parts.sort(key=lambda part: part[1] is None)
        step = 1
        while True:
            weights = {}
            most = pairs * ((highest - lowest) // step) ** 2
            for name, weight, largest in parts:
                weights[name] = most + 1 if weight is None else weight // step**2
                most += weights[name] * largest
            if most < _LARGEST:
                break
            step *= 2
        scaled = np.array([(point - lowest) // step for point in points], np.int64)
        gaps = scaled[:, None] - scaled[None, :]
        self.pair: Ints = gaps * gaps + weights["met"] * met + weights["apart"] * apart
        self.uneven: Ints = weights["uneven"] * uneven


def seat_together(
    field: TableField, seated: Sequence[int], sizes: Sequence[int], rng: Stream, *, exact_up_to: int = EXACT_UP_TO
) -> tuple[list[list[int]], bool]:
    """Tables of these sizes for the positions ``seated``, and whether the split is proved to be the best there is.

    The same field, sizes and stream give the same tables in every process.
    """
    known = Known(field)
    if len(seated) <= exact_up_to:
        weights = Weights(known, seated, sizes)
        tables = _exactly(weights, sizes, field.options.sizes.preferred)
        return [[seated[place] for place in table] for table in tables], True
    # Uneven tables lie anywhere in the standing: who had none yet may be anywhere.
    ends = np.cumsum(rng.shuffled(sizes)).tolist()
    tables = [list(seated[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
    windows = [range(start, min(start + WINDOW, len(tables))) for start in range(0, len(tables), WINDOW)]
    if len(windows) > 1:
        shifted = range(WINDOW // 2, len(tables), WINDOW)
        windows += [range(start, min(start + WINDOW, len(tables))) for start in shifted]
    for window in windows:
        search = _Search(known, [tables[number] for number in window], rng)
        for number, table in zip(window, search.run(-(-field.options.kicks // len(windows))), strict=True):
            tables[number] = table
    return tables, False


class _Search:
    """Swaps two players while that helps, then shakes a few tables and tries again.

    ``costs[t, x]`` is what player x would pay at table t as it is, ``own[x]`` what x pays now. From them the gain of
    swapping x with every other player is one expression.
    """

    def __init__(self, known: Known, tables: Sequence[Sequence[int]], rng: Stream) -> None:
        self.positions = [position for table in tables for position in table]
        self.sizes = [len(table) for table in tables]
        self.rng = rng
        weights = Weights(known, self.positions, self.sizes)
        self.pair = weights.pair
        self.table = np.repeat(np.arange(len(tables)), self.sizes)
        self.members = np.split(np.arange(len(self.positions)), np.cumsum(self.sizes)[:-1])
        starts = np.cumsum([0, *self.sizes[:-1]])
        self.costs: Ints = np.add.reduceat(self.pair, starts, axis=0)
        odd = np.array([size != known.field.options.sizes.preferred for size in self.sizes])
        self.alone: Ints = odd[:, None] * weights.uneven[None, :]
        self.costs += self.alone
        self.players = np.arange(len(self.positions))
        self.own: Ints = self.costs[self.table, self.players]
        self.cost = self._total()

    def _total(self) -> int:
        """Pairs count twice in ``own``, what a player pays alone counts once."""
        return (int(self.own.sum()) + int(self.alone[self.table, self.players].sum())) // 2

    def run(self, kicks: int) -> list[list[int]]:
        """The best tables found, by positions of the field."""
        self._descend(range(len(self.sizes)))
        for _ in range(kicks):
            if self.cost == 0 or len(self.sizes) < 2:
                break
            before = self.cost
            kept = self.costs.copy(), self.own.copy(), self.table.copy(), list(self.members)
            self._descend(self._shake())
            if self.cost > before:
                self.costs, self.own, self.table, self.members = kept
                self.cost = before
        return [[self.positions[player] for player in sorted(members.tolist())] for members in self.members]

    def _shake(self) -> list[int]:
        """Mixes the players of two to four tables that lie near each other, and returns those tables."""
        costly = np.flatnonzero(self.own > 0)
        first = int(self.table[costly[self.rng.below(len(costly))]])
        reach = [table for table in range(first - 8, first + 9) if 0 <= table < len(self.sizes) and table != first]
        tables = [first, *self.rng.shuffled(reach)[: 1 + self.rng.below(3)]]
        players = self.rng.shuffled(player for table in tables for player in self.members[table].tolist())
        for table in tables:
            members = np.array(players[: self.sizes[table]])
            players = players[self.sizes[table] :]
            self.members[table] = members
            self.table[members] = table
            self.costs[table] = self.pair[members].sum(axis=0) + self.alone[table]
            self.own[members] = self.costs[table, members]
        self.cost = self._total()
        return tables

    def _descend(self, tables: Iterable[int]) -> None:
        """Makes the best swap of each player, until none helps; only who sits at ``tables`` can have one."""
        waiting = deque(player for table in tables for player in self.members[table].tolist())
        queued = set(waiting)
        while waiting and self.cost:
            one = waiting.popleft()
            queued.discard(one)
            here = int(self.table[one])
            change = self.costs[:, one][self.table]
            change += self.costs[here]
            change -= 2 * self.pair[one]
            change -= self.own
            change -= self.own[one]
            change[self.members[here]] = 0
            other = int(change.argmin())
            if change[other] >= 0:
                continue
            self.cost += int(change[other])
            there = int(self.table[other])
            difference = self.pair[other] - self.pair[one]
            self.costs[here] += difference
            self.costs[there] -= difference
            self.table[one], self.table[other] = there, here
            for table, leaves, comes in ((here, one, other), (there, other, one)):
                members = self.members[table].copy()
                members[members == leaves] = comes
                self.members[table] = members
                self.own[members] = self.costs[table, members]
                for player in members.tolist():
                    if player not in queued:
                        queued.add(player)
                        waiting.append(player)


def _exactly(weights: Weights, sizes: Sequence[int], preferred: int) -> list[list[int]]:
    """The best split by dynamic programming over sets of players: the first player who has no table yet gets one.

    A set is a number of which bit i is player i; above the players it counts, in ``width`` bits for each size, the
    tables that are made.
    """
    count = len(weights.uneven)
    width = len(sizes).bit_length()
    kinds = sorted(set(sizes))
    tables: list[dict[int, tuple[Ints, Ints]]] = []
    for size in kinds:
        groups = np.array(list(combinations(range(count), size)), np.int64)
        price = np.zeros(len(groups), np.int64)
        for a, b in combinations(range(size), 2):
            price += weights.pair[groups[:, a], groups[:, b]]
        if size != preferred:
            price += weights.uneven[groups].sum(axis=1)
        masks = (np.int64(1) << groups).sum(axis=1)
        tables.append({first: (masks[groups[:, 0] == first], price[groups[:, 0] == first]) for first in range(count)})
    everybody = (1 << count) - 1
    states: Ints = np.zeros(1, np.int64)
    spent: Ints = np.zeros(1, np.int64)
    steps: list[dict[int, int]] = []
    for _ in sizes:
        made: list[tuple[Ints, Ints, Ints]] = []
        seated = states & everybody
        for place, size in enumerate(kinds):
            shift = count + place * width
            room = (states >> shift) % (1 << width) < sizes.count(size)
            for first in range(count):
                lowest = (1 << first) - 1
                before = np.flatnonzero(room & (seated & (2 * lowest + 1) == lowest))
                masks, price = tables[place][first]
                free = (seated[before][:, None] & masks[None, :]) == 0
                which, table = np.nonzero(free)
                old = before[which]
                made.append((states[old] + masks[table] + (1 << shift), spent[old] + price[table], states[old]))
        reached, cost, origin = (np.concatenate(column) for column in zip(*made, strict=True))
        order = np.lexsort((cost, reached))
        reached, cost, origin = reached[order], cost[order], origin[order]
        best = np.flatnonzero(np.concatenate(([True], reached[1:] != reached[:-1])))
        states, spent = reached[best], cost[best]
        steps.append(dict(zip(states.tolist(), origin[best].tolist(), strict=True)))
    state = int(states[0])
    split = []
    for step in reversed(steps):
        table_mask = (state ^ step[state]) & everybody
        split.append([player for player in range(count) if table_mask >> player & 1])
        state = step[state]
    return split
