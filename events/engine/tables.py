"""Which table a pair plays at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TableAssignment:
    """``tables`` holds one number per pair, in the order of the pairs; ``displaced`` the players who have a fixed
    table and could not get it, because their opponent or another pair has the stronger claim."""

    tables: tuple[int, ...]
    displaced: tuple[int, ...] = ()


def assign_tables(
    pairs: Sequence[Pair],
    points: Mapping[int, int],
    fixed: Mapping[int, int] | None = None,
    *,
    first: int = 1,
) -> TableAssignment:
    """Best pair (higher points of either player, then their sum) at the lowest free table from ``first`` on.

    A player with a ``fixed`` table (a wheelchair, a camera) keeps it together with the opponent; of two claims on one
    pair or one table the lower table number, then the better pair, comes first. A bye has no table: leave it out.
    """
    fixed = fixed or {}

    def strength(index: int) -> tuple[int, int, int]:
        own = sorted((points.get(player, 0) for player in pairs[index]), reverse=True)
        return -own[0], -sum(own), index

    order = sorted(range(len(pairs)), key=strength)
    claims = sorted(
        (fixed[player], place, player)
        for place, index in enumerate(order)
        for player in pairs[index]
        if player in fixed
    )
    given: dict[int, int] = {}
    taken: set[int] = set()
    displaced: list[int] = []
    for table, place, player in claims:
        index = order[place]
        if index not in given and table not in taken:
            given[index] = table
            taken.add(table)
        elif given.get(index) != table:
            displaced.append(player)
    number = first
    for index in order:
        if index in given:
            continue
        while number in taken:
            number += 1
        given[index] = number
        taken.add(number)
    return TableAssignment(tuple(given[index] for index in range(len(pairs))), tuple(displaced))
