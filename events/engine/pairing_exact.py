"""The best pairing of a field by one maximum-weight matching on its complete graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import rustworkx

from cards.engine.streams import Stream
from events.engine.pairing_model import AvoidMode, Field, Pair

RANDOM_BITS = 14
# rustworkx computes with signed 128-bit weights and doubles them on the way.
_WEIGHT_BITS = 124


def pack_levels(levels: Sequence[int]) -> Callable[[Sequence[int]], int]:
    """A function that turns costs by level (most important first) into one number whose order is lexicographic,
    also for sums, when ``levels`` holds the largest sum that each level can reach."""
    scales: list[int] = []
    scale = 1
    for largest in reversed(levels):
        scales.append(scale)
        scale *= largest + 1
    if scale.bit_length() > _WEIGHT_BITS:
        raise ValueError(f"the field's costs need {scale.bit_length()} bits, the matching has {_WEIGHT_BITS}")
    scales.reverse()

    def pack(costs: Sequence[int]) -> int:
        return sum(cost * scale for cost, scale in zip(costs, scales, strict=True))

    return pack


def best_matching(nodes: int, edges: Sequence[tuple[int, int, int]]) -> list[Pair]:
    """Perfect matching of least total cost; ``edges`` are (a, b, cost). Fewer pairs only where none is perfect."""
    if not edges:
        return []
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * nodes)
    ceiling = max(cost for _, _, cost in edges)
    graph.add_edges_from([(a, b, ceiling - cost) for a, b, cost in edges])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in matching)


@dataclass(frozen=True, slots=True)
class Edge:
    """A possible pair of nodes ``a`` and ``b`` with its cost by level; ``gap`` is squared."""

    a: int
    b: int
    met: int
    apart: int
    gap: int
    floats: int


def match(
    field: Field,
    count: int,
    edges: Sequence[Edge],
    bye_keys: Sequence[tuple[int, int]] | None,
    rng: Stream | None,
) -> tuple[list[Pair], int | None]:
    """Best complete pairing of nodes 0..count - 1 that uses ``edges`` only, in the order of the field's options.

    With ``bye_keys`` (one per node, smaller is a better receiver) one node has the bye. Ties are broken by ``rng``.
    """
    tables = (count + 1) // 2
    strict = field.options.avoid_mode is AvoidMode.STRICT
    unit = field.unit * field.unit
    bye_order = {key: rank for rank, key in enumerate(sorted(set(bye_keys or ())))}
    # rematches, bye, strict avoidance, gap, soft avoidance, floats, random
    order = [1, 0, 2, 3, 4, 5, 6] if field.options.bye_before_rematch else [0, 1, 2, 3, 4, 5, 6]
    most_apart = max((edge.apart for edge in edges), default=0)
    largest = [
        tables * max((edge.met for edge in edges), default=0),
        len(bye_order),
        tables * most_apart * strict,
        tables * (max((edge.gap for edge in edges), default=0) // unit),
        tables * most_apart * (not strict),
        tables * max((edge.floats for edge in edges), default=0),
        tables << RANDOM_BITS,
    ]
    pack = pack_levels([largest[level] for level in order])

    def weigh(met: int, bye: int, apart: int, gap: int, floats: int) -> int:
        draw = rng.below(1 << RANDOM_BITS) if rng is not None else 0
        levels = (met, bye, apart * strict, gap // unit, apart * (not strict), floats, draw)
        return pack([levels[level] for level in order])

    weighed = [(edge.a, edge.b, weigh(edge.met, 0, edge.apart, edge.gap, edge.floats)) for edge in edges]
    if bye_keys is not None:
        weighed += [(node, count, weigh(0, bye_order[key], 0, 0, 0)) for node, key in enumerate(bye_keys)]
    matching = best_matching(count + (bye_keys is not None), weighed)
    byes = [a for a, b in matching if b == count]
    return [pair for pair in matching if pair[1] < count], byes[0] if byes else None


def pair_exactly(field: Field, rng: Stream) -> tuple[list[Pair], int | None]:
    """Positions of the pairs, and of the bye in an odd field. Exact; cubic in the number of players."""
    count = len(field)
    edges = [Edge(a, b, *field.pair_cost(a, b)) for a in range(count) for b in range(a + 1, count)]
    return match(field, count, edges, field.bye_keys if count % 2 else None, rng)
