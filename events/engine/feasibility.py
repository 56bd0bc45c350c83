"""Whether a field can be paired at all when some players may not meet: yes or no, exactly."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet

import rustworkx

Barred = Mapping[int, AbstractSet[int]]
"""Whom a player may not meet. It holds both ways, and may name players who are not in the field."""

_NOBODY: frozenset[int] = frozenset()


def can_pair(players: Collection[int], barred: Barred, *, optional: AbstractSet[int] = _NOBODY, spare: int = 1) -> bool:
    """Whether all ``players`` but ``spare`` at most can be paired with nobody meeting whom he may not meet.

    The ``optional`` among them need not be paired, and are not counted; ``spare`` is at least 1, the bye. One
    maximum-weight matching, cubic in at most twice the players with a limit; near linear in the usual cases that need
    none: somebody whom nobody may meet, more players without a limit than with one, a greedy pairing that works out.
    """
    field = set(players)
    must = field - optional
    limits = _limits(field, barred)
    alone = {player for player, others in limits.items() if len(others) == len(field) - 1}
    if alone:
        field -= alone
        spare -= len(alone & must)
        must -= alone
        limits = _limits(field, limits)
    if spare < (len(must) % 2 if must == field else 0):
        return False
    # Everybody with a limit meets somebody without one, and those meet each other.
    if sum(player not in limits for player in must) >= len(limits) and (spare or len(field) % 2 == 0):
        return True
    return _left_over_by_greed(field, must, limits) <= spare or _fewest_left_over(field, must, limits) <= spare


def _limits(field: set[int], barred: Barred) -> dict[int, AbstractSet[int]]:
    """Barred opponents inside the field, of those players who have any."""
    limits = {player: (barred[player] & field) - {player} for player in field if player in barred}
    return {player: others for player, others in limits.items() if others}


def barred_by(pairs: Collection[tuple[int, int]]) -> dict[int, set[int]]:
    """Pairs that may not be, by player."""
    barred: dict[int, set[int]] = {}
    for a, b in pairs:
        barred.setdefault(a, set()).add(b)
        barred.setdefault(b, set()).add(a)
    return barred


def _left_over_by_greed(field: set[int], must: set[int], limits: Barred) -> int:
    """Whoever has the most limits is paired first, with whoever has the most of the others.

    Once nobody left has a limit with more than half of the others, all of them can be paired (Dirac's theorem).
    """
    waiting = dict.fromkeys(sorted(field, key=lambda player: (-len(limits.get(player, _NOBODY)), player)))
    left = 0
    for player in tuple(waiting):
        if player not in waiting:
            continue
        limit = limits.get(player, _NOBODY)
        if len(waiting) >= 2 * len(limit) + 2:
            return left + len(waiting) % 2
        del waiting[player]
        if player not in must:
            continue
        opponent = next((other for other in waiting if other not in limit), None)
        if opponent is None:
            left += 1
        else:
            del waiting[opponent]
    return left


def _fewest_left_over(field: set[int], must: set[int], limits: Barred) -> int:
    players = sorted(field)
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * len(players))
    edges = []
    for i, a in enumerate(players):
        limit = limits.get(a, _NOBODY)
        for j in range(i + 1, len(players)):
            b = players[j]
            if b not in limit:
                weight = (a in must) + (b in must)
                if weight:
                    edges.append((i, j, weight))
    graph.add_edges_from(edges)
    matched = rustworkx.max_weight_matching(graph, weight_fn=int)
    return len(must) - sum((players[i] in must) + (players[j] in must) for i, j in matched)
