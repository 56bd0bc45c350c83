"""Search over rules documents: a rule's number first, then what is said of a card, then words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import timezone
from rapidfuzz import fuzz

from cards.models import Card, Game
from cards.queries import cards_named_in
from config.text import unstorable_character
from rules.engine.search import LONGEST, SnippetParts, Term, numbers_in, snippet, stands_in, terms_of, words_of
from rules.models import Section
from rules.queries.rulings import RulingHit, rulings_about

Because = Literal["number", "card", "words"]
MOST_RULINGS = 5


@dataclass(frozen=True)
class SectionHit:
    """A section, the stretch of it that answers, its heading, and why it was found. Only words give a score."""

    section: Section
    snippet: SnippetParts
    because: Because
    score: float = 0.0
    heading: SnippetParts = ()


@dataclass(frozen=True)
class SearchResult:
    """``repairs`` maps what was typed and nowhere found to the word that was looked for instead."""

    hits: list[SectionHit]
    cards: list[Card]
    repairs: dict[str, str] = field(default_factory=dict)
    rulings: list[RulingHit] = field(default_factory=list)


def search_sections(
    *, query: str, game: Game | None = None, limit: int = 10, day: date | None = None
) -> list[SectionHit]:
    """The sections that ``search`` finds, best first."""
    return search(query=query, game=game, limit=limit, day=day).hits


def search(*, query: str, game: Game | None = None, limit: int = 10, day: date | None = None) -> SearchResult:
    """Sections, cards and rulings that answer a question. At most ten queries, however long the question.

    Searched are documents in force on the day (today without one). Any word may match: a section with more and rarer of
    them comes first; words that stand nowhere are looked for under their synonyms in the game, or as the most similar
    word. A query that no document could hold finds nothing.
    """
    if unstorable_character(query):
        return SearchResult([], [])
    query = query[:LONGEST]
    words = words_of(query)
    numbers = numbers_in(query)
    if not words and not numbers:
        return SearchResult([], [])
    scope = _Scope(game, day or timezone.localdate())
    sections = scope.sections()
    found: dict[int, Because] = {}
    for pk in _numbered(sections, numbers):
        found.setdefault(pk, "number")
    cards = cards_named_in(text=query, game=game)
    if cards:
        named = sections.filter(cards__in=cards).order_by("is_reading", "document_id", "order").distinct()
        for pk in named.values_list("pk", flat=True)[:limit]:
            found.setdefault(pk, "card")
    tables = dict(_games(game).values_list("pk", "synonyms"))
    typed = terms_of(words, tables)
    terms, repairs = _repaired(scope, typed)
    scores = dict(scope.run(_SCORES, terms, limit + len(found))) if terms else {}
    for pk in scores:
        found.setdefault(pk, "words")
    chosen = list(found)[:limit]
    rows = sections.select_related("document__game").defer("search").in_bulk(chosen)
    wanted = [term.text for term in terms] + [card.name for card in cards]
    hits = []
    for pk in chosen:
        parts, heading = snippet(rows[pk].body, wanted), snippet(rows[pk].heading, wanted)
        hits.append(SectionHit(rows[pk], parts, found[pk], scores.get(pk, 0.0), heading))
    rulings = rulings_about(
        query=query, terms=typed, cards=cards, game=game, day=scope.day, limit=min(limit, MOST_RULINGS)
    )
    return SearchResult(hits, cards, repairs, rulings)


@dataclass(frozen=True)
class Meaning:
    """A game's own word and what it means there."""

    game: Game
    word: str
    meaning: str


def meanings_in(*, query: str, game: Game | None = None, limit: int = 4) -> list[Meaning]:
    """The words of a game's glossary that stand in the query, longest first. One query."""
    words = words_of(query[:LONGEST])
    found = [
        Meaning(one, word, meaning)
        for one in _games(game).order_by("name")
        for word, meaning in one.glossary.items()
        if stands_in(word, words)
    ]
    return sorted(found, key=lambda meaning: -len(meaning.word))[:limit]


def _games(game: Game | None) -> QuerySet[Game]:
    return Game.objects.all() if game is None else Game.objects.filter(pk=game.pk)


def _numbered(sections: QuerySet[Section], numbers: Sequence[tuple[str | None, str]]) -> list[int]:
    """Sections with one of the numbers; a word before it is a prefix only if it is that of a document."""
    if not numbers:
        return []
    wanted = Q()
    for _, number in numbers:
        wanted |= Q(number__iexact=number)
    rows = sections.filter(wanted).order_by("document_id", "order").values_list("pk", "number", "document__prefix")
    asked = {(prefix, number) for prefix, number in numbers}
    exact = [pk for pk, number, prefix in rows if (prefix.lower(), number.lower()) in asked]
    return exact or [pk for pk, _, _ in rows]


