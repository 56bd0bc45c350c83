"""How a change meets what a list already says: which entries end on its day, and whether one begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Generic, Literal, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Spell(Generic[T]):
    """What was said of one thing from one day up to, and without, another. ``id`` is the caller's; None is no bound."""

    id: int
    said: T
    since: date | None
    until: date | None


@dataclass(frozen=True)
class Amendment(Generic[T]):
    """What to do. ``ends`` is the spell that ends on the day, ``begins`` whether one begins then."""

    ends: Spell[T] | None
    begins: bool


@dataclass(frozen=True)
class Clash(Generic[T]):
    """Why it can't be done: the very same holds already, or another change stands for that day or for a later one."""

    reason: Literal["redundant", "scheduled"]
    spell: Spell[T] | None


def amend(spells: Sequence[Spell[T]], wanted: T | None, day: date) -> Amendment[T] | Clash[T]:
    """From ``day`` on, ``wanted`` is said of the thing; None: nothing. ``spells`` are all of that thing, disjoint.

    What held before the day stays untouched. A spell that begins on the day or after it is somebody's decision that
    this one doesn't know of, so it is never overwritten.
    """
    now = in_force(spells, day)
    later = next(
        (spell for spell in sorted(spells, key=_start) if spell.since is not None and spell.since >= day), None
    )
    if (now.said if now else None) == wanted and (now is None or now.until is None) and later in (None, now):
        return Clash("redundant", now)
    if later is not None:
        return Clash("scheduled", later)
    return Amendment(now, wanted is not None)


def amend_again(spells: Sequence[Spell[T]], wanted: T | None, day: date) -> Amendment[T] | Clash[T] | None:
    """The same after a reload, where the spells may already know of the change: None, nothing to do then."""
    now = in_force(spells, day)
    said = now.said if now else None
    begins_later = any(spell.since is not None and spell.since > day for spell in spells)
    if said == wanted and (now is None or now.since == day or now.until is None or begins_later):
        return None
    return amend(spells, wanted, day)


def in_force(spells: Sequence[Spell[T]], day: date) -> Spell[T] | None:
    for spell in spells:
        if (spell.since is None or spell.since <= day) and (spell.until is None or day < spell.until):
            return spell
    return None


def _start(spell: Spell[T]) -> date:
    return spell.since or date.min
