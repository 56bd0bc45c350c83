"""Reads of decks: what a text means on a day, whose decks there are, whether a stored verdict still holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from cards.engine.index import CardIndex
from cards.engine.names import name_key
from cards.models import CardName, Game
from cards.queries import card_index
from config.errors import NotFound
from decks.engine.fingerprint import fingerprint
from decks.engine.headings import ZoneSpec
from decks.engine.meters import Meter, meters
from decks.engine.one_block import ask_for_sideboard
from decks.engine.parser import Entry, ParsedDecklist, candidate_keys, parse_decklist
from decks.models import Deck, Decklist
from rules.engine.digests import cards_digest
from rules.engine.legality import (
    CompiledFormat,
    DeckFacts,
    DeckLine,
    UnresolvedLine,
    VerdictResult,
    check,
)
from rules.models import FormatVersion, Section
from rules.queries import card_facts_for, compiled_format, formats, kept_facts


@dataclass(frozen=True)
class CheckedDeck:
    """What a text means and whether it is legal. Nothing of it is stored."""

    parsed: ParsedDecklist
    verdict: VerdictResult
    compiled: CompiledFormat
    deck: DeckFacts
    meters: tuple[Meter, ...]

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        return self.parsed.entries

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(self.entries)

    @property
    def violations(self) -> list[dict[str, Any]]:
        """JSON of every violation but those that only repeat a problem line."""
        return [found.as_json() for found in self.verdict.violations if found.code != "line.unresolved"]

    @property
    def zones(self) -> list[tuple[ZoneSpec, int, list[Entry]]]:
        """(zone, number of cards, entries) of each zone, empty ones too."""
        found = []
        for zone in self.parsed.zones:
            rows = [entry for entry in self.entries if entry.zone == zone.key]
            found.append((zone, sum(entry.count for entry in rows), rows))
        return found


@dataclass(frozen=True)
class Replay:
    """A stored verdict worked out again. ``changed`` names the inputs whose digests differ from the stored ones."""

    verdict: VerdictResult
    is_same: bool
    changed: tuple[str, ...]


def zone_specs(game: Game) -> tuple[ZoneSpec, ...]:
    """The game's zones as the parser takes them. No query."""
    return tuple(ZoneSpec(zone["key"], zone["label"], tuple(zone.get("headings", ()))) for zone in game.zones)


class GameNames:
    """The names of one game: those that a text may mean from one query, and all of them only to suggest from.

    With ``kept`` rules, whose cards take a query more, no name means a card that wasn't known yet.
    """

    def __init__(self, *, game: Game, keys: Iterable[str], kept: int | None = None) -> None:
        names = CardName.objects.filter(game=game, key__in=list(keys)).values_list("key", "card_id", "card__name")
        rows = list(names)
        if kept is not None:
            known = kept_facts(kept, {card for _, card, _ in rows})
            rows = [row for row in rows if row[1] in known]
        self._game = game
        self._found = CardIndex.of(rows)

    def resolve(self, key: str) -> tuple[int, str] | None:
        return self._found.resolve(key)

    @cached_property
    def _all(self) -> CardIndex:
        return card_index(game=self._game)

    def suggest(self, texts: Sequence[str], limit: int = 3) -> list[list[str]]:
        return self._all.suggestions([name_key(text) for text in texts], limit)


def parse_text(*, text: str, game: Game, kept: int | None = None) -> ParsedDecklist:
    """What ``text`` means in ``game``. One query, one more where a line needs suggestions, and one for ``kept`` rules.

    Raises as ``check_text``.
    """
    zones = zone_specs(game)
    return parse_decklist(text, GameNames(game=game, keys=candidate_keys(text, zones), kept=kept), zones)


def check_text(
    *,
    text: str,
    game: Game,
    format_version: FormatVersion,
    day: date,
    pool: Mapping[int, int] | None = None,
    kept: int | None = None,
) -> CheckedDeck:
    """Read ``text`` and judge it by ``format_version`` with the lists of ``day``, or by rules that were ``kept``.

    Five queries (names, the format's lists, three for the facts of the cards), one more where a line needs suggestions;
    one fewer with ``kept``. ``pool`` maps card ids to copies, for limited play. Raises DomainError
    ``decks.too_large``, ``decks.unreadable``.
    """
    compiled = compiled_format(format_version=format_version, day=day, kept=kept)
    parsed = ask_for_sideboard(parse_text(text=text, game=game, kept=kept), compiled)
    deck = _deck_facts(parsed.entries, [problem.as_json() for problem in parsed.problems], day, kept)
    labels = {zone.key: zone.label for zone in parsed.zones}
    return CheckedDeck(parsed, check(deck, compiled, pool), compiled, deck, meters(deck.lines, compiled, labels))


