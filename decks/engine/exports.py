"""A deck in every kind of file that is read; read back it is the same deck."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

from cards.engine.names import name_key
from config.errors import DomainError
from decks.engine.headings import ZoneSpec
from decks.engine.parser import Entry
from decks.engine.writer import write_decklist

_SET_BY_ITSELF = re.compile(r"(?=[0-9-]{0,6}[A-Z])[A-Z0-9-]{2,7} [A-Z]{0,3}[0-9]{1,4}[a-z]?")


@dataclass(frozen=True)
class Printed:
    """Where a card stands: the code of a set and a number in it. ``passcode`` is the number of a .ydk."""

    set_code: str = ""
    number: str = ""
    passcode: str = ""


@dataclass(frozen=True)
class Deck:
    """``zones`` in the game's order, each with its entries by name. ``printed`` may lack cards."""

    zones: tuple[tuple[ZoneSpec, tuple[Entry, ...]], ...]
    printed: Mapping[int, Printed] = field(default_factory=dict)
    name: str = ""

    @property
    def filled(self) -> list[tuple[ZoneSpec, tuple[Entry, ...]]]:
        return [(zone, entries) for zone, entries in self.zones if entries]

    def of(self, entry: Entry) -> Printed:
        return self.printed.get(entry.card, Printed())

    def bracketed(self, entry: Entry) -> str:
        """ " (SET) 12", or nothing where no printing is known."""
        printed = self.of(entry)
        return f" ({printed.set_code}) {printed.number}" if printed.set_code and printed.number else ""


@dataclass(frozen=True)
class FileFormat:
    key: str
    label: str
    ending: str
    media_type: str
    write: Callable[[Deck], str]


def write_deck(
    key: str,
    entries: Iterable[Entry],
    zones: Sequence[ZoneSpec],
    *,
    printed: Mapping[int, Printed] | None = None,
    name: str = "",
) -> str:
    """The deck as a file of the format ``key`` of ``FILE_FORMATS``; the set of a card stands there where it is known.

    DomainError ``decks.format_unknown``; ``decks.format_too_small`` where the format has no place for a part of the
    deck or no number for a card.
    """
    if key not in FILE_FORMATS:
        raise DomainError(
            "decks.format_unknown",
            f"There is no file format {key[:20]!r}. Choose one of: {', '.join(FILE_FORMATS)}.",
            {"formats": list(FILE_FORMATS)},
        )
    entries = sorted(entries, key=lambda entry: (name_key(entry.name), entry.card))
    by_zone = tuple((zone, tuple(entry for entry in entries if entry.zone == zone.key)) for zone in zones)
    return FILE_FORMATS[key].write(Deck(by_zone, printed or {}, name))


def _too_small(label: str, why: str) -> DomainError:
    return DomainError("decks.format_too_small", f"{label} can't hold this deck: {why}. Choose another kind of file.")


def _two_zones(deck: Deck, label: str) -> list[tuple[bool, tuple[Entry, ...]]]:
    """(whether it is the sideboard, entries) of a deck that has no other parts."""
    first = deck.zones[0][0].key
    if others := [zone.label for zone, _ in deck.filled if zone.key not in (first, "side")]:
        raise _too_small(label, f"it has no place for {', '.join(others)}")
    return [(zone.key == "side" != first, entries) for zone, entries in deck.filled]


def _text(deck: Deck) -> str:
    entries = [entry for _, found in deck.zones for entry in found]
    return write_decklist(entries, [zone for zone, _ in deck.zones])


def _blocks(deck: Deck, heading: Callable[[ZoneSpec, int], str], line: Callable[[Entry], str]) -> str:
    blocks = []
    for zone, entries in deck.filled:
        words = heading(zone, sum(entry.count for entry in entries))
        blocks.append("\n".join([*([words] if words else []), *(line(entry) for entry in entries)]) + "\n")
    return "\n".join(blocks)


def _arena(deck: Deck) -> str:
    def heading(zone: ZoneSpec, _: int) -> str:
        return "Deck" if zone is deck.zones[0][0] else zone.label

    return _blocks(deck, heading, lambda entry: f"{entry.count} {entry.name}{deck.bracketed(entry)}")


def _moxfield(deck: Deck) -> str:
    def heading(zone: ZoneSpec, _: int) -> str:
        return "" if zone is deck.zones[0][0] else f"{zone.label.upper()}:"

    return _blocks(deck, heading, lambda entry: f"{entry.count} {entry.name}{deck.bracketed(entry)}")


