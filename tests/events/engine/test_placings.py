from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import DomainError
from events.engine.outcomes import Outcome
from events.engine.placings import (
    Exit,
    Leaving,
    PlacingPoints,
    Ties,
    outcomes_by_place,
    places_by_exits,
    placing_points,
    winner_takes,
)

FIVES = {4: (7, 5, 3, 1), 3: (6, 3, 1)}


def _out(*players: int, how: Leaving = Leaving.ELIMINATED) -> Exit:
    return Exit(frozenset(players), how)


@pytest.mark.parametrize(
    ("exits", "places"),
    [
        ([], {1: 1, 2: 1, 3: 1, 4: 1}),
        ([_out(3)], {1: 1, 2: 1, 4: 1, 3: 4}),
        ([_out(3), _out(1), _out(4)], {2: 1, 4: 2, 1: 3, 3: 4}),
        ([_out(3), _out(1, 4)], {2: 1, 1: 2, 4: 2, 3: 4}),
        ([_out(3), _out(1, how=Leaving.CONCEDED), _out(2, 4)], {2: 1, 4: 1, 1: 3, 3: 4}),
        ([_out(1, 2, 3, 4)], {1: 1, 2: 1, 3: 1, 4: 1}),
    ],
)
def test_who_leaves_later_is_placed_better(exits: list[Exit], places: dict[int, int]) -> None:
    assert places_by_exits([1, 2, 3, 4], exits) == places


def test_exits_that_cannot_be_are_refused() -> None:
    for exits, code in (([_out(9)], "placings.not_at_table"), ([_out(1), _out(1, 2)], "placings.left_twice")):
        with pytest.raises(DomainError) as refused:
            places_by_exits([1, 2, 3], exits)
        assert refused.value.code == code


def test_ties_split_the_points_of_their_places_exactly_or_get_them_in_full() -> None:
    places = {1: 1, 2: 2, 3: 2, 4: 4}
    assert placing_points(places, PlacingPoints(FIVES)) == {1: 7, 2: 4, 3: 4, 4: 1}
    assert placing_points(places, PlacingPoints(FIVES, Ties.FULL)) == {1: 7, 2: 5, 3: 5, 4: 1}
    thirds = placing_points({1: 1, 2: 1, 3: 1}, PlacingPoints(FIVES))
    assert thirds == {1: Fraction(10, 3), 2: Fraction(10, 3), 3: Fraction(10, 3)}
    assert sum(thirds.values()) == 10
    assert isinstance(placing_points({1: 1, 2: 2, 3: 3}, PlacingPoints(FIVES))[1], int)


def test_a_shared_victory_may_have_points_of_its_own() -> None:
    melee = winner_takes(3, 1, 0, range(3, 7))
    assert placing_points({1: 1, 2: 2, 3: 3}, melee) == {1: 3, 2: 0, 3: 0}
    assert placing_points({1: 1, 2: 2, 3: 1 + 1}, melee) == {1: 3, 2: 0, 3: 0}
    assert placing_points({1: 1, 2: 1, 3: 3, 4: 4}, melee) == {1: 1, 2: 1, 3: 0, 4: 0}


def test_who_concedes_may_be_scored_as_last() -> None:
    places = places_by_exits([1, 2, 3], [_out(1), _out(2, how=Leaving.CONCEDED)])
    assert placing_points(places, PlacingPoints(FIVES), conceded=[2]) == {3: 6, 2: 3, 1: 1}
    assert placing_points(places, PlacingPoints(FIVES, conceding_is_last=True), conceded=[2]) == {3: 6, 2: 1, 1: 1}


def test_outcomes_for_match_points() -> None:
    assert outcomes_by_place({1: 1, 2: 2, 3: 2}) == {1: Outcome.WIN, 2: Outcome.LOSS, 3: Outcome.LOSS}
    assert outcomes_by_place({1: 1, 2: 1, 3: 3}) == {1: Outcome.DRAW, 2: Outcome.DRAW, 3: Outcome.LOSS}


@pytest.mark.parametrize("places", [(1, 2, 2, 3), (2, 3, 4), (1, 1, 2), (0, 1, 2)])
def test_places_that_no_game_ends_with_are_refused(places: tuple[int, ...]) -> None:
    with pytest.raises(DomainError) as refused:
        placing_points(dict(enumerate(places)), PlacingPoints(FIVES))
    assert refused.value.code == "placings.impossible"


def test_points_that_cannot_be_are_refused() -> None:
    for points in ({3: (3, 2)}, {3: (1, 2, 0)}):
        with pytest.raises(DomainError) as refused:
            PlacingPoints(points)
        assert refused.value.code == "placings.bad_points"
    with pytest.raises(DomainError) as unknown:
        placing_points({1: 1, 2: 2, 3: 3, 4: 4, 5: 5}, PlacingPoints(FIVES))
    assert unknown.value.code == "placings.no_points_for_size"


exits_of_a_table = st.integers(3, 7).flatmap(
    lambda size: st.tuples(st.just(size), st.lists(st.integers(0, 4), min_size=size, max_size=size))
)


@given(exits_of_a_table)
def test_split_points_add_up_and_a_better_place_is_never_worth_less(table: tuple[int, list[int]]) -> None:
    size, moments = table
    exits = [
        _out(*(player for player, moment in enumerate(moments) if moment == at)) for at in sorted(set(moments) - {0})
    ]
    places = places_by_exits(range(size), exits)
    policy = PlacingPoints({size: tuple(range(2 * size, size, -1))})
    points = placing_points(places, policy)
    assert sum(points.values()) == sum(policy.by_size[size])
    for one in range(size):
        for other in range(size):
            if places[one] < places[other]:
                assert points[one] > points[other]
