"""Verdicts as a whole, whatever the constraints."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rules.engine.legality import DeckFacts, DeckLine, UnresolvedLine, Violation, check, compile_format
from tests.rules.judging import (
    ACTION,
    BANNED,
    COPIES,
    DAY,
    FREE,
    GRATIS,
    LISTS,
    OTHER,
    RESTRICTED,
    SIZE,
    SWAPS,
    UNKNOWN,
    WINDOW,
    format_of,
    printed,
    undetermined,
    verdict,
)


def test_an_empty_deck_is_illegal():
    assert verdict({}).outcome == "illegal"


def test_a_format_that_an_empty_deck_meets_cannot_be_written():
    with pytest.raises(ValidationError, match="an empty deck would be legal"):
        verdict({}, {**SIZE, "min": 0})


def test_a_deck_that_is_illegal_anyway_still_tells_what_is_unknown():
    found = verdict({"main": [(GRATIS, 1), (UNKNOWN, 4)]}, FREE, COPIES)
    assert found.outcome == "illegal"
    assert [violation.code for violation in found.violations] == ["copies.too_many", "sum.unknown"]


def test_a_line_that_is_no_known_card_leaves_the_verdict_open():
    line = UnresolvedLine(7, "1 Anvli", 1, "main")
    said = Violation(
        "line.unresolved", "", "", actual=1, zones=("main",), lines=(7,), subject="1 Anvli", undetermined=True
    )
    assert verdict({"main": [(ACTION, 3)]}, unresolved=(line,)) == undetermined(said)
    assert verdict({"main": [(ACTION, 2)]}, unresolved=(line,)) == undetermined(said)
    assert verdict({"main": [(ACTION, 1)]}, unresolved=(line,)).outcome == "illegal"
    assert verdict({"main": [(ACTION, 1)]}, unresolved=(UnresolvedLine(7, "?"),)).outcome == "undetermined"


@pytest.mark.parametrize(("side", "curable"), [([(OTHER, 2)], True), ([(OTHER, 1)], False), ([(GRATIS, 2)], False)])
def test_too_many_in_the_main_deck_alone_can_be_cured_from_the_sideboard(side: list[Any], curable: bool):
    rule = {**FREE, "zones": ["main"]}
    found = verdict({"main": [(GRATIS, 4), (ACTION, 3)], "side": side}, rule, SWAPS)
    assert [(v.code, v.curable_by_sideboarding) for v in found.violations] == [("sum.too_many", curable)]
    without = verdict({"main": [(GRATIS, 4), (ACTION, 3)], "side": side}, rule)
    assert [v.curable_by_sideboarding for v in without.violations] == [False]


def test_violations_come_by_kind_then_by_name():
    found = verdict(
        {"main": [(GRATIS, 4), (ACTION, 5), (printed(date(2019, 1, 1)), 4)]},
        FREE, COPIES, LISTS, {**SIZE, "min": 20}, pool=WINDOW, statuses=(BANNED,),
        unresolved=(UnresolvedLine(1, "x", 1),),
    )  # fmt: skip
    assert [(v.code, *(card.name for card in v.cards)) for v in found.violations] == [
        ("line.unresolved",),
        ("zone_count.too_few",),
        ("pool.rotated_out", "Escapement"),
        ("status.banned", "Anvil"),
        ("copies.too_many", "Anvil"),
        ("copies.too_many", "Candle"),
        ("copies.too_many", "Escapement"),
        ("sum.too_many", "Candle"),
    ]


CARDS = (ACTION, OTHER, GRATIS, UNKNOWN, printed(date(2019, 1, 1)))
lines = st.lists(
    st.builds(
        lambda zone, count, card, line: DeckLine(zone, count, card, (line,)),
        st.sampled_from(["main", "side"]),
        st.integers(1, 4),
        st.sampled_from(CARDS),
        st.integers(1, 9),
    ),
    max_size=8,
)
COMPILED = compile_format(format_of([SIZE, COPIES, FREE, LISTS, SWAPS], WINDOW), (BANNED, RESTRICTED), DAY, {})


@given(lines, st.randoms(use_true_random=False))
def test_the_order_of_the_lines_does_not_matter(deck: list[DeckLine], random: Any):
    mixed = list(deck)
    random.shuffle(mixed)
    assert check(DeckFacts(tuple(mixed)), COMPILED) == check(DeckFacts(tuple(deck)), COMPILED)


@given(lines)
def test_a_line_may_be_split_in_two(deck: list[DeckLine]):
    split = [DeckLine(line.zone, 1, line.card, line.lines) for line in deck for _ in range(line.count)]
    assert check(DeckFacts(tuple(split)), COMPILED) == check(DeckFacts(tuple(deck)), COMPILED)


@given(lines)
def test_an_outcome_follows_from_what_was_found(deck: list[DeckLine]):
    found = check(DeckFacts(tuple(deck)), COMPILED)
    certain = [violation for violation in found.violations if not violation.undetermined]
    assert found.outcome == ("illegal" if certain else "undetermined" if found.violations else "legal")
    assert all(violation.cite for violation in found.violations)


def test_a_count_below_one_is_a_bug():
    with pytest.raises(ValueError):
        verdict({"main": [(ACTION, 0)]})


def test_a_violation_as_json_holds_json_types_only():
    found = verdict({"main": [(UNKNOWN, 1)], "side": [(ACTION, 1)]}, LISTS, statuses=(BANNED,)).violations[1]
    assert found.as_json() == {
        "code": "status.banned",
        "constraint": "lists",
        "cite": "T 4.1",
        "limit": 0,
        "actual": 1,
        "excess": 1,
        "zones": ["main", "side"],
        "cards": [{"id": 1, "name": "Anvil", "count": 1}],
        "lines": [1],
        "since": "2026-01-01",
        "curable_by_sideboarding": False,
        "facts": [],
        "subject": "cards",
        "reading": None,
        "source": "list of January",
        "possible": None,
        "undetermined": False,
        "depends_on": None,
    }