def _mtgo_text(deck: Deck) -> str:
    def heading(zone: ZoneSpec, _: int) -> str:
        return "" if zone is deck.zones[0][0] else zone.label

    return _blocks(deck, heading, lambda entry: f"{entry.count} {entry.name}")


def _after_set(deck: Deck, entry: Entry) -> str:
    code = deck.of(entry).set_code
    return f"{entry.count} {f'[{code}] ' if code else ''}{entry.name}"


def _deckstats(deck: Deck) -> str:
    return _blocks(deck, lambda zone, _: f"//{zone.label}", lambda entry: _after_set(deck, entry))


def _archidekt(deck: Deck) -> str:
    lines = []
    for zone, entries in deck.filled:
        category = "" if zone is deck.zones[0][0] else f" [{zone.label}]"
        lines += [f"{entry.count}x {entry.name}{deck.bracketed(entry)}{category}" for entry in entries]
    return "".join(f"{line}\n" for line in lines)


def _prefixed(deck: Deck, line: Callable[[Entry], str], top: Sequence[str] = ()) -> str:
    lines = list(top)
    for zone, entries in deck.filled:
        mark = "" if zone is deck.zones[0][0] else "SB: " if zone.key == "side" else f"{zone.label}: "
        lines += [f"{mark}{line(entry)}" for entry in entries]
    return "".join(f"{line}\n" for line in lines)


def _workstation(deck: Deck) -> str:
    top = [f"// NAME : {deck.name}"] if deck.name else []
    return _prefixed(deck, lambda entry: _after_set(deck, entry), top)


def _apprentice(deck: Deck) -> str:
    return _prefixed(deck, lambda entry: f"{entry.count} {entry.name}", [f"//NAME: {deck.name}"] if deck.name else [])


def _xmage(deck: Deck) -> str:
    def line(entry: Entry) -> str:
        printed = deck.of(entry)
        place = f"[{printed.set_code}:{printed.number}] " if printed.set_code and printed.number else ""
        return f"{entry.count} {place}{entry.name}"

    return _prefixed(deck, line, [f"NAME:{deck.name}"] if deck.name else [])


def _forge(deck: Deck) -> str:
    def line(entry: Entry) -> str:
        code = deck.of(entry).set_code
        return f"{entry.count} {entry.name}{f'|{code}' if code else ''}"

    lines = ["[metadata]", f"Name={deck.name}"]
    for zone, entries in deck.filled:
        lines += [f"[{'Main' if zone is deck.zones[0][0] else zone.label}]", *(line(entry) for entry in entries)]
    return "".join(f"{line}\n" for line in lines)


def _live(deck: Deck) -> str:
    def line(entry: Entry) -> str:
        place = f"{deck.of(entry).set_code} {deck.of(entry).number}"
        return f"* {entry.count} {entry.name}{f' {place}' if _SET_BY_ITSELF.fullmatch(place) else ''}"

    total = sum(entry.count for _, entries in deck.zones for entry in entries)
    return _blocks(deck, lambda zone, count: f"{zone.label}: {count}", line) + f"\nTotal Cards: {total}\n"


def _mtgo_xml(deck: Deck) -> str:
    rows = [
        f'  <Cards CatID="0" Quantity="{entry.count}" Sideboard="{str(side).lower()}" Name={quoteattr(entry.name)} />'
        for side, entries in _two_zones(deck, "MTGO .dek")
        for entry in entries
    ]
    head = ["<Deck>", "  <NetDeckID>0</NetDeckID>", "  <PreconstructedDeckID>0</PreconstructedDeckID>"]
    return _xml([*head, *rows, "</Deck>"])


def _cockatrice(deck: Deck) -> str:
    lines = ['<cockatrice_deck version="1">', f"    <deckname>{escape(deck.name)}</deckname>"]
    for zone, entries in deck.filled:
        key = "main" if zone is deck.zones[0][0] else zone.key
        rows = [f'        <card number="{entry.count}" name={quoteattr(entry.name)}/>' for entry in entries]
        lines += [f"    <zone name={quoteattr(key)}>", *rows, "    </zone>"]
    return _xml([*lines, "</cockatrice_deck>"])


def _octgn(deck: Deck) -> str:
    lines = ["<deck>"]
    for zone, entries in deck.filled:
        label = "Main" if zone is deck.zones[0][0] else zone.label
        rows = [f'    <card qty="{entry.count}">{escape(entry.name)}</card>' for entry in entries]
        lines += [f"  <section name={quoteattr(label)}>", *rows, "  </section>"]
    return _xml([*lines, "</deck>"])


