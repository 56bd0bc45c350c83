"""Screening says "legal" only where the full check does, and there always if it knows the kinds of rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import screening
from rules.engine.legality import (
    CardFacts,
    CompiledFormat,
    DeckFacts,
    DeckLine,
    StatusFact,
    VerdictResult,
    check,
    compile_format,
)
from rules.engine.screening import Row, Screen
from tests.rules.generated import HALF_KNOWN, KNOWN, LEFT_OUT, RULES, decks, formats
from tests.rules.judging import ALL, COPIES, DAY, FREE, LEGAL, SIZE, format_of

Deck = tuple[Row, ...]
POOLED = {"kind": "event_pool", "cite": "T 8"}
pools = st.none() | st.dictionaries(st.integers(1, 12), st.integers(1, 6))


def compiled(*rules: Mapping[str, Any], pool: Mapping[str, Any] = ALL) -> CompiledFormat:
    return compile_format(format_of([SIZE, *rules], pool), (), DAY, {})


def in_full(
    format_: CompiledFormat, deck: Deck, pool: Mapping[int, int] | None = None, cards: Mapping[int, CardFacts] = KNOWN
) -> VerdictResult:
    return check(DeckFacts(tuple(DeckLine(zone, count, cards[card]) for zone, card, count in deck)), format_, pool)


def meet_each_row(screen: Screen, many: list[Deck], pool: Mapping[int, int] | None) -> None:
    """By itself, as in the thousands of decks before, so that none of them is asked about any more."""
    for row in [row for deck in many for row in deck]:
        screen.is_legal((row,), pool)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(formats(), st.lists(decks, min_size=1, max_size=4), pools)
def test_with_known_facts_screening_and_the_full_check_agree(
    format_: CompiledFormat, many: list[Deck], pool: dict[int, int] | None
) -> None:
    screen = Screen(format_, KNOWN)
    said = [screen.is_legal(deck, pool) for deck in many]
    full = [in_full(format_, deck, pool) for deck in many]
    assert said == [verdict == LEGAL for verdict in full]
    meet_each_row(screen, many, pool)
    assert [screen.is_legal(deck, pool) for deck in many] == said
    assert [screen.verdict_of(deck, pool) for deck in many] == full


@settings(max_examples=300, deadline=None, derandomize=True)
@given(formats((*RULES, *LEFT_OUT)), st.lists(decks, min_size=1, max_size=4), pools)
def test_it_never_calls_a_deck_legal_that_the_full_check_does_not(
    format_: CompiledFormat, many: list[Deck], pool: dict[int, int] | None
) -> None:
    screen = Screen(format_, HALF_KNOWN)
    meet_each_row(screen, many, pool)
    called_legal = [deck for deck in many if screen.is_legal(deck, pool)]
    assert [in_full(format_, deck, pool, HALF_KNOWN) for deck in called_legal] == [LEGAL] * len(called_legal)
    full = [in_full(format_, deck, pool, HALF_KNOWN) for deck in many]
    assert [screen.verdict_of(deck, pool) for deck in many] == full


def test_rows_of_one_card_count_together_in_whatever_zones_they_stand() -> None:
    screen = Screen(compiled(COPIES), KNOWN)
    assert [screen.is_legal((("main", 1, count),)) for count in (1, 2, 3)] == [False, False, True]
    assert screen.is_legal((("main", 1, 2), ("side", 1, 1), ("main", 2, 1)))
    assert screen.is_legal((("main", 1, 1), ("main", 1, 1), ("main", 1, 1)))
    assert not screen.is_legal((("main", 1, 3), ("side", 1, 1)))
    assert not screen.is_legal((("main", 1, 2), ("main", 1, 2)))


def test_a_card_in_two_rows_is_one_of_the_different_cards_that_a_deck_must_have() -> None:
    different = {"kind": "sum", "select": {"fact": "cost", "eq": "free"}, "distinct": True, "min": 2}
    screen = Screen(compiled({"id": "different", "zones": ["main", "side"], "cite": "T 2", **different}), KNOWN)
    meet_each_row(screen, [(("main", 1, 3), ("side", 1, 1), ("side", 3, 1))], None)
    assert not screen.is_legal((("main", 1, 3), ("side", 1, 1)))
    assert not screen.is_legal((("main", 1, 3), ("side", 1, 1)))
    assert screen.is_legal((("main", 1, 3), ("side", 3, 1)))


def test_what_may_be_a_free_card_counts_as_one_towards_a_maximum_and_not_towards_a_minimum() -> None:
    at_least = {"id": "least", "kind": "require", "zones": ["main"], "select": FREE["select"], "min": 1, "cite": "T 3"}
    deck = (("main", 1, 2), ("main", 4, 1))  # of unknown cost, and no free card
    assert Screen(compiled(FREE), HALF_KNOWN).is_legal(deck)
    assert not Screen(compiled(FREE), HALF_KNOWN).is_legal((("main", 1, 3), ("main", 4, 1)))
    screen = Screen(compiled(at_least), HALF_KNOWN)
    assert not screen.is_legal(deck)
    assert screen.verdict_of(deck) == in_full(screen.compiled, deck, cards=HALF_KNOWN)


def test_a_card_that_may_count_is_told_of_though_it_would_add_nothing() -> None:
    cards = {
        1: replace(KNOWN[1], facts={"cost": "free", "power": 5}),
        2: replace(KNOWN[2], facts={"power": 0}),
        3: replace(KNOWN[3], facts={"power": 2}),
    }
    power = {"id": "power", "kind": "sum", "zones": ["main"], "select": FREE["select"], "of": "power", "max": 6}
    screen = Screen(compiled({**power, "cite": "T 3"}), cards)
    verdict = screen.verdict_of((("main", 1, 1), ("main", 2, 1), ("main", 3, 1)))
    assert [(one.code, [card.id for card in one.cards]) for one in verdict.violations] == [("sum.unknown", [2, 3])]


def test_an_empty_deck_a_count_below_1_and_a_card_that_it_lacks_are_left_to_the_full_check() -> None:
    screen = Screen(compiled(), KNOWN)
    odd = ((), (("main", 1, 3), ("main", 2, 0)), (("main", 1, 4), ("main", 2, -1)), (("main", 1, 3), ("main", 99, 1)))
    assert [screen.is_legal(deck) for deck in odd] == [False] * 4
    with pytest.raises(ValueError, match="a count below 1"):
        screen.verdict_of(odd[1])
    with pytest.raises(KeyError, match="99"):
        screen.verdict_of(odd[3])


def test_a_card_that_is_made_known_later_is_seen() -> None:
    cards: dict[int, CardFacts] = {}
    screen = Screen(compiled(), cards)
    deck = (("main", 1, 3),)
    assert not screen.is_legal(deck)
    cards[1] = KNOWN[1]
    assert screen.is_legal(deck)


def test_a_deck_too_large_for_its_sums_is_left_to_the_full_check() -> None:
    at_most = {"id": "most", "kind": "zone_count", "zones": ["side"], "max": 5, "cite": "T 2"}
    screen = Screen(compiled(at_most), KNOWN)
    too_many = (("main", 1, 3), *(("side", card, 256) for card in (2, 3, 4, 6)))
    meet_each_row(screen, [too_many], None)
    assert not screen.is_legal(too_many)
    assert screen.is_legal((("main", 1, 1023),))
    assert not screen.is_legal((("main", 1, 1024),))
    assert not screen.is_legal((("main", 1, 3), ("side", 1, 1024)))
    assert screen.verdict_of((("main", 1, 1024),)) == LEGAL


def test_a_card_worth_less_than_nothing_or_very_much_is_left_to_the_full_check() -> None:
    powerful = {"id": "power", "kind": "sum", "zones": ["main"], "of": "power", "min": 1, "cite": "T 2"}
    aside = {"id": "aside", "kind": "zone_count", "zones": ["side"], "max": 0, "cite": "T 2"}
    cards = {**KNOWN, 1: replace(KNOWN[1], facts={"power": -2}), 2: replace(KNOWN[2], facts={"power": 1 << 20})}
    screen = Screen(compiled({**powerful, "select": {"fact": "power", "lte": 1 << 21}}, aside), cards)
    decks = ((("main", 1, 3),), (("main", 2, 3),), (("main", 1, 2), ("main", 2, 1), ("side", 1, 1)), (("main", 3, 3),))
    meet_each_row(screen, list(decks), None)
    assert [screen.is_legal(deck) for deck in decks] == [False, False, False, True]
    verdicts = [screen.verdict_of(deck) for deck in decks]
    assert [verdict.outcome for verdict in verdicts] == ["illegal", "legal", "illegal", "legal"]
    assert verdicts == [in_full(screen.compiled, deck, cards=cards) for deck in decks]


def test_points_of_one_zone_go_there_before_those_of_all() -> None:
    rule = {"id": "points", "kind": "points", "zones": ["main", "side"], "budget": 5, "cite": "T 4"}
    listed = tuple(StatusFact(1, "points", None, None, "T 4", "", each, zone) for each, zone in ((1, ""), (5, "side")))
    screen = Screen(compile_format(format_of([SIZE, rule]), listed, DAY, {}), KNOWN)
    decks = [(("main", 1, 3),), (("main", 2, 3), ("side", 1, 1)), (("main", 1, 3), ("side", 1, 1))]
    assert [screen.is_legal(deck) for deck in decks] == [True, True, False]
    assert [in_full(screen.compiled, deck) == LEGAL for deck in decks] == [True, True, False]


def test_what_is_restricted_in_one_zone_counts_in_the_rule_that_sees_to_that_zone() -> None:
    rules = [
        {"id": zone, "kind": "status", "zones": [zone], "restricted_in_all": most, "cite": "T 4"}
        for zone, most in (("main", 0), ("side", 1))
    ]
    listed = [StatusFact(card, "restricted", 1, None, "T 4", "", zone="side") for card in (1, 2)]
    screen = Screen(compile_format(format_of([SIZE, *rules]), listed, DAY, {}), KNOWN)
    decks = [(("main", 1, 3), ("side", 1, 1)), (("main", 3, 3), ("side", 1, 1), ("side", 2, 1))]
    assert [screen.is_legal(deck) for deck in decks] == [True, False]
    assert [in_full(screen.compiled, deck) == LEGAL for deck in decks] == [True, False]


def test_a_pool_is_the_decks_own_and_counts_all_zones() -> None:
    screen = Screen(compiled(pool=POOLED), KNOWN)
    deck = (("main", 1, 3), ("side", 1, 1))
    said = [screen.is_legal(deck, pool) for pool in ({1: 4}, {1: 3}, {2: 4}, {}, None, {1: 4})]
    assert said == [True, False, False, False, False, True]


@pytest.mark.parametrize("kind", ["group", "when", "copies_per", "sum_per"])
def test_a_deck_that_a_rule_of_another_kind_does_not_touch_is_decided(kind: str) -> None:
    gift = {"tag": "gift"}  # cards 3, 6, 9 and 12
    rule = {
        "group": {"kind": "group", "select": gift, "max": 4},
        "when": {"kind": "when", "select": gift, "instead_of": ["size"]},
        "copies_per": {"kind": "copies", "select": gift, "per": "rarity", "max": 9},
        "sum_per": {"kind": "sum", "select": gift, "per": "rarity", "max": 9},
    }[kind]
    screen = Screen(compiled({"id": "rule", "zones": ["main"], "cite": "T 2", **rule}), KNOWN)
    assert screen.is_legal((("main", 1, 3),))
    assert screen.is_legal((("main", 1, 3), ("side", 3, 1)))
    assert not screen.is_legal((("main", 1, 3), ("main", 3, 1)))
    assert screen.verdict_of((("main", 1, 3), ("main", 3, 1))) == LEGAL


@pytest.mark.parametrize(
    "rule",
    [
        {"kind": "fixed"},
        {"kind": "bound", "max": {"base": 1, "times": 0, "measure": {"zones": ["main"]}}},
        {"kind": "eligible", "select": {"any": [{"fact": "cost", "in_zone": "main"}, {"tag": "gift"}]}},
        {"kind": "sum", "select": {"tag": "gift"}, "per": "rarity", "min": 1},
    ],
)
def test_in_a_format_of_which_no_deck_can_be_screened_none_is_called_legal(rule: dict[str, Any]) -> None:
    screen = Screen(compiled({"id": "rule", "zones": ["side"], "cite": "T 2", **rule}), KNOWN)
    assert not screen.is_legal((("main", 1, 3), ("side", 2, 1), ("side", 4, 1)))


def test_it_forgets_what_it_has_met_before_that_grows_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screening, "_MOST_KEPT", 10)
    screen = Screen(compiled(COPIES), KNOWN)
    for count in range(1, 200):
        other = 6 + count % 7
        assert screen.is_legal((("main", 1, 3), ("main", other, 1)))
        assert not screen.is_legal((("main", other, 3 + count),))
        assert screen.kept() <= 12
