"""What other programs were reported to get wrong, as situations: each is read right here."""

from __future__ import annotations

import pytest

from decks.engine.exports import write_deck
from decks.engine.parser import ParsedDecklist, parse_decklist
from tests.decks.engine.names import ZONES, Index

NAMES = (
    "Frost Rex",
    "Ice Tunnel",
    "Ada: The Bell [4]",
    "Hunter's Mark",
    "Multi-Shot",
    "Ragna, Lightlord",
    "D\u00e9j\u00e0 Song",
    'Henzi "Toolbox" Tor',
    "Sasuke #4",
    "Giant",
    "Giant Fox",
    "Fox",
    "Basic Fire Energy",
    "Roots",
)


def parse(text: str) -> ParsedDecklist:
    return parse_decklist(text, Index(NAMES), ZONES)


def deck(text: str) -> list[tuple[str, int, str]]:
    return [(entry.zone, entry.count, entry.name) for entry in parse(text).entries]


@pytest.mark.parametrize(
    ("line", "count", "name"),
    [
        ("1 Frost Rex", 1, "Frost Rex"),  # REX and ICE are codes of sets
        ("1 Ice Tunnel", 1, "Ice Tunnel"),
        ("1x Ada: The Bell [4] (Core)", 1, "Ada: The Bell [4]"),
        ("2 Hunter\u2019s Mark", 2, "Hunter's Mark"),
        ("Hunter's Mark x2", 2, "Hunter's Mark"),
        ("Multi-Shot x2", 2, "Multi-Shot"),
        ("Ragna, Lightlord x1", 1, "Ragna, Lightlord"),
        ("2 DEJA SONG", 2, "D\u00e9j\u00e0 Song"),
        ("2 d\u00c9j\u00c0 song", 2, "D\u00e9j\u00e0 Song"),
        ("Sasuke #4", 1, "Sasuke #4"),
        ("2 Sasuke #4 # the fourth", 2, "Sasuke #4"),
        ("3 Giant", 3, "Giant"),  # not the longer neighbour
        ("3 Giant Fox", 3, "Giant Fox"),  # not the shorter one
        ("4 Frost Rex P-A 12", 4, "Frost Rex"),
        ("1x Roots (mkm) 313 [Ramp]", 1, "Roots"),
    ],
)
def test_a_line_means_one_card(line: str, count: int, name: str) -> None:
    assert (deck(line), parse(line).problems) == ([("main", count, name)], ())


def test_quotes_commas_and_a_single_column_survive_a_table() -> None:
    for text in ('name,count\n"Henzi ""Toolbox"" Tor",1\n"Ragna, Lightlord",2\n', 'name\n"Henzi ""Toolbox"" Tor"\n'):
        assert ("main", 1, 'Henzi "Toolbox" Tor') in deck(text)
    entries = parse('count,name\n1,"Henzi ""Toolbox"" Tor"\n2,"Ragna, Lightlord"\n').entries
    again = parse(write_deck("csv", entries, ZONES)).entries
    assert [(e.zone, e.count, e.name) for e in again] == [(e.zone, e.count, e.name) for e in entries]


def test_seventy_five_cards_in_one_block_are_one_part() -> None:
    text = "\n".join(["60 Fox", "15 Giant"])
    assert (deck(text), parse(text).problems) == ([("main", 60, "Fox"), ("main", 15, "Giant")], ())


def test_nothing_of_a_hundred_single_cards_is_taken_for_a_sideboard() -> None:
    text = "\n\n".join([*(["1 Fox"] * 50), *(["1 Giant"] * 50)])
    assert (deck(text), parse(text).problems) == ([("main", 50, "Fox"), ("main", 50, "Giant")], ())


def test_the_first_card_survives_a_list_without_headings() -> None:
    assert deck("4 Basic Fire Energy MEE 2\n2 Fox ABC 3") == [("main", 4, "Basic Fire Energy"), ("main", 2, "Fox")]


def test_a_sideboard_that_comes_first_is_one_and_is_written_last() -> None:
    text = "Sideboard\n2 Giant\n\nMain\n3 Fox\n"
    assert deck(text) == [("main", 3, "Fox"), ("side", 2, "Giant")]
    assert write_deck("text", parse(text).entries, ZONES).index("Fox") < write_deck(
        "text", parse(text).entries, ZONES
    ).index("Giant")


def test_an_unknown_card_keeps_its_count_zone_and_words() -> None:
    [problem] = parse("3 Fox\nSB: 2 Giantt Foxx").problems
    assert (problem.zone, problem.raw, problem.code) == ("side", "SB: 2 Giantt Foxx", "decks.unknown_card")
    assert all(line.startswith("SB: 2x ") for line in problem.replacements)


def test_two_cards_on_a_line_are_not_guessed() -> None:
    parsed = parse("Giant x2, Fox x4")
    assert (parsed.entries, [line.code for line in parsed.problems]) == ((), ["decks.unknown_card"])
