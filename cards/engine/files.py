"""Files of cards and sets as people send them: their bytes become rows, or faults with a line each."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from cards.engine.facts import FactSpec
from cards.engine.rows import CardRow, RowFault, json_fault, lines_of_items, read_csv, read_items, read_json
from config.text import unstorable_character

MAX_BYTES = 5 * 1024 * 1024
SET_COLUMNS = ("code", "name", "released_on", "legal_on", "sample")
_SET_LIMITS = {"code": 20, "name": 120}
_FLAGS = {"": False, "no": False, "false": False, "0": False, "yes": True, "true": True, "1": True}


@dataclass(frozen=True)
class SetRow:
    """A set, the day it could be bought and the day it could be played; None is unknown."""

    code: str
    name: str
    released_on: date | None
    legal_on: date | None
    sample: bool = False


@dataclass(frozen=True)
class CardFile:
    """What was sent. With a fault, nothing of it may be used."""

    rows: tuple[CardRow, ...]
    sets: tuple[SetRow, ...]
    faults: tuple[RowFault, ...]


def read_files(
    cards: bytes, specs: Mapping[str, FactSpec], sets: bytes = b"", limit: int | None = MAX_BYTES
) -> CardFile:
    """Cards as CSV, or as JSON: a list of cards, or an object with ``cards`` and ``sets``. ``sets`` is a CSV beside it.

    What begins with "[" or "{" is JSON; ``limit`` is in bytes. Never raises: what can't be read is a fault.
    """
    text, faults = _decoded(cards, "cards", limit)
    set_text, set_faults = _decoded(sets, "sets", limit)
    if faults or set_faults:
        return CardFile((), (), (*faults, *set_faults))
    rows: list[CardRow] = []
    set_rows: list[SetRow] = []
    match text.lstrip()[:1]:
        case "":
            faults = [RowFault(1, "there is nothing in it")]
        case "{":
            rows, set_rows, faults = _read_object(text, specs)
        case "[":
            rows, faults = read_json(text, specs)
        case _:
            rows, faults = read_csv(text, specs)
    if not faults and not rows and not set_rows:
        faults = [RowFault(1, "there is no card in it")]
    if set_text.strip():
        more, set_faults = read_sets_csv(set_text)
        both = {row.code for row in set_rows} & {row.code for row in more}
        set_faults += [RowFault(1, f"set {code} is also among the cards", "sets") for code in sorted(both)]
        set_rows += more
    return CardFile(tuple(rows), tuple(set_rows), (*faults, *set_faults))


def _decoded(data: bytes, file: Any, limit: int | None) -> tuple[str, list[RowFault]]:
    if limit is not None and len(data) > limit:
        return "", [RowFault(1, f"it has more than {limit // 1024**2} MB; send it in parts", file)]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return "", [RowFault(line, "not UTF-8 text; save it as UTF-8 and send it again", file)]
    if found := unstorable_character(text):
        line = text.count("\n", 0, text.index("\0")) + 1
        return "", [RowFault(line, f"{found} can't be stored; this may be no text file", file)]
    return text, []


def _read_object(text: str, specs: Mapping[str, FactSpec]) -> tuple[list[CardRow], list[SetRow], list[RowFault]]:
    lists: dict[str, list[tuple[Any, int]]] = {}
    try:
        whole = json.loads(text)
        if unknown := sorted(set(whole) - {"sets", "cards"}):
            return [], [], [RowFault(1, f"beside sets and cards there can't be {', '.join(unknown)}")]
        for key in whole:
            if not isinstance(whole[key], list):
                return [], [], [RowFault(1, f"{key} must be a list")]
            start = _start_of_list(text, key)
            lists[key] = list(zip(whole[key], lines_of_items(text, start), strict=True))
    except (ValueError, RecursionError) as error:
        return [], [], [json_fault(error)]
    read = read_objects(lists.get("cards", []), lists.get("sets", []), specs)
    return list(read.rows), list(read.sets), list(read.faults)


def read_objects(
    cards: Iterable[tuple[Any, int]], sets: Iterable[tuple[Any, int]], specs: Mapping[str, FactSpec]
) -> CardFile:
    """Cards and sets from the objects of JSON lists, each with its line or place. Never raises."""
    rows, faults = read_items(cards, specs)
    set_rows, set_faults = _read_sets(sets)
    return CardFile(tuple(rows), tuple(set_rows), (*set_faults, *faults))


def _start_of_list(text: str, key: str) -> int:
    """Where the list of the outer object's ``key`` begins. ValueError: the key stands twice."""
    decoder, at, found = json.JSONDecoder(), text.index("{") + 1, []
    while (at := _after_space(text, at)) < len(text) and text[at] == '"':
        name, at = decoder.raw_decode(text, at)
        at = _after_space(text, _after_space(text, at) + 1)
        if name == key:
            found.append(at)
        at = _after_space(text, decoder.raw_decode(text, at)[1])
        at += text[at] == ","
    if len(found) > 1:
        raise ValueError(f"{key} stands twice")
    return found[0]


