from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from events.engine.tables import TableAssignment, assign_tables


def test_the_best_pair_sits_at_the_first_table() -> None:
    points = {1: 3, 2: 3, 3: 9, 4: 6, 5: 9, 6: 9}
    assert assign_tables([(1, 2), (3, 4), (5, 6)], points) == TableAssignment((3, 2, 1))
    assert assign_tables([(1, 2), (3, 4), (5, 6)], points, first=101) == TableAssignment((103, 102, 101))


def test_a_fixed_table_is_kept_and_the_others_close_up_around_it() -> None:
    points = {1: 9, 2: 9, 3: 6, 4: 6, 5: 3, 6: 3}
    assert assign_tables([(1, 2), (3, 4), (5, 6)], points, {5: 1}) == TableAssignment((2, 3, 1))
    assert assign_tables([(1, 2), (3, 4), (5, 6)], points, {2: 40}) == TableAssignment((40, 1, 2))


def test_two_fixed_players_in_one_pair_take_the_lower_and_the_other_is_named() -> None:
    assert assign_tables([(1, 2)], {1: 3, 2: 3}, {1: 7, 2: 4}) == TableAssignment((4,), (1,))
    assert assign_tables([(1, 2)], {1: 3, 2: 3}, {1: 4, 2: 4}) == TableAssignment((4,))


def test_one_table_claimed_by_two_pairs_goes_to_the_better_pair() -> None:
    points = {1: 3, 2: 3, 3: 6, 4: 6}
    assert assign_tables([(1, 2), (3, 4)], points, {1: 5, 3: 5}) == TableAssignment((1, 5), (1,))


@given(st.integers(0, 20), st.dictionaries(st.integers(0, 39), st.integers(1, 25), max_size=8), st.data())
def test_every_pair_has_a_table_of_its_own(count: int, fixed: dict[int, int], data: st.DataObject) -> None:
    pairs = [(2 * index, 2 * index + 1) for index in range(count)]
    points = {player: data.draw(st.integers(0, 9)) for pair in pairs for player in pair}
    seated = {player: index for index, pair in enumerate(pairs) for player in pair}
    given_out = assign_tables(pairs, points, fixed)
    assert len(set(given_out.tables)) == count
    for player, table in fixed.items():
        if player in seated:
            assert (given_out.tables[seated[player]] == table) != (player in given_out.displaced)
