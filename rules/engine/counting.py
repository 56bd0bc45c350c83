"""A deck, counted by zone and card, whatever the order and the printings of its lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from operator import attrgetter

from rules.engine.schema import FactValue
from rules.engine.selectors import CardFacts, ZoneFact
from rules.engine.verdict import CardCount, DeckFacts

_by_name = attrgetter("card.key", "card.id")


# Not frozen, which would take three times as long to make: there is one for each card of each deck.
@dataclass(slots=True)
class Tally:
    card: CardFacts
    count: int
    lines: tuple[int, ...]

    def named(self) -> CardCount:
        return CardCount(self.card.id, self.card.name, self.count)


class Counted:
    """Counts are made once for each set of zones that is asked for."""

    def __init__(self, deck: DeckFacts) -> None:
        """ValueError: a count below 1, which no parser may let through."""
        if bad := [line for line in deck.lines if line.count < 1]:
            raise ValueError(f"a count below 1: {bad[0]}")
        self.deck = deck
        self._zones = frozenset(line.zone for line in deck.lines)
        self._tallies: dict[frozenset[str], list[Tally]] = {}
        self._facts: dict[tuple[str, str], ZoneFact] = {}

    def cards(self) -> list[CardFacts]:
        return [tally.card for tally in self.tallies()]

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
        used = self._zones if zones is None else self._zones.intersection(zones)
        if used not in self._tallies:
            self._tallies[used] = self._counted(used)
        return self._tallies[used]

    def _counted(self, zones: frozenset[str]) -> list[Tally]:
        found: dict[int, Tally] = {}
        for line in sorted((line for line in self.deck.lines if line.zone in zones), key=_by_name):
            if (tally := found.get(line.card.id)) is None:
                found[line.card.id] = Tally(line.card, line.count, tuple(line.lines))
            else:
                tally.count += line.count
                tally.lines = (*tally.lines, *line.lines)
        for tally in found.values():
            if len(tally.lines) > 1:
                tally.lines = tuple(sorted(set(tally.lines)))
        return list(found.values())

    def unresolved(self, zones: tuple[str, ...]) -> float:
        """How many cards of these zones may hide in lines that aren't understood; infinity if a line doesn't say."""
        lines = [line for line in self.deck.unresolved if line.zone is None or line.zone in zones]
        return sum((float("inf") if line.count is None else line.count for line in lines), 0)

    def unresolved_lines(self, zones: tuple[str, ...]) -> int:
        """In how many lines they may hide, which is how many different cards they may be."""
        return sum(line.zone is None or line.zone in zones for line in self.deck.unresolved)

    def fact_in_zone(self, zone: str, fact: str) -> ZoneFact:
        """What the cards of a zone have of a fact; lines that aren't understood may hide more."""
        if (zone, fact) not in self._facts:
            cards = [tally.card for tally in self.tallies((zone,))]
            values: dict[tuple[bool, FactValue], FactValue] = {}
            for card in cards:
                if fact in card.facts:
                    value = card.facts[fact]
                    values[isinstance(value, bool), value] = value
            without = tuple(card.name for card in cards if fact not in card.facts)
            self._facts[zone, fact] = ZoneFact(tuple(values.values()), without, self.unresolved((zone,)) > 0)
        return self._facts[zone, fact]
