"""The cards and formats of a shipped pack, as the engines read them from its folder."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from cards.engine.names import name_key
from cards.engine.rows import merge, read_csv
from rules.engine.formatschema import FormatDefinition
from rules.engine.legality import (
    CardFacts,
    CompiledFormat,
    DeckFacts,
    DeckLine,
    StatusFact,
    UnresolvedLine,
    VerdictResult,
    check,
    compile_format,
)
from rules.engine.packschema import GameFile, ListsFile
from rules.engine.repeating import repeated

PACKS = Path(__file__).resolve().parents[2] / "rules" / "packs"
TODAY = date(2026, 11, 30)
Parts = Mapping[str, Mapping[str, int]]


class Shelf:
    """One pack, read by the engines that load it."""

    def __init__(self, game: str) -> None:
        self.folder = PACKS / game
        self.game = GameFile.model_validate(self.toml("game.toml"))
        self.lists = ListsFile.model_validate(self.toml("lists.toml"))
        files = [f"formats/{path.name}" for path in sorted((self.folder / "formats").iterdir())]
        definitions = [FormatDefinition.model_validate(one) for file in files for one in repeated(self.toml(file))]
        self.formats = {f"{one.slug}.{one.version}": one for one in definitions}
        legal_on = {release.code: release.legal_on for release in self.game.sets}
        rows, faults = read_csv((self.folder / "cards.csv").read_text(encoding="utf-8"), self.game.facts)
        drafts, more = merge(rows)
        assert [*faults, *more] == []
        tagged = {name_key(name): tag.tag for tag in self.lists.tag for name in tag.cards}
        self.cards = {
            draft.name: CardFacts(
                id=number,
                name=draft.name,
                facts=draft.facts,
                tags=frozenset({tagged[draft.key]} if draft.key in tagged else ()),
                legal_dates=tuple(legal_on[code] for code, _ in draft.printings),
                sets=tuple(code for code, _ in draft.printings),
            )
            for number, draft in enumerate(drafts, start=1)
        }

    def toml(self, name: str) -> dict[str, Any]:
        path = self.folder / name
        return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def named(self, count: int, *, each: int = 1, years: tuple[int, ...] = (), **facts: str) -> dict[str, int]:
        """``count`` cards in all, ``each`` of the first cards with these facts and a printing of one of the years."""
        fitting = [
            card.name
            for card in self.cards.values()
            if all(card.facts.get(key) == value for key, value in facts.items())
            and (not years or any(day is not None and day.year in years for day in card.legal_dates))
        ]
        whole, rest = divmod(count, each)
        chosen = dict.fromkeys(fitting[:whole], each)
        if rest:
            chosen[fitting[whole]] = rest
        assert sum(chosen.values()) == count
        return chosen

    def compiled(self, stem: str, day: date = TODAY, extra: Iterable[StatusFact] = ()) -> CompiledFormat:
        """The format version ``stem`` with its lists of the day, and with ``extra`` entries."""
        definition = self.formats[stem]
        statuses = [
            StatusFact(
                self.cards[entry.card].id, entry.status, entry.max_copies, entry.from_, entry.section, entry.source
            )
            for entry in self.lists.status
            if definition.slug in entry.formats
            and (entry.from_ is None or entry.from_ <= day)
            and (entry.until is None or day < entry.until)
        ]
        return compile_format(definition, [*statuses, *extra], day, {})

    def deck(self, deck: Parts, unresolved: Iterable[UnresolvedLine] = ()) -> DeckFacts:
        lines = [
            DeckLine(zone, count, self.cards[name]) for zone, cards in deck.items() for name, count in cards.items()
        ]
        return DeckFacts(tuple(lines), tuple(unresolved))

    def judged(
        self,
        stem: str,
        deck: Parts,
        day: date = TODAY,
        pool: Mapping[str, int] | None = None,
        *,
        listed: Iterable[StatusFact] = (),
        unresolved: Iterable[UnresolvedLine] = (),
    ) -> VerdictResult:
        held = None if pool is None else {self.cards[name].id: count for name, count in pool.items()}
        return check(self.deck(deck, unresolved), self.compiled(stem, day, listed), held)

    def verdict(
        self, stem: str, deck: Parts, day: date = TODAY, pool: Mapping[str, int] | None = None
    ) -> tuple[str, list[tuple[str, str, str | None]]]:
        """The outcome, and what each violation broke: constraint, section and reading."""
        result = self.judged(stem, deck, day, pool)
        return result.outcome, [(v.constraint, v.cite, v.reading) for v in result.violations]
