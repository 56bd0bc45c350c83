"""Decks as XML: MTGO's .dek, Cockatrice's .cod and OCTGN's .o8d. Entities are refused before they are read."""

from __future__ import annotations

from collections.abc import Mapping
from xml.parsers import expat

from config.errors import DomainError
from decks.engine.containers.rows import Row, card_row, with_remarks

MAX_DEPTH = 20
MAX_ELEMENTS = 10_000
_NAMES = {"Deck": "MTGO .dek", "cockatrice_deck": "Cockatrice .cod", "deck": "OCTGN .o8d"}


def read_xml(text: str, lines: list[str], *, first: int = 1) -> tuple[str, list[Row]]:
    """The kind of file and its rows; ``text`` begins on line ``first``.

    DomainError ``decks.unreadable``: no such XML, too deep, or with entities.
    """
    reader = _Reader(lines, first)
    parser = expat.ParserCreate(namespace_separator=None)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = reader.refuse
    parser.EntityDeclHandler = reader.refuse
    parser.StartElementHandler = lambda name, attributes: reader.start(parser.CurrentLineNumber, name, attributes)
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    try:
        # The text is decoded already, so what the file says of its encoding no longer holds.
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise _unreadable(f"line {error.lineno}: {expat.ErrorString(error.code)}") from error
    if not reader.kind:
        raise _unreadable("it is not a deck of MTGO, Cockatrice or OCTGN")
    return reader.kind, with_remarks(lines, reader.rows)


def _unreadable(why: str) -> DomainError:
    return DomainError(
        "decks.unreadable",
        f"The file looks like XML and can't be read: {why}. Export the deck again, or paste it as text.",
    )


class _Reader:
    def __init__(self, lines: list[str], first: int) -> None:
        self.lines, self.first, self.rows, self.kind = lines, first, list[Row](), ""
        self.depth = self.elements = 0
        self.zone = ""
        self.card: tuple[int, str] | None = None  # of OCTGN, whose names are the text of the element
        self.words: list[str] = []

    def refuse(self, *_: object) -> None:
        raise _unreadable("it declares a document type or entities, which no deck needs")

    def start(self, line: int, name: str, attributes: Mapping[str, str]) -> None:
        self.depth, self.elements = self.depth + 1, self.elements + 1
        if self.depth > MAX_DEPTH or self.elements > MAX_ELEMENTS:
            raise _unreadable(f"it has more than {MAX_DEPTH} levels or {MAX_ELEMENTS:,} elements")
        if self.depth == 1:
            self.kind = _NAMES.get(name, "")
        if name in ("zone", "section"):
            self.zone = attributes.get("name", "")
        elif name == "Cards" and self.kind == "MTGO .dek":
            side = attributes.get("Sideboard", "").casefold() == "true"
            self._row(line, attributes.get("Quantity", "1"), attributes.get("Name", ""), "side" if side else "")
        elif name == "card" and self.kind == "Cockatrice .cod":
            self._row(line, attributes.get("number", "1"), attributes.get("name", ""), self.zone)
        elif name == "card" and self.kind == "OCTGN .o8d":
            self.card, self.words = (line, attributes.get("qty", "1")), []

    def end(self, name: str) -> None:
        self.depth -= 1
        if name == "card" and self.card is not None:
            line, count = self.card
            self._row(line, count, "".join(self.words), self.zone)
            self.card = None
        elif name in ("zone", "section"):
            self.zone = ""

    def characters(self, words: str) -> None:
        if self.card is not None:
            self.words.append(words)

    def _row(self, line: int, count: str, name: str, zone: str) -> None:
        line = min(line + self.first - 1, len(self.lines))
        self.rows.append(card_row(line, self.lines[line - 1], count=count.strip(), name=name, zone=zone))
