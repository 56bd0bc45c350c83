"""The best pairing of a field by one maximum-weight matching on its complete graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


def pair_exactly(field: Field, rng: Stream) -> tuple[list[Pair], int | None]:
    """Positions of the pairs, and of the bye in an odd field. Exact; ties are broken by ``rng``."""
    count = len(field)
    if count < 2:
        return [], 0 if count else None
    odd = count % 2
    tables = (count + odd) // 2
    strict = field.options.avoid_mode is AvoidMode.STRICT
    costs = [(a, b, *field.pair_cost(a, b)) for a in range(count) for b in range(a + 1, count)]
    unit = field.unit * field.unit
    bye_order = {key: rank for rank, key in enumerate(sorted(set(field.bye_keys)))}
    most_met, most_apart, most_gap, most_floats = (max(cost[level] for cost in costs) for level in range(2, 6))
    # rematches, bye, strict avoidance, gap, soft avoidance, floats, random
    order = [1, 0, 2, 3, 4, 5, 6] if field.options.bye_before_rematch else [0, 1, 2, 3, 4, 5, 6]
    largest = [
        tables * most_met,
        len(bye_order),
        tables * most_apart * strict,
        tables * (most_gap // unit),
        tables * most_apart * (not strict),
        tables * most_floats,
        tables << RANDOM_BITS,
    ]
    pack = pack_levels([largest[level] for level in order])

    def weigh(met: int, bye: int, apart: int, gap: int, floats: int) -> int:
        draw = rng.below(1 << RANDOM_BITS)
        levels = (met, bye, apart * strict, gap // unit, apart * (not strict), floats, draw)
        return pack([levels[level] for level in order])

    edges = [(a, b, weigh(met, 0, apart, gap, floats)) for a, b, met, apart, gap, floats in costs]
    if odd:
        edges += [(place, count, weigh(0, bye_order[field.bye_keys[place]], 0, 0, 0)) for place in range(count)]
    matching = best_matching(count + odd, edges)
    pairs = [pair for pair in matching if pair[1] < count]
    byes = [a for a, b in matching if b == count]
    return pairs, byes[0] if byes else None
