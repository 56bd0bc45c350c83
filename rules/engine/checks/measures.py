"""Numbers taken from a deck: for sure so much, and up to so much once everything is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from rules.engine.checks.deck import DeckCheck
from rules.engine.counting import Tally
from rules.engine.schema import Selector
from rules.engine.selectors import CardFacts, describe
from rules.engine.verdict import MissingFact


@dataclass(frozen=True)
class Range:
    low: float
    high: float

    def plus(self, hidden: float) -> Range:
        return Range(self.low, self.high + hidden)


@dataclass(frozen=True)
class Measured:
    """``actual`` is what the known cards come to, ``within`` what it could be; ``unsure`` cards lack the ``facts``."""

    actual: int
    within: Range
    sure: Sequence[Tally]
    unsure: Sequence[Tally]
    facts: tuple[MissingFact, ...]

    @property
    def possible(self) -> int | None:
        return None if self.within.high == inf else int(self.within.high)


def measure(
    check: DeckCheck,
    tallies: Iterable[Tally],
    select: Selector | None,
    of: str | None = None,
    *,
    distinct: bool = False,
    needs: str | None = None,
) -> Measured:
    """Copies that match, or the sum of their fact ``of``, or how many different cards they are.

    Cards that add nothing are not among the ``sure`` ones. A card without the fact ``needs`` may match at most.
    """
    sure, unsure = [], []
    facts: list[MissingFact] = []
    actual, low, high = 0, 0.0, 0.0
    for tally in tallies:
        truth = check.truth(select, tally.card)
        if truth is False:
            continue
        number = number_of(tally.card, of)
        worth = None if number is None else number * (1 if distinct else tally.count)
        lacking = [fact for fact in (needs, of) if fact is not None and fact not in tally.card.facts]
        if truth and worth is not None and not lacking:
            sure += [tally] if worth else []
            actual, low, high = actual + worth, low + worth, high + worth
            continue
        unsure.append(tally)
        facts += check.missing(select, [tally])
        facts += [MissingFact(tally.card.name, fact) for fact in lacking]
        if worth is None:
            high = inf
        else:
            low, high = low + min(0, worth), high + max(0, worth)
    return Measured(actual, Range(low, high), sure, unsure, tuple(dict.fromkeys(facts)))


def number_of(card: CardFacts, fact: str | None) -> int | None:
    """The card's number fact, None if it isn't known; 1 where cards are only counted. ValueError: no number."""
    if fact is None:
        return 1
    value = card.facts.get(fact)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise ValueError(f"{card.name}: {fact} is {value!r}, which is no number to add up")
    return value


def hidden(check: DeckCheck, zones: tuple[str, ...], of: str | None, *, distinct: bool = False) -> float:
    """By how much the lines that aren't understood could raise a measure."""
    if distinct:
        return check.deck.unresolved_lines(zones)
    cards = check.deck.unresolved(zones)
    return inf if cards and of is not None else cards


def named(label: str | None, select: Selector | None, of: str | None) -> str:
    """What is measured, in the plural."""
    return label or (describe(select) if of is None else of.replace("_", " "))
