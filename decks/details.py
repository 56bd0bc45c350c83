"""A deck as it lies on the table: its zones side by side with what is wrong beside the cards, and its statistics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cards.engine.facts import fact_specs
from cards.models import Card, Game
from decks.engine.parser import Entry, ProblemLine
from decks.engine.statistics import ZoneStatistics, statistics
from decks.queries import CheckedDeck


@dataclass(frozen=True)
class CardRow:
    """``is_broken``: a rule that is broken for sure names the card in this zone."""

    entry: Entry
    slug: str
    is_broken: bool


@dataclass(frozen=True)
class Column:
    label: str
    count: int
    rows: tuple[CardRow, ...]
    problems: tuple[ProblemLine, ...]


@dataclass(frozen=True)
class Details:
    """The context of ``decks/_details.html``. ``columns`` of the zones that hold something, in the game's order."""

    game: Game
    columns: tuple[Column, ...]
    statistics: tuple[ZoneStatistics, ...]
    fingerprint: str


def details_of(*, checked: CheckedDeck, game: Game) -> Details:
    """One query: the addresses of the cards."""
    slugs = dict(Card.objects.filter(pk__in=[entry.card for entry in checked.entries]).values_list("pk", "slug"))
    broken = {
        (zone, card.id)
        for violation in checked.verdict.violations
        if not violation.undetermined
        for card in violation.cards
        for zone in violation.zones
    }
    columns = []
    for place, (zone, count, entries) in enumerate(checked.zones):
        homes = (zone.key, None) if place == 0 else (zone.key,)
        problems = tuple(line for line in checked.parsed.problems if line.zone in homes)
        if entries or problems:
            columns.append(Column(zone.label, count, _rows(entries, slugs, broken), problems))
    spread = statistics(checked.deck.lines, fact_specs(game.facts), checked.parsed.zones)
    return Details(game, tuple(columns), spread, checked.fingerprint)


def _rows(entries: list[Entry], slugs: Mapping[int, str], broken: set[tuple[str, int]]) -> tuple[CardRow, ...]:
    return tuple(CardRow(entry, slugs[entry.card], (entry.zone, entry.card) in broken) for entry in entries)
