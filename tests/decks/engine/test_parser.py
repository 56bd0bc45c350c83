from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.names import name_key
from config.errors import DomainError
from decks.engine.containers.opening import MAX_BYTES, MAX_LINES, split_lines
from decks.engine.headings import HeadingReader, is_remark
from decks.engine.lines import MAX_LINE, readings
from decks.engine.parser import (
    MAX_SUGGESTED_LINES,
    CardLine,
    CommentLine,
    HeadingLine,
    Notice,
    ParsedDecklist,
    ProblemLine,
    candidate_keys,
    parse_decklist,
)
from tests.decks.engine.names import NAMES, ZONES, Index

HEADINGS = HeadingReader(ZONES)
LINES = json.loads((Path(__file__).parents[2] / "data" / "decklist_lines.json").read_text())
GOLDEN = LINES["reported"] | LINES["further"]


def parse(text: str) -> ParsedDecklist:
    return parse_decklist(text, Index(), ZONES)


@pytest.mark.parametrize("case", GOLDEN)
def test_every_spelling_in_the_golden_file_is_read_as_it_was_meant(case: str) -> None:
    text, expected, *told = GOLDEN[case]
    parsed = parse(text)
    assert [[entry.zone, entry.count, entry.name] for entry in parsed.entries] == expected
    assert [problem.code for problem in parsed.problems] == (told[0] if told else [])


def test_every_kind_of_line_keeps_its_number_and_its_text() -> None:
    parsed = parse("// my deck\nMain\n\n 3x Ember Fox (ABC) \nNo Such Card")
    assert parsed.comments == (CommentLine(1, "// my deck"),)
    assert parsed.headings == (HeadingLine(2, "Main", "zone", "main", None),)
    assert parsed.cards == (CardLine(4, " 3x Ember Fox (ABC) ", "main", 3, 0, "Ember Fox", "(ABC)"),)
    assert parsed.problems == (
        ProblemLine(
            5,
            "No Such Card",
            "decks.unknown_card",
            "No card of this game is called “No Such Card”. Look for it in the list of cards.",
            zone="main",
        ),
    )


def test_what_resembles_a_name_is_suggested_with_its_line_and_never_taken() -> None:
    parsed = parse("SB: 2 Gless Oath")
    assert parsed.cards == ()
    [problem] = parsed.problems
    assert (problem.code, problem.zone) == ("decks.unknown_card", "side")
    assert problem.suggestions == ("Glass Oath", "Giant")
    assert problem.replacements == ("SB: 2x Glass Oath", "SB: 2x Giant")
    assert problem.message == "No card of this game is called “Gless Oath”. Did you mean “Glass Oath” or “Giant”?"


def test_every_line_of_a_list_in_another_language_gets_its_suggestions() -> None:
    problems = parse("\n".join(f"{number} Deni{number}" for number in range(1, MAX_SUGGESTED_LINES + 2))).problems
    told = [len(problem.suggestions) for problem in problems]
    assert told == [*[3] * MAX_SUGGESTED_LINES, 0]
    assert MAX_SUGGESTED_LINES >= 75


@pytest.mark.parametrize(("text", "zone"), [("41999", "main"), ("#main\n#extra\n!side\n0041999", "side")])
def test_a_number_that_no_card_has_is_told_as_one(text: str, zone: str) -> None:
    [problem] = parse(text).problems
    said = "No card of this game has the number 41999. Write the card's name in its place."
    assert (problem.code, problem.message, problem.zone) == ("decks.unknown_card", said, zone)
    assert (problem.raw, problem.suggestions) == (text.splitlines()[-1], ())


@pytest.mark.parametrize("line", ["0 Ember Fox", "1000 Ember Fox", "00 Ember Fox", "9" * 400 + " Ember Fox"])
def test_a_number_that_is_no_count_is_a_problem(line: str) -> None:
    parsed = parse(line)
    assert parsed.cards == ()
    assert [problem.code for problem in parsed.problems] == ["decks.count"]


