"""The whole field as one matching, rematches and every bye included: for small fields, and when all else fails."""

from __future__ import annotations

import numpy as np

from cards.engine.streams import Stream
from events.engine.pairing_columns import Ints
from events.engine.pairing_field import Field
from events.engine.pairing_matching import best_matching, draws, packed

MOST_EDGES = 150_000


def pair_whole(field: Field, rng: Stream) -> tuple[Ints, int | None, bool]:
    """Positions of the pairs, (k, 2), of the bye in an odd field, and whether no pairing is better.

    Exact up to some 550 players (seconds); beyond only near neighbours are tried, which is complete all the same.
    """
    count = len(field)
    if count < 2:
        return np.empty((0, 2), np.int64), 0 if count else None, True
    reach = count if count * (count - 1) // 2 <= MOST_EDGES else MOST_EDGES // count
    a, b = (
        np.concatenate(one)
        for one in zip(*(_at_distance(count, d) for d in range(1, min(reach, count - 1) + 1)), strict=True)
    )
    gap = field.score[a] - field.score[b]
    apart = field.apart(a, b).astype(np.int64)
    none = np.zeros(len(a), np.int64)
    floats = (field.down[a] + field.up[b]) * (gap != 0)
    rematch, bye, strict, soft = field.meetings(a, b), none, apart * field.strict, apart * (not field.strict)
    levels = [rematch, bye, strict, gap**2, soft, floats]
    if count % 2:
        _, rank = np.unique(np.stack((field.byes, field.score)), axis=1, return_inverse=True)
        everybody = np.zeros(count, np.int64)
        levels = [np.concatenate((level, everybody)) for level in levels]
        levels[1][-count:] = rank
        a, b = np.concatenate((a, np.arange(count))), np.concatenate((b, np.full(count, count)))
    if field.options.bye_before_rematch:
        levels[:2] = levels[1::-1]
    nodes = count + count % 2
    mate = best_matching(nodes, a, b, packed(levels, draws(rng, len(a)), nodes // 2))
    high = np.flatnonzero(mate[:count] > np.arange(count))
    high = high[mate[high] < count]
    return np.stack((high, mate[high]), axis=1), int(mate[count]) if count % 2 else None, reach >= count


def _at_distance(count: int, distance: int) -> tuple[Ints, Ints]:
    higher = np.arange(count - distance)
    return higher, higher + distance
