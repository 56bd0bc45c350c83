"""The smallest set of demands that cannot hold together, found by asking which sets can.

The two facts behind it: every conflict shares a member with the complement of every set that holds (else it would lie
inside that set); and so a set of least size that meets all complements known so far is a conflict of least size, as
soon as it does not hold itself. Where it holds, it grows to a largest set that does, which gives one complement more
(Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS extraction with minimal hitting set dualization", 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Members = frozenset[int]

STEPS = 200
"""Complements looked at before the search settles for a conflict of which every member is needed."""

HITTING_STEPS = 20_000
"""Branches of one search for a least hitting set."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """``members`` cannot hold together, and would without any one of them. ``smallest``: no conflict has fewer."""

    members: tuple[int, ...]
    smallest: bool


def smallest_conflict(count: int, holds: Callable[[Members], bool], *, steps: int = STEPS) -> Conflict | None:
    """A smallest subset of 0..count - 1 for which ``holds`` is false, None when all hold together.

    ``holds`` must be monotone: what holds holds without some of its members too. The number of questions is bounded by
    ``steps``; when they run out the conflict is irreducible and ``smallest`` is false. The same answer every time.
    """
    everything = frozenset(range(count))
    if holds(everything):
        return None
    best = irreducible_conflict(count, holds)
    complements: list[Members] = []
    while len(complements) < steps:
        hitting = least_hitting_set(complements)
        if hitting is None:
            return Conflict(best, smallest=False)
        if len(hitting) >= len(best):
            return Conflict(best, smallest=True)
        if not holds(hitting):
            return Conflict(tuple(sorted(hitting)), smallest=True)
        # Complements that share nothing raise the least size fastest.
        while holds(hitting):
            complement = everything - _grown(hitting, everything, holds)
            complements.append(complement)
            hitting |= complement
    return Conflict(best, smallest=False)


def irreducible_conflict(count: int, holds: Callable[[Members], bool]) -> tuple[int, ...]:
    """A conflict of which every member is needed; the later members are dropped first (QuickXplain, Junker 2004)."""

    def needed(background: Members, grew: bool, candidates: Sequence[int]) -> list[int]:
        if grew and not holds(background):
            return []
        if len(candidates) == 1:
            return list(candidates)
        middle = len(candidates) // 2
        first, second = candidates[:middle], candidates[middle:]
        late = needed(background | frozenset(first), bool(first), second)
        early = needed(background | frozenset(late), bool(late), first)
        return early + late

    return tuple(sorted(needed(frozenset(), True, range(count)))) if count else ()


def least_hitting_set(sets: Sequence[Members]) -> Members | None:
    """A smallest set that shares a member with each of ``sets``; None when ``HITTING_STEPS`` branches do not do."""
    best: Members | None = None
    branches = 0

    def search(chosen: Members, open_sets: list[Members]) -> None:
        nonlocal best, branches
        branches += 1
        if branches > HITTING_STEPS:
            return
        if not open_sets:
            if best is None or len(chosen) < len(best):
                best = chosen
            return
        if best is not None and len(chosen) + _disjoint(open_sets) >= len(best):
            return
        frequency: dict[int, int] = {}
        for members in open_sets:
            for member in members:
                frequency[member] = frequency.get(member, 0) + 1
        smallest = min(open_sets, key=len)
        for member in sorted(smallest, key=lambda member: (-frequency[member], member)):
            search(chosen | {member}, [members for members in open_sets if member not in members])
            # What holds this member is searched: the branches that follow do without it.
            open_sets = [members - {member} for members in open_sets]
            if not all(open_sets):
                return

    search(frozenset(), list(sets))
    return best if branches <= HITTING_STEPS else None


def _disjoint(sets: Sequence[Members]) -> int:
    """How many of the sets, smallest first, share nothing: each needs a member of its own."""
    used: set[int] = set()
    count = 0
    for members in sorted(sets, key=len):
        if used.isdisjoint(members):
            used |= members
            count += 1
    return count


def _grown(start: Members, everything: Members, holds: Callable[[Members], bool]) -> Members:
    """A largest set around ``start`` that holds: halves that do not fit are taken apart."""

    def add(kept: Members, chunk: Sequence[int]) -> Members:
        if holds(kept | frozenset(chunk)):
            return kept | frozenset(chunk)
        if len(chunk) == 1:
            return kept
        middle = len(chunk) // 2
        return add(add(kept, chunk[:middle]), chunk[middle:])

    rest = sorted(everything - start)
    return add(start, rest) if rest else start
