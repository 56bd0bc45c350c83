"""Score groups of which most members need not be looked at one by one.

A score group that is large against the clashes inside it can pair any even number of its members without a clash. For
two members a, b who clash, swapping partners with another pair fails only if that pair holds a clash of a or b; with at
most d clashes for each member and 2d + 2 members, some pair always works. Such a group is a *pool*: for the question of
who leaves which score, its members are anonymous. Smaller groups are made pools in the hope that they can be paired
inside as well, which is tried (``pairing_realise``); where it fails the group is looked at member by member.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from events.engine.pairing_columns import Ints
from events.engine.pairing_field import Field

LEAST_POOL = 6
_FIRST_NAMED = 8


class Pool:
    """Anonymous members of one score group, by position."""

    def __init__(self, field: Field, group: int, members: Ints) -> None:
        self.field = field
        self.group = group
        self.members = members
        self.score = int(field.score[members[0]])

    def __len__(self) -> int:
        return len(self.members)

    @cached_property
    def club(self) -> frozenset[int]:
        """Members all to be kept apart from each other who are more than the others together, else none.

        Then the pool is *crowded*: of a club of c in a pool of m, of whom u are taken away, at least
        (2c - m - u) / 2 pairs are of the club, whoever is taken. Not so where keeping apart outranks scores: taking
        the club away to other scores has no limit there, so that only a field of one score has a club.
        """
        field = self.field
        if not field.somebody_is_kept_apart or (field.strict and len(field.start) > 1):
            return frozenset()
        inside = field.apart_pairs[np.isin(field.apart_pairs, self.members).all(axis=1)]
        degrees = np.bincount(inside.ravel(), minlength=len(field))
        size = int(degrees.max()) + 1
        if 2 * size <= len(self):
            return frozenset()
        club = np.flatnonzero(degrees == size - 1)
        among = np.isin(inside, club).all(axis=1).sum()
        return frozenset(club.tolist()) if len(club) == size and among == size * (size - 1) // 2 else frozenset()

    @cached_property
    def least_down(self) -> int:
        return int(self.field.down[self.members].min())

    @cached_property
    def least_up(self) -> int:
        return int(self.field.up[self.members].min())

    @property
    def surplus(self) -> int:
        """How many more are of the club than not; 0 without one."""
        return 2 * len(self.club) - len(self) if self.club else 0

    @cached_property
    def by_down(self) -> list[int]:
        """Members, who was paired down least first; equal ones in drawn order."""
        order: list[int] = self.members[np.argsort(self.field.down[self.members], kind="stable")].tolist()
        return order

    @cached_property
    def by_up(self) -> list[int]:
        """Members, who was paired up least first; equal ones in drawn order."""
        order: list[int] = self.members[np.argsort(self.field.up[self.members], kind="stable")].tolist()
        return order

    def partners(self, place: int) -> Iterator[tuple[int, int, int]]:
        """(avoided, repeated floats, member) for the members whom the player at ``place`` has not met, best first."""
        met, apart = self.field.met(place), self.field.apart_from(place)
        above = int(self.field.score[place]) - self.score
        order = self.by_up if above > 0 else self.by_down if above < 0 else self.members.tolist()
        floats = self.field.up if above > 0 else self.field.down
        # Of a crowded pool each one from outside the club should take one of the club away.
        liked = self.club - apart if self.club else None
        for avoided in (0, 1) if apart or self.club else (0,):
            for member in order:
                if member not in met and (member in apart if liked is None else member not in liked) == avoided:
                    yield avoided, int(floats[member]) if above else 0, member

    def promise(self, place: int) -> tuple[int, int]:
        """(avoided, repeated floats) that meeting a member costs at least. Somebody whom every member clashes with is
        promised an anonymous one all the same: else a pair over the pool could be better than two into it."""
        best = next(self.partners(place), None)
        if best is None or (best[0] and self.field.strict and not self.club):
            above = int(self.field.score[place]) - self.score
            return 0, self.least_up if above > 0 else self.least_down if above < 0 else 0
        return best[:2]


@dataclass(frozen=True, slots=True)
class Division:
    """Each score group's members as ``named`` ones, looked at one by one, and a pool of the others (or None)."""

    named: list[Ints]
    pools: list[Pool | None]

    @classmethod
    def of(cls, field: Field, named_of: Sequence[int]) -> Division:
        """``named_of`` says how many of each group are named."""
        named, pools = [], []
        for group, wanted in enumerate(named_of):
            members = np.arange(field.start[group], field.stop[group])
            if wanted == 0 or wanted == len(members):
                chosen, rest = members[:wanted], members[wanted:]
            else:
                chosen = _first_to_name(field, members, wanted)
                rest = np.setdiff1d(members, chosen, assume_unique=True)
            named.append(chosen)
            pools.append(Pool(field, group, rest) if len(rest) else None)
        return cls(named, pools)


def first_guess(field: Field) -> list[int]:
    """How many of each group to name at first: none where a pool seems safe, else all."""
    size = field.stop - field.start
    clashes = field.clashes_inside if field.strict else field.meetings_inside
    pool = (size >= 2 * clashes + LEAST_POOL) | (size >= np.maximum(LEAST_POOL, clashes + 4))
    found: list[int] = np.where(pool, 0, size).tolist()
    return found


def name_more(size: int, named: int) -> int:
    """How many to name of a group of ``size`` whose pool could not do what was asked."""
    wanted = max(_FIRST_NAMED, 2 * named)
    return size if size <= 8 * _FIRST_NAMED or 2 * wanted >= size else wanted


def _first_to_name(field: Field, members: Ints, wanted: int) -> Ints:
    """In turn those who were paired down, and up, least: they are asked for first. Equal ones in drawn order."""
    by_down = members[np.argsort(field.down[members], kind="stable")]
    by_up = members[np.argsort(field.up[members], kind="stable")]
    in_turn = np.stack((by_down[:wanted], by_up[:wanted]), axis=1).ravel()
    _, first = np.unique(in_turn, return_index=True)
    return np.sort(in_turn[np.sort(first)[:wanted]])
