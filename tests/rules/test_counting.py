"""Constraints that count: sizes, copies, sums, required and eligible cards."""

from __future__ import annotations

import pytest

from rules.engine.legality import CardCount, MissingFact, Violation
from tests.rules.judging import (
    ACTION,
    COPIES,
    FREE,
    GRATIS,
    LEGAL,
    OTHER,
    SIZE,
    UNKNOWN,
    illegal,
    undetermined,
    verdict,
)


def test_a_deck_of_the_least_size_is_legal_and_one_card_fewer_is_not():
    assert verdict({"main": [(ACTION, 3)]}, SIZE) == LEGAL
    assert verdict({"main": [(ACTION, 2)]}, SIZE) == illegal(
        Violation("zone_count.too_few", "size", "T 1", limit=3, actual=2, excess=-1, zones=("main",))
    )


def test_a_deck_of_the_greatest_size_is_legal_and_one_card_more_is_not():
    exact = {**SIZE, "max": 3}
    assert verdict({"main": [(ACTION, 3)]}, exact) == LEGAL
    assert verdict({"main": [(ACTION, 4)]}, exact) == illegal(
        Violation("zone_count.too_many", "size", "T 1", limit=3, actual=4, excess=1, zones=("main",))
    )


@pytest.mark.parametrize(("cards", "excess"), [(1, 1), (7, 7), (8, -7), (14, -1), (16, 1)])
def test_a_sideboard_is_none_or_exactly_fifteen(cards: int, excess: int):
    side = {"id": "side", "kind": "zone_count", "zones": ["side"], "one_of": [15, 0], "cite": "T 9"}
    main = [(ACTION, 3)]
    assert verdict({"main": main}, side) == LEGAL
    assert verdict({"main": main, "side": [(OTHER, 15)]}, side) == LEGAL
    assert verdict({"main": main, "side": [(OTHER, cards)]}, side) == illegal(
        Violation("zone_count.not_one_of", "side", "T 9", limit=(0, 15), actual=cards, excess=excess, zones=("side",))
    )


def test_copies_are_counted_over_main_deck_and_sideboard_together():
    assert verdict({"main": [(ACTION, 2), (OTHER, 1)], "side": [(ACTION, 1)]}, COPIES) == LEGAL
    assert verdict({"main": [(ACTION, 2), (OTHER, 1)], "side": [(ACTION, 2)]}, COPIES) == illegal(
        Violation(
            "copies.too_many",
            "copies",
            "T 2",
            limit=3,
            actual=4,
            excess=1,
            zones=("main", "side"),
            cards=(CardCount(1, "Anvil", 4),),
            lines=(1,),
        )
    )


def test_copies_of_cards_that_the_rule_exempts_are_free():
    rare = {**COPIES, "select": {"fact": "cost", "ne": "free"}}
    assert verdict({"main": [(GRATIS, 9)]}, rare) == LEGAL


def test_an_unknown_fact_matters_only_above_the_limit_of_copies():
    rule = {**COPIES, "select": {"fact": "cost", "ne": "free"}}
    assert verdict({"main": [(UNKNOWN, 3)]}, rule) == LEGAL
    assert verdict({"main": [(UNKNOWN, 4)]}, rule) == undetermined(
        Violation(
            "copies.unknown",
            "copies",
            "T 2",
            limit=3,
            actual=4,
            zones=("main", "side"),
            cards=(CardCount(4, "Dowel", 4),),
            lines=(4,),
            facts=(MissingFact("Dowel", "cost"),),
            subject="cards that are not free",
            undetermined=True,
        )
    )


def test_a_sum_is_legal_at_its_limit_and_not_above_it():
    assert verdict({"main": [(GRATIS, 2), (ACTION, 5)]}, FREE) == LEGAL
    assert verdict({"main": [(GRATIS, 2), (ACTION, 5)], "side": [(GRATIS, 2)]}, FREE) == illegal(
        Violation(
            "sum.too_many",
            "free",
            "T 3",
            limit=2,
            actual=4,
            excess=2,
            zones=("main", "side"),
            cards=(CardCount(3, "Candle", 4),),
            lines=(3,),
            subject="free cards",
        )
    )


def test_a_sum_is_undetermined_where_unknown_facts_could_exceed_it():
    assert verdict({"main": [(GRATIS, 1), (UNKNOWN, 1), (ACTION, 3)]}, FREE) == LEGAL
    assert verdict({"main": [(GRATIS, 1), (UNKNOWN, 2)]}, FREE) == undetermined(
        Violation(
            "sum.unknown",
            "free",
            "T 3",
            limit=2,
            actual=1,
            possible=3,
            zones=("main", "side"),
            cards=(CardCount(4, "Dowel", 2),),
            lines=(4,),
            facts=(MissingFact("Dowel", "cost"),),
            subject="free cards",
            undetermined=True,
        )
    )


def test_a_required_part_is_there_once():
    part = {
        "id": "part", "kind": "require", "zones": ["main"], "select": {"names": ["Candle"]}, "min": 1, "max": 1,
        "cite": "T 6",
    }  # fmt: skip
    assert verdict({"main": [(ACTION, 3), (GRATIS, 1)]}, part) == LEGAL
    missing = Violation(
        "require.too_few", "part", "T 6", limit=1, actual=0, excess=-1, zones=("main",), subject="Candle"
    )
    assert verdict({"main": [(ACTION, 3)]}, part) == illegal(missing)
    twice = verdict({"main": [(ACTION, 3), (GRATIS, 2)]}, part)
    assert [(v.code, v.limit, v.actual, v.excess) for v in twice.violations] == [("require.too_many", 1, 2, 1)]


def test_every_card_must_be_eligible():
    rule = {
        "id": "kind",
        "kind": "eligible",
        "zones": ["main"],
        "select": {"fact": "cost", "eq": "action"},
        "cite": "T 7",
    }
    assert verdict({"main": [(ACTION, 3)], "side": [(GRATIS, 1)]}, rule) == LEGAL
    found = verdict({"main": [(ACTION, 3), (GRATIS, 2), (UNKNOWN, 1)]}, rule)
    assert found == illegal(
        Violation(
            "eligible.not_eligible",
            "kind",
            "T 7",
            limit=0,
            actual=2,
            excess=2,
            zones=("main",),
            cards=(CardCount(3, "Candle", 2),),
            lines=(3,),
            subject="action cards",
        ),
        Violation(
            "eligible.unknown",
            "kind",
            "T 7",
            actual=1,
            zones=("main",),
            cards=(CardCount(4, "Dowel", 1),),
            lines=(4,),
            facts=(MissingFact("Dowel", "cost"),),
            subject="action cards",
            undetermined=True,
        ),
    )