def _xml(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in ['<?xml version="1.0" encoding="UTF-8"?>', *lines])


def _passcodes(deck: Deck) -> str:
    lines = []
    for mark, wanted in (("#main", False), ("!side", True)):
        lines.append(mark)
        for side, entries in _two_zones(deck, ".ydk"):
            for entry in entries if side is wanted else ():
                if not deck.of(entry).passcode:
                    raise _too_small(".ydk", f"{entry.name} has no number")
                lines += [deck.of(entry).passcode] * entry.count
    return "".join(f"{line}\n" for line in lines)


def _table(header: Sequence[str], row: Callable[[Deck, ZoneSpec, Entry], Sequence[object]]) -> Callable[[Deck], str]:
    def write(deck: Deck) -> str:
        file = io.StringIO(newline="")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(row(deck, zone, entry) for zone, entries in deck.filled for entry in entries)
        return file.getvalue()

    return write


def _archidekt_table(deck: Deck) -> str:
    _two_zones(deck, "Archidekt CSV")
    return _table(
        ("Quantity", "Name", "Edition Code", "Collector Number", "Categories"),
        lambda deck, zone, entry: (
            entry.count,
            entry.name,
            deck.of(entry).set_code,
            deck.of(entry).number,
            "Sideboard" if zone.key == "side" else "",
        ),
    )(deck)


def _word(deck: Deck, zone: ZoneSpec) -> str:
    return "main" if zone is deck.zones[0][0] else zone.key


def _json(deck: Deck) -> str:
    boards = {
        _word(deck, zone): [{"name": entry.name, "count": entry.count} for entry in entries]
        for zone, entries in deck.filled
    }
    return json.dumps(boards, ensure_ascii=False, indent=2) + "\n"


def _vtes(deck: Deck) -> str:
    keys = {zone.key for zone, _ in deck.zones}
    if not {"crypt", "library"} <= keys:
        raise _too_small("VTES text", "it is for decks of a crypt and a library")
    return _blocks(deck, lambda zone, count: f"{zone.label} ({count} cards)", lambda e: f"{e.count}x {e.name}")


_DECKBOX = ("Count", "Tradelist Count", "Name", "Edition", "Card Number", "Board")
_FORMATS = (
    FileFormat("text", "Text", "txt", "text/plain", _text),
    FileFormat("mtgo", "MTGO text", "txt", "text/plain", _mtgo_text),
    FileFormat("dek", "MTGO .dek", "dek", "application/xml", _mtgo_xml),
    FileFormat("arena", "Arena", "txt", "text/plain", _arena),
    FileFormat("moxfield", "Moxfield", "txt", "text/plain", _moxfield),
    FileFormat("archidekt", "Archidekt", "txt", "text/plain", _archidekt),
    FileFormat("deckstats", "Deckstats", "txt", "text/plain", _deckstats),
    FileFormat("mws", "Magic Workstation", "mwDeck", "text/plain", _workstation),
    FileFormat("dec", "Apprentice .dec", "dec", "text/plain", _apprentice),
    FileFormat("cod", "Cockatrice .cod", "cod", "application/xml", _cockatrice),
    FileFormat("xmage", "XMage .dck", "dck", "text/plain", _xmage),
    FileFormat("forge", "Forge .dck", "dck", "text/plain", _forge),
    FileFormat("o8d", "OCTGN .o8d", "o8d", "application/xml", _octgn),
    FileFormat("ydk", "Passcodes .ydk", "ydk", "text/plain", _passcodes),
    FileFormat("ptcgl", "Pokémon TCG Live", "txt", "text/plain", _live),
    FileFormat(
        "deckbox",
        "Deckbox CSV",
        "csv",
        "text/csv",
        _table(
            _DECKBOX,
            lambda deck, zone, e: (e.count, 0, e.name, deck.of(e).set_code, deck.of(e).number, _word(deck, zone)),
        ),
    ),
    FileFormat(
        "csv",
        "CSV",
        "csv",
        "text/csv",
        _table(("count", "name", "zone"), lambda deck, zone, e: (e.count, e.name, _word(deck, zone))),
    ),
    FileFormat("archidekt-csv", "Archidekt CSV", "csv", "text/csv", _archidekt_table),
    FileFormat("json", "JSON", "json", "application/json", _json),
    FileFormat("vtes", "VTES text", "txt", "text/plain", _vtes),
)
FILE_FORMATS: Mapping[str, FileFormat] = {format_.key: format_ for format_ in _FORMATS}
