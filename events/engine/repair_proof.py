"""How little any repair of a large field can cost: a bound that shows that a found one is the best.

Compare an arrangement with the round as it stands: the tables broken up and the new pairs form chains. A chain through
tables that cost nothing only is no gain, so every chain that matters begins and ends at a *terminal*: a single player
or a player of a table that costs something. Forget, for tables passed on the way, how many there are and who has met
whom; then only their points tell them apart, and the best repair of this easier round is one small matching of the
terminals, each edge the cheapest way from one to the other. The true one cannot cost less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from events.engine.pairing import Entrant, PairingCost
from events.engine.repair_field import OpenField, Weights, least_matching

MOST_SCORES = 48
MOST_TERMINALS = 160

_MANY = 1 << 30


def least_value(field: OpenField, weights: Weights, for_cost: int, for_price: int) -> int | None:
    """What ``for_cost`` · cost + ``for_price`` · price is at least, for every arrangement of the field; None when that
    would take long (``MOST_SCORES`` different scores, ``MOST_TERMINALS``)."""
    nothing = field.key(PairingCost())
    costs = {table: field.key(field.ledger.pair(*table.players)) for table in field.tables}
    costly = [table for table in field.tables if costs[table] != nothing]
    terminals = [*field.singles, *(player for table in costly for player in table.players)]
    free = [table for table in field.tables if costs[table] == nothing]
    entrants = field.ledger.entrants
    if len(terminals) > MOST_TERMINALS or len({entrants[player].points for player in field.players}) > MOST_SCORES:
        return None
    stops: dict[int, _Stop] = {}
    for table in free:
        stop = stops.setdefault(
            entrants[table.a].points, _Stop(entrants[table.a].points, for_price * field.price(table))
        )
        stop.toll = min(stop.toll, for_price * field.price(table))
        for player in table.players:
            stop.down = min(stop.down, entrants[player].paired_down)
            stop.up = min(stop.up, entrants[player].paired_up)
            stop.byes = min(stop.byes, entrants[player].byes)

    def worth(cost: PairingCost) -> int:
        return for_cost * weights.pack(field.key(cost))

    def step(a: _Site | _Stop, b: _Site | _Stop) -> int:
        """The least that a pair of players from these two sites costs."""
        if a.points == b.points:
            return 0
        floats = a.down + b.up if a.points > b.points else b.down + a.up
        return worth(PairingCost(score_gap=(a.points - b.points) ** 2, repeated_floats=floats))

    sites = [_site(entrants[player]) for player in terminals]
    between = _between(stops, step)
    leaving = {
        site: {end: min(step(site, stop) + between[first][end] for first, stop in stops.items()) for end in stops}
        for site in set(sites)
    }
    arriving = {site: {end: step(stop, site) for end, stop in stops.items()} for site in set(sites)}
    kept = {
        table.players: worth(field.ledger.pair(*table.players)) - for_price * field.price(table) for table in costly
    }
    edges = []
    for i, j in combinations(range(len(terminals)), 2):
        out, back = leaving[sites[i]], arriving[sites[j]]
        ways = [out[end] + back[end] for end in stops]
        pair = terminals[i], terminals[j]
        edges.append((i, j, min([*ways, kept[pair] if pair in kept else worth(field.ledger.pair(*pair))])))
    if len(field.players) % 2:
        for i, player in enumerate(terminals):
            byes = {end: worth(PairingCost(bye_earlier_byes=stop.byes, bye_points=end)) for end, stop in stops.items()}
            ways = [leaving[sites[i]][end] + byes[end] for end in stops]
            edges.append((i, len(terminals), min([*ways, worth(field.ledger.bye(player))])))
    value = {(i, j): cost for i, j, cost in edges}
    return sum(value[pair] for pair in least_matching(edges)) + for_price * sum(field.price(table) for table in costly)


class _Site(NamedTuple):
    """What of a player counts in a chain."""

    points: int
    down: int
    up: int


@dataclass(slots=True)
class _Stop:
    """The free tables of a score, as good as the best of their players in each respect."""

    points: int
    toll: int
    down: int = _MANY
    up: int = _MANY
    byes: int = _MANY


def _site(entrant: Entrant) -> _Site:
    return _Site(entrant.points, entrant.paired_down, entrant.paired_up)


def _between(
    stops: Mapping[int, _Stop], step: Callable[[_Site | _Stop, _Site | _Stop], int]
) -> dict[int, dict[int, int]]:
    """The cheapest chain of free tables from each score to each, tolls of both ends paid."""
    ways = {a: {b: one.toll + step(one, two) + two.toll for b, two in stops.items()} for a, one in stops.items()}
    for score, stop in stops.items():
        ways[score][score] = stop.toll
    for middle, stop in stops.items():
        for a in stops:
            start = ways[a][middle] - stop.toll
            for b in stops:
                ways[a][b] = min(ways[a][b], start + ways[middle][b])
    return ways
