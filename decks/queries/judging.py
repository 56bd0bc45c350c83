"""Stored decklists judged by the lists of this moment, thousands at a time. Nothing is stored here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from operator import itemgetter
from typing import Any, NamedTuple

from django.db import connection
from pydantic_core import from_json

from decks.queries import PARSER
from rules.engine.digests import card_text, digest_of_texts
from rules.engine.legality import DeckFacts, DeckLine, UnresolvedLine, check
from rules.engine.screening import Screen
from rules.engine.selectors import CardFacts
from rules.models import FormatVersion
from rules.queries import card_facts_for, compiled_format

MOST_FACTS = 200_000
"""Cards of a day that are kept; a judge who knows more begins anew, so that memory stays bounded."""


class Said(NamedTuple):
    """An outcome, its violations as JSON, and the digests of what it was reached by."""

    outcome: str
    violations: list[dict[str, Any]]
    digests: dict[str, str]


class StoredDeck(NamedTuple):
    """What a decklist's row says, without a model instance. ``cards`` are the ids of its cards, in order."""

    id: int
    format: int
    version: int
    day: date
    cards: Sequence[int]
    entries: Sequence[Mapping[str, Any]]
    pool: Mapping[int, int] | None
    problems: Sequence[Mapping[str, Any]]


class Judgement(NamedTuple):
    """``first`` was said when the decklist was handed in, ``later`` since the publication that changed it, if any."""

    decklist: int
    first: Said
    later: Said | None
    publication: int | None
    now: Said

    @property
    def before(self) -> Said:
        return self.later or self.first


class Judge:
    """Judges by versions, lists and facts that it reads once each, when they are first needed.

    The version is the one in force on the decklist's day, or the decklist's own where that day has none any more.
    ``fixed`` is a version (with its format and game) and kept rules (by id) that all are judged by instead.
    """

    def __init__(self, fixed: tuple[FormatVersion, int] | None = None) -> None:
        self._fixed = fixed
        self._versions: dict[int, list[FormatVersion]] = {}
        self._days: dict[date, _Day] = {}
        self._benches: dict[tuple[int, date], _Bench] = {}

    def prepare(self, needs: Iterable[tuple[int, int, date, Sequence[int]]]) -> None:
        """Read what decks of (format, version, day, cards) need and isn't known yet.

        A query for the formats, one for each format and day, and those of ``card_facts_for`` for each day.
        """
        if sum(len(day.facts) for day in self._days.values()) > MOST_FACTS:
            self._days.clear()
            self._benches.clear()
        cards_on: dict[date, set[int]] = {}
        keys = set()
        for format_, version, day, cards in needs:
            cards_on.setdefault(day, set()).update(cards)
            keys.add((format_, version, day))
        new = {format_ for format_, _, _ in keys if self._fixed is None} - self._versions.keys()
        if new:
            self._versions.update((format_, []) for format_ in new)
            for found in FormatVersion.objects.filter(format__in=new).select_related("format__game"):
                self._versions[found.format_id].append(found)
        for day, wanted in cards_on.items():
            self._days.setdefault(day, _Day(day, self._kept)).learn(wanted)
        for key in keys:
            self._bench(*key)

    def judge(self, deck: StoredDeck) -> Said:
        """Of a deck that was prepared for. No query."""
        return self._bench(deck.format, deck.version, deck.day).judge(deck)

    @property
    def _kept(self) -> int | None:
        return None if self._fixed is None else self._fixed[1]

    def _version(self, format_: int, own: int, day: date) -> FormatVersion:
        if self._fixed is not None:
            return self._fixed[0]
        versions = self._versions[format_]
        then = next((version for version in versions if day in version.during), None)
        return then or next(version for version in versions if version.pk == own)

    def _bench(self, format_: int, own: int, day: date) -> _Bench:
        version = self._version(format_, own, day)
        if (version.pk, day) not in self._benches:
            self._benches[version.pk, day] = _Bench(version, self._days[day])
        return self._benches[version.pk, day]


