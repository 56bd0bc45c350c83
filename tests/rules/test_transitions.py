"""Sideboarding between games."""

from __future__ import annotations

from typing import Any

from rules.engine.legality import CardCount, DeckFacts, DeckLine, check_swap
from tests.rules.judging import ACTION, GRATIS, OTHER, SIZE, SWAPS, format_of


def swap(before: dict[str, Any], after: dict[str, Any], *, one_for_one: bool = True) -> list[tuple[Any, ...]]:
    [rule] = [
        rule
        for rule in format_of([SIZE, {**SWAPS, "one_for_one": one_for_one}]).constraints
        if rule.kind == "transition"
    ]
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


def test_a_card_that_is_missing_in_the_second_game_is_told_and_the_list_stays_as_it_was():
    before = {"main": [(ACTION, 60)], "side": [(OTHER, 15)]}
    assert swap(before, {"main": [(ACTION, 59)], "side": [(OTHER, 15)]}) == [
        ("transition.cards_changed", ("main", "side"), None, (CardCount(1, "Anvil", -1),)),
        ("transition.size_changed", ("main",), -1, ()),
    ]


def test_sixty_one_and_fourteen_are_a_swap_only_where_sizes_may_change():
    before = {"main": [(ACTION, 60)], "side": [(OTHER, 15)]}
    after = {"main": [(ACTION, 60), (OTHER, 1)], "side": [(OTHER, 14)]}
    assert [code for code, *_ in swap(before, after)] == ["transition.size_changed", "transition.size_changed"]
    assert swap(before, after, one_for_one=False) == []
