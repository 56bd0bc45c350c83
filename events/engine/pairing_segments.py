"""Who leaves which score: the least cost of a stretch of the standings between two pools.

The *relaxation* takes a pool as an endless supply of anonymous members, met by nobody, of whom only the right parity
is used, as the rest pairs inside. No pairing without a rematch costs less than its optimum, because every one is a
solution of the relaxation at no higher cost. Nobody in the optimum is paired over a pool: (a + b)^2 > a^2 + b^2, two
shorter floats into it are better. So the pools cut the standings into segments, solved one by one from the top: the
parity that a segment needs of the pool above is what the segment before has left.

A limited supply is as good as an endless one when two members of each pool are left over: a better solution with more
of them differs by alternating paths that end at anonymous members, and these paths, joined where they end in the same
pool, fall into rings that take at most two more of each pool; one ring alone would be an improvement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cards.engine.streams import Stream
from events.engine.pairing_columns import Flags, Ints
from events.engine.pairing_field import ANONYMOUS, Field
from events.engine.pairing_matching import Neighbours, best_matching, draws, packed
from events.engine.pairing_pools import Pool

ALL_PAIRS_UP_TO = 64
MOST_EDGES = 200_000
_FIRST_SUPPLY = 4


@dataclass(slots=True)
class Relaxed:
    """Optimum of one segment. ``pairs`` are positions; ``wanted`` asks that a position meet a member of a pool, given
    by its group; ``direct`` that members of two pools meet; ``bye`` is a position, ``bye_pool`` a group.

    ``exact`` is False where too many pairs would have had to be looked at: then nothing is proved.
    """

    avoided: int = 0
    gap: int = 0
    floats: int = 0
    pairs: list[tuple[int, int]] = field(default_factory=list)
    wanted: list[tuple[int, int]] = field(default_factory=list)
    direct: list[tuple[int, int]] = field(default_factory=list)
    bye: int | None = None
    bye_pool: int | None = None
    exact: bool = True

    def used(self, group: int) -> int:
        """How many members of the pool of ``group`` are asked for."""
        return sum(other == group for _, other in self.wanted) + sum(group in pair for pair in self.direct)


@dataclass(slots=True)
class Segment:
    """Named positions and pools of consecutive scores, and where in it the bye may go.

    ``odd`` says of a pool's group whether an odd number of its members must be used; the last pool may be left out, it
    follows from the rest.
    """

    field: Field
    named: Ints
    pools: Sequence[Pool]
    odd: dict[int, bool]
    receivers: Ints | None
    rng: Stream

    def solve(self) -> Relaxed | None:
        """None when there is no pairing without a rematch."""
        supply = _FIRST_SUPPLY
        while True:
            nodes = _Nodes(self, supply)
            found = nodes.solve()
            if len(nodes.idle) == len(self.pools) or supply > len(self.named) + _FIRST_SUPPLY:
                return found
            supply *= 2


class _Nodes:
    """The nodes of a segment's matching: descending scores, the named of a score before the anonymous, then the bye.

    ``alike`` is the same for interchangeable nodes; ``idle`` the pools of which the solution leaves two over.
    """

    def __init__(self, segment: Segment, supply: int) -> None:
        self.segment = segment
        self.pools = segment.pools
        self.idle: set[int] = set()
        self.with_bye = segment.receivers is not None
        field, named = segment.field, segment.named
        supplies = self._supplies(supply, len(named) + self.with_bye)
        groups = [field.group[named], *(np.full(count, pool.group) for pool, count in supplies)]
        place = np.concatenate([named, np.full(sum(count for _, count in supplies), ANONYMOUS)])
        which = np.concatenate(
            [np.full(len(named), -1), *(np.full(count, number) for number, (_, count) in enumerate(supplies))]
        )
        order = np.argsort(np.concatenate(groups), kind="stable")
        self.group = np.concatenate(groups)[order]
        self.place = place[order]
        self.pool = which[order]
        self.score = field.score[field.start[self.group]]
        self.count = len(order)
        self.alike = np.where(self.pool >= 0, self.count + self.pool, np.arange(self.count))
        self._meet_pools()

    def _supplies(self, supply: int, others: int) -> list[tuple[Pool, int]]:
        found = []
        for pool in self.pools:
            odd = self.segment.odd.get(pool.group, bool(others % 2))
            found.append((pool, supply + odd))
            others += supply + odd
        return found

    def _meet_pools(self) -> None:
        """Cost of each named node with each pool: whether it is within reach, avoided and repeated floats."""
        shape = (self.count, len(self.pools))
        self.pool_near = np.zeros(shape, np.bool_)
        self.pool_avoided = np.zeros(shape, np.int64)
        self.pool_floats = np.zeros(shape, np.int64)
        field = self.segment.field
        for number, pool in enumerate(self.pools):
            near = (self.pool < 0) & self._within_reach(self.group, np.full(self.count, pool.group))
            self.pool_near[:, number] = near
            nodes = np.flatnonzero(near)
            places = self.place[nodes]
            if len(nodes):
                self.pool_avoided[nodes, number], theirs = np.array(
                    [pool.promise(place) for place in places.tolist()]
                ).T
                own = np.where(field.score[places] > pool.score, field.down[places], field.up[places])
                self.pool_floats[nodes, number] = theirs + own * (field.score[places] != pool.score)

    def _within_reach(self, a: Ints, b: Ints) -> Flags:
        """Whether no pool lies strictly between the groups."""
        pools = np.array(sorted(pool.group for pool in self.pools), np.int64)
        before = np.searchsorted(pools, np.maximum(a, b), side="left")
        up_to = np.searchsorted(pools, np.minimum(a, b), side="right")
        reach: Flags = before <= up_to
        return reach

    def solve(self) -> Relaxed | None:
        if self.count + self.with_bye <= ALL_PAIRS_UP_TO:
            return self._solve_within(*np.triu_indices(self.count, 1))
        neighbours, slot = self._neighbours()
        excess = 0
        while True:
            a, b, complete = neighbours.within(excess, MOST_EDGES)
            found = self._solve_within(*self._around_bye(a, b, slot), exact=complete)
            if not complete:
                return found
            if found is not None and not (self.segment.field.strict and found.avoided):
                if found.gap <= neighbours.least + excess:
                    return found
                excess = found.gap - neighbours.least
            elif excess > neighbours.most:
                return found
            else:
                excess = max(4 * excess, neighbours.step, 1)

    def _neighbours(self) -> tuple[Neighbours, int | None]:
        """With a bye the scores lack one of a receiver; all receivers have the same. ``slot`` is the node left out."""
        if not self.with_bye:
            return Neighbours(self.score), None
        receivers = self.segment.receivers
        assert receivers is not None
        slot = int(np.flatnonzero(self.group == self.segment.field.group[receivers[0]])[-1])
        return Neighbours(np.delete(self.score, slot)), slot

    def _around_bye(self, a: Ints, b: Ints, slot: int | None) -> tuple[Ints, Ints]:
        """Back from indexes without the slot to nodes: the node left out meets whom its equal before it meets."""
        if slot is None:
            return a, b
        twin = slot - 1
        alone = not slot or self.group[twin] != self.group[slot]
        a, b = a + (a >= slot), b + (b >= slot)
        if alone:
            return a, b
        as_high, as_low = a == twin, b == twin
        higher = np.concatenate((a, np.full(as_high.sum(), slot), a[as_low], [twin]))
        lower = np.concatenate((b, b[as_high], np.full(as_low.sum(), slot), [slot]))
        return np.minimum(higher, lower), np.maximum(higher, lower)

    def _solve_within(self, a: Ints, b: Ints, *, exact: bool = True) -> Relaxed | None:
        """Best complete solution with pairs (a[i], b[i]) only."""
        kept = self._possible(a, b)
        a, b = a[kept], b[kept]
        idle = (self.pool[a] >= 0) & (self.pool[a] == self.pool[b])
        costs = np.stack(self._costs(a, b, idle))
        _, alike = np.unique(self.alike[a] * (2 * self.count) + self.alike[b], return_inverse=True)
        lots = draws(self.segment.rng, int(alike.max(initial=-1)) + 1)[alike]
        # No lot may speak for or against members who stay in their pool.
        lots[idle] = 0
        if self.with_bye:
            receivers = self._receivers()
            count = len(receivers)
            a, b = np.concatenate((a, receivers)), np.concatenate((b, np.full(count, self.count)))
            costs = np.concatenate((costs, np.zeros((3, count), np.int64)), axis=1)
            lots = np.concatenate((lots, draws(self.segment.rng, count)))
            idle = np.concatenate((idle, np.zeros(count, np.bool_)))
        total = self.count + self.with_bye
        avoided, gap, floats = costs
        levels = [avoided, gap, floats] if self.segment.field.strict else [gap, avoided, floats]
        mate = best_matching(total, a, b, packed(levels, lots, (total + 1) // 2) if len(a) else [])
        if (mate < 0).any():
            return None
        used = mate[a] == b
        self.idle = set(self.pool[a[used & idle]].tolist())
        used &= ~idle
        found = self._read(a[used], b[used])
        found.avoided, found.gap, found.floats = costs[:, used].sum(axis=1).tolist()
        found.exact = exact
        return found

    def _receivers(self) -> Ints:
        receivers = self.segment.receivers
        assert receivers is not None
        possible = [bool(np.isin(pool.members, receivers).any()) for pool in self.pools]
        return np.flatnonzero(
            np.isin(self.place, receivers) | ((self.pool >= 0) & np.array([*possible, False])[self.pool])
        )

    def _possible(self, a: Ints, b: Ints) -> Flags:
        """Pairs that have not met, with nobody's pool between them, and no worse than if both went to a pool."""
        field = self.segment.field
        kept = self._within_reach(self.group[a], self.group[b])
        kept &= field.meetings(self.place[a], self.place[b]) == 0
        if not self.pools:
            return kept
        scores = np.array([pool.score for pool in self.pools])
        escape = np.where(self.pool_near, (self.score[:, None] - scores) ** 2, np.int64(1) << 40).min(axis=1)
        turn = int((np.diff(scores) ** 2).max(initial=0))
        kept &= (self.score[a] - self.score[b]) ** 2 <= escape[a] + escape[b] + turn
        return kept

    def _costs(self, a: Ints, b: Ints, idle: Flags) -> tuple[Ints, Ints, Ints]:
        """(avoided, squared gap, repeated floats) of pairs of nodes, a above b. Two left in a crowded pool are one pair
        of the club more, against ``Pool.surplus`` less those who are taken away."""
        field = self.segment.field
        gap = (self.score[a] - self.score[b]) ** 2
        avoided = field.apart(self.place[a], self.place[b]).astype(np.int64)
        if any(pool.club for pool in self.pools):
            avoided[idle] = np.array([bool(pool.club) for pool in self.pools])[self.pool[a[idle]]]
        named = (self.pool[a] < 0) & (self.pool[b] < 0)
        floats = (field.down[self.place[a]] + field.up[self.place[b]]) * (named & (gap > 0))
        for one, other in ((a, b), (b, a)):
            mixed = np.flatnonzero((self.pool[one] < 0) & (self.pool[other] >= 0))
            where = one[mixed], self.pool[other[mixed]]
            avoided[mixed], floats[mixed] = self.pool_avoided[where], self.pool_floats[where]
        down = np.array([pool.least_down for pool in self.pools], np.int64)
        up = np.array([pool.least_up for pool in self.pools], np.int64)
        direct = np.flatnonzero((self.pool[a] >= 0) & (self.pool[b] >= 0) & (gap > 0))
        floats[direct] = down[self.pool[a[direct]]] + up[self.pool[b[direct]]]
        return avoided, gap, floats

    def _read(self, a: Ints, b: Ints) -> Relaxed:
        found = Relaxed()
        place, group = self.place.tolist(), self.group.tolist()
        for x, y in zip(a.tolist(), b.tolist(), strict=True):
            if y == self.count:
                found.bye, found.bye_pool = (place[x], None) if place[x] >= 0 else (None, group[x])
            elif place[x] >= 0 and place[y] >= 0:
                found.pairs.append((place[x], place[y]))
            elif place[x] >= 0:
                found.wanted.append((place[x], group[y]))
            elif place[y] >= 0:
                found.wanted.append((place[y], group[x]))
            else:
                found.direct.append((group[x], group[y]))
        return found
