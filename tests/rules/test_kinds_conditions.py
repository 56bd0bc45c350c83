"""Rules about cards together: groups, companions that change what holds, decks played as they are sold."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from rules.engine.legality import (
    CardCount,
    DeckFacts,
    DeckLine,
    MissingFact,
    UnresolvedLine,
    check,
    compile_format,
)
from tests.rules.judging import ANY_SIZE, DAY, LEGAL, SIZE, SWAPS, card, format_of, told, verdict

ARROW, BOW, CLUB = (card(number, name, kind="arms") for number, name in enumerate(("Arrow", "Bow", "Club"), 1))
PEACE = card(4, "Peace", kind="vow")
NEW = card(5, "Untold")
POD = {
    "id": "pod", "kind": "group", "zones": ["main", "side"], "select": {"names": ["Arrow", "Bow", "Club"]}, "max": 1,
    "cite": "T 11",
}  # fmt: skip
UNARMED = {
    "id": "unarmed", "kind": "group", "zones": ["main"], "select": {"fact": "kind", "eq": "arms"}, "max": 0,
    "trigger": {"names": ["Peace"]}, "cite": "T 11",
}  # fmt: skip


def test_of_a_group_a_deck_has_so_many_different_cards():
    assert verdict({"main": [(ARROW, 3)], "side": [(PEACE, 2)]}, ANY_SIZE, POD) == LEGAL
    pod = {**POD, "label": "arms of the pod"}
    [found] = verdict({"main": [(ARROW, 3)], "side": [(CLUB, 2), (BOW, 1)]}, ANY_SIZE, pod).violations
    assert found.subject == "arms of the pod"
    assert (found.code, found.limit, found.actual, found.excess, [(c.name, c.count) for c in found.cards]) == (
        "group.too_many", 1, 3, 2, [("Arrow", 3), ("Bow", 1), ("Club", 2)],
    )  # fmt: skip


def test_a_group_with_a_trigger_is_bound_only_with_a_card_that_matches_it():
    assert verdict({"main": [(ARROW, 3), (BOW, 3)]}, ANY_SIZE, UNARMED) == LEGAL
    assert verdict({"main": [(PEACE, 1)]}, ANY_SIZE, UNARMED) == LEGAL
    assert told(verdict({"main": [(PEACE, 1), (ARROW, 3)]}, ANY_SIZE, UNARMED)) == [
        ("group.too_many", 0, 1, [("Arrow", 3)])
    ]


def test_a_card_that_may_be_of_the_group_leaves_it_open():
    found = verdict({"main": [(PEACE, 1), (NEW, 3)]}, ANY_SIZE, UNARMED)
    assert (found.outcome, told(found)) == ("undetermined", [("group.unknown", 0, 0, [("Untold", 3)])])
    assert (found.violations[0].possible, found.violations[0].facts) == (1, (MissingFact("Untold", "kind"),))


def test_a_trigger_that_is_not_known_leaves_it_open():
    rule = {**UNARMED, "select": {"names": ["Arrow"]}, "trigger": {"fact": "kind", "eq": "vow"}}
    assert verdict({"main": [(NEW, 1), (BOW, 1)]}, ANY_SIZE, rule) == LEGAL
    found = verdict({"main": [(NEW, 1), (ARROW, 1)]}, ANY_SIZE, rule)
    assert (found.outcome, told(found)) == ("undetermined", [("group.unknown", 0, 1, [("Arrow", 1)])])
    assert found.violations[0].facts == (MissingFact("Untold", "kind"),)
    line = (UnresolvedLine(2, "Pease", 1, "main"),)
    assert [v.code for v in verdict({"main": [(ARROW, 1)]}, ANY_SIZE, UNARMED, unresolved=line).violations] == [
        "line.unresolved",
        "group.unknown",
    ]


@pytest.mark.parametrize(("side", "curable"), [(1, False), (2, True)])
def test_a_group_is_cured_by_taking_all_copies_of_a_card_out(side: int, curable: bool):
    deck = {"main": [(ARROW, 3), (BOW, 2)], "side": [(PEACE, side)]}
    [found] = verdict(deck, ANY_SIZE, {**POD, "zones": ["main"]}, SWAPS).violations
    assert found.curable_by_sideboarding is curable


# A companion: a larger deck in place of the usual one, all of it arms.
LARGER = {
    "id": "companion", "kind": "when", "zones": ["side"], "select": {"fact": "kind", "eq": "vow"}, "cite": "T 12",
    "label": "companion cards", "instead_of": ["size"],
    "then": [
        {"id": "larger", "kind": "zone_count", "zones": ["main"], "min": 5, "cite": "T 12.1"},
        {"id": "arms", "kind": "eligible", "zones": ["main"], "select": {"names": ["Arrow"]}, "cite": "T 12.2"},
    ],
}  # fmt: skip


def test_without_the_companion_only_the_usual_rules_hold():
    assert verdict({"main": [(BOW, 3)]}, SIZE, LARGER) == LEGAL
    assert told(verdict({"main": [(BOW, 2)], "side": [(BOW, 1)]}, SIZE, LARGER)) == [("zone_count.too_few", 3, 2, [])]


def test_with_the_companion_its_rules_hold_in_place_of_those_that_it_replaces():
    assert verdict({"main": [(ARROW, 5)], "side": [(PEACE, 1)]}, SIZE, LARGER) == LEGAL
    found = verdict({"main": [(ARROW, 1), (BOW, 1)], "side": [(PEACE, 1)]}, SIZE, LARGER)
    assert [(v.constraint, v.code, v.limit, v.actual, v.cite) for v in found.violations] == [
        ("larger", "zone_count.too_few", 5, 2, "T 12.1"),
        ("arms", "eligible.not_eligible", 0, 1, "T 12.2"),
    ]


def test_a_companion_that_a_deck_of_fixed_size_can_not_meet_is_refused_for_that_reason():
    fixed = {**SIZE, "max": 3}
    add_only = {**LARGER, "instead_of": []}
    assert verdict({"main": [(ARROW, 3)]}, fixed, add_only) == LEGAL
    found = verdict({"main": [(ARROW, 3)], "side": [(PEACE, 1)]}, fixed, add_only)
    assert [(v.constraint, v.code, v.limit) for v in found.violations] == [("larger", "zone_count.too_few", 5)]


def test_a_condition_that_is_not_known_matters_only_where_the_cases_differ():
    assert verdict({"main": [(ARROW, 5)], "side": [(NEW, 1)]}, SIZE, LARGER) == LEGAL
    found = verdict({"main": [(ARROW, 3)], "side": [(NEW, 1)]}, SIZE, LARGER)
    assert found.outcome == "undetermined"
    assert [(v.constraint, v.code, v.limit, v.actual, v.depends_on, v.facts) for v in found.violations] == [
        ("larger", "zone_count.too_few", 5, 3, "companion", (MissingFact("Untold", "kind"),)),
    ]


def test_a_rule_that_may_be_replaced_is_left_open():
    smaller = {**LARGER, "then": []}
    found = verdict({"main": [(ARROW, 2)], "side": [(NEW, 1)]}, SIZE, smaller)
    assert (found.outcome, [(v.constraint, v.depends_on) for v in found.violations]) == (
        "undetermined",
        [("size", "companion")],
    )
    assert verdict({"main": [(ARROW, 2)], "side": [(PEACE, 1)]}, SIZE, smaller) == LEGAL


def test_a_deck_that_breaks_a_rule_in_either_case_is_illegal():
    found = verdict({"main": [(ARROW, 2)], "side": [(NEW, 1)]}, SIZE, LARGER)
    assert found.outcome == "illegal"
    assert [(v.constraint, v.code, v.undetermined, v.depends_on) for v in found.violations] == [
        ("size", "zone_count.too_few", True, "companion"),
        ("larger", "zone_count.too_few", True, "companion"),
        ("companion", "when.either_way", False, None),
    ]
    assert found.violations[2].facts == (MissingFact("Untold", "kind"),)


def test_two_conditions_that_are_not_known_leave_it_open_if_one_case_of_theirs_is_legal():
    other = {
        **LARGER, "id": "second", "zones": ["realm"],
        "then": [{"id": "least", "kind": "zone_count", "zones": ["main"], "min": 4, "cite": "T 12.3"}],
    }  # fmt: skip
    deck: dict[str, Any] = {"main": [(ARROW, 3)], "side": [(NEW, 1)], "realm": [(NEW, 1)]}
    found = verdict(deck, SIZE, LARGER, other)
    assert (found.outcome, [(v.constraint, v.depends_on) for v in found.violations]) == (
        "undetermined",
        [("larger", "companion"), ("least", "second")],
    )
    assert verdict({**deck, "main": [(ARROW, 2)]}, SIZE, LARGER, other).outcome == "illegal"


@pytest.mark.parametrize(("conditions", "outcome"), [(1, "illegal"), (8, "illegal"), (9, "undetermined")])
def test_of_very_many_conditions_that_are_not_known_no_case_is_tried(conditions: int, outcome: str):
    other = {**SIZE, "id": "other", "max": 99}
    idle = [{**LARGER, "id": f"idle-{n}", "then": [], "instead_of": ["other"]} for n in range(conditions - 1)]
    found = verdict({"main": [(ARROW, 2)], "side": [(NEW, 1)]}, SIZE, other | {"min": 0}, LARGER, *idle)
    assert found.outcome == outcome


def test_a_condition_may_ask_for_several_cards_and_unknown_lines_may_be_some():
    two = {**LARGER, "min": 2}
    assert verdict({"main": [(BOW, 3)], "side": [(PEACE, 1)]}, SIZE, two) == LEGAL
    assert verdict({"main": [(BOW, 3)], "side": [(PEACE, 2)]}, SIZE, two).outcome == "illegal"
    line = (UnresolvedLine(2, "Pease", 1, "side"),)
    found = verdict({"main": [(ARROW, 3)], "side": [(PEACE, 1)]}, SIZE, two, unresolved=line)
    assert [(v.code, v.depends_on) for v in found.violations] == [
        ("line.unresolved", None),
        ("zone_count.too_few", "companion"),
    ]


def test_the_order_of_lines_is_no_matter_under_a_condition():
    lines = [DeckLine("main", 1, ARROW), DeckLine("main", 1, BOW), DeckLine("side", 1, NEW), DeckLine("side", 1, CLUB)]
    compiled = compile_format(format_of([SIZE, LARGER, POD]), (), DAY, {})
    assert len({check(DeckFacts(order), compiled) for order in permutations(lines)}) == 1


SOLD = {"id": "sold", "kind": "fixed", "zones": ["main"], "cite": "T 13"}
RED = {"name": "Red", "size": 5, "cards": {"Arrow": 3, "Bow": 2}}
BLUE = {"name": "Blue", "cards": {"Club": 4, "Peace": 1}}
PARTLY = {"name": "Partly", "size": 6, "cards": {"Arrow": 3}, "of_unknown_count": ["Bow", "Club"]}


def test_a_deck_as_it_is_sold_has_exactly_its_cards():
    rule = {**SOLD, "decks": [RED, BLUE]}
    assert verdict({"main": [(ARROW, 3), (BOW, 2)]}, rule) == LEGAL
    assert verdict({"main": [(CLUB, 4), (PEACE, 1)]}, rule) == LEGAL
    found = verdict({"main": [(ARROW, 4), (PEACE, 1)]}, rule)
    assert [(v.code, v.limit, v.actual, v.excess, v.subject, v.cards) for v in found.violations] == [
        ("fixed.wrong_count", 3, 4, 1, "Red", (CardCount(1, "Arrow", 4),)),
        ("fixed.missing", 2, 0, -2, "Red", (CardCount(0, "Bow", 0),)),
        ("fixed.not_in_deck", 0, 1, 1, "Red", (CardCount(4, "Peace", 1),)),
    ]


def test_an_empty_deck_is_no_deck_that_is_sold():
    assert verdict({}, SIZE, {**SOLD, "decks": [RED]}).outcome == "illegal"


def test_decks_of_which_nothing_is_stored_are_never_legal_nor_illegal():
    for deck in ({}, {"main": [(ARROW, 54)]}):
        found = verdict(deck, {**SIZE, "min": 0, "max": 99}, SOLD)
        total = sum(count for cards in deck.values() for _, count in cards)
        assert (found.outcome, told(found)) == ("undetermined", [("fixed.unknown", None, total, [])])


@pytest.mark.parametrize(
    ("main", "outcome", "codes"),
    [
        ([(ARROW, 3), (BOW, 2), (CLUB, 1)], "undetermined", ["fixed.unknown"]),
        ([(ARROW, 3), (BOW, 1), (CLUB, 2)], "undetermined", ["fixed.unknown"]),
        ([(ARROW, 3), (BOW, 3), (CLUB, 1)], "illegal", ["fixed.too_many"]),
        ([(ARROW, 3), (BOW, 1), (CLUB, 1)], "illegal", ["fixed.too_few"]),
        ([(ARROW, 2), (BOW, 3), (CLUB, 1)], "illegal", ["fixed.wrong_count"]),
        ([(ARROW, 3), (BOW, 3)], "illegal", ["fixed.missing"]),
        ([(ARROW, 3), (BOW, 1), (CLUB, 1), (PEACE, 1)], "illegal", ["fixed.not_in_deck"]),
    ],
)
def test_a_deck_with_cards_of_unknown_count_can_be_wrong_but_never_right(main: Any, outcome: str, codes: list[str]):
    found = verdict({"main": main}, {**SOLD, "decks": [PARTLY]})
    assert (found.outcome, [v.code for v in found.violations]) == (outcome, codes)


def test_a_deck_of_which_only_the_size_is_known_may_hold_any_cards():
    rule = {**SOLD, "decks": [{"name": "Melee", "size": 54}]}
    assert told(verdict({"main": [(ARROW, 54)]}, rule)) == [("fixed.unknown", None, 54, [])]
    assert told(verdict({"main": [(ARROW, 55)]}, rule)) == [("fixed.too_many", 54, 55, [])]


def test_a_line_that_is_no_known_card_may_be_what_is_missing():
    rule = {**SOLD, "decks": [RED]}
    line = (UnresolvedLine(2, "Bo", 2, "main"),)
    assert told(verdict({"main": [(ARROW, 3)]}, rule, unresolved=line)) == [("line.unresolved", None, 2, [])]
    short = (UnresolvedLine(2, "Bo", 1, "main"),)
    assert verdict({"main": [(ARROW, 3)]}, rule, unresolved=short).outcome == "illegal"


@pytest.mark.parametrize(
    "deck",
    [
        {"name": "Nothing"},
        {"name": "Over", "size": 4, "cards": {"Arrow": 5}},
        {"name": "Twice", "cards": {"Arrow": 5}, "of_unknown_count": ["Arrow"]},
    ],
)
def test_a_deck_that_can_not_be_is_no_format(deck: Any):
    with pytest.raises(ValueError):
        format_of([{**SOLD, "decks": [deck]}])


def test_the_deck_that_is_meant_is_the_one_that_comes_nearest():
    large = {"name": "Large", "cards": {"Arrow": 9, "Bow": 2}}
    for decks in ([RED, large], [large, RED]):
        found = verdict({"main": [(ARROW, 3), (BOW, 1)]}, {**SOLD, "decks": decks})
        assert [(v.code, v.limit, v.subject) for v in found.violations] == [("fixed.wrong_count", 2, "Red")]
    sizes = [{"name": "Sixty", "size": 60}, {"name": "Five", "size": 5}]
    [found] = verdict({"main": [(ARROW, 4)]}, {**SOLD, "decks": sizes}).violations
    assert (found.code, found.limit, found.subject) == ("fixed.too_few", 5, "Five")


def test_a_line_that_is_no_known_card_may_be_the_rest_of_a_card_that_is_there():
    rule = {**SOLD, "decks": [RED]}
    line = (UnresolvedLine(2, "Bo", 1, "main"),)
    assert told(verdict({"main": [(ARROW, 3), (BOW, 1)]}, rule, unresolved=line)) == [("line.unresolved", None, 1, [])]
