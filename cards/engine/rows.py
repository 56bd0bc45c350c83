"""Tables of cards, as CSV or JSON: one row for each printing, merged into cards by name."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from cards.engine.facts import FactSpec, FactValue
from cards.engine.names import name_key
from config.text import unstorable_character

NameKind = Literal["alias", "face", "former"]
OTHER_NAMES: Mapping[str, NameKind] = {"aliases": "alias", "faces": "face", "former": "former"}
LEADING = ("set", "number", "name", *OTHER_NAMES, "text")
_SPACE = re.compile(r"[ \t\r\n]*")
_LIMITS = {"set": 20, "number": 20, "name": 140}


@dataclass(frozen=True)
class CardRow:
    """One printing. ``facts`` holds only what is known; ``former`` are names that the card had before."""

    line: int
    set_code: str
    number: str
    name: str
    aliases: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    text: str = ""
    facts: Mapping[str, FactValue] = field(default_factory=dict)

    @property
    def other_names(self) -> tuple[str, ...]:
        return (*self.aliases, *self.faces, *self.former)


@dataclass(frozen=True)
class RowFault:
    """What is wrong with a line of the cards, or with one of the sets where those are in a file of their own."""

    line: int
    message: str
    file: Literal["cards", "sets"] = "cards"


@dataclass(frozen=True)
class CardDraft:
    """A card with all its printings, as (set code, number)."""

    line: int
    name: str
    key: str
    text: str
    facts: Mapping[str, FactValue]
    aliases: tuple[str, ...]
    faces: tuple[str, ...]
    printings: tuple[tuple[str, str], ...]
    former: tuple[str, ...] = ()

    @property
    def other_names(self) -> tuple[tuple[NameKind, str], ...]:
        """(kind, name) of every name but the printed one."""
        kinds: tuple[tuple[NameKind, tuple[str, ...]], ...] = (
            ("alias", self.aliases),
            ("face", self.faces),
            ("former", self.former),
        )
        return tuple((kind, name) for kind, names in kinds for name in names)

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every name that means the card, the printed one first."""
        return (self.name, *(name for _, name in self.other_names))


def read_csv(text: str, specs: Mapping[str, FactSpec]) -> tuple[list[CardRow], list[RowFault]]:
    """Rows under the header ``set,number,name,aliases,faces,former,text`` and a column for each fact of the table.

    Other names are parted by ``|``; an empty cell is an unknown fact.
    """
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    rows: list[CardRow] = []
    faults: list[RowFault] = []
    try:
        header = [cell.strip() for cell in next(reader, [])]
        if missing := [column for column in ("set", "number", "name") if column not in header]:
            return [], [RowFault(1, f"the header lacks {', '.join(missing)}")]
        if unknown := [column for column in header if column not in LEADING and column not in specs]:
            faults.append(RowFault(1, f"no such fact in game.toml: {', '.join(unknown)}"))
        if len(set(header)) < len(header):
            faults.append(RowFault(1, "a column stands twice in the header"))
        for cells in reader:
            if not any(cells):
                continue
            line = reader.line_num
            if len(cells) != len(header):
                faults.append(RowFault(line, f"{len(cells)} cells under {len(header)} columns"))
                continue
            values = dict(zip(header, (cell.strip() for cell in cells), strict=True))
            facts: dict[str, FactValue] = {}
            for key, spec in specs.items():
                if cell := values.get(key, ""):
                    try:
                        facts[key] = spec.read(cell)
                    except ValueError as error:
                        faults.append(RowFault(line, str(error)))
            names = {k: tuple(p.strip() for p in values.get(k, "").split("|") if p.strip()) for k in OTHER_NAMES}
            row = CardRow(
                line=line,
                set_code=values["set"],
                number=values["number"],
                name=values["name"],
                text=values.get("text", ""),
                facts=facts,
                **names,
            )
            rows.append(row)
            faults += _faults_of(row)
    except csv.Error as error:
        faults.append(RowFault(reader.line_num, f"not CSV: {error}"))
    return rows, faults


def read_json(text: str, specs: Mapping[str, FactSpec]) -> tuple[list[CardRow], list[RowFault]]:
    """A list of objects with the keys of the CSV header; the kinds of names are lists, ``facts`` an object.

    ``line`` of a row is the line of the text on which its object begins.
    """
    try:
        items = json.loads(text)
    except (ValueError, RecursionError) as error:
        return [], [json_fault(error)]
    if not isinstance(items, list):
        return [], [RowFault(1, "the file holds no list of cards")]
    return read_items(zip(items, lines_of_items(text, text.index("[")), strict=True), specs)


def json_fault(error: ValueError | RecursionError) -> RowFault:
    """What json.loads raised, as a fault."""
    if isinstance(error, RecursionError):
        return RowFault(1, "not JSON that can be used: it is nested too deeply")
    return RowFault(getattr(error, "lineno", 1), f"not JSON: {error}")


def lines_of_items(text: str, start: int) -> Iterator[int]:
    """The line on which each item of the JSON list begins whose "[" is at ``start`` of the sound text."""
    decoder, at, line, counted = json.JSONDecoder(), start + 1, 1, 0
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
        if text[at] == "]":
            return
        line, counted = line + text.count("\n", counted, at), at
        yield line
        at = _SPACE.match(text, decoder.raw_decode(text, at)[1]).end()  # type: ignore[union-attr]
        at += text[at] == ","


