from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from decks.engine.mending import replace_lines
from decks.engine.one_block import ask_for_sideboard
from decks.engine.parser import ParsedDecklist, ProblemLine, parse_decklist
from rules.engine.formatschema import FormatDefinition
from rules.engine.legality import CompiledFormat, compile_format
from tests.decks.engine.names import NAMES, ZONES, Index


def format_of(*sizes: dict[str, Any]) -> CompiledFormat:
    constraints = [
        {"id": f"size-{place}", "kind": "zone_count", "cite": f"X {place}", **size} for place, size in enumerate(sizes)
    ]
    definition = FormatDefinition.model_validate(
        {
            "slug": "made-up",
            "name": "Made up",
            "version": "1",
            "document": {"slug": "rulebook", "version": "1"},
            "pool": {"kind": "all"},
            "constraint": constraints,
        }
    )
    return compile_format(definition, [], date(2026, 1, 1), {})


OPEN = format_of({"zones": ["main"], "min": 60}, {"zones": ["side"], "one_of": [0, 15]})
CLOSED = format_of({"zones": ["main"], "min": 50, "max": 50}, {"zones": ["side"], "max": 10})
WITHOUT = format_of({"zones": ["main"], "min": 60})


def read(text: str, compiled: CompiledFormat = OPEN) -> ParsedDecklist:
    return ask_for_sideboard(parse_decklist(text, Index(), ZONES), compiled)


def awaited(number: int, raw: str, count: int, asked: int = 3) -> ProblemLine:
    told = f"Line {asked} asks which part of the deck this is."
    return ProblemLine(number, raw, "decks.zone_awaited", told, count=count)


def block(*counts: int) -> str:
    return "\n".join(f"{count} {NAMES[place]}" for place, count in enumerate(counts))


def test_seventy_five_cards_in_one_block_are_asked_about_where_a_line_ends_at_sixty() -> None:
    parsed = read(block(40, 20, 11, 4))
    assert parsed.problems == (
        ProblemLine(
            3,
            "11 Mira, Keeper of Bells",
            "decks.zones_unclear",
            "75 cards stand in one block. Are the 15 from line 3 on the Sideboard? Write “Sideboard” above that line, "
            "or “Main deck” if all of them are the Main deck.",
            ("Sideboard", "Main deck"),
            ("Sideboard\n11 Mira, Keeper of Bells", "Main deck\n11 Mira, Keeper of Bells"),
            count=0,
        ),
        awaited(3, "11 Mira, Keeper of Bells", 11),
        awaited(4, "4 Tideturn: Reflux", 4),
    )
    assert [(line.number, line.zone) for line in parsed.cards] == [(1, "main"), (2, "main")]


@pytest.mark.parametrize(("place", "zones"), [(0, ["main", "main", "side"]), (1, ["main", "main", "main"])])
def test_either_answer_settles_the_question(place: int, zones: list[str]) -> None:
    text = block(40, 20, 15)
    problem = read(text).problems[0]
    mended = read(replace_lines(text, {problem.number: problem.replacements[place]}))
    assert ([line.zone for line in mended.cards], mended.problems) == (zones, ())


def test_without_a_line_that_ends_at_sixty_only_the_whole_is_proposed() -> None:
    text = block(40, 31, 4)
    problem = read(text).problems[0]
    assert (problem.number, problem.suggestions, problem.count) == (1, ("Main deck",), 0)
    assert "no line ends at 60" in problem.message
    assert read(text).cards == ()
    mended = read(replace_lines(text, {1: problem.replacements[0]}))
    assert ([line.zone for line in mended.cards], mended.problems) == (["main"] * 3, ())


def test_the_sizes_are_those_of_the_format() -> None:
    problem = read(block(30, 20, 10), CLOSED).problems[0]
    assert (problem.number, problem.suggestions) == (3, ("Sideboard", "Main deck"))
    assert read(block(30, 30, 15), CLOSED).problems == ()


@pytest.mark.parametrize(
    ("text", "compiled"),
    [
        (block(60), OPEN),
        (block(40, 34), OPEN),
        ("\n".join(f"1 {name}" for name in NAMES[:20]) + "\n" + block(80), OPEN),
        (block(60, 15), WITHOUT),
        ("Main deck\n" + block(60, 15), OPEN),
        ("Sideboard\n" + block(60, 15), OPEN),
        (block(60, 15) + "\nSB: 2 Deny", OPEN),
        ("", OPEN),
    ],
    ids=["a deck", "74", "singleton of 100", "no sideboard", "named", "all side", "side elsewhere", "empty"],
)
def test_nothing_is_asked_where_nothing_is_unclear(text: str, compiled: CompiledFormat) -> None:
    parsed = parse_decklist(text, Index(), ZONES)
    assert ask_for_sideboard(parsed, compiled) == parsed


def test_a_line_that_is_not_understood_is_asked_about_first() -> None:
    assert [problem.code for problem in read(block(60, 15) + "\nNobody knows").problems] == ["decks.unknown_card"]


def test_cards_below_a_blank_line_that_is_asked_about_are_in_no_part_till_then() -> None:
    parsed = read("3 Ember Fox\n\n2 Glass Oath\n1 Giant", CLOSED)
    assert [(line.number, line.zone) for line in parsed.cards] == [(1, "main")]
    assert parsed.problems[1:] == (awaited(3, "2 Glass Oath", 2, asked=2), awaited(4, "1 Giant", 1, asked=2))
    mended = read("3 Ember Fox\nSideboard\n2 Glass Oath\n1 Giant", CLOSED)
    assert ([line.zone for line in mended.cards], mended.problems) == (["main", "side", "side"], ())
