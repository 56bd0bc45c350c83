"""The search behind a repair: which tables to break up, and whom to seat with whom, each choice proved where it can be.

The open tables and the single players (newcomers, the bye, who lost the opponent) form one graph. Every arrangement
is a perfect matching of it; it has a *price* (tables broken up, those in play dearest) and a cost as a pairing. Wanted
are the arrangements that no other beats in both. Up to ``ENUMERATED`` tables every set of broken tables is tried;
above, the ends and a few corners of the lower convex hull of (price, cost) are found by matchings with a multiplier.
Each is exact by the argument of Lagrange: something better at its price would lie below the hull. A field too large
for one graph is searched in a kernel, and ``Bound`` says what the tables outside it could add.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from cards.engine.streams import Stream
from events.engine.pairing import Pair, PairingCost
from events.engine.repair_field import OpenField, Weights, least_matching
from events.engine.repair_proof import Bound

ENUMERATED = 7
"""Open tables up to which every set of them is tried (128 small matchings)."""

WHOLE_UP_TO = 100
"""Players up to whom the graph is the whole open field (4 ms a matching); above it is a kernel of as many."""

CORNERS_BETWEEN = 3
"""Corners of the hull that are offered between its two ends."""

_DRAW_BITS = 12


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Everybody of the open field once: ``pairs`` with the kept ones, as ids. ``proved``: nothing of this price or less
    pairs better, and nothing that pairs as well has a lower price."""

    pairs: tuple[Pair, ...]
    bye: int | None
    price: int
    cost: tuple[int, ...]
    proved: bool


def frontier(field: OpenField, rng: Stream) -> list[Arrangement]:
    """Arrangements by rising price and falling cost; the first breaks up nothing. Empty for an empty field."""
    if not field.players:
        return []
    weights = Weights(field)
    whole = len(field.players) <= WHOLE_UP_TO
    part = field if whole else _kernel(field, rng)
    if not part.players:
        return [_arrangement(field, (), None, proved=True)]
    graph = _Graph(part, weights, rng)
    if whole and len(field.tables) <= ENUMERATED:
        found = [_arrangement(field, pairs, bye, proved=True) for pairs, bye in graph.enumerated()]
    else:
        found = _hull(field, graph)
    best: list[Arrangement] = []
    for arrangement in sorted(found, key=lambda one: (one.price, one.cost)):
        if not best or arrangement.cost < best[-1].cost:
            best.append(arrangement)
    return best


def _arrangement(field: OpenField, pairs: tuple[Pair, ...], bye: int | None, *, proved: bool) -> Arrangement:
    """With the tables of the field that ``pairs`` leave alone."""
    seated = {player for pair in pairs for player in pair} | {bye}
    pairs += tuple(table.players for table in field.tables if table.a not in seated and table.b not in seated)
    return Arrangement(pairs, bye, field.price_of(pairs), field.key(field.ledger.total(pairs, bye)), proved)


def _hull(field: OpenField, graph: _Graph) -> list[Arrangement]:
    """Both ends and some corners of the lower convex hull of (price, cost), the deepest first."""
    weights = graph.weights
    bound = Bound(field, weights)

    def corner(for_cost: int, for_price: int) -> Arrangement:
        found = _arrangement(field, *graph.match(for_cost, for_price), proved=False)
        if graph.field is field or found.price == 0:
            # The whole field, or the single players by themselves: the matching itself is the proof.
            return replace(found, proved=True)
        least = bound.least_value(for_cost, for_price)
        return replace(found, proved=least == value(found, for_cost, for_price))

    def value(one: Arrangement, for_cost: int, for_price: int) -> int:
        return for_cost * weights.pack(one.cost) + for_price * one.price

    first = corner(1, weights.top)
    last = corner(weights.all_prices + 1, 1)
    corners = [first, last]
    gaps = [(first, last)]
    while gaps and len(corners) < CORNERS_BETWEEN + 2:
        left, right = gaps.pop(0)
        run, fall = right.price - left.price, weights.pack(left.cost) - weights.pack(right.cost)
        if run < 2 or fall <= 0 or not weights.fits(run, fall):
            continue
        between = corner(run, fall)
        if value(between, run, fall) < value(left, run, fall):
            corners.append(between)
            gaps += [(left, between), (between, right)]
    return corners


