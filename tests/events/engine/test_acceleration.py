from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.engine.streams import Stream
from events.engine.acceleration import Acceleration, accelerate, accelerated, pairing_points
from events.engine.pairing import Entrant, PairingOptions, pair_round


@pytest.mark.parametrize(("players", "upper"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 2), (8, 4), (160, 80), (161, 82)])
def test_the_upper_part_is_the_first_half_rounded_up_to_an_even_number(players: int, upper: int) -> None:
    assert accelerate(range(players), 9, win=3).upper == frozenset(range(upper))


@pytest.mark.parametrize(
    ("rounds", "virtual"),
    [(0, ()), (1, (3,)), (2, (3,)), (5, (3, 3, 1)), (9, (3, 3, 3, 1, 1)), (11, (3, 3, 3, 1, 1, 1))],
)
def test_half_of_the_rounds_are_accelerated_and_half_of_those_by_a_whole_win(
    rounds: int, virtual: tuple[int, ...]
) -> None:
    assert accelerate([1, 2], rounds, win=3).virtual_points == virtual


def test_round_one_pairs_each_part_in_itself_and_the_real_points_stay() -> None:
    entrants = tuple(Entrant(player, 0) for player in range(8))
    plan = accelerate(range(8), 5, win=3)
    shown = accelerated(entrants, plan, 1)
    assert [entrant.points for entrant in shown] == [3, 3, 3, 3, 0, 0, 0, 0]
    assert [entrant.points for entrant in entrants] == [0] * 8
    round_one = pair_round(shown, [], PairingOptions(), Stream(b"start", "accelerated"))
    assert all((pair.a < 4) == (pair.b < 4) for pair in round_one.pairs)


def test_a_latecomer_has_no_virtual_points_and_nobody_has_after_the_start() -> None:
    plan = accelerate([5, 3], 4, win=3)
    assert plan == Acceleration(frozenset({5, 3}), (3, 1))
    assert pairing_points({5: 3, 3: 0, 9: 0}, plan, 2) == {5: 4, 3: 1, 9: 0}
    assert pairing_points({5: 3, 3: 0, 9: 0}, plan, 3) == {5: 3, 3: 0, 9: 0}


@given(st.lists(st.integers(0, 50), unique=True), st.integers(0, 20), st.integers(0, 6), st.integers(1, 25))
def test_virtual_points_never_grow_and_end_with_the_first_half(
    seeded: list[int], rounds: int, win: int, number: int
) -> None:
    plan = accelerate(seeded, rounds, win=win)
    assert plan.in_round(number) >= plan.in_round(number + 1)
    assert 2 * len(plan.virtual_points) - rounds in (0, 1)
    entrants = [Entrant(player, player) for player in seeded]
    own = {entrant.id: entrant.points for entrant in entrants}
    shown = accelerated(entrants, plan, number)
    assert {entrant.id: entrant.points for entrant in shown} == pairing_points(own, plan, number)


@pytest.mark.parametrize(("seeded", "rounds", "win"), [([1, 1], 3, 3), ([1], -1, 3), ([1], 3, -1)])
def test_nonsense_is_a_mistake_of_the_caller(seeded: list[int], rounds: int, win: int) -> None:
    with pytest.raises(ValueError):
        accelerate(seeded, rounds, win=win)


def test_rounds_are_counted_from_one() -> None:
    with pytest.raises(ValueError, match="from 1"):
        accelerate([1], 3, win=3).in_round(0)