@pytest.mark.parametrize(("line", "count"), [("1 Ember Fox", 1), ("999 Ember Fox", 999), ("007 Ember Fox", 7)])
def test_counts_go_from_one_to_999(line: str, count: int) -> None:
    assert [card.count for card in parse(line).cards] == [count]


@pytest.mark.parametrize("line", ["Deny x2, Confusion x4", "3 Ember Fox x2", "Ember Fox Deny", "3", "x3", "Ember"])
def test_a_line_that_can_be_read_two_ways_or_none_is_a_problem(line: str) -> None:
    parsed = parse(line)
    assert parsed.cards == ()
    assert [problem.raw for problem in parsed.problems] == [line]


def test_a_zone_that_the_game_lacks_is_a_problem_and_so_is_what_stands_below_it() -> None:
    parsed = parse_decklist("3 Ember Fox\nSideboard\n2 Deny\nMain\n1 Deny", Index(), ZONES[:1])
    assert [(card.number, card.zone) for card in parsed.cards] == [(1, "main"), (5, "main")]
    assert [(line.number, line.code) for line in parsed.problems] == [
        (2, "decks.heading_unknown"),
        (3, "decks.zone_unknown"),
    ]


def test_an_unknown_heading_is_a_problem_of_its_own() -> None:
    parsed = parse("Rangers:\n3 Ember Fox")
    assert [(line.number, line.code) for line in parsed.problems] == [(1, "decks.heading_unknown")]
    assert [card.count for card in parsed.cards] == [3]


def test_one_blank_line_moves_no_card_and_is_asked_about() -> None:
    parsed = parse("3 Ember Fox\n\n2 Glass Oath\n1 Giant")
    assert [(entry.zone, entry.count, entry.name) for entry in parsed.entries] == [
        ("main", 3, "Ember Fox"),
        ("main", 1, "Giant"),
        ("main", 2, "Glass Oath"),
    ]
    [problem] = parsed.problems
    assert (problem.number, problem.raw, problem.code, problem.count) == (2, "", "decks.zones_unclear", 0)
    assert problem.replacements == ("Sideboard", "Main deck")
    for words, zone in zip(problem.replacements, ("side", "main"), strict=True):
        mended = parse(f"3 Ember Fox\n{words}\n2 Glass Oath")
        assert (mended.problems, mended.cards[1].zone) == ((), zone)


def test_a_list_spaced_by_blank_lines_is_one_part_and_that_is_said() -> None:
    parsed = parse("3 Ember Fox\n\n2 Glass Oath\n\n1 Giant\n")
    assert (parsed.problems, [(notice.number, notice.code) for notice in parsed.notices]) == (
        (),
        [(2, "decks.blank_lines")],
    )
    assert {line.zone for line in parsed.cards} == {"main"}


@pytest.mark.parametrize("text", ["3 Ember Fox\n\n", "\n3 Ember Fox", "3 Ember Fox\n2 Glass Oath\n \n\t\n"])
def test_a_blank_line_with_no_card_on_one_side_asks_nothing(text: str) -> None:
    assert (parse(text).problems, parse(text).notices) == ((), ())


def test_blank_lines_between_headed_blocks_need_no_notice() -> None:
    assert parse("Main\n3 Ember Fox\n\nSideboard\n2 Deny").notices == ()
    assert parse("3 Ember Fox\n\nSB: 2 Deny").notices == ()
    assert parse("3 Ember Fox\n2 Deny\n\n").notices == ()


def test_a_heading_whose_count_disagrees_is_noticed() -> None:
    parsed = parse("Units (4)\n3 Ember Fox\nSideboard (2)\n2 Deny\nTotal: 5")
    assert parsed.notices == (
        Notice(1, "decks.heading_count", "Line 1 says 4 cards; 3 were read. Look for a missing line."),
    )


