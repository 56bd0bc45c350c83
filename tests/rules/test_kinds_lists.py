"""What the lists of a format do: bans of one zone, restricted cards in all, points."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tests.rules.judging import ANY_SIZE, COPIES, LEGAL, LISTS, SWAPS, WINDOW, card, on_list, told, verdict

ANVIL, BELLOWS, CANDLE = card(1, "Anvil"), card(2, "Bellows"), card(3, "Candle")
AS_LEADER = on_list(ANVIL, "banned", 0, zone="leader")


@pytest.mark.parametrize("zones", [["main", "side"], ["main", "side", "leader"]])
def test_a_card_that_is_banned_as_leader_is_legal_elsewhere(zones: list[str]):
    rule = {**LISTS, "zones": zones}
    assert verdict({"leader": [(BELLOWS, 1)], "main": [(ANVIL, 3)]}, ANY_SIZE, rule, statuses=(AS_LEADER,)) == LEGAL
    [found] = verdict({"leader": [(ANVIL, 1)], "main": [(ANVIL, 2)]}, ANY_SIZE, rule, statuses=(AS_LEADER,)).violations
    assert (found.code, found.zones, found.limit, found.actual, found.excess, found.lines) == (
        "status.banned", ("leader",), 0, 1, 1, (1,),
    )  # fmt: skip


def test_two_rules_about_lists_say_a_ban_of_one_zone_once():
    other = {**LISTS, "id": "leaders", "zones": ["leader"]}
    found = verdict({"leader": [(ANVIL, 1)], "main": [(BELLOWS, 1)]}, ANY_SIZE, LISTS, other, statuses=(AS_LEADER,))
    assert [(v.constraint, v.code) for v in found.violations] == [("leaders", "status.banned")]


def test_a_ban_of_one_zone_and_a_restriction_of_all_hold_together():
    statuses = (AS_LEADER, on_list(ANVIL, "restricted", 1))
    rule = {**LISTS, "zones": ["main", "leader"]}
    found = verdict({"leader": [(ANVIL, 1)], "main": [(ANVIL, 1)]}, ANY_SIZE, rule, statuses=statuses)
    assert [(v.code, v.zones, v.limit, v.actual) for v in found.violations] == [
        ("status.banned", ("leader",), 0, 1),
        ("status.restricted", ("main", "leader"), 1, 2),
    ]


@pytest.mark.parametrize(
    ("status", "most", "copies"), [("banned", 0, 1), ("restricted", 1, 2), ("restricted", 2, 3), ("limit", 2, 3)]
)
def test_every_status_is_said_by_its_own_code(status: str, most: int, copies: int):
    entry = on_list(ANVIL, status, most)
    found = verdict({"main": [(ANVIL, copies)], "side": [(BELLOWS, 9)]}, ANY_SIZE, LISTS, statuses=(entry,))
    assert told(found) == [(f"status.{status}", most, copies, [("Anvil", copies)])]
    fewer = {"main": [(BELLOWS, 1), *([(ANVIL, most)] if most else [])]}
    assert verdict(fewer, ANY_SIZE, LISTS, statuses=(entry,)) == LEGAL


RESTRICTED = tuple(on_list(one, "restricted", 1) for one in (ANVIL, BELLOWS, CANDLE))


def test_only_so_many_different_restricted_cards_may_be_there():
    rule = {**LISTS, "restricted_in_all": 1}
    assert verdict({"main": [(ANVIL, 1)]}, ANY_SIZE, rule, statuses=RESTRICTED) == LEGAL
    assert verdict({"main": [(ANVIL, 1), (BELLOWS, 1)]}, ANY_SIZE, LISTS, statuses=RESTRICTED) == LEGAL
    [found] = verdict({"main": [(ANVIL, 1)], "side": [(BELLOWS, 1)]}, ANY_SIZE, rule, statuses=RESTRICTED).violations
    assert (found.code, found.limit, found.actual, found.excess, found.cite, [c.name for c in found.cards]) == (
        "status.too_many_restricted", 1, 2, 1, "T 4", ["Anvil", "Bellows"],
    )  # fmt: skip


def test_a_restricted_card_in_several_copies_is_one_of_them_and_wrong_by_itself():
    rule = {**LISTS, "restricted_in_all": 1}
    assert told(verdict({"main": [(ANVIL, 2)]}, ANY_SIZE, rule, statuses=RESTRICTED)) == [
        ("status.restricted", 1, 2, [("Anvil", 2)])
    ]


def test_banned_cards_are_not_counted_among_the_restricted():
    statuses = (on_list(ANVIL, "banned", 0), on_list(BELLOWS, "restricted", 1))
    rule = {**LISTS, "restricted_in_all": 1}
    assert told(verdict({"main": [(ANVIL, 1), (BELLOWS, 1)]}, ANY_SIZE, rule, statuses=statuses)) == [
        ("status.banned", 0, 1, [("Anvil", 1)])
    ]


def test_a_restricted_card_that_rotated_out_is_out_of_the_pool():
    old = card(1, "Anvil", days=[date(2019, 1, 1)])
    statuses = (on_list(old, "restricted", 1),)
    assert told(verdict({"main": [(old, 1)]}, ANY_SIZE, LISTS, pool=WINDOW, statuses=statuses)) == [
        ("pool.rotated_out", 0, 1, [("Anvil", 1)])
    ]
    assert told(verdict({"main": [(old, 2)]}, ANY_SIZE, LISTS, pool=WINDOW, statuses=statuses)) == [
        ("pool.rotated_out", 0, 2, [("Anvil", 2)]),
        ("status.restricted", 1, 2, [("Anvil", 2)]),
    ]


def test_the_rule_that_is_broken_is_the_rule_that_is_named():
    """Four copies of a restricted card break two rules, two copies one."""
    statuses = (on_list(ANVIL, "restricted", 1),)
    two, four = (verdict({"main": [(ANVIL, copies)]}, ANY_SIZE, COPIES, LISTS, statuses=statuses) for copies in (2, 4))
    assert [(v.code, v.constraint) for v in two.violations] == [("status.restricted", "lists")]
    assert [(v.code, v.constraint) for v in four.violations] == [
        ("status.restricted", "lists"),
        ("copies.too_many", "copies"),
    ]


POINTS = {"id": "points", "kind": "points", "zones": ["main", "side"], "budget": 7, "cite": "T 6"}
LISTED = (on_list(ANVIL, "points", points=3), on_list(BELLOWS, "points", points=2))


def test_points_come_to_the_budget_and_no_further():
    deck: dict[str, Any] = {"main": [(ANVIL, 1), (BELLOWS, 1), (CANDLE, 4)], "side": [(BELLOWS, 1)]}
    assert verdict(deck, ANY_SIZE, POINTS, statuses=LISTED) == LEGAL
    [found] = verdict({**deck, "main": [(ANVIL, 2), (BELLOWS, 1)]}, ANY_SIZE, POINTS, statuses=LISTED).violations
    assert (found.code, found.limit, found.actual, found.excess, found.subject, [c.name for c in found.cards]) == (
        "points.too_many", 7, 10, 3, "points", ["Anvil", "Bellows"],
    )  # fmt: skip


def test_points_may_count_each_card_once():
    once = {**POINTS, "each": "card", "budget": 4}
    assert verdict({"main": [(ANVIL, 9)]}, ANY_SIZE, once, statuses=LISTED) == LEGAL
    assert told(verdict({"main": [(ANVIL, 9), (BELLOWS, 2)]}, ANY_SIZE, once, statuses=LISTED)) == [
        ("points.too_many", 4, 5, [("Anvil", 9), ("Bellows", 2)])
    ]


def test_points_of_one_zone_count_there_in_place_of_the_others():
    statuses = (*LISTED, on_list(ANVIL, "points", points=6, zone="side"))
    assert verdict({"main": [(ANVIL, 2)]}, ANY_SIZE, POINTS, statuses=statuses) == LEGAL
    assert told(verdict({"main": [(ANVIL, 1)], "side": [(ANVIL, 1)]}, ANY_SIZE, POINTS, statuses=statuses)) == [
        ("points.too_many", 7, 9, [("Anvil", 2)])
    ]


def test_points_are_no_ban_and_a_card_may_have_both():
    statuses = (LISTED[0], on_list(ANVIL, "restricted", 1))
    assert verdict({"main": [(ANVIL, 1)]}, ANY_SIZE, POINTS, LISTS, statuses=statuses) == LEGAL
    assert told(verdict({"main": [(ANVIL, 3)]}, ANY_SIZE, POINTS, LISTS, statuses=statuses)) == [
        ("status.restricted", 1, 3, [("Anvil", 3)]),
        ("points.too_many", 7, 9, [("Anvil", 3)]),
    ]


@pytest.mark.parametrize(("side", "curable"), [(0, False), (1, True)])
def test_points_in_the_main_deck_alone_can_be_cured_from_the_sideboard(side: int, curable: bool):
    deck = {"main": [(ANVIL, 3)], "side": [(CANDLE, side)] if side else []}
    [found] = verdict(deck, ANY_SIZE, {**POINTS, "zones": ["main"]}, SWAPS, statuses=LISTED).violations
    assert (found.actual, found.curable_by_sideboarding) == (9, curable)


@pytest.mark.parametrize(("side", "curable"), [(1, False), (2, True)])
def test_points_of_a_card_are_cured_by_taking_all_its_copies_out(side: int, curable: bool):
    once = {**POINTS, "zones": ["main"], "each": "card", "budget": 4}
    deck = {"main": [(ANVIL, 9), (BELLOWS, 2)], "side": [(CANDLE, side)]}
    [found] = verdict(deck, ANY_SIZE, once, SWAPS, statuses=LISTED).violations
    assert (found.actual, found.curable_by_sideboarding) == (5, curable)


@pytest.mark.parametrize(("side", "curable"), [(1, False), (2, True)])
def test_the_dearest_copies_go_first_and_each_needs_a_card_in_its_place(side: int, curable: bool):
    deck = {"main": [(ANVIL, 1), (BELLOWS, 3)], "side": [(CANDLE, side)]}
    rule = {**POINTS, "zones": ["main"], "budget": 4}
    [found] = verdict(deck, ANY_SIZE, rule, SWAPS, statuses=LISTED).violations
    assert (found.actual, found.curable_by_sideboarding) == (9, curable)


DOWEL = card(4, "Dowel")


@pytest.mark.parametrize(
    ("side", "curable"), [([(DOWEL, 1)], False), ([(DOWEL, 2)], True), ([(BELLOWS, 2)], True), ([(CANDLE, 2)], False)]
)
def test_a_banned_card_is_cured_by_as_many_that_are_on_no_list_of_copies(side: Any, curable: bool):
    statuses = (on_list(ANVIL, "banned", 0), on_list(BELLOWS, "points", points=1), on_list(CANDLE, "restricted", 2))
    rule = {**LISTS, "zones": ["main"]}
    [found] = verdict({"main": [(ANVIL, 2)], "side": side}, ANY_SIZE, rule, SWAPS, statuses=statuses).violations
    assert (found.code, found.curable_by_sideboarding) == ("status.banned", curable)


@pytest.mark.parametrize(("side", "curable"), [(0, False), (1, True)])
def test_a_restricted_card_too_many_is_cured_by_a_card_that_is_on_no_list(side: int, curable: bool):
    deck = {"main": [(ANVIL, 1), (BELLOWS, 1)], "side": [(DOWEL, side)] if side else []}
    rule = {**LISTS, "zones": ["main"], "restricted_in_all": 1}
    [found] = verdict(deck, ANY_SIZE, rule, SWAPS, statuses=RESTRICTED).violations
    assert found.curable_by_sideboarding is curable
