"""Decks that are played as they are sold: exactly so many of each card, of one of the decks that the format names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cards.engine.names import name_key
from rules.engine.checks.deck import DeckCheck, broken
from rules.engine.counting import Tally
from rules.engine.formatschema import Fixed, FixedDeck
from rules.engine.selectors import CardFacts
from rules.engine.verdict import CardCount, Violation


@dataclass(frozen=True)
class _Against:
    """The zones against one of the decks. ``missing`` has names and the copies that are lacking."""

    deck: FixedDeck
    total: int
    foreign: list[Tally]
    over: list[Tally]
    under: list[Tally]
    missing: list[str]
    is_fully_known: bool

    @property
    def over_size(self) -> int:
        return 0 if self.deck.size is None else self.total - self.deck.size

    def short(self) -> int:
        """How many known copies are lacking, and at least one of each card of unknown count."""
        counts = {name_key(name): count for name, count in self.deck.cards.items()}
        few = sum(counts[tally.card.key] - tally.count for tally in self.under)
        return few + sum(counts.get(name_key(name), 1) for name in self.missing)

    def is_ruled_out(self, hidden: float) -> bool:
        too_small = self.deck.size is not None and self.total + hidden < self.deck.size
        return bool(self.foreign or self.over) or self.over_size > 0 or too_small or self.short() > hidden

    @property
    def foreign_copies(self) -> int:
        return sum(tally.count for tally in self.foreign)

    @property
    def distance(self) -> int:
        return self.foreign_copies + sum(tally.count for tally in self.over) + self.short() + abs(self.over_size)


def fixed(check: DeckCheck, rule: Fixed) -> Iterator[Violation]:
    total, hidden = check.deck.total(rule.zones), check.deck.unresolved(rule.zones)
    if not rule.decks:
        yield broken(rule, "fixed.unknown", actual=total, subject=rule.label or "deck")
        return
    found = [_against(check, rule, deck, total) for deck in rule.decks]
    if any(one.is_fully_known and not one.is_ruled_out(0) for one in found):
        return
    open_ones = [one for one in found if not one.is_ruled_out(hidden)]
    if not open_ones:
        yield from _differences(rule, min(found, key=lambda one: (one.foreign_copies, one.distance)))
    elif doubtful := [one for one in open_ones if not one.is_fully_known]:
        yield broken(rule, "fixed.unknown", actual=total, subject=" or ".join(one.deck.name for one in doubtful))


def not_sold_in(rule: Fixed, card: CardFacts) -> Iterator[Violation]:
    """Why a card is in none of the decks, or why that can't be told."""
    named = {name_key(name) for deck in rule.decks for name in (*deck.cards, *deck.of_unknown_count)}
    if card.key in named:
        return
    if not rule.decks or any(map(_has_unnamed, rule.decks)):
        yield broken(rule, "fixed.unknown", actual=1, subject=" or ".join(deck.name for deck in rule.decks) or "deck")
    else:
        yield broken(rule, "fixed.not_in_deck", limit=0, actual=1, excess=1, subject=rule.decks[0].name)


def _has_unnamed(deck: FixedDeck) -> bool:
    """A size above all known cards, with none of unknown count, leaves room for cards that nobody has named."""
    return not deck.of_unknown_count and deck.size is not None and sum(deck.cards.values()) < deck.size


def _against(check: DeckCheck, rule: Fixed, deck: FixedDeck, total: int) -> _Against:
    counts = {name_key(name): count for name, count in deck.cards.items()}
    uncounted = {name_key(name) for name in deck.of_unknown_count}
    has_unnamed = _has_unnamed(deck)
    tallies = check.deck.tallies(rule.zones)
    there = {tally.card.key for tally in tallies}
    return _Against(
        deck,
        total,
        foreign=[t for t in tallies if not has_unnamed and t.card.key not in counts and t.card.key not in uncounted],
        over=[t for t in tallies if t.card.key in counts and t.count > counts[t.card.key]],
        under=[t for t in tallies if t.card.key in counts and t.count < counts[t.card.key]],
        missing=[name for name in (*deck.cards, *deck.of_unknown_count) if name_key(name) not in there],
        is_fully_known=not uncounted and not has_unnamed,
    )


def _differences(rule: Fixed, found: _Against) -> Iterator[Violation]:
    """What keeps the deck from being the one that it comes nearest to."""
    counts: Mapping[str, int] = {name_key(name): count for name, count in found.deck.cards.items()}
    name = found.deck.name
    for tally in found.foreign:
        actual = tally.count
        yield broken(rule, "fixed.not_in_deck", limit=0, actual=actual, excess=actual, tallies=[tally], subject=name)
    for tally in (*found.over, *found.under):
        limit = counts[tally.card.key]
        yield broken(
            rule,
            "fixed.wrong_count",
            limit=limit,
            actual=tally.count,
            excess=tally.count - limit,
            tallies=[tally],
            subject=name,
        )
    for missing in found.missing:
        limit = counts.get(name_key(missing), 1)
        violation = broken(rule, "fixed.missing", limit=limit, actual=0, excess=-limit, subject=name)
        yield Violation(**{**vars(violation), "cards": (CardCount(0, missing, 0),)})
    size = found.deck.size
    if size is not None and not found.is_fully_known and found.total != size:
        code = "fixed.too_many" if found.total > size else "fixed.too_few"
        yield broken(rule, code, limit=size, actual=found.total, excess=found.total - size, subject=name)
