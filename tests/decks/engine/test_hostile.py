"""Files made to keep a server busy: refused in milliseconds, or read in a time that grows as they do."""

from __future__ import annotations

import time

import pytest

from config.errors import DomainError
from decks.engine.containers.xmlfiles import read_xml
from decks.engine.parser import candidate_keys, parse_decklist
from tests.decks.engine.names import ZONES, Index

SOON = 0.05
DEEP = 200_000
LAUGHS = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
BEFORE = {
    "text": "",
    "VTES": "Crypt (1)\nLibrary (1)\n",
    "CSV": "Name,Count\n",
    "Forge": "[metadata]\n",
    ".ydk": "#main\n",
    "XMage": "LAYOUT MAIN:x\n",
    "JSON": "[",
}
UNITS = (
    *(
        "(",
        "[",
        "<",
        "{",
        "1x",
        "x1 ",
        " #",
        " //",
        "/",
        "( ",
        "[a] ",
        "*F* ",
        "(A) 1 ",
        "|",
        "^a^",
        ": ",
        "- ",
        "A1 1 ",
    ),
    *("Crypt ", "Crypt: ", "Library (", '"', '","', ";", "\t", "\u00a0", "\ufeff", "e\u0301", "SB: ", "Sideboard "),
    *("= ", "3 Ember Fox ", "0", "A/ ", "http://", "=-"),
)
LARGE = 100_000


def seconds(text: str) -> float:
    """Of a core, to do all that is done with a list that somebody sends."""
    start = time.process_time()
    try:
        candidate_keys(text, ZONES)
        parse_decklist(text, Index(), ZONES)
    except DomainError:
        pass
    return time.process_time() - start


@pytest.mark.parametrize(
    "text",
    [
        "<deck>" + "<section>" * DEEP,
        "<cockatrice_deck>" + "<zone>" * DEEP,
        "<Deck>" + "<a>" * 80_000,  # as deep as fits into 256 kB
        "[" * DEEP,
        '{"a":' * 50_000,
        LAUGHS + "]><deck>&i;</deck>",
        '<?xml version="1.0"?>' + LAUGHS + "]><cockatrice_deck>&i;</cockatrice_deck>",
    ],
    ids=lambda text: text[:20],
)
def test_depth_and_entities_are_refused_within_milliseconds(text: str) -> None:
    index = Index()
    start = time.process_time()
    assert read_or_refused(text, index) in ("decks.too_large", "decks.unreadable", "one problem")
    assert time.process_time() - start < SOON


def read_or_refused(text: str, index: Index) -> str:
    try:
        found = parse_decklist(text, index, ZONES)
    except DomainError as refusal:
        return refusal.code
    return "one problem" if (found.cards, len(found.problems)) == ((), 1) else "read"


def test_the_depth_of_xml_is_refused_whatever_its_size() -> None:
    text = "<deck>" + "<section>" * DEEP
    start = time.process_time()
    with pytest.raises(DomainError) as refused:
        read_xml(text, [text])
    assert (refused.value.code, "more than 20 levels" in refused.value.message) == ("decks.unreadable", True)
    assert time.process_time() - start < SOON


def hostile(unit: str, size: int, *, before: str, one_line: bool) -> str:
    text = (unit * size)[:size]
    return before + (text if one_line else "\n".join(text[at : at + 499] for at in range(0, size, 499)))


@pytest.mark.parametrize("kind", BEFORE)
@pytest.mark.parametrize("one_line", [True, False], ids=["one line", "many lines"])
def test_100_kb_of_hostile_repeats_take_a_time_that_grows_as_they_do(kind: str, one_line: bool) -> None:
    slow = {}
    for unit in UNITS:
        half, whole = (hostile(unit, size, before=BEFORE[kind], one_line=one_line) for size in (LARGE // 2 - 1, LARGE))
        took = seconds(half), seconds(whole)
        if took[1] > 4 * took[0] + SOON:
            took = min(took[0], seconds(f"{half} ")), min(took[1], seconds(f"{whole} "))
            if took[1] > 4 * took[0] + SOON:
                slow[unit] = took
    assert slow == {}
