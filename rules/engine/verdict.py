"""What goes into the legality engine and what comes out. Sentences are made of it at the edge."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Literal

from rules.engine.selectors import CardFacts

Outcome = Literal["legal", "illegal", "undetermined"]


@dataclass(frozen=True)
class DeckLine:
    """``count`` copies of a card in a zone; ``lines`` are the numbers of the lines of the list that say so."""

    zone: str
    count: int
    card: CardFacts
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class UnresolvedLine:
    """A line that may be a card and isn't known as one. ``count`` and ``zone`` are None where they can't be told."""

    line: int
    text: str
    count: int | None = None
    zone: str | None = None


@dataclass(frozen=True)
class DeckFacts:
    lines: tuple[DeckLine, ...]
    unresolved: tuple[UnresolvedLine, ...] = ()


@dataclass(frozen=True)
class StatusFact:
    """A card's entry on a list of the format on the day asked. ``since`` is None if it always was.

    ``max_copies`` is 0 for banned and None for points; ``zone`` is the only zone that it speaks of, "" for all.
    """

    card_id: int
    status: Literal["banned", "restricted", "limit", "points"]
    max_copies: int | None
    since: date | None
    section: str
    source: str
    points: int = 0
    zone: str = ""


@dataclass(frozen=True)
class CardCount:
    """``id`` is 0 for a card that the deck lacks: then only the name is known that the format gives."""

    id: int
    name: str
    count: int


@dataclass(frozen=True)
class MissingFact:
    """A fact that a verdict depends on and nobody has stored."""

    card: str
    fact: str


@dataclass(frozen=True)
class Violation:
    """One way in which a deck breaks a rule, or (``undetermined``) may break it.

    ``excess`` is ``actual`` less the nearest number that would be legal: below zero when cards are missing.
    ``limit`` is that number, or all of them where only some sizes are allowed. ``possible`` is the number that it
    could come to once every missing fact is known, None where that has no bound. ``subject`` says what is counted, in
    the plural, or names the line or the fixed deck. ``depends_on`` is the conditional rule of which it can't be told
    whether it applies.
    """

    code: str
    constraint: str
    cite: str
    limit: int | tuple[int, ...] | None = None
    actual: int | None = None
    excess: int | None = None
    zones: tuple[str, ...] = ()
    cards: tuple[CardCount, ...] = ()
    lines: tuple[int, ...] = ()
    since: date | None = None
    curable_by_sideboarding: bool = False
    facts: tuple[MissingFact, ...] = ()
    subject: str = "cards"
    reading: str | None = None
    source: str | None = None
    possible: int | None = None
    undetermined: bool = False
    depends_on: str | None = None

    def as_json(self) -> dict[str, Any]:
        """JSON types only; tuples become lists and the day becomes ISO text."""
        values = asdict(self)
        values["since"] = self.since.isoformat() if self.since else None
        for key in ("zones", "cards", "lines", "facts"):
            values[key] = list(values[key])
        if isinstance(self.limit, tuple):
            values["limit"] = list(self.limit)
        return values


@dataclass(frozen=True)
class VerdictResult:
    """``illegal`` if anything breaks a rule; else ``undetermined`` if anything may; else ``legal``."""

    outcome: Outcome
    violations: tuple[Violation, ...]
