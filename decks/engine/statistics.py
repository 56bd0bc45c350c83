"""How the cards of a deck are spread over the values of each fact of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cards.engine.facts import FactSpec
from decks.engine.headings import ZoneSpec
from rules.engine.legality import DeckLine

MOST_BARS = 24
"""A span of more values is counted in steps of 2, 5, 10, 20 ... values."""
FLAGS = ((True, "yes"), (False, "no"))


@dataclass(frozen=True)
class Bar:
    """``percent`` of the longest bar of its chart, 0 to 100."""

    label: str
    count: int
    percent: int


@dataclass(frozen=True)
class Chart:
    """Copies by value of one fact. ``unknown`` copies are of cards of which the fact isn't known; no bar counts them.

    ``average`` is that of the known copies of a number, None for every other fact.
    """

    fact: str
    label: str
    bars: tuple[Bar, ...]
    unknown: int
    average: float | None = None

    @property
    def unknown_percent(self) -> int:
        return _percent(self.unknown, max([self.unknown, *(bar.count for bar in self.bars)]))


@dataclass(frozen=True)
class ZoneStatistics:
    zone: str
    name: str
    count: int
    charts: tuple[Chart, ...]


def statistics(
    lines: Iterable[DeckLine], facts: Mapping[str, FactSpec], zones: Sequence[ZoneSpec]
) -> tuple[ZoneStatistics, ...]:
    """A chart for each fact that has a value for some card, for every zone of at least two cards, in the game's order.

    Facts that are free text have no chart.
    """
    lines = tuple(lines)
    found = []
    for zone in zones:
        cards = [line for line in lines if line.zone == zone.key]
        if (count := sum(line.count for line in cards)) >= 2:
            charts = (_chart(key, spec, cards) for key, spec in facts.items() if spec.type != "text")
            found.append(ZoneStatistics(zone.key, zone.label, count, tuple(chart for chart in charts if chart.bars)))
    return tuple(found)


def _chart(key: str, spec: FactSpec, cards: Sequence[DeckLine]) -> Chart:
    counts: Counter[bool | int | str] = Counter()
    unknown = 0
    for line in cards:
        value = line.card.facts.get(key)
        if value is None or not spec.admits(value):
            unknown += line.count
        else:
            counts[value] += line.count
    average = None
    if spec.type == "number":
        numbers = {int(value): count for value, count in counts.items()}
        rows = _histogram(numbers)
        if numbers:
            average = round(sum(value * count for value, count in numbers.items()) / sum(numbers.values()), 2)
    elif spec.type == "flag":
        rows = [(label, counts[value]) for value, label in FLAGS if counts[value]]
    else:
        rows = [(value, counts[value]) for value in spec.values if counts[value]]
    longest = max([unknown, *(count for _, count in rows)])
    bars = tuple(Bar(label, count, _percent(count, longest)) for label, count in rows)
    return Chart(key, spec.label, bars, unknown, average)


def _histogram(numbers: Mapping[int, int]) -> list[tuple[str, int]]:
    """Every value from the lowest to the highest, those without a card too, or steps of values."""
    if not numbers:
        return []
    low, high = min(numbers), max(numbers)
    step = _step(high - low + 1)
    counts: Counter[int] = Counter()
    for value, count in numbers.items():
        counts[value // step] += count
    places = range(low // step, high // step + 1)
    return [(_span(place * step, step), counts[place]) for place in places]


def _step(span: int) -> int:
    """The least of 1, 2, 5, 10, 20 ... with which ``span`` values are at most MOST_BARS bars."""
    ten = 1
    while True:
        for step in (ten, 2 * ten, 5 * ten):
            if span // step + 1 < MOST_BARS:
                return step
        ten *= 10


def _span(start: int, step: int) -> str:
    return str(start) if step == 1 else f"{start} to {start + step - 1}"


def _percent(count: int, longest: int) -> int:
    return round(100 * count / longest) if longest else 0
