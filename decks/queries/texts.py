"""Several lists read at once, compared, and written as files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import F

from cards.engine.facts import fact_specs
from cards.models import CardName, Game, Printing
from config.errors import DomainError
from decks.engine.comparing import ZoneDifference, compare
from decks.engine.exports import FILE_FORMATS, FileFormat, Printed, write_deck
from decks.engine.fingerprint import fingerprint
from decks.engine.parser import ParsedDecklist, candidate_keys, parse_decklist
from decks.engine.printed import printed_as_written
from decks.engine.statistics import ZoneStatistics, statistics
from decks.models import Deck
from decks.queries import GameNames, parse_text, zone_specs
from rules.engine.legality import DeckLine
from rules.queries import card_facts_for

MOST_TOLD = 3


class _NoSuggestions:
    """The names of a game, for texts of which nobody asks what an unknown name may mean."""

    def __init__(self, names: GameNames) -> None:
        self.resolve = names.resolve

    def suggest(self, texts: Sequence[str], limit: int = 3) -> list[list[str]]:
        return [[] for _ in texts]


def read_texts(*, texts: Sequence[str], game: Game) -> list[ParsedDecklist]:
    """What each text means, without suggestions. One query for all. Raises as ``check_text``."""
    zones = zone_specs(game)
    keys: set[str] = set()
    for text in texts:
        keys |= candidate_keys(text, zones)
    names = _NoSuggestions(GameNames(game=game, keys=keys))
    return [parse_decklist(text, names, zones) for text in texts]


@dataclass(frozen=True)
class ComparedLists:
    """``fingerprints`` are those of what was understood; equal for the same deck, however it is written."""

    first: ParsedDecklist
    second: ParsedDecklist
    zones: tuple[ZoneDifference, ...]
    fingerprints: tuple[str, str]

    @property
    def is_same(self) -> bool:
        """Whether both are one deck for sure: a line that is not understood may be anything."""
        return self.fingerprints[0] == self.fingerprints[1] and not (self.first.problems or self.second.problems)

    @property
    def changed(self) -> list[ZoneDifference]:
        return [zone for zone in self.zones if zone.added or zone.removed]


def compare_texts(*, first: str, second: str, game: Game) -> ComparedLists:
    """One query. Raises as ``check_text``."""
    one, two = read_texts(texts=[first, second], game=game)
    marks = fingerprint(one.entries), fingerprint(two.entries)
    return ComparedLists(one, two, compare(one.entries, two.entries, zone_specs(game)), marks)


@dataclass(frozen=True)
class DeckFile:
    format: FileFormat
    name: str
    text: str


def deck_file(*, deck: Deck, kind: str) -> DeckFile:
    """The deck as a file of ``kind``, each card with the printing that the list names, else with its newest.

    Three queries, one more where lines are not understood. Raises those of ``write_deck``, and DomainError
    ``decks.unresolved`` where a line is not understood: a file without it would be another deck.
    """
    if kind not in FILE_FORMATS:
        write_deck(kind, (), zone_specs(deck.game))
    parsed = parse_text(text=deck.text, game=deck.game)
    if parsed.problems:
        told = "; ".join(f"line {line.number}, “{line.raw[:60]}”" for line in parsed.problems[:MOST_TOLD])
        more = len(parsed.problems) - MOST_TOLD
        raise DomainError(
            "decks.unresolved",
            f"A file of this deck would lack what is not understood: {told}{f' and {more} more' if more > 0 else ''}. "
            "Mend that first.",
            {"lines": [line.number for line in parsed.problems]},
        )
    printed = _printed({entry.card for entry in parsed.entries})
    for card, written in printed_as_written(parsed.cards).items():
        printed[card] = replace(written, passcode=printed[card].passcode)
    text = write_deck(kind, parsed.entries, parsed.zones, printed=printed, name=deck.name)
    return DeckFile(FILE_FORMATS[kind], f"{_file_name(deck.name)}.{FILE_FORMATS[kind].ending}", text)


def _printed(cards: Iterable[int]) -> dict[int, Printed]:
    """Two queries: the newest printing of each card, and its number where a name of it is one."""
    ids = sorted(cards)
    rows = Printing.objects.filter(card__in=ids).order_by(F("card_set__released_on").asc(nulls_first=True), "-pk")
    sets = {card: (code, number) for card, code, number in rows.values_list("card_id", "card_set__code", "number")}
    names = CardName.objects.filter(card__in=ids, key__regex=r"^[0-9]{5,10}$").order_by("-pk")
    passcodes: dict[int, str] = dict(names.values_list("card_id", "key"))
    return {card: Printed(*sets.get(card, ("", "")), passcode=passcodes.get(card, "")) for card in ids}


def _file_name(name: str) -> str:
    """The deck's name, of letters, digits, spaces, - and _ only, so that it is a file's name everywhere."""
    words = "".join(letter if letter.isalnum() or letter in " -_" else " " for letter in name)
    return " ".join(words.split())[:60] or "deck"


def deck_statistics(*, deck: Deck, day: date) -> tuple[ZoneStatistics, ...]:
    """The deck's cards by their facts of the day; lines that are not understood count nowhere.

    Four queries: the names, and those of ``card_facts_for``.
    """
    [parsed] = read_texts(texts=[deck.text], game=deck.game)
    facts = card_facts_for({entry.card for entry in parsed.entries}, day=day) if parsed.entries else {}
    lines = [DeckLine(entry.zone, entry.count, facts[entry.card], entry.lines) for entry in parsed.entries]
    return statistics(lines, fact_specs(deck.game.facts), parsed.zones)
