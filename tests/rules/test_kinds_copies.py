"""How many copies: over zones and printings, of one title, by a number on the card, by a limit of its own."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from rules.engine.legality import CardFacts, DeckFacts, DeckLine, MissingFact, check, compile_format
from tests.rules.judging import ANY_SIZE, COPIES, DAY, LEGAL, LISTS, SWAPS, card, format_of, on_list, told, verdict

RAT = card(1, "Rat", title="rodent")
KING = card(2, "Rat King", title="rodent")
OWL = card(3, "Owl", title="bird")
NEW = card(4, "Untold")
SWARM = card(5, "Swarm", most=7)


def test_three_in_the_main_deck_and_one_in_the_sideboard_are_four_and_both_lines_are_named():
    lines = (DeckLine("main", 3, RAT, (2,)), DeckLine("side", 1, RAT, (9,)))
    [found] = check(DeckFacts(lines), compile_format(format_of([ANY_SIZE, COPIES]), (), DAY, {})).violations
    assert (found.code, found.limit, found.actual, found.excess, found.lines) == ("copies.too_many", 3, 4, 1, (2, 9))


def test_two_printings_of_a_card_count_as_one_card():
    first, second = card(1, "Rat", days=[None]), card(1, "Rat", sets=["B"])
    assert verdict({"main": [(first, 2), (second, 1)]}, ANY_SIZE, COPIES) == LEGAL
    assert told(verdict({"main": [(first, 3), (second, 2)]}, ANY_SIZE, {**COPIES, "max": 4})) == [
        ("copies.too_many", 4, 5, [("Rat", 5)])
    ]


def test_two_published_names_of_one_card_add_up_and_are_called_by_one_of_them():
    assert told(verdict({"main": [(card(1, "Rat, Reskinned"), 2), (RAT, 2)]}, ANY_SIZE, COPIES)) == [
        ("copies.too_many", 3, 4, [("Rat", 4)])
    ]


def test_a_leader_that_is_in_the_main_deck_as_well_is_one_violation_of_both_zones():
    single = {**COPIES, "zones": ["leader", "main"], "max": 1}
    [found] = verdict({"leader": [(RAT, 1)], "main": [(RAT, 1), (OWL, 1)]}, ANY_SIZE, single).violations
    assert (found.code, found.zones, found.limit, found.actual) == ("copies.too_many", ("leader", "main"), 1, 2)


def test_tokens_in_a_zone_of_their_own_never_count():
    size = {**ANY_SIZE, "max": 2}
    assert verdict({"main": [(OWL, 2)], "tokens": [(RAT, 60)]}, size, COPIES) == LEGAL


BY_TITLE = {**COPIES, "per": "title"}


def test_cards_of_one_title_count_together_only_where_the_rule_says_so():
    deck = {"main": [(RAT, 2), (KING, 2), (OWL, 3)]}
    assert verdict(deck, ANY_SIZE, COPIES) == LEGAL
    assert told(verdict(deck, ANY_SIZE, BY_TITLE)) == [("copies.too_many", 3, 4, [("Rat", 2), ("Rat King", 2)])]
    assert verdict({"main": [(RAT, 2), (KING, 1), (OWL, 3)]}, ANY_SIZE, BY_TITLE) == LEGAL


def test_a_card_without_the_title_may_belong_to_any():
    assert verdict({"main": [(RAT, 2), (NEW, 1)]}, ANY_SIZE, BY_TITLE) == LEGAL
    found = verdict({"main": [(RAT, 2), (NEW, 2), (OWL, 1)]}, ANY_SIZE, BY_TITLE)
    assert (found.outcome, told(found)) == (
        "undetermined",
        [("copies.unknown", 3, 4, [("Rat", 2), ("Untold", 2)])],
    )
    assert found.violations[0].facts == (MissingFact("Untold", "title"),)
    too_many = verdict({"main": [(NEW, 4)]}, ANY_SIZE, BY_TITLE)
    assert (too_many.outcome, told(too_many)) == ("illegal", [("copies.too_many", 3, 4, [("Untold", 4)])])


def test_two_cards_without_the_title_may_share_one():
    other = card(6, "Unheard")
    assert verdict({"main": [(NEW, 1), (other, 2)]}, ANY_SIZE, BY_TITLE) == LEGAL
    found = verdict({"main": [(NEW, 2), (other, 2)]}, ANY_SIZE, BY_TITLE)
    assert (found.outcome, told(found)) == (
        "undetermined",
        [("copies.unknown", 3, 4, [("Unheard", 2), ("Untold", 2)])],
    )


@pytest.mark.parametrize(("copies", "outcome"), [(4, "legal"), (7, "legal"), (8, "illegal")])
def test_a_number_on_the_card_takes_the_place_of_the_limit(copies: int, outcome: str):
    rule = {**COPIES, "max_from": "most"}
    found = verdict({"main": [(SWARM, copies), (OWL, 3)]}, ANY_SIZE, rule)
    assert found.outcome == outcome
    if outcome == "illegal":
        assert told(found) == [("copies.too_many", 7, 8, [("Swarm", 8)])]


def test_a_card_without_that_number_may_be_there_as_often_as_the_rule_says():
    rule = {**COPIES, "max_from": "most"}
    assert told(verdict({"main": [(OWL, 4)]}, ANY_SIZE, rule)) == [("copies.too_many", 3, 4, [("Owl", 4)])]


UP_TO_SEVEN = on_list(OWL, "limit", 7)


@pytest.mark.parametrize("copies", [5, 6, 7])
def test_a_card_that_may_be_there_seven_times_is_legal_up_to_seven(copies: int):
    assert verdict({"main": [(OWL, copies)]}, ANY_SIZE, COPIES, LISTS, statuses=(UP_TO_SEVEN,)) == LEGAL


def test_the_eighth_of_it_is_too_many_by_its_own_limit():
    [found] = verdict(
        {"main": [(OWL, 5)], "side": [(OWL, 3)]}, ANY_SIZE, COPIES, LISTS, statuses=(UP_TO_SEVEN,)
    ).violations
    assert (found.code, found.constraint, found.limit, found.actual, found.excess, found.cite, found.source) == (
        "copies.too_many", "copies", 7, 8, 1, "T 4.1", "the list",
    )  # fmt: skip


def test_an_own_limit_can_be_lower_than_the_rule_and_goes_before_the_number_on_the_card():
    once = on_list(SWARM, "limit", 1)
    rule = {**COPIES, "max_from": "most"}
    assert told(verdict({"main": [(SWARM, 2)]}, ANY_SIZE, rule, LISTS, statuses=(once,))) == [
        ("copies.too_many", 1, 2, [("Swarm", 2)])
    ]


def test_an_own_limit_holds_where_no_rule_bounds_copies():
    found = verdict({"main": [(OWL, 8)]}, ANY_SIZE, LISTS, statuses=(UP_TO_SEVEN,))
    assert [(v.code, v.constraint, v.limit, v.actual) for v in found.violations] == [("status.limit", "lists", 7, 8)]
    exempt = {**COPIES, "select": {"not": {"names": ["Owl"]}}}
    assert verdict({"main": [(OWL, 8)]}, ANY_SIZE, exempt, LISTS, statuses=(UP_TO_SEVEN,)).outcome == "illegal"


def test_a_format_without_a_list_knows_no_own_limits():
    assert told(verdict({"main": [(OWL, 5)]}, ANY_SIZE, COPIES, statuses=(UP_TO_SEVEN,))) == [
        ("copies.too_many", 3, 5, [("Owl", 5)])
    ]


def test_cards_counted_together_may_be_as_many_as_one_of_them_and_each_no_more_than_itself():
    rule = [ANY_SIZE, BY_TITLE, LISTS]
    once = on_list(KING, "limit", 1)
    assert verdict({"main": [(RAT, 2), (KING, 1)]}, *rule, statuses=(once,)) == LEGAL
    assert told(verdict({"main": [(RAT, 1), (KING, 2)]}, *rule, statuses=(once,))) == [
        ("copies.too_many", 1, 2, [("Rat King", 2)])
    ]


def test_the_order_of_lines_is_no_matter_where_cards_count_together():
    lines = [DeckLine("main", 2, one, (one.id,)) for one in (RAT, KING, OWL, NEW)]
    compiled = compile_format(format_of([ANY_SIZE, BY_TITLE]), (), DAY, {})
    assert len({check(DeckFacts(order), compiled) for order in permutations(lines)}) == 1


def test_a_name_is_known_by_every_spelling_of_it():
    curly = CardFacts(7, "Mira’s Final Ledger — Greater", {})
    rule = {**COPIES, "max": 1, "select": {"names": ["Mira's Final Ledger - Greater"]}}
    assert verdict({"main": [(curly, 2)]}, ANY_SIZE, rule).outcome == "illegal"


def test_a_group_that_is_too_many_for_sure_is_so_whatever_the_others_are():
    found = verdict({"main": [(RAT, 2), (KING, 2), (NEW, 3)]}, ANY_SIZE, {**BY_TITLE, "label": "vermin"})
    assert told(found) == [("copies.too_many", 3, 4, [("Rat", 2), ("Rat King", 2)])]
    open_ = verdict({"main": [(RAT, 2), (NEW, 2)]}, ANY_SIZE, {**BY_TITLE, "label": "vermin"})
    assert [violation.subject for violation in open_.violations] == ["vermin"]


def test_a_card_that_may_be_exempt_leaves_its_group_open():
    wild = card(8, "Wild Rat", title="rodent", kind="wild")
    rule = {**BY_TITLE, "select": {"not": {"fact": "kind", "eq": "tame"}}}
    found = verdict({"main": [(wild, 3), (RAT, 1)]}, ANY_SIZE, rule)
    assert (found.outcome, told(found)) == (
        "undetermined",
        [("copies.unknown", 3, 4, [("Rat", 1), ("Wild Rat", 3)])],
    )
    assert found.violations[0].facts == (MissingFact("Rat", "kind"),)


@pytest.mark.parametrize(
    ("side", "curable"),
    [([], False), ([(OWL, 1)], False), ([(OWL, 2)], True), ([(RAT, 9), (OWL, 1)], False), ([(SWARM, 3)], False)],
)
def test_copies_too_many_are_cured_by_cards_that_do_not_become_too_many(side: Any, curable: bool):
    """Two of the five rats must go; of the swarm, three of which are there, none may come in."""
    main = {**COPIES, "zones": ["main"]}
    [found] = verdict({"main": [(RAT, 5), (SWARM, 3)], "side": side}, ANY_SIZE, main, SWAPS).violations
    assert (found.excess, found.curable_by_sideboarding) == (2, curable)


def test_cards_without_a_title_are_told_once_with_the_group_that_they_may_be_of():
    found = verdict({"main": [(RAT, 2), (NEW, 2), (card(6, "Unheard"), 2)]}, ANY_SIZE, BY_TITLE)
    assert told(found) == [("copies.unknown", 3, 6, [("Rat", 2), ("Unheard", 2), ("Untold", 2)])]


def test_a_limit_of_one_zone_takes_the_place_of_a_rule_about_that_zone_alone():
    five = (on_list(OWL, "limit", 5, zone="main"),)
    main, side = {**COPIES, "zones": ["main"]}, {**COPIES, "id": "of-side", "zones": ["side"]}
    assert verdict({"main": [(OWL, 5)], "side": [(OWL, 3)]}, ANY_SIZE, main, side, LISTS, statuses=five) == LEGAL
    found = verdict({"main": [(OWL, 6)], "side": [(OWL, 4)]}, ANY_SIZE, main, side, LISTS, statuses=five)
    assert [(v.code, v.constraint, v.limit, v.actual) for v in found.violations] == [
        ("copies.too_many", "copies", 5, 6),
        ("copies.too_many", "of-side", 3, 4),
    ]


def test_a_limit_of_one_zone_holds_besides_a_rule_about_several():
    once = (on_list(OWL, "limit", 1, zone="main"),)
    found = verdict({"main": [(OWL, 2)], "side": [(OWL, 2)]}, ANY_SIZE, COPIES, LISTS, statuses=once)
    assert [(v.code, v.constraint, v.zones, v.limit, v.actual) for v in found.violations] == [
        ("status.limit", "lists", ("main",), 1, 2),
        ("copies.too_many", "copies", ("main", "side"), 3, 4),
    ]