def read_items(items: Iterable[tuple[Any, int]], specs: Mapping[str, FactSpec]) -> tuple[list[CardRow], list[RowFault]]:
    """Rows from the objects of a JSON list, each with its line."""
    rows: list[CardRow] = []
    faults: list[RowFault] = []
    for item, line in items:
        problem = _shape(item, specs)
        if problem:
            faults.append(RowFault(line, problem))
            continue
        row = CardRow(
            line=line,
            set_code=item["set"].strip(),
            number=item["number"].strip(),
            name=item["name"].strip(),
            text=item.get("text", ""),
            facts=item.get("facts", {}),
            **{key: tuple(name.strip() for name in item.get(key, ())) for key in OTHER_NAMES},
        )
        rows.append(row)
        faults += _faults_of(row)
    return rows, faults


def _shape(item: Any, specs: Mapping[str, FactSpec]) -> str | None:
    if not isinstance(item, dict):
        return "not an object"
    if unknown := sorted(set(item) - {*LEADING, "facts"}):
        return f"unknown keys: {', '.join(unknown)}"
    for key in ("set", "number", "name"):
        if not isinstance(item.get(key), str):
            return f"{key} must be text"
    if not isinstance(item.get("text", ""), str):
        return "text must be text"
    for key in OTHER_NAMES:
        names = item.get(key, [])
        if not isinstance(names, list) or not all(isinstance(name, str) and name.strip() for name in names):
            return f"{key} must be a list of names"
    facts = item.get("facts", {})
    if not isinstance(facts, dict):
        return "facts must be an object"
    for key, value in facts.items():
        if key not in specs:
            return f"no such fact: {key}"
        if not isinstance(value, (bool, int, str)) or not specs[key].admits(value):
            return f"{specs[key].label} can't be {value!r}"
    return None


def _faults_of(row: CardRow) -> list[RowFault]:
    named = {"set": row.set_code, "number": row.number, "name": row.name}
    faults = [RowFault(row.line, f"{column} is empty") for column, value in named.items() if not value]
    for column, value in named.items():
        if len(value) > _LIMITS[column]:
            faults.append(RowFault(row.line, f"{column} is longer than {_LIMITS[column]} characters"))
    for name in (row.name, *row.other_names):
        if len(name) > _LIMITS["name"] or len(name_key(name)) > _LIMITS["name"]:
            faults.append(RowFault(row.line, "a name is longer than 140 characters"))
        elif name and not name_key(name):
            faults.append(RowFault(row.line, f"{name!r} has nothing to be found by"))
    texts = (row.set_code, row.number, row.name, row.text, *row.other_names, *row.facts.values())
    for text in texts:
        if isinstance(text, str) and (found := unstorable_character(text)):
            faults.append(RowFault(row.line, f"{found} can't be stored"))
    return faults


def merge(rows: Sequence[CardRow]) -> tuple[list[CardDraft], list[RowFault]]:
    """Cards in order of their first row. Rows of one name are printings of one card and must say the same of it."""
    faults: list[RowFault] = []
    groups: dict[str, list[CardRow]] = {}
    printings: dict[tuple[str, str], CardRow] = {}
    for row in rows:
        groups.setdefault(name_key(row.name), []).append(row)
        first = printings.setdefault((row.set_code, row.number), row)
        if first is not row:
            faults.append(RowFault(row.line, f"{row.set_code} {row.number} is also on line {first.line}"))
    drafts = []
    meaning = {key: group[0] for key, group in groups.items()}
    for key, group in groups.items():
        first = group[0]
        facts = dict(first.facts)
        for row in group[1:]:
            if row.name != first.name:
                faults.append(RowFault(row.line, f"{row.name!r} is spelt {first.name!r} on line {first.line}"))
            if row.facts and dict(row.facts) != dict(first.facts):
                faults.append(RowFault(row.line, f"{row.name}: other facts than on line {first.line}"))
            if row.text and row.text != first.text:
                faults.append(RowFault(row.line, f"{row.name}: another text than on line {first.line}"))
        for row in group:
            for name in row.other_names:
                other = meaning.setdefault(name_key(name), first)
                if name_key(other.name) != key:
                    faults.append(RowFault(row.line, f"{name!r} also means {other.name} on line {other.line}"))
        drafts.append(
            CardDraft(
                line=first.line,
                name=first.name,
                key=key,
                text=first.text,
                facts=facts,
                aliases=_once(key, (name for row in group for name in row.aliases)),
                faces=_once(key, (name for row in group for name in row.faces)),
                former=_once(key, (name for row in group for name in row.former)),
                printings=tuple((row.set_code, row.number) for row in group),
            )
        )
    return drafts, faults


def _once(key: str, names: Iterable[str]) -> tuple[str, ...]:
    by_key: dict[str, str] = {}
    for name in names:
        by_key.setdefault(name_key(name), name)
    by_key.pop(key, None)
    return tuple(by_key.values())
