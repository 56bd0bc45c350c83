"""How little any repair of a large field can cost: a bound that shows that a found one is the best.

Compare an arrangement with the round as it stands: the tables broken up and the new pairs form chains. A chain through
tables that cost nothing only is no gain, so every chain that matters begins and ends at a *terminal*: a single player
or a player of a table that costs something. Forget, for tables passed on the way, how many there are and who has met
whom; then only their points tell them apart, and the best repair of this easier round is one small matching of the
terminals, each edge the cheapest way from one to the other. The true one cannot cost less.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from events.engine.pairing import Entrant, PairingCost
from events.engine.repair_field import OpenField, Weights, least_matching

MOST_SCORES = 48
MOST_TERMINALS = 160


class Site(NamedTuple):
    """What of a player counts in a chain; for the free tables of a score, the best of their players in each respect."""

    points: int
    down: int
    up: int


class Bound:
    """``least_value`` for one field and any multipliers."""

    def __init__(self, field: OpenField, weights: Weights) -> None:
        self.field = field
        self.weights = weights
        entrants = field.ledger.entrants
        nothing = field.key(PairingCost())
        costs = {table: field.key(field.ledger.pair(*table.players)) for table in field.tables}
        costly = [table for table in field.tables if costs[table] != nothing]
        self.prices = {table.players: field.price(table) for table in costly}
        self.terminals = [*field.singles, *(player for table in costly for player in table.players)]
        self.sites = [_site([entrants[player]]) for player in self.terminals]
        free: dict[int, list[Entrant]] = {}
        self.tolls: dict[int, int] = {}
        for table in field.tables:
            if costs[table] == nothing:
                score = entrants[table.a].points
                free.setdefault(score, []).extend(entrants[player] for player in table.players)
                self.tolls[score] = min(self.tolls.get(score, field.price(table)), field.price(table))
        self.stops = {score: _site(players) for score, players in free.items()}
        self.byes = {
            score: weights.pack(
                field.key(PairingCost(bye_earlier_byes=min(one.byes for one in players), bye_points=score))
            )
            for score, players in free.items()
        }
        self.gap = weights.pack(field.key(PairingCost(score_gap=1)))
        self.float = weights.pack(field.key(PairingCost(repeated_floats=1)))
        self.small = (
            len(self.terminals) <= MOST_TERMINALS and len({one.points for one in entrants.values()}) <= MOST_SCORES
        )
        if self.small:
            self.direct = {
                pair: weights.pack(field.key(field.ledger.pair(*pair))) for pair in combinations(self.terminals, 2)
            }

    def least_value(self, for_cost: int, for_price: int) -> int | None:
        """What ``for_cost`` · cost + ``for_price`` · price is at least, for every arrangement of the field.

        None where it would take long: more than ``MOST_TERMINALS``, or ``MOST_SCORES`` different scores.
        """
        if not self.small:
            return None
        between = self._between(for_cost, for_price)
        leaving: dict[Site, dict[int, int]] = {}
        for site in set(self.sites):
            steps = {score: for_cost * self._step(site, stop) for score, stop in self.stops.items()}
            leaving[site] = {end: min(steps[first] + between[first][end] for first in steps) for end in steps}
        chains: dict[tuple[Site, Site], int | None] = {}
        edges = []
        for i, j in combinations(range(len(self.terminals)), 2):
            sites, pair = (self.sites[i], self.sites[j]), (self.terminals[i], self.terminals[j])
            if sites not in chains:
                out = leaving[sites[0]]
                ways = [out[end] + for_cost * self._step(stop, sites[1]) for end, stop in self.stops.items()]
                chains[sites] = min(ways, default=None)
            cost = for_cost * self.direct[pair] - for_price * self.prices.get(pair, 0)
            chain = chains[sites]
            edges.append((i, j, cost if chain is None else min(cost, chain)))
        if len(self.field.players) % 2:
            for i, player in enumerate(self.terminals):
                own = for_cost * self.weights.pack(self.field.key(self.field.ledger.bye(player)))
                ways = [cost + for_cost * self.byes[end] for end, cost in leaving[self.sites[i]].items()]
                edges.append((i, len(self.terminals), min([own, *ways])))
        value = {(i, j): cost for i, j, cost in edges}
        return sum(value[pair] for pair in least_matching(edges)) + for_price * sum(self.prices.values())

    def _step(self, a: Site, b: Site) -> int:
        """The least that a pair of players from these two sites costs."""
        gap = a.points - b.points
        if not gap:
            return 0
        floats = a.down + b.up if gap > 0 else b.down + a.up
        return self.gap * gap * gap + self.float * floats

    def _between(self, for_cost: int, for_price: int) -> dict[int, dict[int, int]]:
        """The cheapest chain of free tables from each score to each, the tolls of both ends paid."""
        toll = {score: for_price * price for score, price in self.tolls.items()}
        ways = {
            a: {b: toll[a] + for_cost * self._step(one, two) + toll[b] for b, two in self.stops.items()}
            for a, one in self.stops.items()
        }
        for score in toll:
            ways[score][score] = toll[score]
        for middle in toll:
            for a in toll:
                start = ways[a][middle] - toll[middle]
                ways[a] = {b: min(way, start + ways[middle][b]) for b, way in ways[a].items()}
        return ways


def _site(players: Iterable[Entrant]) -> Site:
    known = list(players)
    return Site(known[0].points, min(player.paired_down for player in known), min(player.paired_up for player in known))
