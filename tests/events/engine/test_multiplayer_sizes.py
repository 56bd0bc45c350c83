from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import DomainError
from events.engine.multiplayer_sizes import LeftOver, SizePlan, SizeRules, Stagger, stagger, table_sizes

FOURS = SizeRules(4, (3, 4))
FOURS_OR_FIVES = SizeRules(5, (4, 5), LeftOver.REFUSE)


@pytest.mark.parametrize(
    ("preferred", "allowed", "players", "sizes", "left_over"),
    [
        (4, (3, 4), 5, (4,), 1),
        (4, (3, 4), 6, (3, 3), 0),
        (4, (3, 4), 9, (3, 3, 3), 0),
        (4, (3, 4), 10, (4, 3, 3), 0),
        (4, (3, 4), 17, (4, 4, 3, 3, 3), 0),
        (4, (3, 4, 5), 5, (5,), 0),
        (4, (3, 4, 5), 9, (5, 4), 0),
        (4, (3, 4, 5), 18, (5, 5, 4, 4), 0),
        (5, (4, 5), 6, (5,), 1),
        (5, (4, 5), 7, (5,), 2),
        (5, (4, 5), 11, (5, 5), 1),
        (5, (3, 4, 5, 6), 6, (6,), 0),
        (5, (3, 4, 5, 6), 7, (4, 3), 0),
        (5, (3, 4, 5, 6), 16, (6, 5, 5), 0),
        (7, (7,), 14, (7, 7), 0),
    ],
)
def test_sizes_of_small_fields(
    preferred: int, allowed: tuple[int, ...], players: int, sizes: tuple[int, ...], left_over: int
) -> None:
    assert table_sizes(players, SizeRules(preferred, allowed)) == SizePlan(sizes, left_over)


@given(
    st.integers(3, 40),
    st.sets(st.integers(3, 7), min_size=1).flatmap(
        lambda sizes: st.tuples(st.sampled_from(sorted(sizes)), st.just(sizes))
    ),
)
def test_no_other_split_leaves_fewer_out_or_is_nearer_to_the_preferred_size(
    players: int, rule: tuple[int, set[int]]
) -> None:
    preferred, allowed = rule
    if players < min(allowed):
        return
    plan = table_sizes(players, SizeRules(preferred, tuple(allowed)))

    def key(sizes: tuple[int, ...]) -> tuple[int, int, int]:
        return players - sum(sizes), sum((size - preferred) ** 2 for size in sizes), len(sizes)

    least_out = key(plan.sizes)[0]
    rivals = [
        key(sizes)
        for tables in range(1, players // min(allowed) + 1)
        for sizes in combinations_with_replacement(sorted(allowed), tables)
        if players - least_out <= sum(sizes) <= players
    ]
    assert sum(plan.sizes) + plan.left_over == players
    assert set(plan.sizes) <= allowed
    assert key(plan.sizes) == min(rivals)


def test_a_field_that_does_not_split_is_refused_with_every_way_out() -> None:
    choices = {}
    for players in (6, 7, 11):
        with pytest.raises(DomainError) as refused:
            table_sizes(players, FOURS_OR_FIVES)
        assert refused.value.code == "tables.cannot_split"
        choices[players] = refused.value.context["choices"]
    assert choices[7] == {
        "byes": {"count": 2, "sizes": [5]},
        "stagger": {"sitting_out": 2, "sizes": [5]},
        "other_sizes": {"3": [4, 3], "7": [7]},
    }
    assert choices[6]["other_sizes"] == {"3": [3, 3], "6": [6]}
    assert choices[11]["other_sizes"] == {"3": [4, 4, 3], "6": [6, 5], "7": [7, 4]}
    assert "Give 2 byes a round" in _message(7)
    assert "allow tables of 3 or 7" in _message(7)
    assert [players for players in range(4, 40) if _refused(players)] == [6, 7, 11]


def _message(players: int) -> str:
    with pytest.raises(DomainError) as refused:
        table_sizes(players, FOURS_OR_FIVES)
    return refused.value.message


def _refused(players: int) -> bool:
    try:
        table_sizes(players, FOURS_OR_FIVES)
    except DomainError:
        return True
    return False


def test_sizes_of_a_stage_prefer_the_middle() -> None:
    assert SizeRules.between(3, 6) == SizeRules(5, (3, 4, 5, 6))
    assert SizeRules.between(3, 4, LeftOver.SIT_OUT) == SizeRules(4, (3, 4), LeftOver.SIT_OUT)
    for smallest, largest in ((2, 6), (3, 8), (5, 4)):
        with pytest.raises(DomainError) as refused:
            SizeRules.between(smallest, largest)
        assert refused.value.code == "tables.bad_sizes"


def test_more_byes_than_wanted_are_refused() -> None:
    assert table_sizes(7, SizeRules(5, (5,), LeftOver.BYE, byes=2)) == SizePlan((5,), 2)
    with pytest.raises(DomainError) as refused:
        table_sizes(7, SizeRules(5, (5,), LeftOver.BYE, byes=1))
    assert refused.value.code == "tables.cannot_split"


def test_sizes_that_cannot_be_are_refused() -> None:
    for preferred, allowed in ((4, (3, 5)), (2, (2, 3)), (8, (7, 8))):
        with pytest.raises(DomainError) as refused:
            SizeRules(preferred, allowed)
        assert refused.value.code == "tables.bad_sizes"
    with pytest.raises(DomainError) as too_few:
        table_sizes(2, FOURS)
    assert too_few.value.code == "tables.too_few_players"


@pytest.mark.parametrize(
    ("players", "games", "rounds"),
    [
        (6, 2, [((4,), 2), ((4,), 2), ((4,), 2)]),
        (6, 3, [((4,), 2), ((4,), 2), ((5,), 1), ((5,), 1)]),
        (7, 2, [((4,), 3), ((5,), 2), ((5,), 2)]),
        (11, 2, [((5,), 6), ((4, 4), 3), ((5, 4), 2)]),
        (11, 3, [((4, 4), 3), ((4, 4), 3), ((4, 4), 3), ((5, 4), 2)]),
        (8, 2, [((4, 4), 0), ((4, 4), 0)]),
    ],
)
def test_rounds_in_which_players_take_turns_at_sitting_out(
    players: int, games: int, rounds: list[tuple[tuple[int, ...], int]]
) -> None:
    assert stagger(players, games, FOURS_OR_FIVES) == Stagger(games, tuple(SizePlan(*one) for one in rounds))


@given(st.integers(4, 40), st.integers(2, 8))
def test_a_staggered_plan_has_room_for_as_many_games_of_everybody(players: int, games: int) -> None:
    plan = stagger(players, games, FOURS_OR_FIVES)
    assert sum(sum(one.sizes) for one in plan.rounds) == players * games
    assert all(sum(one.sizes) + one.left_over == players for one in plan.rounds)
    assert {size for one in plan.rounds for size in one.sizes} <= {4, 5}


def test_games_that_do_not_come_out_even_are_refused_with_numbers_that_do() -> None:
    with pytest.raises(DomainError) as refused:
        stagger(11, 1, FOURS_OR_FIVES)
    assert refused.value.code == "tables.cannot_stagger"
    assert refused.value.context["other_games"] == [2, 3]
    with pytest.raises(DomainError) as sevens:
        stagger(7, 1, SizeRules(5, (5,)))
    assert sevens.value.context["other_games"] == [5]
