"""Files of other programs, one of each: what is in them is read, and no line of them is lost."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.errors import DomainError
from decks.engine.containers.opening import MAX_BYTES
from decks.engine.exports import FILE_FORMATS, Printed, write_deck
from decks.engine.headings import ZoneSpec
from decks.engine.parser import Notice, ParsedDecklist, parse_decklist
from decks.engine.printed import printed_as_written
from tests.decks.engine.names import NAMES, ZONES, Index

FILES = Path(__file__).parents[2] / "data" / "decklists"
DECK = [
    ("main", 3, "Ember Fox"),
    ("main", 2, "Rise // Fall"),
    ("main", 1, "Tideturn: Reflux"),
    ("side", 1, "Ember Fox"),
    ("side", 2, "Glass Oath"),
]
KINDS = {
    "apprentice-sections.dec": "Forge .dck",
    "apprentice.dec": "text",
    "archidekt.csv": "CSV",
    "archidekt.txt": "text",
    "arena.txt": "text",
    "boards.json": "JSON",
    "cockatrice.cod": "Cockatrice .cod",
    "deckbox.csv": "CSV",
    "deckstats.txt": "text",
    "forge.dck": "Forge .dck",
    "generic.csv": "CSV",
    "limitless.txt": "text",
    "moxfield.txt": "text",
    "mtgo.dek": "MTGO .dek",
    "mtgo.txt": "text",
    "mws.mwDeck": "text",
    "octgn.o8d": "OCTGN .o8d",
    "passcodes.ydk": ".ydk",
    "ptcgl.txt": "text",
    "rows.json": "JSON",
    "xmage.dck": "XMage .dck",
}
CRYPT = (ZoneSpec("crypt", "Crypt"), ZoneSpec("library", "Library"))
PASSCODES = {"41901": "Ember Fox", "41902": "Rise // Fall", "41903": "Tideturn: Reflux", "41904": "Glass Oath"}


def parse(data: bytes | str, zones: tuple[ZoneSpec, ...] = ZONES) -> ParsedDecklist:
    index = Index()
    index.by_key |= {code: (NAMES.index(name), name) for code, name in PASSCODES.items()}
    return parse_decklist(data, index, zones)


def deck_of(parsed: ParsedDecklist) -> list[tuple[str, int, str]]:
    return [(entry.zone, entry.count, entry.name) for entry in parsed.entries]


REFUSALS = {"decks.unreadable", "decks.too_large"}


def parse_or_refuse(data: bytes | str) -> ParsedDecklist | str:
    """What was read, or the code of the refusal."""
    try:
        return parse(data)
    except DomainError as error:
        return error.code


def lines_told(parsed: ParsedDecklist) -> set[int]:
    return {line.number for line in (*parsed.cards, *parsed.headings, *parsed.comments, *parsed.problems)}


@pytest.mark.parametrize("name", KINDS)
def test_a_file_of_each_program_is_the_same_deck(name: str) -> None:
    parsed = parse((FILES / name).read_bytes())
    assert (parsed.kind, deck_of(parsed), parsed.problems) == (KINDS[name], DECK, ())


def test_each_file_has_its_test() -> None:
    assert {path.name for path in FILES.iterdir()} == {*KINDS, "names.json", "vtes.txt"}


OWN_FORMAT = {
    "apprentice-sections.dec": "forge",  # the same sections, whichever program writes them
    "apprentice.dec": "dec",
    "archidekt.csv": "archidekt-csv",
    "archidekt.txt": "archidekt",
    "arena.txt": "arena",
    "boards.json": "json",
    "cockatrice.cod": "cod",
    "deckbox.csv": "deckbox",
    "deckstats.txt": "deckstats",
    "forge.dck": "forge",
    "generic.csv": "csv",
    "limitless.txt": "ptcgl",  # the same lines, there with headings
    "moxfield.txt": "moxfield",
    "mtgo.dek": "dek",
    "mtgo.txt": "mtgo",
    "mws.mwDeck": "mws",
    "names.json": "json",
    "octgn.o8d": "o8d",
    "passcodes.ydk": "ydk",
    "ptcgl.txt": "ptcgl",
    "rows.json": "json",
    "vtes.txt": "vtes",
    "xmage.dck": "xmage",
}


@pytest.mark.parametrize("path", sorted(FILES.iterdir()), ids=lambda path: path.name)
def test_a_file_written_in_its_own_format_is_the_same_deck_with_the_same_printings(path: Path) -> None:
    zones = CRYPT if path.name == "vtes.txt" else ZONES
    first = parse(path.read_bytes(), zones)
    printed = printed_as_written(first.cards)
    codes = {NAMES.index(name): Printed(passcode=code) for code, name in PASSCODES.items()}
    key = OWN_FORMAT[path.name]
    written = write_deck(key, first.entries, zones, printed=codes if key == "ydk" else printed, name="A & <B>")
    again = parse(written, zones)
    assert (again.problems, again.notices) == ((), ())
    assert (deck_of(again), printed_as_written(again.cards)) == (deck_of(first), printed)
    assert len(deck_of(first)) >= 3


def test_every_format_that_is_written_but_our_own_has_its_file() -> None:
    assert set(OWN_FORMAT.values()) == set(FILE_FORMATS) - {"text"}
    assert set(OWN_FORMAT) == {path.name for path in FILES.iterdir()}


def test_the_printings_of_the_files_are_read() -> None:
    printed = {
        path.name: printed_as_written(parse(path.read_bytes()).cards).get(NAMES.index("Rise // Fall"))
        for path in FILES.iterdir()
    }
    assert {name: one for name, one in printed.items() if one is not None} == {
        "archidekt.csv": Printed("abc", "156a"),
        "archidekt.txt": Printed("abc", "156a"),
        "arena.txt": Printed("ABC", "156a"),
        "deckbox.csv": Printed("Alphabet", "156"),
        "deckstats.txt": Printed("ABC"),
        "forge.dck": Printed("ABC"),
        "limitless.txt": Printed("P-A", "7"),
        "moxfield.txt": Printed("ABC", "156a"),
        "mws.mwDeck": Printed("ABC"),
        "ptcgl.txt": Printed("DEF", "7"),
        "xmage.dck": Printed("ABC", "156a"),
    }


def test_a_list_of_names_is_a_deck_of_one_zone() -> None:
    assert deck_of(parse((FILES / "names.json").read_bytes())) == DECK[:3]
    assert deck_of(parse('{"Ember Fox": 3, "Rise // Fall": 2, "Tideturn: Reflux": 1}')) == DECK[:3]


def test_a_deck_of_crypt_and_library_is_read_without_its_columns() -> None:
    parsed = parse((FILES / "vtes.txt").read_bytes(), CRYPT)
    assert deck_of(parsed) == [("crypt", 3, "Ember Fox"), ("library", 2, "Rise // Fall"), ("library", 1, NAMES[3])]
    assert (parsed.kind, parsed.problems, parsed.notices) == ("VTES text", (), ())


@pytest.mark.parametrize("path", sorted(FILES.iterdir()), ids=lambda path: path.name)
def test_every_line_that_is_not_blank_is_told(path: Path) -> None:
    text = path.read_text(encoding="utf-8-sig")
    filled = {number for number, raw in enumerate(text.splitlines(), 1) if raw.strip()}
    assert lines_told(parse(path.read_bytes())) == filled


def test_what_a_file_says_wrongly_is_a_problem_at_its_line() -> None:
    table = parse('Name,Count\nEmber Fox,none\nNo Such Card,2\nMira, Keeper of Bells,1\n"Glass Oath",2\n')
    assert [(line.number, line.code) for line in table.problems] == [
        (2, "decks.unknown_card"),
        (3, "decks.unknown_card"),
        (4, "decks.unknown_card"),
    ]
    assert deck_of(table) == [("main", 2, "Glass Oath")]
    cod = '<cockatrice_deck>\n<zone name="attic">\n<card number="2" name="Ember Fox"/></zone></cockatrice_deck>'
    assert [(line.number, line.code) for line in parse(cod).problems] == [(3, "decks.unknown_card")]
    many = parse('{"main": [{"name": "Ember Fox", "count": 1000}]}')
    assert [line.code for line in many.problems] == ["decks.count"]


@pytest.mark.parametrize("before", ["", "\n", "\r\n \r\n", "\ufeff\n"])
def test_the_line_of_a_card_is_that_of_the_file(before: str) -> None:
    parsed = parse(f'{before}<deck><section name="Main">\n<card qty="2">Ember Fox</card></section></deck>')
    assert [(line.number, line.raw) for line in parsed.cards] == [
        (len(f"{before}x".splitlines()) + 1, '<card qty="2">Ember Fox</card></section></deck>')
    ]


def test_a_table_of_one_column_keeps_its_quotes_and_commas() -> None:
    assert deck_of(parse('Name\n"Mira, Keeper of Bells"\n"Ember Fox"\n"Ember Fox"\n')) == [
        ("main", 2, "Ember Fox"),
        ("main", 1, "Mira, Keeper of Bells"),
    ]


def test_a_card_called_like_a_column_is_still_a_card() -> None:
    assert deck_of(parse("Deck of Bells\nEmber Fox")) == [("main", 1, "Deck of Bells"), ("main", 1, "Ember Fox")]


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_letters_are_read_by_their_mark(charset: str) -> None:
    parsed = parse("2 D\u00e9j\u00e0 Song".encode(charset))
    assert deck_of(parsed) == [("main", 2, "D\u00e9j\u00e0 Song")]


def test_a_wrong_charset_is_read_and_said() -> None:
    parsed = parse("2 D\u00e9j\u00e0 Song".encode("cp1252"))
    assert deck_of(parsed) == [("main", 2, "D\u00e9j\u00e0 Song")]
    said = "The file is not UTF-8. It was read as windows-1252: look at the letters with accents."
    assert parsed.notices == (Notice(1, "decks.charset", said),)
    assert parse(b"2 Ember Fox").notices == ()


BILLION = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "data",
    [
        "<a>" * 80_000,
        "<a>" * 60_000 + "</a>" * 10_000,
        BILLION + "]><d>&i;</d>",
        '<!DOCTYPE d SYSTEM "file:///etc/passwd"><deck/>',
        "<deck>" + "<card/>" * 30_000 + "</deck>",
        "<html><body>no deck</body></html>",
        "<deck><card>",
        "[" * 100_000,
        '{"a":' * 40_000,
        '{"main": ' + "[" * 15 + '"Ember Fox"' + "]" * 15 + "}",
        "[" + '"x",' * 3_000 + '"x"]',
        b"\x00\x01\x02\xff",
        b"\xff\xfe\x00",
        b"PK\x03\x04\x00\x00",
        b"x" * (MAX_BYTES + 1),
    ],
    ids=lambda data: repr(data[:24]),
)
def test_a_hostile_file_is_refused_at_once(data: bytes | str) -> None:
    started = time.process_time()
    found = parse_or_refuse(data)
    assert found in REFUSALS if isinstance(found, str) else (found.entries == () and found.problems != ())
    assert time.process_time() - started < 1


PIECES = st.sampled_from(
    ["<deck>", "</deck>", '<zone name="side">', '<card number="2" name="Ember Fox"/>', "{", "}", "[", "]", ",", ":"]
    + ['"main"', '"Ember Fox"', "3", "Name,Count", "Ember Fox,3", '"', "\n", "#main", "!side", "41901", "[metadata]"]
    + ["Crypt (3)", "Library (2)", "SB: ", "\u00e9", "\t", "&amp;", "<!--", "-->", "No Such Card"]
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_nothing_is_invented_or_lost_whatever_the_file(text: str) -> None:
    parsed = parse_or_refuse(text)
    if isinstance(parsed, str):
        assert parsed in REFUSALS
        return
    filled = {number for number, raw in enumerate(text.splitlines(), 1) if raw.strip()}
    assert lines_told(parsed) == filled
    named = {line.name for line in parsed.cards}
    assert named <= {"Ember Fox"}
    if named:
        assert "Ember Fox" in text or "41901" in text


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.binary(max_size=200))
def test_bytes_of_any_kind_are_read_or_refused(data: bytes) -> None:
    found = parse_or_refuse(data)
    assert found in REFUSALS if isinstance(found, str) else found.kind
