"""Decks written for other programs: each file reads back as the same deck."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.errors import DomainError
from decks.engine.exports import FILE_FORMATS, Printed, write_deck
from decks.engine.headings import ZoneSpec
from decks.engine.parser import Entry, parse_decklist
from tests.decks.engine.names import NAMES, ZONES, Index

CRYPT = (ZoneSpec("crypt", "Crypt"), ZoneSpec("library", "Library"))
PRINTED = {card: Printed("ABC", str(card + 1), str(41900 + card)) for card in range(len(NAMES))}
ONLY_TWO_ZONES = {"dek", "ydk", "archidekt-csv"}


def entry(zone: str, count: int, name: str) -> Entry:
    return Entry(zone, count, NAMES.index(name), name)


def read(text: str, zones: tuple[ZoneSpec, ...] = ZONES) -> dict[tuple[str, str], int]:
    index = Index()
    index.by_key |= {printed.passcode: (card, NAMES[card]) for card, printed in PRINTED.items()}
    parsed = parse_decklist(text, index, zones)
    assert (parsed.problems, parsed.notices) == ((), ())
    return {(found.zone, found.name): found.count for found in parsed.entries}


def counts(entries: list[Entry]) -> dict[tuple[str, str], int]:
    return {(found.zone, found.name): found.count for found in entries}


decks = st.lists(
    st.builds(entry, st.sampled_from([zone.key for zone in ZONES]), st.integers(1, 999), st.sampled_from(NAMES)),
    min_size=1,
    max_size=20,
    unique_by=lambda found: (found.zone, found.card),
)


@pytest.mark.parametrize("key", [key for key in FILE_FORMATS if key != "vtes"])
@settings(max_examples=40, deadline=None, derandomize=True)
@given(entries=decks, printed=st.booleans())
def test_what_is_written_is_read_again(key: str, entries: list[Entry], printed: bool) -> None:
    if key in ONLY_TWO_ZONES:
        entries = [found for found in entries if found.zone != "realm"] or [entry("main", 1, NAMES[0])]
    if key == "ydk":
        entries = [Entry(found.zone, found.count % 4 + 1, found.card, found.name) for found in entries]
    text = write_deck(key, entries, ZONES, printed=PRINTED if printed or key == "ydk" else None, name="A & <B>")
    assert read(text) == counts(entries)


def test_a_deck_of_crypt_and_library_is_written_and_read_again() -> None:
    entries = [Entry("crypt", 3, 0, NAMES[0]), Entry("library", 40, 7, NAMES[7])]
    assert read(write_deck("vtes", entries, CRYPT), CRYPT) == counts(entries)


def test_the_sets_stand_where_a_program_asks_for_them() -> None:
    entries = [entry("main", 3, "Ember Fox")]
    written = {key: write_deck(key, entries, ZONES, printed=PRINTED) for key in ("arena", "mws", "xmage", "ptcgl")}
    assert written == {
        "arena": "Deck\n3 Ember Fox (ABC) 1\n",
        "mws": "3 [ABC] Ember Fox\n",
        "xmage": "3 [ABC:1] Ember Fox\n",
        "ptcgl": "Main deck: 3\n* 3 Ember Fox ABC 1\n\nTotal Cards: 3\n",
    }


@pytest.mark.parametrize(
    ("key", "entries"),
    [
        ("dek", [entry("realm", 1, "The Tower")]),
        ("ydk", [entry("realm", 1, "The Tower")]),
        ("ydk", [entry("main", 1, "The Tower")]),
        ("vtes", [entry("main", 1, "The Tower")]),
    ],
)
def test_a_file_that_would_lose_something_is_not_written(key: str, entries: list[Entry]) -> None:
    with pytest.raises(DomainError) as refused:
        write_deck(key, entries, ZONES)
    assert refused.value.code == "decks.format_too_small"


def test_an_unknown_format_is_told_with_those_that_there_are() -> None:
    with pytest.raises(DomainError) as refused:
        write_deck("doc", [], ZONES)
    assert (refused.value.code, refused.value.context) == ("decks.format_unknown", {"formats": list(FILE_FORMATS)})
