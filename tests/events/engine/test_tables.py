from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import Unprocessable
from events.engine.tables import (
    Displaced,
    FixedSeat,
    SeatKind,
    TableAssignment,
    TableLayout,
    TableRange,
    assign_tables,
)

FEATURE = SeatKind.FEATURE


def test_the_best_pair_sits_at_the_first_table() -> None:
    points = {1: 3, 2: 3, 3: 9, 4: 6, 5: 9, 6: 9}
    assert assign_tables([(1, 2), (3, 4), (5, 6)], points) == TableAssignment((3, 2, 1))
    assert assign_tables([(1, 2), (3, 4), (5, 6)], points, first=101) == TableAssignment((103, 102, 101))


def test_the_higher_points_of_a_pair_count_first_then_the_lower() -> None:
    points = {1: 0, 2: 9, 3: 6, 4: 6, 5: 9, 6: 3}
    assert assign_tables([(1, 2), (3, 4), (5, 6)], points) == TableAssignment((2, 3, 1))


def test_standings_number_the_tables_when_minus_the_rank_is_given() -> None:
    ranks = {1: 4, 2: 1, 3: 2, 4: 3, 5: 5, 6: 6}
    minus = {player: -rank for player, rank in ranks.items()}
    assert assign_tables([(5, 6), (1, 3), (4, 2)], minus) == TableAssignment((3, 2, 1))


def test_a_fixed_table_is_kept_and_the_others_close_up_around_it() -> None:
    points = {1: 9, 2: 9, 3: 6, 4: 6, 5: 3, 6: 3}
    assert assign_tables([(1, 2), (3, 4), (5, 6)], points, [FixedSeat(5, 1)]) == TableAssignment((2, 3, 1))
    assert assign_tables([(1, 2), (3, 4), (5, 6)], points, [FixedSeat(2, 40)]) == TableAssignment((40, 1, 2))


def test_two_fixed_players_in_one_pair_take_the_lower_and_the_other_is_named() -> None:
    pair, points = [(1, 2)], {1: 3, 2: 3}
    assert assign_tables(pair, points, [FixedSeat(1, 7), FixedSeat(2, 4)]) == TableAssignment(
        (4,), (Displaced(1, 7, 4, "opponent"),)
    )
    assert assign_tables(pair, points, [FixedSeat(1, 4), FixedSeat(2, 4)]) == TableAssignment((4,))


def test_what_a_player_needs_goes_before_the_feature_table() -> None:
    points = {1: 3, 2: 3, 3: 6, 4: 6}
    assert assign_tables([(1, 2)], points, [FixedSeat(1, 7), FixedSeat(2, 1, FEATURE)]) == TableAssignment(
        (7,), (Displaced(2, 1, 7, "opponent"),)
    )
    assert assign_tables([(1, 2), (3, 4)], points, [FixedSeat(1, 5), FixedSeat(3, 5, FEATURE)]) == TableAssignment(
        (5, 1), (Displaced(3, 5, 1, "another_pair"),)
    )


def test_one_table_claimed_by_two_pairs_goes_to_the_better_pair() -> None:
    points = {1: 3, 2: 3, 3: 6, 4: 6}
    assert assign_tables([(1, 2), (3, 4)], points, [FixedSeat(1, 5), FixedSeat(3, 5)]) == TableAssignment(
        (1, 5), (Displaced(1, 5, 1, "another_pair"),)
    )


def test_halls_fill_one_after_the_other_and_skip_what_is_not_there() -> None:
    layout = TableLayout((TableRange(101, 103), TableRange(1, 9)), frozenset({102, 2}))
    pairs = [(2 * index, 2 * index + 1) for index in range(4)]
    points = {player: -player for pair in pairs for player in pair}
    assert assign_tables(pairs, points, layout=layout) == TableAssignment((101, 103, 1, 3))
    assert assign_tables(pairs, points, [FixedSeat(7, 102)], layout=layout) == TableAssignment(
        (101, 103, 1, 3), (Displaced(7, 102, 3, "not_there"),)
    )