class _Day:
    """What is known of cards on a day, or was when rules were ``kept``."""

    def __init__(self, day: date, kept: int | None) -> None:
        self.day = day
        self.kept = kept
        self.facts: dict[int, CardFacts] = {}
        self.texts: dict[int, str] = {}

    def learn(self, cards: set[int]) -> None:
        new = cards - self.facts.keys()
        if new:
            found = card_facts_for(new, day=self.day, kept=self.kept)
            self.facts.update(found)
            self.texts.update((id_, card_text(card)) for id_, card in found.items())


class _Bench:
    """A version of a format on a day."""

    def __init__(self, version: FormatVersion, day: _Day) -> None:
        self._compiled = compiled_format(format_version=version, day=day.day, kept=day.kept)
        self._screen = Screen(self._compiled, day.facts)
        self._day = day
        self._digests = {"pack": version.format.game.digest, **self._compiled.digests, "parser": PARSER}

    def judge(self, deck: StoredDeck) -> Said:
        cards = digest_of_texts(map(self._day.texts.__getitem__, deck.cards))
        digests = {**self._digests, "cards": cards}
        suspects = None if deck.problems else self._screen.suspects(tuple(map(_ROW, deck.entries)), deck.pool)
        if suspects is not None and not suspects:
            return Said("legal", [], digests)
        verdict = check(self._facts_of(deck), self._compiled, deck.pool, suspects)
        return Said(verdict.outcome, [violation.as_json() for violation in verdict.violations], digests)

    def _facts_of(self, deck: StoredDeck) -> DeckFacts:
        facts = self._day.facts
        return DeckFacts(
            tuple(
                DeckLine(entry["zone"], entry["count"], facts[entry["card"]], tuple(entry["lines"]))
                for entry in deck.entries
            ),
            tuple(
                UnresolvedLine(line["number"], line["raw"], line.get("count"), line["zone"]) for line in deck.problems
            ),
        )


_ROW = itemgetter("zone", "card", "count")
# Model instances would cost several times what judging does; JSON comes as text and is parsed one deck at a time.
_STORED = """
SELECT deck.id, version.format_id, deck.format_version_id, deck.legality_date, deck.card_ids,
    deck.entries, deck.pool, first.problems, first.outcome, first.violations, first.digests,
    later.outcome, later.violations, later.digests, later.publication_id
FROM decks_decklist AS deck
JOIN rules_formatversion AS version ON version.id = deck.format_version_id
JOIN decks_verdict AS first ON first.decklist_id = deck.id
LEFT JOIN decks_laterverdict AS later ON later.decklist_id = deck.id
WHERE deck.id = ANY(%s)
ORDER BY deck.id
"""


def judgements(*, decklist_ids: Sequence[int], judge: Judge) -> list[Judgement]:
    """What each decklist's verdict was and would be now, in order of id; ids that are no decklist's are left out.

    One query and those of ``Judge.prepare``.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STORED, [list(decklist_ids)])
        stored = cursor.fetchall()
    judge.prepare(row[1:5] for row in stored)
    return [_judgement(row, judge) for row in stored]


def _judgement(row: tuple[Any, ...], judge: Judge) -> Judgement:
    id_, format_, version, day, cards, entries, pool, problems, *said, publication = row
    deck = StoredDeck(
        id_,
        format_,
        version,
        day,
        cards,
        from_json(entries),
        None if pool is None else {int(card): count for card, count in json.loads(pool).items()},
        json.loads(problems),
    )
    later = None if said[3] is None else _said(*said[3:])
    return Judgement(id_, _said(*said[:3]), later, publication, judge.judge(deck))


def _said(outcome: str, violations: str, digests: str) -> Said:
    return Said(outcome, json.loads(violations), json.loads(digests))


def changed_outcomes(*, decklist_ids: Sequence[int], batch: int = 1000) -> list[tuple[int, str, str]]:
    """(decklist, outcome that stands, outcome by the lists that the current transaction sees) where these differ.

    One query for each batch, and those of ``Judge.prepare``.
    """
    judge, changed = Judge(), []
    for start in range(0, len(decklist_ids), batch):
        for found in judgements(decklist_ids=decklist_ids[start : start + batch], judge=judge):
            if found.now.outcome != found.before.outcome:
                changed.append((found.decklist, found.before.outcome, found.now.outcome))
    return changed
