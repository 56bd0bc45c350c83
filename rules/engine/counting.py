"""A deck, counted by zone and card, whatever the order and the printings of its lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from cards.engine.names import name_key
from rules.engine.selectors import CardFacts
from rules.engine.verdict import CardCount, DeckFacts, DeckLine

# Most of the time of a check would go into the same names of cards, over and over.
_key_of = lru_cache(maxsize=1 << 16)(name_key)


def by_name(card: CardFacts) -> tuple[str, int]:
    return _key_of(card.name), card.id


@dataclass(frozen=True)
class Tally:
    card: CardFacts
    count: int
    lines: tuple[int, ...]

    def named(self) -> CardCount:
        return CardCount(self.card.id, self.card.name, self.count)


class Counted:
    def __init__(self, deck: DeckFacts) -> None:
        """ValueError: a count below 1, which no parser may let through."""
        if bad := [line for line in deck.lines if line.count < 1]:
            raise ValueError(f"a count below 1: {bad[0]}")
        self.deck = deck
        self._tallies: dict[tuple[str, ...] | None, list[Tally]] = {}

    def cards(self) -> list[CardFacts]:
        return sorted({line.card.id: line.card for line in self.deck.lines}.values(), key=by_name)

    def total(self, zones: tuple[str, ...]) -> int:
        return sum(line.count for line in self.deck.lines if line.zone in zones)

    def by_card(self, zones: tuple[str, ...]) -> Counter[int]:
        counts: Counter[int] = Counter()
        for line in self.deck.lines:
            if line.zone in zones:
                counts[line.card.id] += line.count
        return counts

    def tallies(self, zones: tuple[str, ...] | None = None) -> list[Tally]:
        """Each card of the zones (of all zones, without any) with its copies and lines, in order of name."""
        if zones not in self._tallies:
            self._tallies[zones] = self._tallied(zones)
        return self._tallies[zones]

    def _tallied(self, zones: tuple[str, ...] | None) -> list[Tally]:
        found: dict[int, list[DeckLine]] = {}
        for line in self.deck.lines:
            if zones is None or line.zone in zones:
                found.setdefault(line.card.id, []).append(line)
        tallies = [
            Tally(
                min((line.card for line in lines), key=by_name),
                sum(line.count for line in lines),
                tuple(sorted({number for line in lines for number in line.lines})),
            )
            for lines in found.values()
        ]
        return sorted(tallies, key=lambda tally: by_name(tally.card))

    def unresolved(self, zones: tuple[str, ...]) -> float:
        """How many cards of these zones may hide in lines that aren't understood; infinity if a line doesn't say."""
        lines = [line for line in self.deck.unresolved if line.zone is None or line.zone in zones]
        return sum((float("inf") if line.count is None else line.count for line in lines), 0)
