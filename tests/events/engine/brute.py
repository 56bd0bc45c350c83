"""The least cost of a small field, from every pairing that there is: the slow answer that the fast one must equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from events.engine.pairing import AvoidMode, Entrant, Pair, PairingOptions

_BASE = 1 << 24


def least_cost(entrants: Sequence[Entrant], history: Sequence[Pair], options: PairingOptions) -> tuple[int, ...]:
    """Costs in the order of ``PairingCost.key``."""
    met = Counter(frozenset(pair) for pair in history)
    cost = {}
    for a, b in combinations(range(len(entrants)), 2):
        high, low = sorted((entrants[a], entrants[b]), key=lambda entrant: -entrant.points)
        gap = high.points - low.points
        apart = int(low.id in high.avoid or high.id in low.avoid)
        floats = high.paired_down + low.paired_up if gap else 0
        cost[a, b] = _number(options, met[frozenset((high.id, low.id))], (0, 0), apart, gap**2, floats)

    @cache
    def least(left: int, size: int) -> int:
        if not size:
            return 0
        first = (left & -left).bit_length() - 1
        rest = left ^ (1 << first)
        with_partner = (
            cost[first, other] + least(rest ^ (1 << other), size - 2)
            for other in range(first + 1, len(entrants))
            if rest >> other & 1
        )
        if size % 2 == 0:
            return min(with_partner)
        bye = _number(options, 0, (entrants[first].byes, entrants[first].points), 0, 0, 0) + least(rest, size - 1)
        return min([bye, *with_partner])

    return _levels(least((1 << len(entrants)) - 1, len(entrants)))


def complete_pairings(ids: Sequence[int]) -> Iterator[tuple[list[Pair], int | None]]:
    if len(ids) % 2:
        for bye in ids:
            rest = [player for player in ids if player != bye]
            yield from ((pairs, bye) for pairs, _ in complete_pairings(rest))
    elif not ids:
        yield [], None
    else:
        first, *others = ids
        for other in others:
            rest = [player for player in others if player != other]
            for pairs, _ in complete_pairings(rest):
                yield [(first, other), *pairs], None


def fewest_rematches(ids: Sequence[int], history: Sequence[Pair]) -> int:
    meetings = [frozenset(pair) for pair in history]
    return min(sum(meetings.count(frozenset(pair)) for pair in pairs) for pairs, _ in complete_pairings(sorted(ids)))


def _number(options: PairingOptions, met: int, bye: tuple[int, int], apart: int, gap: int, floats: int) -> int:
    """The levels as digits of one number."""
    first = (*bye, met) if options.bye_before_rematch else (met, *bye)
    strict = options.avoid_mode is AvoidMode.STRICT
    number = 0
    for level in (*first, *((apart, gap) if strict else (gap, apart)), floats):
        number = number * _BASE + level
    return number


def _levels(number: int) -> tuple[int, ...]:
    return tuple(number // _BASE**place % _BASE for place in range(5, -1, -1))
