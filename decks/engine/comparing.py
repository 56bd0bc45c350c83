"""What two decks have in common and what only one of them has, zone by zone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cards.engine.names import name_key
from decks.engine.headings import ZoneSpec
from decks.engine.parser import Entry


@dataclass(frozen=True)
class CardDifference:
    """Copies of a card in one zone of the first deck and of the second; one of the two may be 0."""

    card: int
    name: str
    first: int
    second: int

    @property
    def change(self) -> int:
        """Copies more in the second deck; negative for fewer."""
        return self.second - self.first


@dataclass(frozen=True)
class ZoneDifference:
    """``cards`` by name. ``first`` and ``second`` are the sizes of the zone."""

    zone: str
    name: str
    first: int
    second: int
    cards: tuple[CardDifference, ...]

    @property
    def only_first(self) -> list[CardDifference]:
        return [card for card in self.cards if not card.second]

    @property
    def only_second(self) -> list[CardDifference]:
        return [card for card in self.cards if not card.first]

    @property
    def both(self) -> list[CardDifference]:
        return [card for card in self.cards if card.first and card.second]

    @property
    def added(self) -> list[CardDifference]:
        """Of what the second deck has more copies."""
        return [card for card in self.cards if card.change > 0]

    @property
    def removed(self) -> list[CardDifference]:
        """Of what the second deck has fewer copies."""
        return [card for card in self.cards if card.change < 0]


def compare(first: Iterable[Entry], second: Iterable[Entry], zones: Sequence[ZoneSpec]) -> tuple[ZoneDifference, ...]:
    """Every zone that has a card in either deck, in the game's order."""
    names: dict[int, str] = {}
    counts: dict[tuple[str, int], list[int]] = {}
    for place, entries in enumerate((first, second)):
        for entry in entries:
            names[entry.card] = entry.name
            counts.setdefault((entry.zone, entry.card), [0, 0])[place] += entry.count
    found = []
    for zone in zones:
        cards = [
            CardDifference(card, names[card], *both) for (where, card), both in counts.items() if where == zone.key
        ]
        if cards:
            cards.sort(key=lambda card: (name_key(card.name), card.card))
            sizes = sum(card.first for card in cards), sum(card.second for card in cards)
            found.append(ZoneDifference(zone.key, zone.label, *sizes, tuple(cards)))
    return tuple(found)
