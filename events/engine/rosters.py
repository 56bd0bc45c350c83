"""Lists of players as people send them: a table in text becomes columns, and with their meaning named, entries."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cards.engine.names import name_key
from config.errors import DomainError
from config.text import unstorable_character
from decks.engine.containers.opening import decode

MAX_BYTES = 256_000
MAX_ROWS = 2_000
MAX_COLUMNS = 40
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
MOST_BYES = 9
LAST_TABLE = 9_999
CELLS_SHOWN = 3
_SPACES = re.compile(r"\s+")

FIELDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "name": ("Name", ("name", "player", "player name", "full name", "display name", "spieler", "nom complet")),
    "first": ("First name", ("first name", "given name", "firstname", "forename", "vorname", "prenom", "nombre")),
    "last": ("Surname", ("surname", "last name", "family name", "lastname", "nachname", "nom", "apellido")),
    "public_name": ("Name that others read", ("public name", "shown name", "alias", "nickname", "nick", "handle")),
    "paid": ("Paid", ("paid", "payment", "fee", "fee paid", "bezahlt", "paye", "pagado")),
    "team": ("Team", ("team", "club", "verein", "equipe", "equipo")),
    "assigned_byes": ("Byes", ("byes", "bye", "assigned byes", "freilose")),
    "fixed_table": ("Table that is needed", ("table", "fixed table", "tisch", "mesa")),
}
"""What a column may mean: its label, and the words by which a heading is known."""

_YES = frozenset({"yes", "y", "true", "1", "x", "paid", "ja", "j", "oui", "si", "\u2713", "\u2714"})
_NO = frozenset({"", "no", "n", "false", "0", "-", "unpaid", "nein", "non"})


@dataclass(frozen=True, slots=True)
class Row:
    """``line`` is the line of the text on which the row begins."""

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int | None) -> str:
        return "" if column is None or column >= len(self.cells) else self.cells[column]


@dataclass(frozen=True, slots=True)
class Roster:
    """A table of players. ``heading`` is empty where the first row is a player already."""

    delimiter: str
    heading: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def width(self) -> int:
        return max(len(self.heading), *(len(row.cells) for row in self.rows))

    def title(self, column: int) -> str:
        return (self.heading[column] if column < len(self.heading) else "") or f"Column {column + 1}"

    def samples(self, column: int) -> list[str]:
        """The first few things that stand in a column."""
        return [cell for row in self.rows if (cell := row.cell(column))][:CELLS_SHOWN]


@dataclass(frozen=True, slots=True)
class Entry:
    """What a row says of a player. ``problem`` tells how to mend what can't be read, "" for a good row."""

    line: int
    name: str
    public_name: str = ""
    paid: bool = False
    team: str = ""
    assigned_byes: int = 0
    fixed_table: int = 0
    problem: str = ""


def decode_roster(data: bytes) -> tuple[str, str]:
    """The text, and what its letters were taken for, "UTF-8" or the name of another encoding.

    Excel's "Unicode text" may come without its mark: then every other byte of plain letters is empty.
    Raises DomainError "roster.too_large", "roster.unreadable".
    """
    if len(data) > 2 * MAX_BYTES:  # UTF-16 is as long as that
        raise too_large()
    for charset, empty in (("utf-16-le", data[1:400:2]), ("utf-16-be", data[:400:2])):
        if not data.startswith((b"\xff\xfe", b"\xfe\xff")) and empty and empty.count(0) > len(empty) / 2:
            try:
                return data.decode(charset), "UTF-16"
            except UnicodeDecodeError:
                break
    try:
        text, charset = decode(data)
    except DomainError as error:
        raise DomainError(
            "roster.unreadable", "The file is no text. Save the table as CSV or as text with tabs, and send that."
        ) from error
    return text, {"": "UTF-8", "windows-1252": "Windows-1252", "iso-8859-1": "Latin-1"}.get(
        charset, charset[:6].upper()
    )


def read_roster(text: str) -> Roster:
    """Rows of a table whose cells are apart by commas, semicolons or tabs; quotes as spreadsheets write them.

    Raises DomainError "roster.too_large" (bytes, rows or columns), "roster.empty", "roster.unreadable".
    """
    if len(text.encode(errors="replace")) > MAX_BYTES:
        raise too_large()
    if found := unstorable_character(text):
        raise DomainError("roster.unreadable", f"The list holds {found}. Take it out and send the list again.")
    delimiter = _delimiter(text)
    rows = _rows(text, delimiter)
    if not rows:
        raise DomainError("roster.empty", "There is no player in it. Send one player a line.")
    heading = rows[0].cells if set(guess_columns(rows[0].cells)) & {"name", "first", "last"} else ()
    body = rows[1:] if heading else rows
    if not body:
        raise DomainError("roster.empty", "There are headings and no player below them. Send one player a line.")
    if len(body) > MAX_ROWS or any(len(row.cells) > MAX_COLUMNS for row in rows):
        raise too_large()
    return Roster(delimiter, heading, tuple(body))


