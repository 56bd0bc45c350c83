"""Numbers taken from a deck: sums, different cards, bounds for each value, bounds that the deck itself sets."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.legality import MissingFact, UnresolvedLine
from tests.rules.judging import ANY_SIZE, LEGAL, SWAPS, card, told, verdict

SPY = card(1, "Spy", faction="red", influence=2)
THIEF = card(2, "Thief", faction="blue", influence=3)
GUARD = card(3, "Guard", faction="red", influence=0)
NEW = card(4, "Untold")
HALF = card(5, "Veiled", faction="red")

INFLUENCE = {
    "id": "influence", "kind": "sum", "zones": ["main", "side"], "select": {"not": {"tag": "neutral"}},
    "of": "influence", "max": 15, "cite": "T 7",
}  # fmt: skip


def test_a_fact_is_added_up_over_all_copies():
    assert verdict({"main": [(SPY, 3), (THIEF, 3), (GUARD, 9)]}, ANY_SIZE, INFLUENCE) == LEGAL
    [found] = verdict({"main": [(SPY, 3), (THIEF, 3)], "side": [(SPY, 1)]}, ANY_SIZE, INFLUENCE).violations
    assert (found.code, found.limit, found.actual, found.excess, found.subject) == (
        "sum.too_many", 15, 17, 2, "influence",
    )  # fmt: skip


def test_an_unknown_number_may_be_any_and_what_is_known_counts():
    found = verdict({"main": [(SPY, 3), (HALF, 1)]}, ANY_SIZE, INFLUENCE)
    [violation] = found.violations
    assert (found.outcome, violation.code, violation.limit, violation.actual, violation.possible, violation.facts) == (
        "undetermined", "sum.unknown", 15, 6, None, (MissingFact("Veiled", "influence"),),
    )  # fmt: skip
    assert verdict({"main": [(THIEF, 6), (HALF, 1)]}, ANY_SIZE, INFLUENCE).outcome == "illegal"


def test_a_sum_that_must_reach_a_number_may_reach_it_with_what_is_unknown():
    least = {**INFLUENCE, "min": 10, "max": 30}
    assert told(verdict({"main": [(THIEF, 3)]}, ANY_SIZE, least)) == [("sum.too_few", 10, 9, [("Thief", 3)])]
    assert verdict({"main": [(THIEF, 4)]}, ANY_SIZE, least) == LEGAL
    assert told(verdict({"main": [(THIEF, 3), (HALF, 1)]}, ANY_SIZE, least)) == [
        ("sum.unknown", 30, 9, [("Veiled", 1)])
    ]
    line = (UnresolvedLine(3, "Thiev", 1, "main"),)
    assert told(verdict({"main": [(THIEF, 3)]}, ANY_SIZE, least, unresolved=line)) == [("line.unresolved", None, 1, [])]


def test_a_flag_can_not_be_added_up():
    with pytest.raises(ValueError, match="no number"):
        verdict({"main": [(card(1, "Flagged", influence=True), 1)]}, ANY_SIZE, INFLUENCE)


DIFFERENT = {
    "id": "reds", "kind": "sum", "zones": ["main"], "select": {"fact": "faction", "eq": "red"}, "distinct": True,
    "max": 1, "cite": "T 7",
}  # fmt: skip


def test_different_cards_are_counted_once_each():
    assert verdict({"main": [(SPY, 3), (THIEF, 3)]}, ANY_SIZE, DIFFERENT) == LEGAL
    assert told(verdict({"main": [(SPY, 3), (GUARD, 2)]}, ANY_SIZE, DIFFERENT)) == [
        ("sum.too_many", 1, 2, [("Guard", 2), ("Spy", 3)])
    ]
    assert told(verdict({"main": [(SPY, 3), (NEW, 2)]}, ANY_SIZE, DIFFERENT)) == [
        ("sum.unknown", 1, 1, [("Untold", 2)])
    ]


@pytest.mark.parametrize(("side", "curable"), [(1, False), (2, True)])
def test_a_card_too_many_is_cured_by_taking_all_its_copies_out(side: int, curable: bool):
    deck = {"main": [(SPY, 3), (GUARD, 2)], "side": [(THIEF, side)]}
    [found] = verdict(deck, ANY_SIZE, DIFFERENT, SWAPS).violations
    assert found.curable_by_sideboarding is curable


PER_FACTION = {
    "id": "factions", "kind": "sum", "zones": ["main"], "select": {"fact": "influence", "gte": 1}, "per": "faction",
    "max": 2, "cite": "T 7", "label": "agents",
}  # fmt: skip


def test_a_bound_for_each_value_holds_for_each_by_itself():
    assert verdict({"main": [(SPY, 2), (THIEF, 2), (GUARD, 9)]}, ANY_SIZE, PER_FACTION) == LEGAL
    found = verdict({"main": [(SPY, 3), (THIEF, 4)]}, ANY_SIZE, PER_FACTION)
    assert [(v.code, v.actual, v.excess, v.subject) for v in found.violations] == [
        ("sum.too_many", 3, 1, "agents of faction red"),
        ("sum.too_many", 4, 2, "agents of faction blue"),
    ]


def test_a_card_without_the_value_may_be_of_any():
    stray = card(6, "Stray", influence=1)
    assert verdict({"main": [(SPY, 1), (stray, 1)]}, ANY_SIZE, PER_FACTION) == LEGAL
    [found] = verdict({"main": [(SPY, 2), (stray, 1)]}, ANY_SIZE, PER_FACTION).violations
    assert (found.code, found.limit, found.actual, found.possible, found.subject, found.facts) == (
        "sum.unknown", 2, 2, 3, "agents of faction red", (MissingFact("Stray", "faction"),),
    )  # fmt: skip
    [found] = verdict({"main": [(stray, 3)]}, ANY_SIZE, PER_FACTION).violations
    assert (found.code, found.actual, found.possible, found.subject) == ("sum.unknown", 0, 3, "agents of one faction")


def test_each_value_that_is_there_needs_so_many():
    least = {**PER_FACTION, "max": None, "min": 2}
    assert told(verdict({"main": [(SPY, 2), (THIEF, 1)]}, ANY_SIZE, least)) == [("sum.too_few", 2, 1, [("Thief", 1)])]
    stray = card(6, "Stray", influence=1)
    assert told(verdict({"main": [(SPY, 2), (THIEF, 1), (stray, 1)]}, ANY_SIZE, least)) == [
        ("sum.unknown", 2, 1, [("Stray", 1)])
    ]
    assert told(verdict({"main": [(SPY, 2), (stray, 1)]}, ANY_SIZE, least)) == [("sum.unknown", 2, 0, [("Stray", 1)])]


OF_LEADER = {
    "id": "faction", "kind": "eligible", "zones": ["main"], "select": {"fact": "faction", "in_zone": "leader"},
    "cite": "T 8",
}  # fmt: skip


def test_cards_must_have_the_faction_of_the_leader():
    assert verdict({"leader": [(SPY, 1)], "main": [(GUARD, 3)]}, ANY_SIZE, OF_LEADER) == LEGAL
    assert verdict({"leader": [(SPY, 1), (THIEF, 1)], "main": [(GUARD, 2), (THIEF, 2)]}, ANY_SIZE, OF_LEADER) == LEGAL
    assert told(verdict({"leader": [(SPY, 1)], "main": [(GUARD, 3), (THIEF, 1)]}, ANY_SIZE, OF_LEADER)) == [
        ("eligible.not_eligible", 0, 1, [("Thief", 1)])
    ]
    assert told(verdict({"main": [(GUARD, 3)]}, ANY_SIZE, OF_LEADER)) == [
        ("eligible.not_eligible", 0, 3, [("Guard", 3)])
    ]


@pytest.mark.parametrize(("side", "curable"), [(1, False), (2, True)])
def test_a_card_that_may_not_be_there_is_cured_by_as_many_that_may(side: int, curable: bool):
    deck = {"leader": [(SPY, 1)], "main": [(GUARD, 3), (THIEF, 2)], "side": [(GUARD, side), (THIEF, 9)]}
    [found] = verdict(deck, ANY_SIZE, {**OF_LEADER, "label": "reds"}, SWAPS).violations
    assert (found.curable_by_sideboarding, found.subject) == (curable, "reds")


@pytest.mark.parametrize(
    ("leader", "main", "facts"),
    [
        (SPY, NEW, (MissingFact("Untold", "faction"),)),
        (NEW, SPY, (MissingFact("Untold", "faction"),)),
        (NEW, card(7, "Unheard"), (MissingFact("Unheard", "faction"),)),
    ],
)
def test_a_faction_that_is_not_known_on_either_side_leaves_it_open(leader: Any, main: Any, facts: Any):
    found = verdict({"leader": [(leader, 1)], "main": [(main, 2)]}, ANY_SIZE, OF_LEADER)
    assert found.outcome == "undetermined"
    assert [(v.code, v.facts) for v in found.violations] == [("eligible.unknown", facts)]


def test_a_leader_of_the_same_faction_decides_it_whatever_another_one_is():
    assert verdict({"leader": [(SPY, 1), (NEW, 1)], "main": [(GUARD, 3)]}, ANY_SIZE, OF_LEADER) == LEGAL


def test_a_leader_that_is_no_known_card_leaves_it_open():
    line = (UnresolvedLine(1, "Spyy", 1, "leader"),)
    found = verdict({"main": [(GUARD, 3)]}, ANY_SIZE, OF_LEADER, unresolved=line)
    assert (found.outcome, [v.code for v in found.violations]) == (
        "undetermined",
        ["line.unresolved", "eligible.unknown"],
    )


@pytest.mark.parametrize(
    ("select", "outcome"),
    [
        ({"not": {"fact": "faction", "in_zone": "leader"}}, "illegal"),
        ({"any": [{"fact": "faction", "in_zone": "leader"}, {"tag": "neutral"}]}, "legal"),
        ({"all": [{"fact": "faction", "in_zone": "leader"}, {"tag": "neutral"}]}, "illegal"),
    ],
)
def test_the_faction_of_the_leader_may_stand_anywhere_in_a_selector(select: Any, outcome: str):
    rule = {**OF_LEADER, "select": select}
    assert verdict({"leader": [(SPY, 1)], "main": [(GUARD, 3)]}, ANY_SIZE, rule).outcome == outcome


def test_a_number_on_a_card_is_no_flag_on_another():
    one, yes = card(8, "One", mark=1), card(9, "Yes", mark=True)
    rule = {**OF_LEADER, "select": {"fact": "mark", "in_zone": "leader"}}
    assert verdict({"leader": [(one, 1)], "main": [(yes, 1)]}, ANY_SIZE, rule).outcome == "illegal"


# Two points for every five cards of the deck, and two more.
AGENDA = {
    "id": "agenda", "kind": "bound", "zones": ["main"], "of": "influence", "label": "agenda points",
    "min": {"base": 2, "times": 2, "over": 5, "measure": {"zones": ["main"]}},
    "max": {"base": 3, "times": 2, "over": 5, "measure": {"zones": ["main"]}},
    "cite": "T 9",
}  # fmt: skip


@pytest.mark.parametrize(
    ("spies", "guards", "expected"),
    [
        (2, 7, []),  # nine cards: 4 or 5
        (3, 6, [("bound.too_many", 5, 6, 1)]),
        (1, 8, [("bound.too_few", 4, 2, -2)]),
        (3, 7, []),  # ten cards: 6 or 7
        (2, 8, [("bound.too_few", 6, 4, -2)]),
    ],
)
def test_bounds_follow_the_size_of_the_deck_in_whole_steps(spies: int, guards: int, expected: Any):
    found = verdict({"main": [(SPY, spies), (GUARD, guards)]}, ANY_SIZE, AGENDA)
    assert [(v.code, v.limit, v.actual, v.excess) for v in found.violations] == expected


def test_an_unknown_number_may_meet_a_bound_or_break_it():
    found = verdict({"main": [(SPY, 2), (GUARD, 6), (HALF, 1)]}, ANY_SIZE, AGENDA)
    assert found.outcome == "undetermined"
    assert [(v.code, v.limit, v.actual, v.possible, v.facts) for v in found.violations] == [
        ("bound.unknown", 5, 4, None, (MissingFact("Veiled", "influence"),))
    ]


def test_a_bound_by_what_is_not_known_is_open():
    by_reds = {"zones": ["main"], "select": {"fact": "faction", "eq": "red"}}
    rule = {**AGENDA, "min": None, "max": {"measure": by_reds}}
    assert told(verdict({"main": [(THIEF, 1), (SPY, 2)]}, ANY_SIZE, rule)) == [
        ("bound.too_many", 2, 7, [("Spy", 2), ("Thief", 1)])
    ]
    stray = card(6, "Stray", influence=0)
    assert told(verdict({"main": [(SPY, 1), (stray, 1)]}, ANY_SIZE, rule)) == [("bound.unknown", 1, 2, [("Stray", 1)])]
    assert told(verdict({"main": [(SPY, 2), (stray, 1)]}, ANY_SIZE, rule)) == [("bound.too_many", 3, 4, [("Spy", 2)])]


def test_a_bound_may_fall_as_a_measure_grows():
    falling = {"base": 10, "times": -1, "over": 2, "measure": {"zones": ["side"]}}
    rule = {"id": "b", "kind": "bound", "zones": ["main"], "max": falling, "cite": "T 9"}
    assert verdict({"main": [(SPY, 9)], "side": [(SPY, 3)]}, ANY_SIZE, rule) == LEGAL
    assert told(verdict({"main": [(SPY, 9)], "side": [(SPY, 4)]}, ANY_SIZE, rule)) == [
        ("bound.too_many", 8, 9, [("Spy", 9)])
    ]


def test_an_unknown_number_may_be_just_within_a_bound():
    rule = {"id": "b", "kind": "bound", "zones": ["main"], "max": {"measure": {"zones": ["side"]}}, "cite": "T 9",
            "select": {"fact": "faction", "eq": "red"}}  # fmt: skip
    assert verdict({"main": [(SPY, 1), (NEW, 1)], "side": [(SPY, 2)]}, ANY_SIZE, rule) == LEGAL
    assert told(verdict({"main": [(SPY, 1), (NEW, 2)], "side": [(SPY, 2)]}, ANY_SIZE, rule)) == [
        ("bound.unknown", 2, 1, [("Untold", 2)])
    ]


def test_lines_that_are_no_known_card_may_raise_a_bound():
    size = {"base": 0, "measure": {"zones": ["side"]}}
    rule = {"id": "b", "kind": "bound", "zones": ["main"], "max": size, "cite": "T 9"}
    line = (UnresolvedLine(1, "Spyy", 2, "side"),)
    assert told(verdict({"main": [(SPY, 3)], "side": [(SPY, 1)]}, ANY_SIZE, rule, unresolved=line)) == [
        ("line.unresolved", None, 2, [])
    ]


GIFTS = {"id": "gifts", "kind": "sum", "zones": ["main"], "select": {"tag": "gift"}, "max": 9, "cite": "T 3.2"}
FREE = {
    "id": "free", "kind": "sum", "zones": ["main"], "select": {"fact": "cost", "eq": "free"}, "max": 18,
    "cite": "T 3.1",
}  # fmt: skip


def test_twelve_gifts_of_unknown_cost_are_too_many_gifts_and_perhaps_too_many_free_cards():
    gifts = [(card(100 + n, f"Gift {n:02}", tags=["gift"]), 3) for n in range(4)]
    free = [(card(200 + n, f"Free {n:02}", cost="free"), 3) for n in range(3)]
    rest = [(card(300 + n, f"Rest {n:02}", cost="action"), 3) for n in range(13)]
    found = verdict({"main": [*gifts, *free, *rest]}, {**ANY_SIZE, "min": 60}, FREE, GIFTS)
    assert found.outcome == "illegal"
    assert [(v.code, v.constraint, v.limit, v.actual, v.possible, v.undetermined) for v in found.violations] == [
        ("sum.unknown", "free", 18, 9, 21, True),
        ("sum.too_many", "gifts", 9, 12, None, False),
    ]