def _after_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def read_sets_csv(text: str) -> tuple[list[SetRow], list[RowFault]]:
    """Sets under the header ``code,name,released_on,legal_on,sample``; days as 2026-01-31, an empty cell is unknown."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    items: list[tuple[Any, int]] = []
    faults: list[RowFault] = []
    try:
        header = [cell.strip() for cell in next(reader, [])]
        if missing := [column for column in ("code", "name") if column not in header]:
            return [], [RowFault(1, f"the header lacks {', '.join(missing)}", "sets")]
        if len(set(header)) < len(header):
            return [], [RowFault(1, "a column stands twice in the header", "sets")]
        for cells in reader:
            if not any(cells):
                continue
            if len(cells) != len(header):
                message = f"{len(cells)} cells under {len(header)} columns"
                faults.append(RowFault(reader.line_num, message, "sets"))
                continue
            values: dict[str, Any] = dict(zip(header, (cell.strip() for cell in cells), strict=True))
            sample = values.get("sample", "").casefold()
            values["sample"] = _FLAGS.get(sample, sample)
            items.append((values, reader.line_num))
    except csv.Error as error:
        faults.append(RowFault(reader.line_num, f"not CSV: {error}", "sets"))
    rows, more = _read_sets(items, "sets")
    return rows, [*faults, *more]


def _read_sets(items: Iterable[tuple[Any, int]], file: Any = "cards") -> tuple[list[SetRow], list[RowFault]]:
    rows: list[SetRow] = []
    faults: list[RowFault] = []
    lines: dict[str, int] = {}
    for item, line in items:
        try:
            row = _set_row(item)
        except ValueError as error:
            faults.append(RowFault(line, str(error), file))
            continue
        if lines.setdefault(row.code, line) != line:
            faults.append(RowFault(line, f"set {row.code} is also on line {lines[row.code]}", file))
        rows.append(row)
    return rows, faults


def _set_row(item: Any) -> SetRow:
    if not isinstance(item, dict):
        raise ValueError("a set must be an object")
    if unknown := sorted(set(item) - set(SET_COLUMNS)):
        raise ValueError(f"a set has no {', '.join(unknown)}")
    for key, longest in _SET_LIMITS.items():
        if not isinstance(item.get(key), str) or not item[key].strip():
            raise ValueError(f"the set lacks its {key}")
        if len(item[key].strip()) > longest or unstorable_character(item[key]):
            raise ValueError(f"the set's {key} is longer than {longest} characters, or can't be stored")
    sample = item.get("sample", False)
    if not isinstance(sample, bool):
        raise ValueError(f"sample is yes or no, not {sample!r}")
    days = [_day(key, item.get(key)) for key in ("released_on", "legal_on")]
    return SetRow(item["code"].strip(), item["name"].strip(), days[0], days[1], sample)


def _day(key: str, value: Any) -> date | None:
    if value in (None, ""):
        return None
    try:
        if isinstance(value, str) and len(value) == 10 and value[4] == value[7] == "-":
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise ValueError(f"{key} is a day such as 2026-01-31, not {value!r}")