def too_large() -> DomainError:
    return DomainError(
        "roster.too_large",
        f"A list has at most {MAX_ROWS:,} players, {MAX_COLUMNS} columns and {MAX_BYTES // 1000} kB. Send it in parts.",
        {"max_rows": MAX_ROWS, "max_columns": MAX_COLUMNS, "max_bytes": MAX_BYTES},
    )


def _delimiter(text: str) -> str:
    """The one that divides most of the first lines into the same number of cells; a comma where none does."""
    lines = [line for line in text.splitlines() if line.strip()][:20]

    def agreement(mark: str) -> tuple[int, int]:
        counts = [line.count(mark) for line in lines if mark in line]
        usual = max(set(counts), key=lambda count: (counts.count(count), count), default=0)
        return counts.count(usual), usual

    return max(("\t", ";", ","), key=agreement)


def _rows(text: str, delimiter: str) -> list[Row]:
    """Raises DomainError "roster.unreadable"."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter)
    rows, begins = [], 1
    try:
        for cells in reader:
            tidy = tuple(_SPACES.sub(" ", cell).strip() for cell in cells)
            if any(tidy):
                rows.append(Row(begins, tidy))
            begins = reader.line_num + 1
            if len(rows) > MAX_ROWS + 1:
                raise too_large()
    except csv.Error as error:
        raise DomainError(
            "roster.unreadable",
            f"From line {begins} on this can't be read as a table ({error}). Look for a quote that nothing closes.",
            {"line": begins},
        ) from error
    return rows


def guess_columns(heading: Sequence[str]) -> dict[str, int]:
    """Column of each field whose heading is known; what has a whole name needs no parts of it."""
    keys = [name_key(word).replace("-", " ").replace("_", " ") for word in heading]
    found = {
        field: next(column for column, key in enumerate(keys) if key in words)
        for field, (_, words) in FIELDS.items()
        if any(key in words for key in keys)
    }
    if "first" in found and "last" not in found and "name" in found:  # "Name; Vorname": the name is the surname
        found["last"] = found.pop("name")
    if "name" in found:
        found.pop("first", None)
        found.pop("last", None)
    return found


def columns_of(roster: Roster) -> dict[str, int]:
    """The first guess: by the headings, else the first column with letters is the name."""
    if roster.heading:
        return guess_columns(roster.heading)
    lettered = (column for column in range(roster.width) if any(map(_has_letter, roster.samples(column))))
    return {"name": next(lettered, 0)}


def _has_letter(cell: str) -> bool:
    return any(character.isalpha() for character in cell)


def entries_of(roster: Roster, columns: Mapping[str, int]) -> list[Entry]:
    """What the rows say, given the column of each field.

    Raises DomainError "roster.no_name" (no column holds names).
    """
    if not {"name", "first", "last"} & set(columns):
        raise DomainError("roster.no_name", "Say which column holds the names of the players.")
    return [_entry(row, columns) for row in roster.rows]


def _entry(row: Row, columns: Mapping[str, int]) -> Entry:
    def cell(field: str) -> str:
        return row.cell(columns.get(field))

    problems = []
    paid, byes, table = name_key(cell("paid")), cell("assigned_byes"), cell("fixed_table")
    if paid not in _YES | _NO:
        problems.append(f"“{cell('paid')[:40]}” is neither yes nor no: write yes, or leave it empty.")
    if (number := _number(byes, MOST_BYES)) is None:
        problems.append(f"“{byes[:40]}” is no number of byes: write 0 to {MOST_BYES}.")
    if (place := _number(table, LAST_TABLE)) is None:
        problems.append(f"“{table[:40]}” is no table: write 1 to {LAST_TABLE}, or leave it empty.")
    return Entry(
        line=row.line,
        name=_name(cell("name")) or f"{cell('first')} {cell('last')}".strip(),
        public_name=cell("public_name"),
        paid=paid in _YES,
        team=cell("team"),
        assigned_byes=number or 0,
        fixed_table=place or 0,
        problem=" ".join(problems),
    )


def _name(text: str) -> str:
    """As it is spoken: lists that are sorted by surname have "Brook, Ada"."""
    last, comma, first = text.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() and "," not in first else text


def _number(text: str, most: int) -> int | None:
    """None for what is no whole number from 0 to ``most``."""
    if not text:
        return 0
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= most else None
