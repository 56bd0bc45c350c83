"""Files of lines that are nearly plain lists: Forge, XMage, passcodes of .ydk, and decks of VTES tournaments."""

from __future__ import annotations

import re
from collections.abc import Sequence

from decks.engine.containers.rows import Row, remark

_SECTION = re.compile(r"\s*\[([A-Za-z][A-Za-z ]{0,30})\]\s*")
_YDK = {"#main": "Main", "#extra": "Extra:", "!side": "Sideboard", "#side": "Sideboard"}
_LAYOUT = re.compile(r"\s*LAYOUT (?:MAIN|SIDEBOARD):")
_CRYPT = re.compile(r"\s*Crypt\b[^a-z]*(?:\(|\[|:)\s*([0-9]{1,3})", re.I)
_LIBRARY = re.compile(r"\s*Library\b[^a-z]*(?:\(|\[|:)\s*([0-9]{1,3})", re.I)
_GROUP = re.compile(r"\s*[A-Z][A-Za-z/ ]{1,30}\([0-9]{1,3}\b[^)]{0,60}\)?\s*")
_COLUMNS = re.compile(r"\t+| {2,}")
_ONLY_COUNT = re.compile(r"[0-9]{1,3} ?[xX]?")


def read_sections(lines: Sequence[str]) -> tuple[str, list[Row]] | None:
    """Forge's .dck and other files with a [metadata] section, XMage's with a layout; None for anything else."""
    if not any(raw.lstrip()[:1] == "[" or "LAYOUT " in raw for raw in lines):
        return None
    names = [found[1].casefold() if (found := _SECTION.fullmatch(raw)) else "" for raw in lines]
    layout = any(_LAYOUT.match(raw) for raw in lines)
    if "metadata" not in names and not layout:
        return None
    rows: list[Row] = []
    about = False
    for number, (raw, name) in enumerate(zip(lines, names, strict=True), 1):
        if name:
            about = name in ("metadata", "general")
        rows.append(remark(number, raw) if raw.strip() and (about or _LAYOUT.match(raw)) else Row(number, raw, raw))
    return "XMage .dck" if layout else "Forge .dck", rows


def read_passcodes(lines: Sequence[str]) -> list[Row] | None:
    """A .ydk: numbers below #main, #extra and !side. A game has them as aliases of its cards."""
    marks = [raw.strip().casefold() for raw in lines]
    if "#main" not in marks:
        return None
    numbers = [mark for mark in marks if mark and mark not in _YDK and not mark.startswith("#")]
    if not all(mark.isascii() and mark.isdecimal() for mark in numbers):
        return None
    rows = []
    for place, (raw, mark) in enumerate(zip(lines, marks, strict=True)):
        if mark in _YDK and _is_empty(marks[place + 1 :]):
            mark = "#"  # a part of the deck without cards may be one that this game does not have
        text = _YDK.get(mark, f"// {raw.strip()}" if mark.startswith("#") else mark.lstrip("0") or mark)
        rows.append(Row(place + 1, raw, text))
    return rows


def _is_empty(marks: Sequence[str]) -> bool:
    following = next((mark for mark in marks if mark), "#")
    return following in _YDK or following.startswith("#")


def read_vtes(lines: Sequence[str]) -> list[Row] | None:
    """A deck of crypt and library below a block about the event; columns right of a name say what is on the card."""
    crypt = next((place for place, raw in enumerate(lines) if _CRYPT.match(raw)), None)
    if crypt is None or not any(_LIBRARY.match(raw) for raw in lines[crypt:]):
        return None
    rows = [remark(number, raw) if raw.strip() else Row(number, raw, "") for number, raw in enumerate(lines[:crypt], 1)]
    for number, raw in enumerate(lines[crypt:], crypt + 1):
        if (heading := _CRYPT.match(raw) or _LIBRARY.match(raw)) is not None:
            rows.append(Row(number, raw, f"{'Crypt' if _CRYPT.match(raw) else 'Library'} ({heading[1]})"))
        elif _GROUP.fullmatch(raw) or raw.strip().startswith(("--", "=", "//", "/*")):
            rows.append(remark(number, raw))
        else:
            rows.append(Row(number, raw, _name_column(raw)))
    return rows


def _name_column(raw: str) -> str:
    columns = [part for part in _COLUMNS.split(raw.strip()) if part]
    if len(columns) > 1 and _ONLY_COUNT.fullmatch(columns[0]):
        return f"{columns[0]} {columns[1]}"
    return columns[0] if columns else ""
