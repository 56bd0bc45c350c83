"""Selectors over cards in three-valued logic: a fact that nobody has stored is neither true nor false."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import Protocol

from cards.engine.names import name_key
from rules.engine.schema import (
    AllSelector,
    AnySelector,
    FactSelector,
    FactValue,
    NamesSelector,
    NotSelector,
    Selector,
    TagSelector,
)

Truth = bool | None
"""None means that it can't be told."""


@dataclass(frozen=True)
class CardFacts:
    """A card as the engine sees it. ``tags`` are those of the day asked. A fact that is not in ``facts`` is unknown.

    ``legal_dates`` has the day of each printing from which it may be played, None for a printing without such a day;
    ``sets`` has the code of each printing's set, in the same order.
    """

    id: int
    name: str
    facts: Mapping[str, FactValue]
    tags: frozenset[str] = frozenset()
    legal_dates: tuple[date | None, ...] = ()
    sets: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        """What its name is compared and sorted by."""
        return name_key(self.name)


@dataclass(frozen=True)
class ZoneFact:
    """A fact over a zone of a deck: its known ``values``, the cards ``without`` one, and if more may be ``hidden``."""

    values: tuple[FactValue, ...]
    without: tuple[str, ...] = ()
    hidden: bool = False

    @property
    def is_known(self) -> bool:
        return not self.without and not self.hidden


class Zones(Protocol):
    def fact_in_zone(self, zone: str, fact: str) -> ZoneFact: ...


def evaluate(selector: Selector | None, card: CardFacts, deck: Zones | None = None) -> Truth:
    """Whether the card matches; None where a missing fact decides it. No selector takes in every card.

    ``deck`` answers for ``in_zone``; without it that can't be told.
    """
    if type(selector) is FactSelector and selector.in_zone is None:
        return _compare(selector, card)  # the commonest by far, without asking pydantic's metaclass what it is
    match selector:
        case None:
            return True
        case TagSelector():
            return selector.tag in card.tags
        case FactSelector(in_zone=None):
            return _compare(selector, card)
        case FactSelector():
            return _in_zone(selector, card, deck)
        case NamesSelector():
            return card.key in name_keys(selector.names)
        case AllSelector():
            return both(evaluate(part, card, deck) for part in selector.all)
        case AnySelector():
            return either(evaluate(part, card, deck) for part in selector.any)
        case NotSelector():
            return negated(evaluate(selector.not_, card, deck))


@lru_cache(maxsize=1024)
def name_keys(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(name_key, names))


def both(truths: Iterator[Truth]) -> Truth:
    """False if any is false, else unknown if any is unknown, else true (Kleene's and)."""
    unknown = False
    for truth in truths:
        if truth is False:
            return False
        unknown = unknown or truth is None
    return None if unknown else True


def either(truths: Iterator[Truth]) -> Truth:
    """True if any is true, else unknown if any is unknown, else false (Kleene's or)."""
    return negated(both(negated(truth) for truth in truths))


def negated(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _compare(selector: FactSelector, card: CardFacts) -> Truth:
    if selector.fact not in card.facts:
        return None
    value = card.facts[selector.fact]
    if selector.eq is not None:
        return _same(value, selector.eq)
    if selector.ne is not None:
        return not _same(value, selector.ne)
    if selector.in_ is not None:
        return any(_same(value, one) for one in selector.in_)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{card.name}: {selector.fact} is {value!r}, which is no number to compare")
    return value >= selector.gte if selector.gte is not None else value <= (selector.lte or 0)


def _in_zone(selector: FactSelector, card: CardFacts, deck: Zones | None) -> Truth:
    if deck is None or selector.in_zone is None or selector.fact not in card.facts:
        return None
    there = deck.fact_in_zone(selector.in_zone, selector.fact)
    value = card.facts[selector.fact]
    return any(_same(value, one) for one in there.values) or (False if there.is_known else None)


def _same(value: FactValue, operand: FactValue) -> bool:
    # In Python 1 == True; in a pack a number is not a flag.
    return value == operand and isinstance(value, bool) == isinstance(operand, bool)


def missing_facts(selector: Selector | None, card: CardFacts, deck: Zones | None = None) -> tuple[tuple[str, str], ...]:
    """The (card, fact) pairs, in order, whose absence leaves ``evaluate`` at unknown; empty when it's known.

    The cards are this one and those of the zones that ``in_zone`` asks.
    """
    if selector is None or evaluate(selector, card, deck) is not None:
        return ()
    if not isinstance(selector, FactSelector):
        return tuple(sorted({pair for part in _parts(selector) for pair in missing_facts(part, card, deck)}))
    if selector.fact not in card.facts or deck is None or selector.in_zone is None:
        return ((card.name, selector.fact),)
    without = deck.fact_in_zone(selector.in_zone, selector.fact).without
    return tuple(sorted({(name, selector.fact) for name in without}))


def walk(selector: Selector) -> Iterator[Selector]:
    """The selector and everything in it."""
    yield selector
    for part in _parts(selector):
        yield from walk(part)


def _parts(selector: Selector) -> tuple[Selector, ...]:
    match selector:
        case AllSelector():
            return selector.all
        case AnySelector():
            return selector.any
        case NotSelector():
            return (selector.not_,)
        case _:
            return ()


def describe(selector: Selector | None) -> str:
    """What it takes in, as a plural noun phrase: "free cards", "gift cards", "cards that are not mythic"."""
    match selector:
        case None:
            return "cards"
        case FactSelector(eq=str(word)):
            return f"{word} cards"
        case TagSelector():
            return f"{selector.tag.replace('-', ' ')} cards"
        case NotSelector(not_=FactSelector(eq=str(word)) | TagSelector(tag=word)):
            return f"cards that are not {word}"
        case FactSelector(ne=str(word)):
            return f"cards that are not {word}"
        case NamesSelector():
            return " or ".join(selector.names)
        case AnySelector():
            return ", or ".join(describe(part) for part in selector.any)
        case _:
            return f"cards with {_condition(selector)}"


def _condition(selector: Selector) -> str:
    match selector:
        case FactSelector(in_zone=str(zone)):
            return f"the {selector.fact.replace('_', ' ')} of a card in {zone}"
        case FactSelector():
            [(operator, operand)] = selector.operators().items()
            signs = {"eq": "", "ne": "not ", "in": "", "gte": "at least ", "lte": "at most "}
            values = operand if operator == "in" else (operand,)
            words = [{True: "yes", False: "no"}[v] if isinstance(v, bool) else str(v) for v in values]
            return f"{selector.fact.replace('_', ' ')} {signs[operator]}{' or '.join(words)}"
        case TagSelector():
            return f"the tag {selector.tag}"
        case NamesSelector():
            return f"the name {' or '.join(selector.names)}"
        case AllSelector():
            return " and ".join(_condition(part) for part in selector.all)
        case AnySelector():
            return f"({' or '.join(_condition(part) for part in selector.any)})"
        case NotSelector():
            return f"not {_condition(selector.not_)}"
