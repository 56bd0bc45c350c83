"""Decks as tables of cells: Deckbox, Archidekt, MTG Studio and others, known by the words of their header."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from decks.engine.containers.rows import Row, card_row, remark, with_remarks

MAX_HEADER = 2_000
_DELIMITERS = (",", ";", "\t")
_NAME = ("name", "card name", "cardname", "card_name", "card", "title")
_COUNT = ("count", "quantity", "qty", "amount", "copies", "number of copies", "#")
_ZONE = ("board", "zone", "section", "sideboard", "deck section", "category", "categories")
_SET = ("edition code", "edition", "set code", "set")
_NUMBER = ("card number", "collector number")
_BRACKETS = re.compile(r"[()\[\]]")


def read_table(lines: list[str]) -> list[Row] | None:
    """The rows of a table with a header that names a column for names; None where the lines are no such table."""
    first = next((place for place, raw in enumerate(lines) if raw.strip()), None)
    if first is None or lines[first].lstrip().startswith("//"):  # the header of a table that became a plain list
        return None
    for delimiter in _DELIMITERS:
        header = [cell.strip().casefold() for cell in _cells(lines[first].lstrip("\ufeff"), delimiter)]
        if (name := _column(header, _NAME)) is not None and (len(header) > 1 or _quoted(lines[first + 1 :])):
            body = _Body(header, name, lines, first)
            return with_remarks(lines, [remark(first + 1, lines[first]), *body.rows(delimiter)])
    return None


def _cells(line: str, delimiter: str) -> list[str]:
    return next(csv.reader([line[:MAX_HEADER]], delimiter=delimiter), [])


def _column(header: Sequence[str], words: Sequence[str]) -> int | None:
    return next((header.index(word) for word in words if word in header), None)


def _quoted(lines: Sequence[str]) -> bool:
    """Whether a single column is meant as one: its names are in quotes."""
    filled = [line.strip() for line in lines if line.strip()]
    return bool(filled) and all(line[0] == line[-1] == '"' for line in filled)


class _Body:
    def __init__(self, header: list[str], name: int, lines: list[str], first: int) -> None:
        self.header, self.name, self.lines, self.first = header, name, lines, first
        self.count, self.zone = _column(header, _COUNT), _column(header, _ZONE)
        self.set, self.number = _column(header, _SET), _column(header, _NUMBER)

    def rows(self, delimiter: str) -> list[Row]:
        reader = csv.reader(io.StringIO("\n".join(self.lines[self.first + 1 :])), delimiter=delimiter)
        rows: list[Row] = []
        number = self.first + 2
        while True:
            try:
                cells = next(reader, None)
            except csv.Error:
                cells = []
            if cells is None:
                return rows
            after = self.first + 2 + reader.line_num
            raw = "\n".join(self.lines[number - 1 : after - 1])
            if any(cell.strip() for cell in cells):
                rows.append(self._row(number, raw, cells))
            number = max(after, number + 1)

    def _row(self, number: int, raw: str, cells: Sequence[str]) -> Row:
        name = cells[self.name].strip() if len(cells) == len(self.header) else ""
        if not name:
            return Row(number, raw, raw.strip())  # read as a line of text, which says what is wrong with it
        count = "1" if self.count is None else cells[self.count].strip() or "1"
        zone = "" if self.zone is None else cells[self.zone].strip()
        if self.header[self.zone or 0] == "sideboard":
            zone = "side" if zone.casefold() in ("true", "yes", "1", "x") else ""
        elif self.zone is not None and self.header[self.zone].startswith("categor"):
            zone = zone if zone.casefold() in ("sideboard", "maybeboard") else ""
        return card_row(number, raw, count=count, name=name, zone=zone, printing=self._printing(cells))

    def _printing(self, cells: Sequence[str]) -> str:
        """ "(SET) 12", or nothing where a table lacks one of the two."""
        if self.set is None or self.number is None:
            return ""
        code, number = cells[self.set].strip(), "".join(cells[self.number].split())
        return f"({code}) {number}" if code and number and not _BRACKETS.search(code + number) else ""
