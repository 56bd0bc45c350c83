"""The part of a round that a repair may rearrange, and its costs as whole numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import rustworkx

from events.engine.pairing import Pair, PairingCost
from events.engine.repair_model import Ledger, RoundTable

# rustworkx computes with signed 128-bit weights and doubles them on the way.
_WEIGHT_BITS = 124


@dataclass(frozen=True, slots=True)
class OpenField:
    """Tables that may be broken up and single players without one.

    ``bye`` is the holder as the round stands, one of the singles; ``dear`` are the numbers of tables that cost
    ``dear_price`` to break up, where others cost 1.
    """

    ledger: Ledger
    tables: tuple[RoundTable, ...]
    singles: tuple[int, ...]
    bye: int | None
    dear: frozenset[int] = frozenset()
    dear_price: int = 1

    @property
    def players(self) -> tuple[int, ...]:
        return (*self.singles, *(player for table in self.tables for player in table.players))

    def price(self, table: RoundTable) -> int:
        return self.dear_price if table.number in self.dear else 1

    def price_of(self, pairs: Iterable[Pair]) -> int:
        """What the tables that are not among ``pairs`` cost to break up."""
        kept = {frozenset(pair) for pair in pairs}
        return sum(self.price(table) for table in self.tables if frozenset(table.players) not in kept)

    def key(self, cost: PairingCost) -> tuple[int, ...]:
        return cost.key(self.ledger.options)


class Weights:
    """Costs by level as one number, in the order of the levels for every sum that a pairing of the field can reach."""

    def __init__(self, field: OpenField) -> None:
        entrants = [field.ledger.entrants[player] for player in field.players]
        pairs = len(entrants) // 2 + 1
        points = [entrant.points for entrant in entrants]
        floats = max(entrant.paired_down for entrant in entrants) + max(entrant.paired_up for entrant in entrants)
        most = field.key(
            PairingCost(
                rematches=pairs * field.ledger.most_meetings,
                bye_earlier_byes=max(entrant.byes for entrant in entrants),
                bye_points=max(points),
                avoided=pairs,
                score_gap=pairs * (max(points) - min(points)) ** 2,
                repeated_floats=pairs * floats,
            )
        )
        self._scales = [1]
        for largest in reversed(most[1:]):
            self._scales.append(self._scales[-1] * (largest + 1))
        self._scales.reverse()
        self.top = 1 + self.pack(most)
        """More than any pairing costs."""
        self.all_prices = sum(field.price(table) for table in field.tables)

    def pack(self, cost: Sequence[int]) -> int:
        return sum(value * scale for value, scale in zip(cost, self._scales, strict=True))

    def fits(self, for_cost: int, for_price: int, spare_bits: int = 0) -> bool:
        """Whether a matching can compute with these multipliers."""
        largest = for_cost * self.top + for_price * (self.all_prices + 1)
        return largest.bit_length() + spare_bits <= _WEIGHT_BITS


def least_matching(edges: Iterable[tuple[int, int, int]]) -> list[Pair]:
    """The perfect matching of least total cost of the graph that ``edges`` (a, b, cost) make; ends ascending."""
    weighed = list(edges)
    if not weighed:
        return []
    ceiling = max(cost for _, _, cost in weighed)
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * (1 + max(max(a, b) for a, b, _ in weighed)))
    graph.add_edges_from([(a, b, ceiling - cost) for a, b, cost in weighed])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(min(pair), max(pair)) for pair in matching]