# A term is looked for stemmed, and as it is where names and numbers are indexed unstemmed; a stop word not at all.
_TERMS = """
    WITH typed AS (
        SELECT text, weight, game, phraseto_tsquery('english', text) AS stemmed
        FROM unnest(%s::text[], %s::float8[], %s::bigint[]) AS typed(text, weight, game)
    ), term AS MATERIALIZED (
        SELECT text, weight, game,
               CASE WHEN numnode(stemmed) > 0 THEN stemmed || phraseto_tsquery('simple', text) END AS sought
        FROM typed
    ), scope AS MATERIALIZED (
        SELECT section.id, section.search, section.number, section.is_reading, document.game_id
        FROM rules_section section JOIN rules_rulesdocument document ON document.id = section.document_id
        WHERE document.during @> %s::date AND (%s::bigint IS NULL OR document.game_id = %s)
    ), held AS MATERIALIZED (
        SELECT scope.id, term.text, term.weight, scope.number, scope.is_reading,
               ts_rank('{0.1, 0.4, 0.5, 1.0}', search, sought, 1) AS rank
        FROM term JOIN scope ON search @@ sought AND (game IS NULL OR game = game_id)
    ), rarity AS (
        SELECT text, ln(1 + (SELECT count(*) FROM scope)::float8 / count(DISTINCT id)) AS rare FROM held GROUP BY text
    )
"""
_FREQUENCIES = """
    SELECT text, sought IS NULL, EXISTS (SELECT FROM held WHERE held.text = term.text) FROM term
"""
# The sum over terms of (how rare the term is) x (how weightily and how often the section has it).
_SCORES = """
    SELECT id, sum(weight * rare * rank)
               * CASE WHEN number ~ '[.]' THEN 1.0 WHEN is_reading THEN 0.8 ELSE 0.5 END AS score
    FROM held JOIN rarity USING (text)
    GROUP BY id, number, is_reading
    ORDER BY score DESC, id
    LIMIT %s
"""
_NEAREST = """
    WITH vocabulary AS MATERIALIZED (SELECT word FROM ts_stat(%s) WHERE length(word) >= 3)
    SELECT typed.word, near.word
    FROM unnest(%s::text[]) AS typed(word),
         LATERAL (SELECT word FROM vocabulary WHERE similarity(word, typed.word) > 0.3
                  ORDER BY similarity(word, typed.word) DESC, word LIMIT 5) AS near
"""
# ts_stat reads a query as text, without parameters: what goes into it is a whole number and a day.
_VOCABULARY = (
    "SELECT search FROM rules_section section JOIN rules_rulesdocument document ON document.id = section.document_id "
    "WHERE document.during @> DATE '{day}'{game}"
)


@dataclass(frozen=True)
class _Scope:
    """Sections of the documents of one game, or all, that are in force on a day."""

    game: Game | None
    day: date

    def sections(self) -> QuerySet[Section]:
        sections = Section.objects.filter(document__during__contains=self.day)
        return sections if self.game is None else sections.filter(document__game=self.game)

    def run(self, sql: str, terms: Sequence[Term], *more: Any) -> list[tuple[Any, ...]]:
        game = None if self.game is None else self.game.pk
        typed: list[Any] = [[t.text for t in terms], [t.weight for t in terms], [t.only_in for t in terms]]
        with connection.cursor() as cursor:
            cursor.execute(_TERMS + sql, [*typed, self.day, game, game, *more])
            return list(cursor.fetchall())

    def nearest(self, words: Sequence[str]) -> list[tuple[str, str]]:
        game = "" if self.game is None else f" AND document.game_id = {int(self.game.pk)}"
        with connection.cursor() as cursor:
            cursor.execute(_NEAREST, [_VOCABULARY.format(day=self.day.isoformat(), game=game), list(words)])
            return list(cursor.fetchall())


def _repaired(scope: _Scope, terms: Sequence[Term]) -> tuple[list[Term], dict[str, str]]:
    """The terms that stand somewhere, and for single words that stand nowhere the nearest one that does."""
    rows = scope.run(_FREQUENCIES, terms)
    held = {text for text, _, is_held in rows if is_held}
    stop_words = {text for text, is_stop_word, _ in rows if is_stop_word}
    kept = [term for term in terms if term.text in held]
    lost = [
        term.text
        for term in terms
        if term.text not in held | stop_words
        and " " not in term.text
        and 4 <= len(term.text) <= 30
        and not term.only_in
    ]
    # A word that a synonym has taken care of is mended only where it is plainly a slip.
    least = 80 if any(term.only_in for term in kept) else 72
    repairs = _nearest(scope, lost, least) if lost else {}
    return [*kept, *(Term(word, 0.9) for word in repairs.values())], repairs


def _nearest(scope: _Scope, words: Sequence[str], least: int) -> dict[str, str]:
    """The indexed word most like each word, for those that have one at least so alike (of 100)."""
    best: dict[str, tuple[float, str]] = {}
    for typed, near in scope.nearest(words):
        ratio = max(fuzz.ratio(typed, near), fuzz.ratio(typed[: len(near)], near))
        if ratio >= least and ratio > best.get(typed, (0.0, ""))[0]:
            best[typed] = (ratio, near)
    return {typed: near for typed, (_, near) in best.items()}
