from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rules.engine.legality import (
    CardCount,
    CardFacts,
    DeckFacts,
    DeckLine,
    MissingFact,
    StatusFact,
    UnresolvedLine,
    VerdictResult,
    Violation,
    check,
    check_swap,
    compile_format,
    months_before,
)
from rules.engine.schema import FormatDefinition

DAY = date(2026, 6, 15)
SIZE = {"id": "size", "kind": "zone_count", "zones": ["main"], "min": 3, "cite": "T 1"}
COPIES = {"id": "copies", "kind": "copies", "zones": ["main", "side"], "max": 3, "cite": "T 2"}
FREE = {
    "id": "free",
    "kind": "sum",
    "zones": ["main", "side"],
    "select": {"fact": "cost", "eq": "free"},
    "max": 2,
    "cite": "T 3",
}
LISTS = {"id": "lists", "kind": "status", "zones": ["main", "side"], "cite": "T 4"}
SWAPS = {"id": "swaps", "kind": "transition", "one_for_one": True, "cite": "T 5"}
ALL = {"kind": "all"}

ACTION = CardFacts(1, "Anvil", {"cost": "action"}, legal_dates=(date(2025, 1, 1),))
OTHER = CardFacts(2, "Bellows", {"cost": "action"}, legal_dates=(date(2025, 1, 1),))
GRATIS = CardFacts(3, "Candle", {"cost": "free"}, legal_dates=(date(2025, 1, 1),))
UNKNOWN = CardFacts(4, "Dowel", {}, legal_dates=(date(2025, 1, 1),))


def verdict(
    deck: Any,
    *rules: Mapping[str, Any],
    pool: Mapping[str, Any] = ALL,
    statuses: tuple[StatusFact, ...] = (),
    opened: Mapping[int, int] | None = None,
    unresolved: tuple[UnresolvedLine, ...] = (),
    day: date = DAY,
) -> VerdictResult:
    """The verdict on ``{zone: {card: copies}}``."""
    constraints = (
        rules if any(rule["kind"] == "zone_count" and rule["id"] == "size" for rule in rules) else (SIZE, *rules)
    )
    definition = FormatDefinition.model_validate(
        {
            "slug": "test",
            "name": "Test",
            "version": "1",
            "document": {"slug": "rulebook", "version": "1"},
            "pool": pool,
            "constraint": list(constraints),
        }
    )
    lines = [DeckLine(zone, count, card, (card.id,)) for zone, cards in deck.items() for card, count in cards]
    return check(DeckFacts(tuple(lines), unresolved), compile_format(definition, statuses, day, {}), opened)


LEGAL = VerdictResult("legal", ())


def illegal(*violations: Violation) -> VerdictResult:
    return VerdictResult("illegal", violations)


def undetermined(*violations: Violation) -> VerdictResult:
    return VerdictResult("undetermined", violations)


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


def test_an_empty_deck_is_illegal():
    assert verdict({}).outcome == "illegal"


def test_a_format_that_an_empty_deck_meets_cannot_be_written():
    with pytest.raises(ValidationError, match="an empty deck would be legal"):
        verdict({}, {**SIZE, "min": 0})


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


def test_a_deck_that_is_illegal_anyway_still_tells_what_is_unknown():
    found = verdict({"main": [(GRATIS, 1), (UNKNOWN, 4)]}, FREE, COPIES)
    assert found.outcome == "illegal"
    assert [violation.code for violation in found.violations] == ["copies.too_many", "sum.unknown"]


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


BANNED = StatusFact(1, "banned", 0, date(2026, 1, 1), "T 4.1", "list of January")
RESTRICTED = StatusFact(2, "restricted", 1, None, "", "list of January")


def test_a_banned_card_may_not_be_there_and_a_restricted_one_once():
    assert verdict({"main": [(GRATIS, 2), (OTHER, 1)]}, LISTS, statuses=(BANNED, RESTRICTED)) == LEGAL
    found = verdict(
        {"main": [(GRATIS, 2), (OTHER, 1)], "side": [(OTHER, 1), (ACTION, 1)]}, LISTS, statuses=(BANNED, RESTRICTED)
    )
    assert found == illegal(
        Violation(
            "status.banned",
            "lists",
            "T 4.1",
            limit=0,
            actual=1,
            excess=1,
            zones=("main", "side"),
            cards=(CardCount(1, "Anvil", 1),),
            lines=(1,),
            since=date(2026, 1, 1),
            source="list of January",
        ),
        Violation(
            "status.restricted",
            "lists",
            "T 4",
            limit=1,
            actual=2,
            excess=1,
            zones=("main", "side"),
            cards=(CardCount(2, "Bellows", 2),),
            lines=(2,),
            source="list of January",
        ),
    )


def test_a_format_without_a_list_bans_nothing():
    assert verdict({"main": [(ACTION, 3)]}, statuses=(BANNED,)) == LEGAL


def test_two_statuses_of_one_card_on_one_day_are_a_bug():
    with pytest.raises(ValueError):
        verdict({}, statuses=(BANNED, BANNED))


WINDOW = {"kind": "window", "months": 18, "cite": "T 8"}


def printed(*days: date | None) -> CardFacts:
    return CardFacts(9, "Escapement", {}, legal_dates=days)


@pytest.mark.parametrize(
    ("days", "outcome"),
    [
        ((date(2024, 12, 15),), "legal"),  # the first day of the window
        ((date(2024, 12, 14),), "illegal"),
        ((date(2026, 6, 15),), "legal"),  # the day itself
        ((date(2026, 6, 16),), "illegal"),
        ((date(2019, 1, 1), date(2025, 5, 1)), "legal"),  # any printing will do
        ((date(2019, 1, 1), date(2027, 1, 1)), "illegal"),
        ((date(2019, 1, 1), None), "undetermined"),
        ((None, date(2026, 1, 1)), "legal"),
        ((), "undetermined"),
    ],
)
def test_a_card_is_in_the_window_by_any_of_its_printings(days: tuple[date | None, ...], outcome: str):
    assert verdict({"main": [(printed(*days), 3)]}, pool=WINDOW).outcome == outcome


