"""The words of a pairing: who is paired, by which options, at which cost, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import gcd

from cards.engine.streams import Stream

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


@dataclass(frozen=True, slots=True)
class PairingPlan:
    """A proposed round: every entrant exactly once, best tables first.

    ``lower_bound`` is a cost below which no complete pairing of this field can go; ``certified`` says that the plan
    reaches it, so nothing better exists.
    """

    pairs: tuple[PlannedPair, ...]
    bye: int | None
    bye_reasons: tuple[Reason, ...]
    cost: PairingCost
    lower_bound: PairingCost
    certified: bool

    @property
    def rematch_free(self) -> bool:
        return self.cost.rematches == 0


class Field:
    """Entrants in pairing order (points descending, drawn by ``rng`` inside a score), addressed by position."""

    def __init__(
        self, entrants: Iterable[Entrant], history: Sequence[Pair], options: PairingOptions, rng: Stream | None
    ) -> None:
        # Sorted by id before the draw: the result may depend on the stream, never on the order of the input.
        by_id = sorted(entrants, key=lambda entrant: entrant.id)
        if len({entrant.id for entrant in by_id}) != len(by_id):
            raise ValueError("an entrant appears twice")
        drawn = rng.shuffled(by_id) if rng is not None else by_id
        self.entrants: list[Entrant] = sorted(drawn, key=lambda entrant: -entrant.points)
        self.options = options
        self.position = {entrant.id: place for place, entrant in enumerate(self.entrants)}
        self.points = [entrant.points for entrant in self.entrants]
        self.down = [entrant.paired_down for entrant in self.entrants]
        self.up = [entrant.paired_up for entrant in self.entrants]
        self.met: Counter[Pair] = Counter()
        self.opponents: list[set[int]] = [set() for _ in self.entrants]
        for left, right in history:
            if left in self.position and right in self.position:
                a, b = sorted((self.position[left], self.position[right]))
                if a == b:
                    raise ValueError(f"entrant {left} cannot have met itself")
                self.met[a, b] += 1
                self.opponents[a].add(b)
                self.opponents[b].add(a)
        self.apart: set[Pair] = set()
        self.clashes = [set(opponents) for opponents in self.opponents]
        for place, entrant in enumerate(self.entrants):
            for other in entrant.avoid:
                other_place = self.position.get(other, place)
                if other_place != place:
                    self.apart.add((min(place, other_place), max(place, other_place)))
                    self.clashes[place].add(other_place)
                    self.clashes[other_place].add(place)
        lowest = self.points[-1] if self.points else 0
        # Gaps are squared; dividing by their common measure keeps the weights small and the order the same.
        self.unit = gcd(*(points - lowest for points in self.points)) or 1
        self.bye_keys = [(entrant.byes, entrant.points) for entrant in self.entrants]

    def __len__(self) -> int:
        return len(self.entrants)

    def pair_cost(self, a: int, b: int) -> tuple[int, int, int, int]:
        """(earlier meetings, avoided, squared gap, repeated floats) of positions ``a`` < ``b``."""
        gap = self.points[a] - self.points[b]
        floats = self.down[a] + self.up[b] if gap else 0
        return self.met.get((a, b), 0), int((a, b) in self.apart), gap * gap, floats

    def cost(self, pairs: Iterable[Pair], bye: int | None) -> PairingCost:
        """Cost of a complete pairing given by positions."""
        rematches = avoided = gaps = floats = 0
        for left, right in pairs:
            met, apart, gap, float_count = self.pair_cost(min(left, right), max(left, right))
            rematches += met
            avoided += apart
            gaps += gap
            floats += float_count
        byes, points = self.bye_keys[bye] if bye is not None else (0, 0)
        return PairingCost(rematches, byes, points, avoided, gaps, floats)
