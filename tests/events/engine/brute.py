"""Every pairing of a small field, tried one by one: the slow answer that the fast one must equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from events.engine.pairing import AvoidMode, Entrant, Pair, PairingOptions


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


def least_cost(entrants: Sequence[Entrant], history: Sequence[Pair], options: PairingOptions) -> tuple[int, ...]:
    by_id = {entrant.id: entrant for entrant in entrants}
    meetings = [frozenset(pair) for pair in history]
    table = {}
    for x, y in combinations(by_id.values(), 2):
        high, low = (x, y) if x.points >= y.points else (y, x)
        gap = high.points - low.points
        table[frozenset((x.id, y.id))] = (
            meetings.count(frozenset((x.id, y.id))),
            int(y.id in x.avoid or x.id in y.avoid),
            gap**2,
            high.paired_down + low.paired_up if gap else 0,
        )

    def key(pairs: list[Pair], bye: int | None) -> tuple[int, ...]:
        rows = [table[frozenset(pair)] for pair in pairs]
        rematches, avoided, gap, floats = (sum(row[level] for row in rows) for level in range(4))
        receiver = (by_id[bye].byes, by_id[bye].points) if bye is not None else (0, 0)
        first = (*receiver, rematches) if options.bye_before_rematch else (rematches, *receiver)
        if options.avoid_mode is AvoidMode.STRICT:
            return (*first, avoided, gap, floats)
        return (*first, gap, avoided, floats)

    return min(key(pairs, bye) for pairs, bye in complete_pairings(sorted(by_id)))


def fewest_rematches(ids: Sequence[int], history: Sequence[Pair]) -> int:
    meetings = [frozenset(pair) for pair in history]
    return min(sum(meetings.count(frozenset(pair)) for pair in pairs) for pairs, _ in complete_pairings(sorted(ids)))
