"""Decks as JSON: lists of names, maps of counts, boards within boards. Only what says a card or a part of a deck."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from config.errors import DomainError
from decks.engine.containers.rows import ASIDE_WORDS, MAIN_WORDS, SIDE_WORDS, Row, card_row, with_remarks

MAX_DEPTH = 12
MAX_ROWS = 2_000
_NAME = ("name", "cardName", "card_name", "title", "card", "id")
_COUNT = ("count", "quantity", "qty", "amount", "number", "copies")
_LEADERS = frozenset({"leader", "base", "commander", "companion", "realm"})
_ZONES = (MAIN_WORDS | SIDE_WORDS | ASIDE_WORDS | _LEADERS | {"extra", "crypt", "library"}) - {"", "cards", "deck"}


def read_json(text: str, lines: list[str]) -> list[Row] | None:
    """The rows of a JSON text; None where it is none. DomainError ``decks.unreadable``: too deep, or too much."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, (dict, list)):
        return None
    places = _Places(lines)
    rows = []
    for count, name, zone in _cards(data, "", 0):
        number = places.of(name)
        rows.append(card_row(number, lines[number - 1], count=count, name=name, zone=zone))
        if len(rows) > MAX_ROWS:
            raise _too_much()
    return with_remarks(lines, rows)


def _too_much() -> DomainError:
    return DomainError(
        "decks.unreadable",
        f"The JSON has more than {MAX_ROWS:,} cards or {MAX_DEPTH} levels. Send only the list of cards.",
    )


def _cards(value: Any, zone: str, depth: int, *, listed: bool = False) -> Iterator[tuple[object, str, str]]:
    """(count, name, zone in the file's word) of every card; what is ``listed`` is one even without a count."""
    if depth > MAX_DEPTH:
        raise _too_much()
    if isinstance(value, list):
        for one in value:
            yield from _cards(one, zone, depth + 1, listed=True)
    elif isinstance(value, Mapping):
        if (listed or _is_card(value)) and (name := _name(value)) is not None:
            yield _count(value), name, zone
            return
        counts = bool(value) and all(type(one) is int for one in value.values())
        for key, one in value.items():
            if counts:
                yield one, key, zone
            else:
                yield from _member(key, one, zone, depth)
    elif listed and _is_name(value):
        yield 1, str(value), zone


def _member(key: str, value: Any, zone: str, depth: int) -> Iterator[tuple[object, str, str]]:
    """A part of the deck by its key, a card by its name with a count or with what is known of it, or a wrapping."""
    words = " ".join(key.casefold().replace("_", " ").split())
    if words in _ZONES:
        yield from _cards(value, words, depth + 1, listed=isinstance(value, (str, int)))
    elif isinstance(value, Mapping) and _is_card(value):
        yield _count(value), _name(value) or key, zone
    elif isinstance(value, (list, Mapping)):
        yield from _cards(value, zone, depth + 1)


def _name(value: Mapping[str, Any]) -> str | None:
    inner = value.get("card")
    found = _first(inner, _NAME) if isinstance(inner, Mapping) else _first(value, _NAME)
    return str(found) if _is_name(found) else None


def _is_name(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _is_card(value: Mapping[str, Any]) -> bool:
    return any(key in value for key in _COUNT)


def _count(value: Mapping[str, Any]) -> object:
    count = _first(value, _COUNT)
    return 1 if count is None or isinstance(count, (bool, list, dict)) else count


def _first(value: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((value[key] for key in keys if value.get(key) not in (None, "")), None)


class _Places:
    """The lines on which names stand: JSON parsers don't tell, and a file may be one line."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.at = lines, 0

    def of(self, name: str) -> int:
        for start in (self.at, 0):
            for place in range(start, len(self.lines)):
                line = self.lines[place]
                if name in line or json.dumps(name)[1:-1] in line:
                    self.at = place
                    return place + 1
        return self.at + 1
