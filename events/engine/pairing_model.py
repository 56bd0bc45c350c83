"""The words of a pairing: who is paired, by which options, at which cost, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

Pair = tuple[int, int]
Fact = int | str


class AvoidMode(StrEnum):
    """How much keeping team-mates or family apart is worth: more than equal scores, or less."""

    STRICT = "strict"
    SOFT = "soft"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player to pair. ``points`` are whole numbers (double half points); ``byes``, ``paired_down`` and
    ``paired_up`` count earlier rounds; ``avoid`` holds ids this player should be kept apart from."""

    id: int
    points: int
    byes: int = 0
    paired_down: int = 0
    paired_up: int = 0
    fixed_table: int | None = None
    avoid: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PairingOptions:
    """``bye_before_rematch`` puts the right bye above the last rematch; by default no rematch outranks it."""

    avoid_mode: AvoidMode = AvoidMode.SOFT
    bye_before_rematch: bool = False


@dataclass(frozen=True, slots=True)
class PairingCost:
    """What a pairing costs; compare with ``key``. ``rematches`` counts earlier meetings, so that a third meeting is
    worse than a second. ``score_gap`` is the sum of squared differences of points."""

    rematches: int = 0
    bye_earlier_byes: int = 0
    bye_points: int = 0
    avoided: int = 0
    score_gap: int = 0
    repeated_floats: int = 0

    def key(self, options: PairingOptions) -> tuple[int, ...]:
        """Smaller is better, compared from left to right."""
        bye = (self.bye_earlier_byes, self.bye_points)
        first = (*bye, self.rematches) if options.bye_before_rematch else (self.rematches, *bye)
        if options.avoid_mode is AvoidMode.STRICT:
            return (*first, self.avoided, self.score_gap, self.repeated_floats)
        return (*first, self.score_gap, self.avoided, self.repeated_floats)

    def as_json(self) -> dict[str, int]:
        return {
            "rematches": self.rematches,
            "bye_earlier_byes": self.bye_earlier_byes,
            "bye_points": self.bye_points,
            "avoided": self.avoided,
            "score_gap": self.score_gap,
            "repeated_floats": self.repeated_floats,
        }


@dataclass(frozen=True, slots=True)
class Reason:
    """One stated reason, as data: the sentence is made at the edge."""

    code: str
    facts: Mapping[str, Fact] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        return {"code": self.code, **self.facts}


@dataclass(frozen=True, slots=True)
class PlannedPair:
    """``a`` has at least as many points as ``b``."""

    a: int
    b: int
    reasons: tuple[Reason, ...] = ()


class Explanation(Protocol):
    """What a plan says about itself when it is asked."""

    def pairs(self) -> tuple[PlannedPair, ...]: ...

    def bye_reasons(self) -> tuple[Reason, ...]: ...


@dataclass(frozen=True, eq=False)
class PairingPlan:
    """A proposed round: every entrant exactly once, best tables first.

    ``seating`` holds the pairs as ids, (k, 2), the one with more points first. ``lower_bound`` is a cost below which
    no complete pairing of this field can go; ``certified`` says that the plan reaches it, so nothing better exists.
    ``pairs`` and ``bye_reasons`` are found when first asked for: thousands of reasons take longer than the pairing.
    """

    seating: npt.NDArray[np.int64]
    bye: int | None
    cost: PairingCost
    lower_bound: PairingCost
    certified: bool
    explanation: Explanation = field(repr=False)

    @cached_property
    def pairs(self) -> tuple[PlannedPair, ...]:
        return self.explanation.pairs()

    @cached_property
    def bye_reasons(self) -> tuple[Reason, ...]:
        """Empty in an even field."""
        return self.explanation.bye_reasons()

    @property
    def rematch_free(self) -> bool:
        return self.cost.rematches == 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairingPlan):
            return NotImplemented
        same_round = np.array_equal(self.seating, other.seating) and self.bye == other.bye
        same_worth = (self.cost, self.lower_bound) == (other.cost, other.lower_bound)
        return same_round and same_worth and (self.pairs, self.bye_reasons) == (other.pairs, other.bye_reasons)

    __hash__ = None  # type: ignore[assignment]