def _kernel(field: OpenField, rng: Stream) -> OpenField:
    """The part of a large field where a repair can gain: the single players, tables that cost something, and a few
    tables of every score between, drawn so that nobody is always the one to be moved."""
    points = {player: field.ledger.entrants[player].points for player in field.players}
    nothing = field.key(PairingCost())
    costs = {table.number: field.key(field.ledger.pair(*table.players)) for table in field.tables}
    room = (WHOLE_UP_TO - len(field.singles)) // 2
    bad = sorted(
        (table for table in field.tables if costs[table.number] != nothing), key=lambda table: costs[table.number]
    )[::-1][: room * 2 // 3]
    scores = sorted({points[player] for table in bad for player in table.players} | {points[p] for p in field.singles})
    chosen = {table.number: table for table in bad}
    rest = [table for table in rng.shuffled(field.tables) if table.number not in chosen]
    rest.sort(key=lambda table: table.number in field.dear)
    span = sorted({points[p] for p in field.players if scores and scores[0] <= points[p] <= scores[-1]})
    by_score = {score: [table for table in rest if score in (points[table.a], points[table.b])] for score in span}
    while len(chosen) < room and any(by_score.values()):
        for score in span:
            if by_score[score] and len(chosen) < room:
                table = by_score[score].pop(0)
                chosen[table.number] = table
    tables = tuple(table for table in field.tables if table.number in chosen)
    return replace(field, tables=tables)


class _Graph:
    """The complete graph of an open field, with costs packed into whole numbers."""

    def __init__(self, field: OpenField, weights: Weights, rng: Stream) -> None:
        self.field = field
        self.weights = weights
        self.players = field.players
        self.dummy = len(self.players)
        partner = {player: table for table in field.tables for player in table.players}
        low = (len(self.players) + 1).bit_length() + _DRAW_BITS
        self.tie_bits = low + (2 * len(self.players) + 2).bit_length()
        # A row: ends, packed cost, what keeping it saves of the price, and what breaks ties (moved, then the draw).
        self.rows: list[tuple[int, int, int, int, int]] = []
        count = self.dummy * (self.dummy + 1) // 2
        draws = iter((rng.words(count) >> np.uint64(64 - _DRAW_BITS)).tolist())
        for i, j in combinations(range(self.dummy), 2):
            a, b = self.players[i], self.players[j]
            kept = a in partner and partner[a] is partner.get(b)
            saves, moved = (field.price(partner[a]), 0) if kept else (0, 2)
            cost = weights.pack(field.key(field.ledger.pair(a, b)))
            self.rows.append((i, j, cost, saves, (moved << low) + next(draws)))
        if self.dummy % 2:
            for i, player in enumerate(self.players):
                cost = weights.pack(field.key(field.ledger.bye(player)))
                self.rows.append((i, self.dummy, cost, 0, (int(player != field.bye) << low) + next(draws)))

    def enumerated(self) -> Iterator[tuple[tuple[Pair, ...], int | None]]:
        """The best of every set of broken tables. What seats a broken table again comes up with a smaller set, too."""
        for size in range(len(self.field.tables) + 1):
            for broken in combinations(self.field.tables, size):
                free = {*self.field.singles, *(player for table in broken for player in table.players)}
                nodes = {i for i, player in enumerate(self.players) if player in free} | {self.dummy}
                yield self._matched([row for row in self.rows if row[0] in nodes and row[1] in nodes], 1, 0)

    def match(self, for_cost: int, for_price: int) -> tuple[tuple[Pair, ...], int | None]:
        """The pairs and the bye with the least ``for_cost`` · cost + ``for_price`` · price, then the fewest moved."""
        return self._matched(self.rows, for_cost, for_price)

    def _matched(
        self, rows: Sequence[tuple[int, int, int, int, int]], for_cost: int, for_price: int
    ) -> tuple[tuple[Pair, ...], int | None]:
        ties = self.tie_bits if self.weights.fits(for_cost, for_price, self.tie_bits) else 0
        matching = least_matching(
            (i, j, ((for_cost * cost - for_price * saves) << ties) + (tie if ties else 0))
            for i, j, cost, saves, tie in rows
        )
        pairs = tuple((self.players[i], self.players[j]) for i, j in matching if j != self.dummy)
        return pairs, next((self.players[i] for i, j in matching if j == self.dummy), None)
