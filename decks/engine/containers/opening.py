"""Any deck file as rows: its letters first, then what kind of file it is, known by what stands in it."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import lru_cache

from config.errors import DomainError
from decks.engine.containers.jsonfiles import read_json
from decks.engine.containers.linefiles import read_passcodes, read_sections, read_vtes
from decks.engine.containers.rows import Row
from decks.engine.containers.tables import read_table
from decks.engine.containers.xmlfiles import read_xml

MAX_BYTES = 256_000
MAX_LINES = 2_000
_XML = re.compile(r"<(?:\?xml|!DOCTYPE|Deck|deck|cockatrice_deck)\b")
_NO_TEXT = re.compile("[\0\ud800-\udfff]")

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True)
class Opened:
    """``kind`` says what the file is: "Cockatrice .cod", "text"."""

    kind: str
    rows: tuple[Row, ...]

    @property
    def as_text(self) -> str:
        """The rows as a plain list, to go on editing, one line for each."""
        return "\n".join(" ".join(row.text.splitlines()) for row in self.rows)


def decode(data: bytes) -> tuple[str, str]:
    """The text, and the charset that it was taken for, "" for UTF-8. DomainError ``decks.unreadable``: no text."""
    for mark, charset in _MARKS:
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(charset), "" if charset == "utf-8" else charset
            except UnicodeDecodeError as error:
                raise _no_text() from error
    try:
        return data.decode(), ""
    except UnicodeDecodeError:
        pass
    if b"\0" in data:
        raise _no_text()
    # Every byte means something in Latin-1, so this never fails: that it is a guess is said to the reader.
    try:
        return data.decode("cp1252"), "windows-1252"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "iso-8859-1"


def _no_text() -> DomainError:
    return DomainError(
        "decks.unreadable", "The file is no text. Export the deck as text, XML, CSV or JSON and send that."
    )


def split_lines(text: str) -> list[str]:
    """Lines at LF, CRLF, CR and the separators of Unicode; the same numbers that a text box shows for the first three.

    Raises DomainError ``decks.too_large`` above MAX_BYTES or MAX_LINES, ``decks.unreadable`` for NUL and for halves
    of surrogate pairs, which no database can hold.
    """
    if len(text) > MAX_BYTES:
        raise _too_large()
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        raise _too_large()
    if _NO_TEXT.search(text):
        number = next(number for number, line in enumerate(lines, start=1) if _NO_TEXT.search(line))
        raise DomainError(
            "decks.unreadable",
            f"Line {number} holds a character that is not text. Type that line anew and send the list again.",
            {"line": number},
        )
    if len(text.encode()) > MAX_BYTES:
        raise _too_large()
    return lines


def _too_large() -> DomainError:
    return DomainError(
        "decks.too_large",
        f"A decklist has at most {MAX_LINES:,} lines and {MAX_BYTES // 1000} kB. Send only the list of cards.",
        {"max_lines": MAX_LINES, "max_bytes": MAX_BYTES},
    )


def open_decklist(data: bytes | str) -> tuple[Opened, str]:
    """The rows of a list in any kind of file, and the charset that bytes were taken for ("" for UTF-8).

    Raises DomainError ``decks.too_large`` and ``decks.unreadable``.
    """
    if len(data) > MAX_BYTES:
        raise _too_large()
    text, charset = decode(data) if isinstance(data, bytes) else (data, "")
    return _open(text), charset


@lru_cache(maxsize=4)
def _open(text: str) -> Opened:
    """Remembered, since a list is opened twice, once for its keys."""
    return open_list(text, split_lines(text))


def open_list(text: str, lines: list[str]) -> Opened:
    """``lines`` are those of ``text``. DomainError ``decks.unreadable``: XML or JSON that can't be used."""
    blank = text[: len(text) - len(text.lstrip("\ufeff \t\r\n"))]
    text = text[len(blank) :]
    if _XML.match(text):
        kind, rows = read_xml(text, lines, first=len(f"{blank}<".splitlines()))
        return Opened(kind, tuple(rows))
    if text[:1] in ("{", "[") and (found := read_json(text, lines)) is not None:
        return Opened("JSON", tuple(found))
    if (sections := read_sections(lines)) is not None:
        return Opened(sections[0], tuple(sections[1]))
    for kind, read in ((".ydk", read_passcodes), ("VTES text", read_vtes), ("CSV", read_table)):
        if (found := read(lines)) is not None:
            return Opened(kind, tuple(found))
    return Opened("text", tuple(Row(number, raw, raw) for number, raw in enumerate(lines, 1)))
