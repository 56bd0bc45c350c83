"""The last round by standings: first against second, third against fourth, without rematches where possible.

Fewest rematches, then the bye as usual (fewest earlier byes, then the lowest place), then the least sum of squared
differences of places. Exact at any size, because only near neighbours can meet:

Take two pairs {i, j} and {k, l} of a best round that overlap or lie inside each other. Pairing the upper two and the
lower two, or in the nested case also crosswise, makes the sum smaller; so each of these ways must contain a *clash*
(a pair that has met, or is to be kept apart). Every player between i and j has a pair of this kind, and no clash
serves two pairs: there are at most as many players between i and j as i and j have clashes. That leaves few possible
pairs. Where an even number of players stands above a line, an even number of pairs crosses it; if no two of the
possible pairs that cross it could cross together, none does, and both sides are paired by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import rustworkx

from cards.engine.streams import Stream
from events.engine.feasibility import barred_by, can_pair
from events.engine.pairing import (
    AvoidMode,
    Entrant,
    Pair,
    PairingCost,
    PairingOptions,
    PairingPlan,
    PlannedPair,
    Reason,
)

Ints = npt.NDArray[np.int64]


def by_standing(order: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Entrants in the order of the standings, best first, as ``pair_by_standing`` wants them: their points are minus
    the place, and no float counts."""
    return tuple(
        replace(entrant, points=-place, paired_down=0, paired_up=0) for place, entrant in enumerate(order, start=1)
    )


def pair_by_standing(
    entrants: Iterable[Entrant], history: Sequence[Pair], options: PairingOptions, rng: Stream
) -> PairingPlan:
    """Pair entrants made by ``by_standing``; otherwise as ``pair_round``, whose place it takes. Nothing is drawn.

    Every plan is certified. In the cost ``score_gap`` is the sum of squared differences of places, and ``bye_points``
    minus the place. Raises ``ValueError`` when two have one place.
    """
    line = _Line(entrants, history, options)
    bye = line.choose_bye()
    chosen = line.paired(bye)
    fewest = sum(line.meetings[pair] for pair in chosen)
    cost = line.cost(chosen, bye)
    return PairingPlan(
        seating=np.array([line.ids_of(pair) for pair in chosen], np.int64).reshape(-1, 2),
        bye=line.entrants[bye].id if bye is not None else None,
        cost=cost,
        lower_bound=cost,
        certified=True,
        explanation=_Places(line, tuple(chosen), bye, fewest),
    )


class _Line:
    """The entrants by standing, addressed by position from 0."""

    def __init__(self, entrants: Iterable[Entrant], history: Sequence[Pair], options: PairingOptions) -> None:
        self.entrants = sorted(entrants, key=lambda entrant: -entrant.points)
        self.options = options
        self.places = [-entrant.points for entrant in self.entrants]
        if len(set(self.places)) != len(self.places):
            raise ValueError("two entrants have one place")
        position = {entrant.id: number for number, entrant in enumerate(self.entrants)}
        self.meetings = Counter(
            _ordered(position[a], position[b]) for a, b in history if a in position and b in position
        )
        self.apart = {
            _ordered(number, position[other])
            for number, entrant in enumerate(self.entrants)
            for other in entrant.avoid
            if position.get(other, number) != number
        }
        self.clashes = np.array(sorted(self.meetings.keys() | self.apart), np.int64).reshape(-1, 2)

    def ids_of(self, pair: Pair) -> Pair:
        return self.entrants[pair[0]].id, self.entrants[pair[1]].id

    def bye_key(self, position: int) -> tuple[int, int]:
        return self.entrants[position].byes, -self.places[position]

    def choose_bye(self) -> int | None:
        """The best receiver among those with whom the fewest rematches remain."""
        if len(self.entrants) % 2 == 0:
            return None
        candidates = sorted(range(len(self.entrants)), key=self.bye_key)
        if self.options.bye_before_rematch:
            return candidates[0]
        fewest = 0 if can_pair(candidates, barred_by(self.meetings.keys())) else 1
        best: tuple[int, int] | None = None
        for rank, candidate in enumerate(candidates):
            rematches = sum(self.meetings[pair] for pair in self.paired(candidate))
            if best is None or rematches < best[0]:
                best = rematches, rank
            if rematches <= fewest:
                break
        return candidates[best[1]] if best is not None else None

    def paired(self, bye: int | None) -> list[Pair]:
        """Best pairs of all positions but the bye's, ascending."""
        kept = np.array([number for number in range(len(self.entrants)) if number != bye], np.int64)
        clashes = self.clashes
        if bye is not None:
            clashes = clashes[(clashes != bye).all(axis=1)]
            clashes = clashes - (clashes > bye)
        pairs: list[Pair] = []
        for segment in _segments(len(kept), clashes):
            pairs += self._best([int(kept[number]) for number in segment.members], segment.pairs, kept)
        return sorted(pairs)

    def _best(self, members: Sequence[int], possible: Sequence[Pair], kept: Ints) -> list[Pair]:
        if len(members) == 2:
            return [(members[0], members[1])]
        index = {member: node for node, member in enumerate(members)}
        levels = []
        for a, b in possible:
            pair = int(kept[a]), int(kept[b])
            apart = int(pair in self.apart)
            gap = (self.places[pair[1]] - self.places[pair[0]]) ** 2
            strict = self.options.avoid_mode is AvoidMode.STRICT
            levels.append((pair, (self.meetings[pair], *((apart, gap) if strict else (gap, apart)))))
        tables = len(members) // 2
        most = [tables * max(costs[level] for _, costs in levels) + 1 for level in range(3)]
        weights = [(costs[0] * most[1] + costs[1]) * most[2] + costs[2] for _, costs in levels]
        ceiling = max(weights)
        graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from([None] * len(members))
        graph.add_edges_from(
            [
                (index[pair[0]], index[pair[1]], ceiling - weight)
                for (pair, _), weight in zip(levels, weights, strict=True)
            ]
        )
        matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
        return [_ordered(members[a], members[b]) for a, b in matching]

    def cost(self, pairs: Sequence[Pair], bye: int | None) -> PairingCost:
        receiver = self.entrants[bye] if bye is not None else None
        return PairingCost(
            rematches=sum(self.meetings[pair] for pair in pairs),
            bye_earlier_byes=receiver.byes if receiver else 0,
            bye_points=receiver.points if receiver else 0,
            avoided=sum(pair in self.apart for pair in pairs),
            score_gap=sum((self.places[a] - self.places[b]) ** 2 for a, b in pairs),
        )


