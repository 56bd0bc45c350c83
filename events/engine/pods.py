"""Draft pods: how many of which size, who sits in which, and where."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from cards.engine.streams import Stream
from config.errors import DomainError

SIZES_SOURCE = "house setting"

_Split = tuple[int, int, int, int]
"""Odd pods, squared distances from the target, pods, size of the last pod"""


@dataclass(frozen=True, slots=True)
class PodPlan:
    """Sizes, largest first. ``odd`` pods have a bye in every round; ``short`` says that some pod had to be smaller than
    asked for."""

    sizes: tuple[int, ...]
    odd: int
    short: bool = False


def pod_sizes(players: int, *, target: int = 8, smallest: int = 4, largest: int | None = None) -> PodPlan:
    """Pods for a field (house setting): the fewest odd pods, then sizes nearest to ``target`` by least squares, then
    the fewest pods. ``largest`` defaults to ``target``. With ``smallest`` 6 and ``largest`` 11 these are the pods that
    are commonly published for 8 to 24 players, but for 21, where 8 + 7 + 6 has as many odd pods as 11 + 10 and sizes
    nearer to 8.

    Where no split into ``smallest`` or more exists (2 players, or 7 in pods of at most 6 and at least 4), smaller pods
    are used and ``short`` is set. Raises DomainError ``pods.too_few_players`` below two.
    """
    largest = target if largest is None else largest
    if players < 2:
        raise DomainError(
            "pods.too_few_players", "A pod needs at least two players. Wait for more.", {"players": players}
        )
    if not 2 <= smallest <= largest:
        raise ValueError(f"pods of {smallest} to {largest} players cannot be")
    for least in range(smallest, 1, -1):
        sizes = _split(players, range(least, largest + 1), target)
        if sizes is not None:
            return PodPlan(sizes, sum(size % 2 for size in sizes), short=least < smallest)
    raise DomainError(
        "pods.cannot_split",
        f"{players} players cannot be split into pods of 2 to {largest}. Allow larger pods.",
        {"players": players, "largest": largest},
    )


def _split(players: int, allowed: Collection[int], target: int) -> tuple[int, ...] | None:
    best: list[_Split | None] = [None] * (players + 1)
    best[0] = (0, 0, 0, 0)
    for total in range(1, players + 1):
        for size in allowed:
            before = best[total - size] if size <= total else None
            if before is None:
                continue
            odd, squares, pods, _ = before
            plan = (odd + size % 2, squares + (size - target) ** 2, pods + 1, size)
            known = best[total]
            if known is None or plan < known:
                best[total] = plan
    sizes: list[int] = []
    left = players
    while left:
        plan_here = best[left]
        if plan_here is None:
            return None
        sizes.append(plan_here[3])
        left -= plan_here[3]
    return tuple(sorted(sizes, reverse=True))


def draw_pods(players: Collection[int], sizes: Sequence[int], rng: Stream) -> tuple[tuple[int, ...], ...]:
    """Players of each pod by lot (stream ``fairness.pods_label``), each pod in ascending order of id: who is in a pod
    is drawn here, where they sit by ``draw_seats``. Independent of the order of ``players``."""
    if sum(sizes) != len(players):
        raise ValueError(f"{sum(sizes)} seats for {len(players)} players")
    drawn = rng.shuffled(sorted(players))
    pods = []
    for size in sizes:
        pods.append(tuple(sorted(drawn[:size])))
        drawn = drawn[size:]
    return tuple(pods)


def draw_seats(pod: Collection[int], rng: Stream) -> tuple[int, ...]:
    """Players of one pod by seat, clockwise, by lot (stream ``fairness.seats_label``, one per pod)."""
    return tuple(rng.shuffled(sorted(pod)))
