"""How many copies of a card may still be added: by construction, what the check of the larger deck says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine.legality import DeckFacts, DeckLine, check, compile_format, most_addable
from tests.rules.judging import ALL, ANY_SIZE, COPIES, DAY, FREE, LISTS, SIZE, card, format_of, on_list

ANVIL, CANDLE, RAT = card(1, "Anvil", cost="action"), card(2, "Candle", cost="free"), card(3, "Rat", cost="action")
NEW = card(4, "Untold")
SIDE = {"id": "side", "kind": "zone_count", "zones": ["side"], "one_of": [0, 15], "cite": "T 9"}
STATUSES = (on_list(ANVIL, "restricted", 1), on_list(RAT, "limit", 7), on_list(CANDLE, "points", points=3))
POINTS = {"id": "points", "kind": "points", "zones": ["main"], "budget": 7, "cite": "T 6"}


def addable(
    one: Any, deck: dict[str, Any], *rules: Any, zone: str = "main", pool: Any = ALL, opened: Any = None
) -> int | None:
    compiled = compile_format(format_of([ANY_SIZE, *rules], pool), STATUSES, DAY, {})
    lines = tuple(DeckLine(where, count, held) for where, cards in deck.items() for held, count in cards)
    return most_addable(one, zone, DeckFacts(lines), compiled, opened)


@pytest.mark.parametrize(
    ("one", "deck", "rules", "most"),
    [
        (ANVIL, {}, [COPIES], 3),
        (ANVIL, {"main": [(ANVIL, 1)], "side": [(ANVIL, 1)]}, [COPIES], 1),
        (ANVIL, {"main": [(ANVIL, 4)]}, [COPIES], 0),
        (ANVIL, {}, [COPIES, LISTS], 1),
        (ANVIL, {"side": [(ANVIL, 1)]}, [COPIES, LISTS], 0),
        (RAT, {"main": [(RAT, 5)]}, [COPIES, LISTS], 2),
        (ANVIL, {}, [], None),
        (CANDLE, {"main": [(CANDLE, 1)]}, [FREE], 1),
        (ANVIL, {"main": [(CANDLE, 5)]}, [FREE, COPIES], 3),
        (CANDLE, {"main": [(CANDLE, 1)]}, [POINTS], 1),
        (NEW, {"main": [(CANDLE, 2)]}, [FREE], 0),
        (NEW, {"main": [(CANDLE, 1)]}, [FREE], 1),
    ],
)
def test_as_many_can_be_added_as_no_rule_calls_too_many(one: Any, deck: Any, rules: Any, most: int | None):
    assert addable(one, deck, *rules) == most


def test_a_sideboard_can_be_filled_to_the_greatest_of_its_sizes():
    assert addable(ANVIL, {"side": [(RAT, 4)]}, SIDE, zone="side") == 11


def test_a_card_that_may_not_be_there_can_not_be_added():
    assert addable(ANVIL, {}, pool={**ALL, "exclude": ["Anvil"]}) == 0
    costly = {"id": "e", "kind": "eligible", "zones": ["main"], "select": {"fact": "cost", "ne": "free"}, "cite": "T 1"}
    assert addable(CANDLE, {}, costly) == 0


def test_no_more_can_be_added_than_the_player_opened():
    pool = {"kind": "event_pool", "cite": "T 10"}
    assert addable(ANVIL, {"side": [(ANVIL, 1)]}, pool=pool, opened={1: 4}) == 3
    assert addable(RAT, {}, pool=pool, opened={1: 4}) == 0


DECK = st.lists(
    st.tuples(st.sampled_from(["main", "side"]), st.integers(1, 5), st.sampled_from([ANVIL, CANDLE, RAT, NEW])),
    max_size=6,
)


@given(DECK, st.sampled_from([ANVIL, CANDLE, RAT, NEW]), st.sampled_from(["main", "side"]))
def test_the_validator_agrees(deck: Any, one: Any, zone: str):
    compiled = compile_format(format_of([SIZE, COPIES, FREE, LISTS, POINTS]), STATUSES, DAY, {})
    lines = tuple(DeckLine(*line) for line in deck)
    most = most_addable(one, zone, DeckFacts(lines), compiled)
    assert most is not None

    def excess(count: int) -> int:
        """Of what is sure twice as much as of what may be."""
        more = (DeckLine(zone, count, one),) if count else ()
        found = check(DeckFacts((*lines, *more)), compiled).violations
        return sum(1 if v.excess is None else max(2 * v.excess, 0) for v in found)

    assert excess(most) == excess(0) < excess(most + 1)
