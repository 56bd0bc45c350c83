"""Which cards a format takes in: by set, by name, by what the player opened, and where nobody knows."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from rules.engine.legality import MissingFact
from tests.rules.judging import (
    ALL,
    ANY_SIZE,
    COPIES,
    LEGAL,
    LISTS,
    SWAPS,
    WINDOW,
    card,
    format_of,
    on_list,
    told,
    verdict,
)

CORE = {"kind": "sets", "sets": ["A", "B"], "cite": "T 8"}
OUT, SOON, OLD = date(2026, 6, 15), date(2026, 6, 16), date(2019, 1, 1)


def printed(*printings: tuple[str, date | None], name: str = "Anvil", id_: int = 1) -> Any:
    return card(id_, name, sets=[code for code, _ in printings], days=[day for _, day in printings])


def codes(cards: Any, pool: Any) -> tuple[str, list[Any]]:
    found = verdict({"main": [(cards, 2)]}, ANY_SIZE, pool=pool)
    return found.outcome, [(v.code, v.limit, v.actual, v.since, v.facts) for v in found.violations]


@pytest.mark.parametrize("printings", [[("A", OUT)], [("B", OLD)], [("Z", OLD), ("A", OUT)], [("A", None), ("B", OUT)]])
def test_a_card_with_a_printing_in_a_set_of_the_format_is_in(printings: Any):
    assert codes(printed(*printings), CORE) == ("legal", [])


def test_a_card_of_other_sets_is_out():
    assert codes(printed(("Z", OLD)), CORE) == ("illegal", [("pool.not_in_sets", 0, 2, None, ())])


def test_a_set_that_is_not_out_yet_does_not_count():
    assert codes(printed(("Z", OLD), ("A", SOON)), CORE) == ("illegal", [("pool.not_out_yet", 0, 2, SOON, ())])


@pytest.mark.parametrize(
    ("printings", "fact"), [([("A", None), ("B", SOON)], "legal_on"), ([("A", None)], "legal_on"), ([], "set")]
)
def test_a_set_without_a_day_and_a_card_without_a_set_leave_it_open(printings: Any, fact: str):
    found = codes(printed(*printings), CORE)
    assert found == ("undetermined", [("pool.unknown", None, 2, None, (MissingFact("Anvil", fact),))])


@pytest.mark.parametrize("pool", [ALL, WINDOW, CORE])
def test_a_card_that_a_pool_names_is_in_or_out_whatever_its_printings(pool: Any):
    curly = {**pool, "include": ["Mira's Ledger"], "exclude": ["Anvil"]}
    assert codes(printed(("A", OUT)), curly) == ("illegal", [("pool.excluded", 0, 2, None, ())])
    assert codes(printed(("Z", SOON), name="Mira’s Ledger"), curly) == ("legal", [])


def test_a_card_can_not_be_both():
    with pytest.raises(ValueError, match="both in the pool and out of it: Anvil"):
        format_of([ANY_SIZE], {**ALL, "include": ["Anvil"], "exclude": ["Anvil"]})


def test_a_pool_that_nobody_knows_leaves_every_deck_open_an_empty_one_too():
    unknown = {"kind": "unknown", "cite": "T 8", "reading": "T R1"}
    for deck in ({}, {"main": [(printed(("A", OUT)), 2)]}):
        found = verdict(deck, {**ANY_SIZE, "min": 0, "max": 9}, pool=unknown)
        assert found.outcome == "undetermined"
        assert [(v.code, v.constraint, v.cite, v.reading, v.cards, v.undetermined) for v in found.violations] == [
            ("pool.unknown", "pool", "T 8", "T R1", (), True)
        ]


def test_what_a_deck_breaks_besides_an_unknown_pool_makes_it_illegal():
    unknown = {"kind": "unknown", "cite": "T 8"}
    assert verdict({"main": [(printed(("A", OUT)), 4)]}, ANY_SIZE, COPIES, pool=unknown).outcome == "illegal"


def test_a_card_is_legal_from_its_day_on_though_it_comes_out_later():
    """Its set may be played a week before it is sold: the day of legality is the only one that counts."""
    assert codes(printed(("A", OUT)), ALL) == ("legal", [])
    assert codes(printed(("A", SOON)), ALL) == ("illegal", [("pool.not_out_yet", 0, 2, SOON, ())])


OPENED = {"kind": "event_pool", "cite": "T 10"}
ANVIL = printed(("A", OUT))


def test_a_sealed_deck_may_have_what_its_pool_has_banned_or_not():
    banned = (on_list(ANVIL, "banned", 0),)
    assert verdict({"main": [(ANVIL, 4)]}, ANY_SIZE, pool=OPENED, opened={1: 4}, statuses=banned) == LEGAL
    assert told(verdict({"main": [(ANVIL, 5)]}, ANY_SIZE, pool=OPENED, opened={1: 4}, statuses=banned)) == [
        ("pool.too_many", 4, 5, [("Anvil", 5)])
    ]


def test_a_limit_of_its_own_can_hold_in_sealed_too_if_the_rules_say_so():
    limited = (on_list(ANVIL, "limit", 2),)
    assert told(verdict({"main": [(ANVIL, 4)]}, ANY_SIZE, LISTS, pool=OPENED, opened={1: 4}, statuses=limited)) == [
        ("status.limit", 2, 4, [("Anvil", 4)])
    ]


def test_forty_cards_left_over_may_all_be_in_the_sideboard():
    assert verdict({"main": [(ANVIL, 3)], "side": [(ANVIL, 40)]}, pool=OPENED, opened={1: 43}) == LEGAL


def test_a_sideboard_of_twelve_is_refused_where_it_is_none_or_fifteen():
    sizes = {"id": "side", "kind": "zone_count", "zones": ["side"], "one_of": [0, 15], "cite": "T 9"}
    [found] = verdict({"main": [(ANVIL, 3)], "side": [(ANVIL, 12)]}, sizes, SWAPS).violations
    assert (found.code, found.limit, found.actual, found.excess) == ("zone_count.not_one_of", (0, 15), 12, -3)
