"""Rounds inside a draft pod: across the table first, then by points, and by distance where points leave a choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import rustworkx

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.pairing_model import Pair, Reason

LARGEST_POD = 64
_LOT_BITS = 20


@dataclass(frozen=True, slots=True)
class PodMember:
    """A player of the pod who is still there; ``seat`` counts from 0 clockwise around the whole pod."""

    player: int
    seat: int
    points: int = 0
    byes: int = 0


@dataclass(frozen=True, slots=True)
class PodPair:
    """``apart`` counts the seats from one to the other, the short way."""

    a: int
    b: int
    apart: int
    rematch: bool
    gap: int

    @property
    def reason(self) -> Reason:
        """``pod`` with the distance at the table, the difference of points, and whether it is a rematch (0 or 1)."""
        return Reason("pod", {"apart": self.apart, "gap": self.gap, "rematch": int(self.rematch)})


@dataclass(frozen=True, slots=True)
class PodRound:
    pairs: tuple[PodPair, ...]
    bye: int | None = None


def pod_first_round(seats: Sequence[int], rng: Stream) -> tuple[tuple[Pair, ...], int | None]:
    """Players by seat, as far apart as the table lets them: exactly opposite in an even pod; in an odd one the bye is
    drawn first and everybody else plays across the gap it leaves."""
    playing = list(seats)
    bye = None
    if len(playing) % 2:
        drawn = rng.below(len(playing))
        bye = playing[drawn]
        playing = playing[drawn + 1 :] + playing[:drawn]
    half = len(playing) // 2
    return tuple(zip(playing[:half], playing[half:], strict=True)), bye


def pod_round(members: Sequence[PodMember], size: int, history: Sequence[Pair], rng: Stream) -> PodRound:
    """The best round of a pod of ``size`` seats, exactly: fewest earlier meetings; the bye of an odd pod to who had
    fewest, then to the fewest points; equal points, as the least sum of squared differences; far apart at the table, as
    the least sum of squared shortfalls from opposite; then by lot.

    ``history`` holds every earlier pair, in any order. Cubic in the members, a millisecond for twelve. Raises
    DomainError ``pods.too_few_players`` below two members; ``ValueError`` above 64, for a seat taken twice or outside.
    """
    seats = [member.seat for member in members]
    if len(set(seats)) != len(seats) or not all(0 <= seat < size for seat in seats) or size > LARGEST_POD:
        raise ValueError(f"{seats} are not different seats of a pod of {size}")
    if len(members) < 2:
        raise DomainError(
            "pods.too_few_players",
            "A round in a pod needs at least two players who are still there. Give a bye, or pair across pods.",
            {"players": len(members)},
        )
    placed = sorted(members, key=lambda member: member.seat)
    met = Counter(frozenset(pair) for pair in history)
    bye_rank = {key: rank for rank, key in enumerate(sorted({(member.byes, member.points) for member in placed}))}
    edges: list[tuple[int, int, tuple[int, ...]]] = []
    for a, one in enumerate(placed):
        for b in range(a + 1, len(placed)):
            other = placed[b]
            shortfall = size // 2 - _apart(one, other, size)
            gap = one.points - other.points
            levels = (met[frozenset((one.player, other.player))], 0, gap * gap, shortfall * shortfall)
            edges.append((a, b, (*levels, rng.below(1 << _LOT_BITS))))
        if len(placed) % 2:
            levels = (0, bye_rank[one.byes, one.points], 0, 0)
            edges.append((a, len(placed), (*levels, rng.below(1 << _LOT_BITS))))
    pairs: list[PodPair] = []
    bye = None
    for a, b in _least(edges, len(placed) + len(placed) % 2):
        if b == len(placed):
            bye = placed[a].player
            continue
        high, low = sorted((placed[a], placed[b]), key=lambda member: (-member.points, member.seat))
        rematch = frozenset((high.player, low.player)) in met
        pairs.append(PodPair(high.player, low.player, _apart(high, low, size), rematch, high.points - low.points))
    points_of = {member.player: member.points for member in placed}
    seat_of = {member.player: member.seat for member in placed}
    return PodRound(tuple(sorted(pairs, key=lambda pair: (-points_of[pair.a], seat_of[pair.a]))), bye)


def _apart(one: PodMember, other: PodMember, size: int) -> int:
    steps = abs(one.seat - other.seat)
    return min(steps, size - steps)


def _least(edges: Sequence[tuple[int, int, tuple[int, ...]]], nodes: int) -> list[Pair]:
    """The complete pairing of least cost. Each level is given room for its largest sum, so that none reaches into the
    one above."""
    room = [max(levels[index] for *_, levels in edges) * nodes + 1 for index in range(len(edges[0][2]))]
    costs = []
    for *_, levels in edges:
        cost = 0
        for level, width in zip(levels, room, strict=True):
            cost = cost * width + level
        costs.append(cost)
    ceiling = max(costs)
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(a, b, ceiling - cost) for (a, b, _), cost in zip(edges, costs, strict=True)])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in matching)