def test_more_pairs_than_tables_are_refused_with_both_numbers() -> None:
    layout = TableLayout((TableRange(1, 2),), frozenset({1}))
    with pytest.raises(Unprocessable) as refusal:
        assign_tables([(1, 2), (3, 4)], {}, layout=layout)
    assert (refusal.value.code, refusal.value.context) == ("tables.too_few", {"pairs": 2, "tables": 1})


@pytest.mark.parametrize("ranges", [((1, None), (50, 60)), ((1, 10), (10, 20))])
def test_a_table_is_in_one_range(ranges: tuple[tuple[int, int | None], ...]) -> None:
    with pytest.raises(ValueError, match="two ranges"):
        TableLayout(tuple(TableRange(*hall) for hall in ranges))


def test_a_pod_sits_together_whatever_the_points_and_whatever_is_fixed() -> None:
    pairs = [(1, 2), (3, 4), (5, 6), (7, 8)]
    points = {1: 0, 2: 0, 3: 9, 4: 9, 5: 3, 6: 3, 7: 6, 8: 6}
    assert assign_tables(pairs, points, blocks=[1, 2, 1, 2]) == TableAssignment((2, 3, 1, 4))
    assert assign_tables(pairs, points, [FixedSeat(7, 1)], blocks=[1, 2, 1, 2]) == TableAssignment((3, 4, 2, 1))


def test_five_thousand_pairs_are_seated_in_milliseconds() -> None:
    pairs = [(2 * index, 2 * index + 1) for index in range(5000)]
    points = {player: player * 7919 % 46 for player in range(10_000)}
    fixed = [FixedSeat(player, player // 3 + 1) for player in range(0, 300, 3)]

    def seconds() -> float:
        start = perf_counter()
        assign_tables(pairs, points, fixed)
        return perf_counter() - start

    assert min(seconds() for _ in range(5)) < 0.025


seats = st.builds(FixedSeat, st.integers(0, 39), st.integers(1, 25), st.sampled_from(SeatKind))
layouts = st.builds(
    lambda missing, gap: TableLayout((TableRange(30, 35), TableRange(1, 10 + gap), TableRange(60)), missing),
    st.frozensets(st.integers(1, 40)),
    st.integers(0, 5),
)


@given(st.integers(0, 20), st.lists(seats, max_size=8), layouts, st.data())
def test_every_pair_has_a_table_of_its_own_that_exists(
    count: int, fixed: list[FixedSeat], layout: TableLayout, data: st.DataObject
) -> None:
    pairs = [(2 * index, 2 * index + 1) for index in range(count)]
    points = {player: data.draw(st.integers(0, 9)) for pair in pairs for player in pair}
    seated = {player: index for index, pair in enumerate(pairs) for player in pair}
    given_out = assign_tables(pairs, points, fixed, layout=layout)
    assert len(set(given_out.tables)) == count
    assert all(table in layout for table in given_out.tables)
    displaced = {(name.player, name.wanted): name for name in given_out.displaced}
    for seat in fixed:
        if seat.player not in seated:
            continue
        own = given_out.tables[seated[seat.player]]
        assert (own == seat.table) != ((seat.player, seat.table) in displaced)
        if own != seat.table:
            assert displaced[seat.player, seat.table].given == own
    # Nobody loses a seat to a weaker kind of claim.
    for loser in given_out.displaced:
        kind = min((s.kind for s in fixed if (s.player, s.table) == (loser.player, loser.wanted)), key=lambda k: k.rank)
        if loser.why == "another_pair":
            holder = pairs[given_out.tables.index(loser.wanted)]
            held = [s.kind.rank for s in fixed if s.player in holder and s.table == loser.wanted]
            assert min(held) <= kind.rank
