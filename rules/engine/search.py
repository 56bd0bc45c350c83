"""The words of a question: which to look for, what else they may mean, and where they stand in an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cards.engine.names import name_key

LONGEST = 300
MOST_WORDS = 24
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_NUMBER = re.compile(
    r"(?<![\w.])(?:([a-z][a-z0-9]*)\s+)?([0-9]+(?:\.[0-9]+)+[a-z]?|r[0-9]+|[0-9]+(?=\s*$)(?<=[0-9]))(?![\w.]*\w)"
)
_ENDINGS = ("ations", "ation", "ingly", "ings", "ing", "edly", "ies", "ied", "es", "ed", "ly", "s", "e", "y")

SnippetParts = tuple[tuple[str, bool], ...]
"""Pieces of plain text, each with whether it is what was looked for."""


@dataclass(frozen=True)
class Term:
    """A word or phrase to look for. ``only_in`` is the game whose documents it counts in, None for all."""

    text: str
    weight: float
    only_in: int | None = None


def words_of(query: str) -> list[str]:
    """At most 24 words of a query, folded; the rest of a longer one is passed over."""
    return _WORD.findall(name_key(query[:LONGEST]))[:MOST_WORDS]


def numbers_in(query: str) -> list[tuple[str | None, str]]:
    """Rule numbers in the query ("EPIC 5.3", "702.50a", "R2"), each with the word before it, which may be a prefix.

    A whole number without a point is one only where the query has nothing else but a prefix.
    """
    key = name_key(query[:LONGEST])
    found = [(match[1], match[2]) for match in _NUMBER.finditer(key)]
    alone = len(key.split()) <= 2
    return [(prefix, number) for prefix, number in found if alone or not number.isdigit()][:5]


def terms_of(words: Sequence[str], synonyms: Mapping[int, Mapping[str, Sequence[str]]]) -> list[Term]:
    """What to look for: each word, each pair of neighbours, and the game's own word for what people say instead.

    ``synonyms`` maps a game's id to {own word: what people type}.
    """
    # A bare number is in many rules, and is the number of a chapter.
    terms = {Term(word, 0.3 if word.isdigit() else 1.0): None for word in words}
    for first, second in zip(words, words[1:], strict=False):
        terms[Term(f"{first} {second}", 0.6)] = None
    for game, table in synonyms.items():
        for own, typed in table.items():
            if any(stands_in(phrase, words) for phrase in typed):
                terms[Term(name_key(own), 1.0, game)] = None
    return list(terms)


def stands_in(phrase: str, words: Sequence[str]) -> bool:
    """Whether the words of the phrase follow one another in ``words``, endings apart."""
    wanted = [stem(word) for word in words_of(phrase)]
    have = [stem(word) for word in words]
    return bool(wanted) and any(have[at : at + len(wanted)] == wanted for at in range(len(have) - len(wanted) + 1))


def stem(word: str) -> str:
    """A word without its commonest endings; rough, and only for telling that two words are the same one."""
    word = word.removesuffix("'s").removesuffix("'")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def snippet(body: str, wanted: Iterable[str], size: int = 240) -> SnippetParts:
    """The stretch of a Markdown body, about ``size`` characters of plain text, with the most of the wanted words."""
    text = _plain(body)
    stems = {stem(word) for phrase in wanted for word in words_of(phrase)}
    hits = [match.span() for match in _WORD.finditer(text) if stem(name_key(match[0])) in stems]
    start, stop = _window(text, hits, size)
    parts: list[tuple[str, bool]] = [("… ", False)] if start else []
    at = start
    for begin, end in hits:
        if begin < start or end > stop:
            continue
        if begin > at:
            parts.append((text[at:begin], False))
        parts.append((text[begin:end], True))
        at = end
    if at < stop:
        parts.append((text[at:stop], False))
    if stop < len(text):
        parts.append((" …", False))
    return tuple(parts)


def _plain(body: str) -> str:
    return " ".join(re.sub(r"(^|\n)\s*(?:[-*+]|\d+\.)\s+", r"\1", re.sub(r"\*+|`|(?<!\w)_|_(?!\w)", "", body)).split())


def _window(text: str, hits: Sequence[tuple[int, int]], size: int) -> tuple[int, int]:
    if len(text) <= size:
        return 0, len(text)
    starts = [0, *(begin for begin, _ in hits)]
    best = max(starts, key=lambda start: (sum(start <= b and e <= start + size for b, e in hits), -start))
    start = min(max(0, best - 40), len(text) - size) if best else 0
    stop = min(len(text), start + size)
    if start:
        start = text.find(" ", start) + 1
    if stop < len(text):
        stop = max(text.rfind(" ", start, stop), start + 1)
    return start, stop