@dataclass(frozen=True, slots=True)
class _Segment:
    """``members`` are paired among themselves, by some of the ``pairs``."""

    members: range
    pairs: list[Pair]


def _segments(count: int, clashes: Ints) -> Iterator[_Segment]:
    """The line 0..count - 1 cut wherever no pair of a best round can cross."""
    possible = _possible_pairs(count, clashes)
    clashing = barred_by([(a, b) for a, b in clashes.tolist()])
    crossing = np.zeros(count + 1, np.int64)
    np.add.at(crossing, possible[:, 0] + 1, 1)
    np.add.at(crossing, possible[:, 1] + 1, -1)
    crossing = np.cumsum(crossing)
    rows = possible.tolist()
    first_row = np.searchsorted(possible[:, 0], np.arange(count + 1)).tolist()
    longest = int((possible[:, 1] - possible[:, 0]).max(initial=1))
    start = 0
    for line in range(2, count + 1, 2):
        near = rows[first_row[max(line - longest, 0)] : first_row[line]] if crossing[line] > 1 else []
        if _may_cross([(a, b) for a, b in near if b >= line], clashing):
            continue
        inside = rows[first_row[start] : first_row[line]]
        yield _Segment(range(start, line), [(a, b) for a, b in inside if b < line])
        start = line


def _may_cross(pairs: Sequence[Pair], clashing: Mapping[int, set[int]]) -> bool:
    """Whether two of the pairs over a line may be in one best round: a clash forbids to pair their ends instead."""
    lower: dict[int, set[int]] = {}
    upper: dict[int, set[int]] = {}
    for a, b in pairs:
        lower.setdefault(a, set()).add(b)
        upper.setdefault(b, set()).add(a)
    for ends in (lower, upper):
        for end, partners in ends.items():
            for other in clashing.get(end, set()) & ends.keys():
                if len(partners | ends[other]) > 1:
                    return True
    return False


def _possible_pairs(count: int, clashes: Ints) -> Ints:
    """Pairs (a, b), a < b, with at most as many players between them as a and b have clashes; ascending.

    Only clashes within reach count (of a with somebody between, of b with the partner of somebody between), and fewer
    clashes shorten the reach: so until nothing changes.
    """
    reach = np.full(count, count, np.int64)
    distance = clashes[:, 1] - clashes[:, 0]
    while True:
        near = clashes[distance <= np.maximum(reach[clashes[:, 0]], reach[clashes[:, 1]])]
        degree = np.bincount(near.ravel(), minlength=count)
        shorter = np.zeros(count, np.int64)
        found = []
        for step in range(1, min(2 * int(degree.max(initial=0)) + 1, count - 1) + 1):
            starts = np.flatnonzero(degree[:-step] + degree[step:] >= step - 1)
            shorter[starts] = step
            shorter[starts + step] = step
            found.append(np.column_stack((starts, starts + step)))
        if np.array_equal(shorter, reach):
            break
        reach = shorter
    pairs = np.concatenate(found) if found else np.zeros((0, 2), np.int64)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def _ordered(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)


@dataclass(frozen=True, slots=True)
class _Places:
    """Why these two meet, by their places in the standings."""

    line: _Line
    chosen: tuple[Pair, ...]
    bye: int | None
    fewest: int

    def pairs(self) -> tuple[PlannedPair, ...]:
        return tuple(PlannedPair(*self.line.ids_of(pair), self._reasons(pair)) for pair in self.chosen)

    def _reasons(self, pair: Pair) -> tuple[Reason, ...]:
        line = self.line
        reasons = [Reason("by_standing", {"place": line.places[pair[0]], "opponent_place": line.places[pair[1]]})]
        if line.meetings[pair]:
            reasons.append(Reason("rematch_unavoidable", {"meetings": line.meetings[pair], "fewest": self.fewest}))
        if pair in line.apart:
            reasons.append(Reason("kept_apart_not_possible", {"mode": str(line.options.avoid_mode)}))
        return tuple(reasons)

    def bye_reasons(self) -> tuple[Reason, ...]:
        if self.bye is None:
            return ()
        line, receiver = self.line, self.line.entrants[self.bye]
        facts = {"place": line.places[self.bye], "earlier_byes": receiver.byes}
        passed_over = sum(line.bye_key(other) < line.bye_key(self.bye) for other in range(len(line.entrants)))
        if passed_over:
            return (Reason("other_bye_would_force_rematch", {**facts, "passed_over": passed_over}),)
        if receiver.byes:
            return (Reason("everyone_had_bye", facts),)
        below = len(line.entrants) - 1 - self.bye
        if below:
            return (Reason("lowest_place_without_bye", {**facts, "lower_with_bye": below}),)
        return (Reason("lowest_place", facts),)
