"""The best complete pairing of a field: pools where they do, member by member where not, and the proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cards.engine.streams import Stream
from events.engine.pairing_columns import Ints
from events.engine.pairing_field import Field
from events.engine.pairing_model import PairingCost
from events.engine.pairing_pools import Division, Pool, first_guess, name_more
from events.engine.pairing_realise import LARGEST_MATCHING, Clashes, Demand, pair_inside, take
from events.engine.pairing_segments import Relaxed, Segment
from events.engine.pairing_whole import pair_whole

WHOLE_UP_TO = 20
"""Players up to whom a complete matching is faster than looking for pools."""

WHOLE_AS_RESCUE = 400
"""Players up to whom a pairing without proof is done again as one complete matching (a second)."""

MOST_NAMED = 1500


@dataclass(frozen=True, slots=True)
class Found:
    """A complete pairing by positions; ``bound`` is a cost that none can undercut."""

    pairs: Ints
    bye: int | None
    cost: PairingCost
    bound: PairingCost


def best_pairing(
    field: Field, rng: Stream, *, whole_up_to: int = WHOLE_UP_TO, named: Sequence[int] | None = None
) -> Found:
    """The best pairing with its proof; ``whole_up_to`` and ``named`` (how many of each score group are looked at one
    by one from the start) change the way to it, not its cost."""
    if len(field) <= max(whole_up_to, 1):
        return _whole(field, rng)
    size = (field.stop - field.start).tolist()
    named_of = list(named) if named is not None else first_guess(field)
    best: Found | None = None
    bound = PairingCost()
    while True:
        attempt = _Attempt(field, Division.of(field, named_of), rng)
        found = attempt.pair()
        if attempt.bound is not None and attempt.bound.key(field.options) > bound.key(field.options):
            bound = attempt.bound
        if found is not None and (best is None or found.cost.key(field.options) < best.cost.key(field.options)):
            best = found
        if best is not None and best.cost == bound:
            return Found(best.pairs, best.bye, best.cost, bound)
        if not attempt.faults:
            break
        for group in attempt.faults:
            named_of[group] = name_more(size[group], named_of[group])
        if best is not None and sum(named_of) > MOST_NAMED:
            break
    if best is not None and len(field) > WHOLE_AS_RESCUE:
        return Found(best.pairs, best.bye, best.cost, bound)
    return _whole(field, rng)


def _whole(field: Field, rng: Stream) -> Found:
    pairs, bye, exact = pair_whole(field, rng)
    cost = field.cost(pairs, bye)
    return Found(pairs, bye, cost, cost if exact else PairingCost())


class _Attempt:
    """One pairing by pools. ``bound`` is None where nothing is proved; ``faults`` are the groups whose pools could not
    do what the relaxation asked of them."""

    def __init__(self, field: Field, division: Division, rng: Stream) -> None:
        self.field = field
        self.division = division
        self.rng = rng
        self.bound: PairingCost | None = None
        self.faults: list[int] = []
        self.receivers = field.best_receivers()
        self.bye_group = int(field.group[self.receivers[0]]) if len(self.receivers) else -1
        self.demands = {pool.group: Demand() for pool in division.pools if pool is not None}
        self.pairs: list[tuple[int, int]] = []
        self.bye: int | None = None

    def pair(self) -> Found | None:
        solved = self._relax()
        if solved is None:
            return None
        if all(segment.exact for segment in solved):
            self.bound = self._bound_of(solved)
        return self._realise(solved)

    def _bound_of(self, solved: Sequence[Relaxed]) -> PairingCost:
        avoided = sum(one.avoided for one in solved)
        for pool in self.division.pools:
            if pool is not None and pool.club:
                used = sum(one.used(pool.group) + (one.bye_pool == pool.group) for one in solved)
                used += pool.group == self.bye_group and not len(self.division.named[pool.group])
                avoided += (pool.surplus - used) // 2
        return PairingCost(
            bye_earlier_byes=int(self.field.byes[self.receivers[0]]) if len(self.receivers) else 0,
            bye_points=int(self.field.points[self.receivers[0]]) if len(self.receivers) else 0,
            avoided=max(avoided, 0),
            score_gap=sum(one.gap for one in solved) * self.field.unit**2,
            repeated_floats=sum(one.floats for one in solved),
        )

    def _relax(self) -> list[Relaxed] | None:
        """Optimum of each segment, or None when the relaxation has no solution."""
        division = self.division
        solved: list[Relaxed] = []
        above: Pool | None = None
        used_above = 0
        named: list[Ints] = []
        pools: list[Pool] = []
        odd: dict[int, bool] = {}
        with_bye = False
        for group in range(len(division.pools) + 1):
            last = group == len(division.pools)
            pool = None if last else division.pools[group]
            if not last and len(division.named[group]):
                named.append(division.named[group])
                with_bye |= group == self.bye_group
                if pool is not None:
                    pools.append(pool)
                    odd[group] = len(pool) % 2 == 1
                continue
            ends = [end for end in (above, *pools, pool) if end is not None]
            if above is not None:
                odd[above.group] = (len(above) - used_above - (above.group == self.bye_group)) % 2 == 1
            found = self._segment(named, ends, odd, with_bye)
            if found is None:
                return None
            solved.append(found)
            above, used_above = pool, found.used(group)
            named, pools, odd, with_bye = [], [], {}, False
        return solved

    def _segment(self, named: list[Ints], pools: list[Pool], odd: dict[int, bool], with_bye: bool) -> Relaxed | None:
        if named:
            receivers = self.receivers if with_bye else None
            return Segment(self.field, np.concatenate(named), pools, odd, receivers, self.rng).solve()
        if len(pools) < 2 or not odd.get(pools[0].group, False):
            return Relaxed()
        above, below = pools
        gap = (above.score - below.score) ** 2
        return Relaxed(direct=[(above.group, below.group)], gap=gap, floats=above.least_down + below.least_up)

    def _realise(self, solved: Sequence[Relaxed]) -> Found | None:
        for relaxed in solved:
            self.pairs += relaxed.pairs
            for place, group in relaxed.wanted:
                self.demands[group].partners.append(place)
            for group, below in relaxed.direct:
                self.demands[group].sends = below
            if relaxed.bye is not None:
                self.bye = relaxed.bye
            if relaxed.bye_pool is not None:
                self._ask_for_bye(relaxed.bye_pool)
        if self.bye_group >= 0 and not len(self.division.named[self.bye_group]):
            self._ask_for_bye(self.bye_group)
        met, avoided = self.field.meetings_inside.tolist(), self.field.clashes_inside.tolist()
        rests: list[Ints] = []
        for group, demand in self.demands.items():
            pool = self.division.pools[group]
            assert pool is not None
            taken = take(pool, demand, Clashes(met[group], avoided[group]), self.rng)
            if taken is None:
                self.faults.append(group)
                return None
            self.pairs += taken.pairs
            if taken.sent is not None and demand.sends is not None:
                self.demands[demand.sends].partners.append(taken.sent)
            if taken.bye is not None:
                self.bye = taken.bye
            if taken.inner is None:
                rests.append(taken.rest)
            else:
                self.pairs += taken.inner
        inside = pair_inside(self.field, rests, self.rng)
        pairs = np.concatenate((np.array(self.pairs, np.int64).reshape(-1, 2), inside))
        cost = self.field.cost(pairs, self.bye)
        if cost != self.bound:
            self.faults = self._above_bound(pairs)
        return Found(pairs, self.bye, cost, cost)

    def _ask_for_bye(self, group: int) -> None:
        pool = self.division.pools[group]
        assert pool is not None
        self.demands[group].receivers = self.receivers[np.isin(self.receivers, pool.members)]

    def _above_bound(self, pairs: Ints) -> list[int]:
        """Groups whose pools paid more than they promised."""
        field = self.field
        pooled = {int(member): pool for pool in self.division.pools if pool is not None for member in pool.members}
        faults: set[int] = set()
        pairs = np.sort(pairs, axis=1)
        costly = (
            (field.meetings(*pairs.T) > 0)
            | field.apart(*pairs.T)
            | (field.score[pairs[:, 0]] != field.score[pairs[:, 1]])
        )
        for a, b in pairs[costly].tolist():
            for member, other in ((a, b), (b, a)):
                pool = pooled.get(member)
                if pool is None or (pooled.get(other) is pool and (pool.club or len(pool) > LARGEST_MATCHING)):
                    continue
                apart = field.apart_from(other)
                avoided = int(member not in pool.club - apart if pool.club else member in apart)
                above = int(field.score[other]) - pool.score
                floats = int(field.up[member] if above > 0 else field.down[member] if above else 0)
                if other in pooled:
                    promised = (0, (pool.least_up if above > 0 else pool.least_down) if above else 0)
                else:
                    promised = pool.promise(other)
                if (avoided, floats) > promised:
                    faults.add(pool.group)
        return sorted(faults)