def _deck_facts(
    entries: Iterable[Entry], unresolved: Iterable[Mapping[str, Any]], day: date, kept: int | None
) -> DeckFacts:
    entries = tuple(entries)
    facts = card_facts_for({entry.card for entry in entries}, day=day, kept=kept) if entries else {}
    return DeckFacts(
        tuple(DeckLine(entry.zone, entry.count, facts[entry.card], entry.lines) for entry in entries),
        tuple(UnresolvedLine(line["number"], line["raw"], line.get("count"), line["zone"]) for line in unresolved),
    )


@dataclass(frozen=True)
class Judged:
    verdict: VerdictResult
    compiled: CompiledFormat
    deck: DeckFacts


def judged(*, decklist: Decklist, format_version: FormatVersion, day: date, kept: int | None = None) -> Judged:
    """A frozen decklist by a version and the lists and facts of a day (four queries), or by kept ones (two)."""
    entries = [
        Entry(row["zone"], row["count"], row["card"], row["name"], tuple(row["lines"])) for row in decklist.entries
    ]
    compiled = compiled_format(format_version=format_version, day=day, kept=kept)
    pool = None if decklist.pool is None else {int(card): count for card, count in decklist.pool.items()}
    deck = _deck_facts(entries, decklist.verdict.problems, day, kept)
    return Judged(check(deck, compiled, pool), compiled, deck)


def replay_verdict(*, decklist: Decklist, kept: int | None = None) -> Replay:
    """Judge a frozen decklist again, from its stored entries, by the version and the day it was judged by.

    ``kept`` rules, those of a decklist's event, replay what was judged by them whatever was published since. The
    queries of ``judged``; select ``verdict`` and ``format_version__format__game`` with the decklist.
    """
    stored, version = decklist.verdict, decklist.format_version
    again = judged(decklist=decklist, format_version=version, day=decklist.legality_date, kept=kept)
    digests = verdict_digests(game=version.format.game, compiled=again.compiled, deck=again.deck)
    changed = sorted(key for key in {*digests, *stored.digests} if digests.get(key) != stored.digests.get(key))
    found = [violation.as_json() for violation in again.verdict.violations]
    is_same = (again.verdict.outcome, found) == (stored.outcome, stored.violations)
    return Replay(again.verdict, is_same, tuple(changed))


PARSER = "2"
"""Raised when the same text may be read as other cards by this code than before."""


def verdict_digests(*, game: Game, compiled: CompiledFormat, deck: DeckFacts) -> dict[str, str]:
    """Every input of a verdict but the list itself, by digest or version. No query."""
    cards = cards_digest(line.card for line in deck.lines)
    return {"pack": game.digest, **compiled.digests, "cards": cards, "parser": PARSER}


def sections_cited(*, citations: Iterable[str], format_version: FormatVersion, day: date) -> dict[str, Section]:
    """The sections that "EPIC 7.3" and the like name, by citation; those that don't exist are left out. One query.

    Of several versions of a document, the one that the format version follows comes first, then the one in force on
    ``day``.
    """
    wanted = {tuple(citation.rsplit(" ", 1)) for citation in citations if " " in citation}
    if not wanted:
        return {}
    candidates = Section.objects.filter(
        document__game=format_version.format.game_id,
        document__prefix__in={prefix for prefix, _ in wanted},
        number__in={number for _, number in wanted},
    ).select_related("document__game")

    def fit(section: Section) -> tuple[bool, bool]:
        return section.document_id == format_version.document_id, day in section.document.during

    found = sorted(candidates, key=fit)
    return {f"{section.document.prefix} {section.number}": section for section in found}


def format_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """(game's name, [("engarde/standard", "Standard"), ...]) of every game that has formats. One query."""
    choices: dict[str, list[tuple[str, str]]] = {}
    for found in formats():
        choices.setdefault(found.game.name, []).append((f"{found.game.slug}/{found.slug}", found.name))
    return list(choices.items())


def decks_of(*, owner: User) -> QuerySet[Deck]:
    """One query, when it is read."""
    return Deck.objects.filter(owner=owner).select_related("game", "format__game")


def deck_of(*, owner: User, deck_id: int) -> Deck:
    """One query. Raises NotFound for other people's decks too."""
    deck = Deck.objects.filter(owner=owner, pk=deck_id).select_related("game", "format__game").first()
    if deck is None:
        raise NotFound("decks.not_found", "There is no such deck among yours. Look at the list of your decks.")
    return deck