@pytest.mark.parametrize("code_point", [0, 0xD800, 0xDFFF])
def test_what_no_database_can_hold_is_refused_with_its_line(code_point: int) -> None:
    with pytest.raises(DomainError) as refusal:
        parse(f"3 Ember Fox\n2 De{chr(code_point)}ny")
    assert (refusal.value.code, refusal.value.context) == ("decks.unreadable", {"line": 2})


@pytest.mark.parametrize("text", ["x" * (MAX_BYTES + 1), "\u20ac" * (MAX_BYTES // 2), "\n" * (MAX_LINES + 1)])
def test_a_list_that_is_too_large_is_refused(text: str) -> None:
    with pytest.raises(DomainError) as refusal:
        parse(text)
    assert refusal.value.code == "decks.too_large"


def test_the_largest_list_is_read() -> None:
    assert len(parse("3 Ember Fox\n" * MAX_LINES).cards) == MAX_LINES


@pytest.mark.parametrize(
    "unit", ["(", "[", "1x", "x1 ", " #", " //", "/", "( ", "[a] ", "*F* ", "(A) 1 ", "|", "^a^", ": ", "- ", "A1 1 "]
)
def test_the_time_to_read_a_line_grows_no_faster_than_the_line(unit: str) -> None:
    def seconds(length: int) -> float:
        line = unit * (length // len(unit))
        start = time.process_time()
        for _ in range(3):
            readings(line)
            HEADINGS.read(line)
            HEADINGS.prefix(line)
            is_remark(line)
        return time.process_time() - start

    seconds(MAX_LINE)
    small, large = (min(seconds(length) for _ in range(3)) for length in (MAX_LINE // 8, MAX_LINE))
    assert large < 24 * small + 0.02


def test_the_worst_list_is_read_within_seconds() -> None:
    line = "3 Ember Fox (ABC) 12 [x] # " * (MAX_BYTES // MAX_LINES // 27)
    text = "\n".join(f"{number} {line}" for number in range(MAX_LINES))
    start = time.process_time()
    candidate_keys(text, ZONES)
    parse(text)
    assert time.process_time() - start < 20


words = st.sampled_from(
    [*NAMES, *(name.upper() for name in NAMES), "3", "3x", "x2", "(2)", "[4]", ": 1", "- 2", "0", "SB:", "Sideboard"]
    + [
        "//",
        "#",
        "(ABC) 12",
        "*F*",
        "[Ramp]",
        "Main",
        "Realm:",
        "Units (3)",
        "Maybeboard",
        "-----",
        "Name: x",
        "Embr Fox",
    ]
)
lines = st.one_of(
    st.lists(words, max_size=5).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40),
)
texts = st.lists(lines, max_size=12).flatmap(
    lambda found: st.sampled_from(["\n", "\r\n", "\r", "\u2028"]).map(lambda end: end.join(found))
)


@settings(max_examples=400, deadline=None)
@given(texts)
def test_no_line_is_lost_and_no_card_appears_that_the_text_does_not_name(text: str) -> None:
    parsed = parse(text)
    found = [*parsed.cards, *parsed.headings, *parsed.comments, *parsed.problems]
    raw = dict(enumerate(split_lines(text), start=1))
    read = {line.number: line.raw for line in found}
    assert len(found) == len(read)
    for number, line in raw.items():
        if number in read:
            assert read[number] == line
        else:
            assert name_key(line) == "" or not line.strip("\ufeff\u200b\u200c\u200d\u2060\u00ad\u200e\u200f \t")
    for card in parsed.cards:
        written = name_key(card.raw).replace(" ", "").replace("/", "")
        assert name_key(card.name).replace(" ", "").replace("/", "") in written
        assert 1 <= card.count <= 999


@settings(max_examples=300, deadline=None)
@given(texts)
def test_one_query_can_resolve_everything_that_the_parser_asks_for(text: str) -> None:
    index = Index()
    parse_decklist(text, index, ZONES)
    missing = {key for key in index.asked if key in index.by_key} - candidate_keys(text, ZONES)
    assert missing == set()