def test_a_card_that_rotated_out_says_since_when_it_was_legal():
    assert verdict({"main": [(printed(date(2019, 1, 1)), 3)]}, pool=WINDOW) == illegal(
        Violation(
            "pool.rotated_out",
            "pool",
            "T 8",
            limit=0,
            actual=3,
            excess=3,
            zones=("main",),
            cards=(CardCount(9, "Escapement", 3),),
            lines=(9,),
            since=date(2019, 1, 1),
        )
    )


def test_the_first_day_is_out_where_the_format_says_so():
    on_the_edge = {"main": [(printed(date(2024, 12, 15)), 3)]}
    assert verdict(on_the_edge, pool={**WINDOW, "inclusive": False}).outcome == "illegal"


def test_pool_and_status_are_two_tests():
    old = CardFacts(2, "Bellows", {}, legal_dates=(date(2019, 1, 1),))
    found = verdict({"main": [(old, 1), (ACTION, 2)]}, LISTS, pool=WINDOW, statuses=(RESTRICTED,))
    assert [violation.code for violation in found.violations] == ["pool.rotated_out"]


@pytest.mark.parametrize(
    ("day", "months", "start"),
    [
        (date(2026, 6, 15), 18, date(2024, 12, 15)),
        (date(2025, 8, 31), 18, date(2024, 2, 29)),
        (date(2025, 3, 31), 1, date(2025, 2, 28)),
        (date(2026, 1, 1), 12, date(2025, 1, 1)),
    ],
)
def test_months_are_those_of_the_calendar(day: date, months: int, start: date):
    assert months_before(day, months) == start


def test_every_card_that_has_come_out_is_in_an_unlimited_pool_and_none_that_has_not():
    assert verdict({"main": [(printed(date(1999, 1, 1)), 3)]}) == LEGAL
    assert verdict({"main": [(printed(None), 3)]}) == LEGAL
    found = verdict({"main": [(printed(date(2026, 6, 16)), 3)]})
    assert [(v.code, v.since) for v in found.violations] == [("pool.not_out_yet", date(2026, 6, 16))]


OPENED = {"kind": "event_pool", "cite": "T 10"}


def test_a_deck_of_an_event_pool_has_no_more_copies_than_the_pool():
    deck = {"main": [(ACTION, 3)], "side": [(ACTION, 1)]}
    assert verdict(deck, pool=OPENED, opened={1: 4}) == LEGAL
    found = verdict({**deck, "side": [(ACTION, 1), (OTHER, 1)]}, pool=OPENED, opened={1: 3})
    assert [(v.code, v.limit, v.actual, v.excess, v.zones) for v in found.violations] == [
        ("pool.too_many", 3, 4, 1, ("main", "side")),
        ("pool.not_in_pool", 0, 1, 1, ("side",)),
    ]


def test_without_its_pool_such_a_deck_cannot_be_judged():
    assert verdict({"main": [(ACTION, 3)]}, pool=OPENED) == undetermined(
        Violation("pool.not_given", "pool", "T 10", undetermined=True)
    )


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
COMPILED = compile_format(
    FormatDefinition.model_validate(
        {
            "slug": "test",
            "name": "Test",
            "version": "1",
            "document": {"slug": "rulebook", "version": "1"},
            "pool": WINDOW,
            "constraint": [SIZE, COPIES, FREE, LISTS, SWAPS],
        }
    ),
    (BANNED, RESTRICTED),
    DAY,
    {},
)


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


def swap(before: dict[str, Any], after: dict[str, Any], *, one_for_one: bool = True) -> list[tuple[Any, ...]]:
    rule = next(
        rule
        for rule in FormatDefinition.model_validate(
            {
                **COMPILED.definition.model_dump(by_alias=True),
                "constraint": [SIZE, {**SWAPS, "one_for_one": one_for_one}],
            }
        ).constraints
        if rule.kind == "transition"
    )
    decks = [
        DeckFacts(tuple(DeckLine(zone, n, card) for zone, cards in deck.items() for card, n in cards))
        for deck in (before, after)
    ]
    return [(v.code, v.zones, v.excess, v.cards) for v in check_swap(*decks, rule)]


def test_cards_change_places_one_for_one():
    before = {"main": [(ACTION, 3)], "side": [(OTHER, 2)]}
    assert swap(before, {"main": [(ACTION, 2), (OTHER, 1)], "side": [(OTHER, 1), (ACTION, 1)]}) == []
    larger = {"main": [(ACTION, 3), (OTHER, 1)], "side": [(OTHER, 1)]}
    assert swap(before, larger) == [
        ("transition.size_changed", ("main",), 1, ()),
        ("transition.size_changed", ("side",), -1, ()),
    ]
    assert swap(before, larger, one_for_one=False) == []


def test_a_card_from_outside_is_no_swap():
    before = {"main": [(ACTION, 3)], "realm": [(OTHER, 1)]}
    assert swap(before, {"main": [(ACTION, 2), (GRATIS, 1)], "realm": [(GRATIS, 1)]}) == [
        ("transition.cards_changed", ("main", "side"), None, (CardCount(1, "Anvil", -1), CardCount(3, "Candle", 1))),
        ("transition.fixed_zone_changed", ("realm",), None, ()),
    ]


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
    }
