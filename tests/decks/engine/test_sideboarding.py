"""The deck of a later game: moves from the registered one, and what a format says to them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from config.errors import DomainError
from decks.engine.sideboarding import Move, apply_moves, check_configuration, netted
from rules.engine.legality import CompiledFormat, DeckFacts, DeckLine, compile_format
from rules.engine.selectors import CardFacts
from tests.rules.judging import SWAPS, format_of

ANVIL, BELL, REALM = CardFacts(1, "Anvil", {}), CardFacts(2, "Bell", {}), CardFacts(3, "Realm", {})
REGISTERED = DeckFacts(
    (DeckLine("main", 60, ANVIL, (1, 2)), DeckLine("side", 15, BELL, (4,)), DeckLine("realm", 1, REALM, (6,)))
)
SIZE = {"id": "size", "kind": "zone_count", "zones": ["main"], "min": 60, "cite": "T 1"}
SIDE = {"id": "side", "kind": "zone_count", "zones": ["side"], "one_of": [0, 15], "cite": "T 2"}


def compiled(*rules: dict[str, Any]) -> CompiledFormat:
    return compile_format(format_of(list(rules)), (), date(2026, 1, 1), {})


def wrong(moves: list[Move], *rules: dict[str, Any]) -> list[tuple[str, tuple[str, ...], int | None]]:
    after = apply_moves(REGISTERED, moves)
    return [(v.code, v.zones, v.excess) for v in check_configuration(REGISTERED, after, compiled(*rules))]


FREE = {**SWAPS, "one_for_one": False}
OUT, IN = Move(1, "main", "side", 3), Move(2, "side", "main", 3)


def test_moves_change_the_deck_and_not_the_registered_one() -> None:
    before = REGISTERED.lines
    after = apply_moves(REGISTERED, [OUT, IN])
    counts = {(line.zone, line.card.name): line.count for line in after.lines}
    assert counts == {
        ("main", "Anvil"): 57,
        ("side", "Bell"): 12,
        ("realm", "Realm"): 1,
        ("side", "Anvil"): 3,
        ("main", "Bell"): 3,
    }
    assert REGISTERED.lines == before
    assert apply_moves(REGISTERED, []).lines == before


def test_a_card_that_all_leaves_a_zone_is_not_in_it_any_more() -> None:
    after = apply_moves(REGISTERED, [Move(2, "side", "main", 15)])
    assert {line.zone for line in after.lines} == {"main", "realm"}


def test_moves_there_and_back_are_netted_and_added_up() -> None:
    assert netted([OUT, Move(1, "side", "main", 1), IN, Move(2, "side", "main", 1)]) == (
        Move(1, "main", "side", 2),
        Move(2, "side", "main", 4),
    )
    assert netted([OUT, Move(1, "side", "main", 3)]) == ()
    assert netted([Move(1, "side", "main", 5), OUT]) == (Move(1, "side", "main", 2),)


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Move(1, "main", "side", 0), "sideboarding.move"),
        (Move(1, "main", "side", -1), "sideboarding.move"),
        (Move(1, "main", "main", 1), "sideboarding.move"),
        (Move(1, "main", "side", 61), "sideboarding.too_many"),
        (Move(1, "side", "main", 1), "sideboarding.too_many"),
        (Move(9, "", "main", 1), "sideboarding.unknown_card"),
    ],
)
def test_a_move_that_cannot_be_is_refused(move: Move, code: str) -> None:
    with pytest.raises(DomainError) as refused:
        apply_moves(REGISTERED, [move])
    assert refused.value.code == code


def test_one_for_one_keeps_each_size() -> None:  # S1
    assert wrong([OUT, IN], SIZE, SIDE, SWAPS) == []
    one_more = [Move(2, "side", "main", 1)]
    assert wrong(one_more, SIZE, SIDE, SWAPS) == [
        ("transition.size_changed", ("main",), 1),
        ("transition.size_changed", ("side",), -1),
    ]


def test_sixty_one_and_fourteen_may_be_played_where_any_number_may_change() -> None:  # S1
    assert wrong([Move(2, "side", "main", 1)], SIZE, FREE) == []


def test_a_free_swap_leaves_a_deck_that_is_legal_by_itself() -> None:
    assert wrong([Move(1, "main", "side", 1)], SIZE, SIDE, FREE) == [
        ("zone_count.too_few", ("main",), -1),
        ("zone_count.not_one_of", ("side",), 1),
    ]


def test_what_was_wrong_as_registered_is_not_told_again() -> None:
    too_large = {**SIDE, "id": "small", "one_of": [0, 10]}
    assert wrong([OUT, IN], SIZE, too_large, SWAPS) == []


def test_a_deck_of_fifty_nine_breaks_the_rule_and_leaves_the_registered_one() -> None:  # S2
    assert wrong([Move(1, "main", "", 1)], SIZE, SWAPS) == [
        ("transition.cards_changed", ("main", "side"), None),
        ("transition.size_changed", ("main",), -1),
    ]
    assert sum(line.count for line in REGISTERED.lines if line.zone == "main") == 60


def test_a_card_from_outside_and_a_zone_that_stays() -> None:
    assert [code for code, *_ in wrong([Move(1, "", "main", 1)], SIZE, FREE)] == ["transition.cards_changed"]
    assert ("transition.fixed_zone_changed", ("realm",), None) in wrong([Move(3, "realm", "main", 1)], SIZE, FREE)


def test_without_a_rule_nothing_may_change() -> None:
    assert wrong([], SIZE) == []
    assert wrong([OUT, IN], SIZE) == [("transition.none", ("main", "side"), None)]
