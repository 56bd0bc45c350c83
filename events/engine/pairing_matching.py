"""Complete pairings of least cost: one blossom matching on the few pairs that can be in one.

**Order.** The costs of a pair, most important first, are packed into one whole number wide enough that sums never run
into each other; the lowest bits are drawn by lot. They make the best pairing unique but for a chance of about one in
2^32 for each pair looked at, so that it is the stream that decides between equals, not the matching's inner order.

**Few pairs.** With scores in descending order x0, x1, ... and nobody who clashes, the least sum of squared gaps is that
of neighbours, x0 x1, x2 x3, ... (crossing or nested pairs only cost more). What it comes to when a certain pair is
forced is the same sum over the rest, found from running totals. The *excess* of a pair is that sum less the least one.
A pairing that exceeds the least sum by no more than e holds no pair of more excess; so once one is found among the
pairs of excess up to e, whose own excess is at most e, none outside can be better.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import rustworkx

from cards.engine.streams import Stream
from events.engine.pairing_columns import Ints

RANDOM_BITS = 32
# rustworkx computes with signed 128-bit weights and doubles them on the way.
_WEIGHT_BITS = 122
_WORD_BITS = 62


def draws(rng: Stream, count: int, bits: int = RANDOM_BITS) -> Ints:
    """``count`` numbers of so many bits."""
    return (rng.words(count) >> np.uint64(64 - bits)).astype(np.int64) if bits else np.zeros(count, np.int64)


def packed(levels: Sequence[Ints], lots: Ints, pairs: int) -> list[int]:
    """One number per edge whose order, also of sums over ``pairs`` edges, is that of ``levels`` (most important first,
    none negative), then of ``lots``. Raises ``ValueError`` when the levels alone leave no room."""
    widths = [(int(level.max(initial=0)) * pairs).bit_length() for level in levels]
    for_lots = min(RANDOM_BITS, _WEIGHT_BITS - sum(widths) - pairs.bit_length())
    if for_lots < 0:
        raise ValueError(f"the field's costs need {sum(widths) + pairs.bit_length()} bits, there are {_WEIGHT_BITS}")
    words: list[tuple[Ints, int]] = []
    for level, width in zip(
        [*levels, lots >> (RANDOM_BITS - for_lots)], [*widths, for_lots + pairs.bit_length()], strict=True
    ):
        if words and words[-1][1] + width <= _WORD_BITS:
            words[-1] = (words[-1][0] << width | level, words[-1][1] + width)
        else:
            words.append((level, width))
    numbers: list[int] = words[0][0].tolist()
    for word, width in words[1:]:
        numbers = [number << width | low for number, low in zip(numbers, word.tolist(), strict=True)]
    return numbers


def best_matching(nodes: int, a: Ints, b: Ints, costs: Sequence[int]) -> Ints:
    """For each node its partner in a matching of most edges (a[i], b[i]), of least cost among those; -1 for none."""
    mate = np.full(nodes, -1, np.int64)
    if not len(a):
        return mate
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * nodes)
    ceiling = max(costs)
    graph.add_edges_from(list(zip(a.tolist(), b.tolist(), [ceiling - cost for cost in costs], strict=True)))
    for x, y in rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int):
        mate[x], mate[y] = y, x
    return mate


class Neighbours:
    """Pairs of an even number of descending scores by excess."""

    def __init__(self, scores: Ints) -> None:
        self.scores = scores
        squares = np.diff(scores) ** 2
        even = np.arange(len(squares)) % 2 == 0
        self._even = np.concatenate(([0], np.cumsum(squares * even)))
        self._odd = np.concatenate(([0], np.cumsum(squares * ~even)))
        self.least = int(self._even[-1])
        self.most = int((scores[0] - scores[-1]) ** 2) * len(scores)
        self.step = int(squares[squares > 0].min(initial=np.iinfo(np.int64).max)) if squares.any() else 0

    def excess(self, a: Ints, b: Ints) -> Ints:
        """Excess of the pairs of indexes ``a`` < ``b``."""
        x, last = self.scores, len(self.scores) - 1
        inner = np.maximum(b - 1, a + 1)
        total = self._even[np.maximum(a - 1, 0)] + self._odd[inner] - self._odd[a + 1]
        total += self._even[last] - self._even[np.minimum(b + 1, last)] + (x[a] - x[b]) ** 2
        over_a, over_b = a % 2 == 1, b % 2 == 0
        adjacent = (b == a + 1) & over_a
        after_a = np.where(adjacent, np.minimum(b + 1, last), np.minimum(a + 1, last))
        total += over_a * (x[np.maximum(a - 1, 0)] - x[after_a]) ** 2
        total += (over_b & ~adjacent) * (x[np.maximum(b - 1, 0)] - x[np.minimum(b + 1, last)]) ** 2
        found: Ints = total - self.least
        return found

    def within(self, excess: int, most: int) -> tuple[Ints, Ints, bool]:
        """Pairs of at most this excess, the near ones first, and whether these are all: no more are sought beyond
        ``most``. From distance 2 on the excess only grows when the lower partner moves down by two (undo the crossing),
        so each parity of the distance is followed until it exceeds."""
        count = len(self.scores)
        alive = [np.arange(count), np.arange(count)]
        found: list[tuple[Ints, Ints]] = []
        total = 0
        for distance in range(1, count):
            if not len(alive[0]) and not len(alive[1]) or total > most:
                break
            a = alive[distance % 2]
            a = a[a + distance < count]
            a = a[self.excess(a, a + distance) <= excess]
            if distance > 1:
                alive[distance % 2] = a
            found.append((a, a + distance))
            total += len(a)
        return np.concatenate([a for a, _ in found]), np.concatenate([b for _, b in found]), total <= most
