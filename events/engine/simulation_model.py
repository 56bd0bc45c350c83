"""The words of a simulated event: what is played, how often something happens, and what was found to be broken."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.standings_model import Result

Kind = Literal[
    "swiss", "pods", "single_elimination", "double_elimination", "round_robin", "pools", "tables", "melee", "teams"
]


@dataclass(frozen=True, slots=True)
class StageSpec:
    """A part of an event. ``rounds`` 0: by the number of players. ``cut`` is how many go on to elimination."""

    kind: Kind
    rounds: int = 0
    cut: int = 0
    accelerated: bool = False
    last_by_standings: bool = False
    strict: bool = False
    reseed: bool = False
    third_place: bool = False


STRUCTURES: Mapping[str, tuple[StageSpec, ...]] = {
    "swiss-cut": (StageSpec("swiss"), StageSpec("single_elimination", cut=8)),
    "long-swiss": (StageSpec("swiss", rounds=12),),
    "accelerated": (StageSpec("swiss", accelerated=True), StageSpec("single_elimination", cut=4, third_place=True)),
    "last-by-standings": (StageSpec("swiss", last_by_standings=True),),
    "strict-teams": (StageSpec("swiss", strict=True), StageSpec("single_elimination", cut=8, reseed=True)),
    "pods": (StageSpec("pods", rounds=3), StageSpec("single_elimination", cut=8)),
    "double-elimination": (StageSpec("swiss", rounds=3), StageSpec("double_elimination", cut=16)),
    "round-robin": (StageSpec("round_robin"),),
    "pools": (StageSpec("pools", cut=8), StageSpec("single_elimination", cut=8)),
    "tables": (StageSpec("tables", rounds=4),),
    "melee": (StageSpec("melee", rounds=3),),
    "teams": (StageSpec("teams", rounds=3),),
}


def structure(name: str, rng: Stream) -> tuple[str, tuple[StageSpec, ...]]:
    """A structure by name; ``mixed`` draws one. Raises DomainError ``simulation.structure``."""
    if name == "mixed":
        name = rng.choice(sorted(STRUCTURES))
    if name not in STRUCTURES:
        known = ", ".join(["mixed", *sorted(STRUCTURES)])
        raise DomainError("simulation.structure", f"There is no structure {name!r}. Choose one of {known}.")
    return name, STRUCTURES[name]


@dataclass(frozen=True, slots=True)
class Chances:
    """How often something happens, of a thousand: matches drawn; players who leave after a round; rounds with a late
    entry; rounds in which a result proves wrong, somebody doesn't appear or comes late, or was dropped by mistake."""

    draws: int = 50
    drops: int = 30
    late: int = 20
    mistakes: int = 200


@dataclass(frozen=True, slots=True)
class Broken:
    """An invariant that did not hold, and where."""

    invariant: str
    where: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {"invariant": self.invariant, "where": self.where, "facts": dict(self.facts)}


@dataclass(slots=True)
class Course:
    """What happened in one event, as far as it has come. ``digest`` covers every step in order."""

    structure: str
    players: int
    seed: str
    counts: Counter[str] = field(default_factory=Counter)
    broken: list[Broken] = field(default_factory=list)
    digest: str = ""

    def step(self, kind: str, **facts: Any) -> None:
        self.counts[kind] += 1
        line = json.dumps([self.digest, kind, facts], sort_keys=True, default=str)
        self.digest = hashlib.sha256(line.encode()).hexdigest()

    def check(self, holds: bool, invariant: str, where: str, **facts: Any) -> None:
        self.counts["checks"] += 1
        if not holds:
            self.broken.append(Broken(invariant, where, facts))

    def stream(self, *label: object) -> Stream:
        return Stream(self.seed.encode(), "|".join(map(str, ("simulated", *label))))


def points_by_hand(results: Iterable[Result]) -> Counter[int]:
    """Match points of 3, 1 and 0 by player, counted without the standings' code."""
    points: Counter[int] = Counter()
    for one in results:
        for player, outcome in ((one.a, one.outcome_a), (one.b, one.outcome_b)):
            if player is not None and outcome is not None:
                points[player] += 3 * outcome.is_win + outcome.is_draw
    return points
