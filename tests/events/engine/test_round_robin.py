from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.brackets import first_round
from events.engine.cuts import Cut
from events.engine.pairing_model import Reason
from events.engine.round_robin import (
    PoolRow,
    berger,
    cut_pools,
    pool_rounds,
    present_round,
    robin_reason,
    snake_pools,
)


@pytest.mark.parametrize("size", range(2, 65))
def test_every_two_meet_once_and_byes_and_homes_are_fair(size: int) -> None:
    rounds = berger(range(size))
    assert [round_.number for round_ in rounds] == list(range(1, size + size % 2))
    for round_ in rounds:
        playing = [player for pair in round_.pairs for player in pair]
        assert sorted(playing + ([] if round_.bye is None else [round_.bye])) == list(range(size))
    meetings = Counter(frozenset(pair) for round_ in rounds for pair in round_.pairs)
    assert (len(meetings), set(meetings.values())) == (size * (size - 1) // 2, {1})
    byes = Counter(round_.bye for round_ in rounds)
    assert byes == ({None: size - 1} if size % 2 == 0 else dict.fromkeys(range(size), 1))
    homes = Counter(home for round_ in rounds for home, _ in round_.pairs)
    assert {abs(2 * homes[player] - (size - 1)) for player in range(size)} == {1 - size % 2}


def test_eight_players_meet_as_in_the_published_table() -> None:
    assert [round_.pairs for round_ in berger(range(1, 9))] == [
        ((1, 8), (2, 7), (3, 6), (4, 5)),
        ((8, 5), (6, 4), (7, 3), (1, 2)),
        ((2, 8), (3, 1), (4, 7), (5, 6)),
        ((8, 6), (7, 5), (1, 4), (2, 3)),
        ((3, 8), (4, 2), (5, 1), (6, 7)),
        ((8, 7), (1, 6), (2, 5), (3, 4)),
        ((4, 8), (5, 3), (6, 2), (7, 1)),
    ]


def test_a_group_has_two_to_a_hundred_and_twenty_eight_players_each_once() -> None:
    for size in (1, 129):
        with pytest.raises(DomainError) as refused:
            berger(range(size))
        assert refused.value.code == "round_robin.size"
    with pytest.raises(ValueError):
        berger([1, 2, 1])
    assert robin_reason(2, 7) == Reason("round_robin", {"round": 2, "rounds": 7})


def test_pools_are_dealt_forth_and_back() -> None:
    assert snake_pools(range(1, 11), 3) == ((1, 6, 7), (2, 5, 8), (3, 4, 9, 10))
    sums = [sum(pool) for pool in snake_pools(range(1, 17), 4)]
    assert sums == [34, 34, 34, 34]
    for pools in (0, 6):
        with pytest.raises(DomainError) as refused:
            snake_pools(range(11), pools)
        assert (refused.value.code, refused.value.context["most"]) == ("pools.too_many", 5)


def test_pools_play_side_by_side_and_a_small_one_ends_earlier() -> None:
    rounds = pool_rounds([[1, 2, 3, 4], [5, 6]])
    assert [[None if one is None else one.pairs for one in round_] for round_ in rounds] == [
        [((1, 4), (2, 3)), ((5, 6),)],
        [((4, 3), (1, 2)), None],
        [((2, 4), (3, 1)), None],
    ]
    assert pool_rounds([]) == ()


def rows(*players: tuple[int, int], matches: int = 3) -> list[PoolRow]:
    return [PoolRow(player, points, matches) for player, points in players]


A, B, C = rows((1, 9), (2, 6), (3, 3)), rows((4, 7), (5, 6), (6, 4)), rows((7, 9), (8, 5), (9, 1))


def test_the_best_of_every_pool_go_on_winners_first() -> None:
    assert cut_pools([A, B, C], 1) == Cut((1, 7, 4))
    assert cut_pools([A, B], 2) == Cut((1, 4, 2, 5))
    assert cut_pools([A, B, C], 1, wildcards=1) == Cut((1, 7, 4, 2))


def test_a_smaller_pool_is_compared_by_points_for_each_match() -> None:
    small = rows((10, 6), (11, 0), matches=2)
    assert cut_pools([B, small], 1) == Cut((10, 4))
    broken = [PoolRow(12, 7, 3, (Fraction(2, 3),)), PoolRow(13, 0, 3)]
    assert cut_pools([[PoolRow(4, 7, 3, (Fraction(1, 3),)), *B[1:]], broken], 1) == Cut((12, 4))


def test_in_a_pool_the_next_takes_the_place_of_who_left() -> None:
    assert cut_pools([A, B], 1, dropped={1, 6}) == Cut((4, 2), (1,))
    with pytest.raises(DomainError) as refused:
        cut_pools([A, B], 3, dropped={5})
    assert (refused.value.code, refused.value.context["short_pools"]) == ("pools.too_few_players", [2])
    with pytest.raises(DomainError) as wild:
        cut_pools([A, B], 3, wildcards=1)
    assert wild.value.code == "pools.too_few_players"


def test_pool_mates_are_parted_in_the_first_round_and_winners_keep_their_seeds() -> None:
    assert cut_pools([rows((1, 9), (2, 3)), rows((3, 6), (4, 4))], 2) == Cut((1, 3, 2, 4))
    assert cut_pools([A, B, C], 1, wildcards=1).seeds[0] == 1


def clashes(seeds: tuple[int, ...], pool_of: dict[int, int]) -> int:
    return sum(m.b is not None and pool_of[m.a] == pool_of[m.b] for m in first_round(seeds))


def test_an_exchange_that_only_moves_the_meeting_of_pool_mates_is_passed_over() -> None:
    points = [(9, 7, 5, 2, 0), (8, 6, 5, 2, 0), (8, 8, 7, 3, 3), (9, 7, 7, 7, 1), (9, 6, 6, 3, 2)]
    standings = [
        rows(*((10 * pool + place, each) for place, each in enumerate(row))) for pool, row in enumerate(points)
    ]
    seeds = cut_pools(standings, 2, wildcards=2).seeds
    assert seeds == (0, 30, 40, 10, 20, 1, 21, 31, 11, 41, 22, 32)
    assert clashes(seeds, {player: player // 10 for player in seeds}) == 0


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([(2, 2, 0), (3, 2, 0), (4, 1, 2), (2, 1, 2), (3, 1, 3), (4, 2, 0), (2, 3, 0), (2, 4, 0)]),
    st.integers(0, 10**9),
)
def test_as_few_as_can_be_meet_a_pool_mate_first_and_no_place_of_a_pool_is_passed_over(
    shape: tuple[int, int, int], draw: int
) -> None:
    pools, each, wildcards = shape
    rng = Stream(b"s", str(draw))
    standings = [
        [
            PoolRow(10 * pool + place, points, 3)
            for place, points in enumerate(sorted((rng.below(10) for _ in range(5)), reverse=True))
        ]
        for pool in range(pools)
    ]
    pool_of = {row.player: number for number, pool in enumerate(standings) for row in pool}
    seeds = cut_pools(standings, each, wildcards=wildcards).seeds
    tiers = [seeds[start : start + pools] for start in range(0, pools * each, pools)] + [seeds[pools * each :]]
    assert [sorted(tier) for tier in tiers[:each]] == [
        [10 * pool + place for pool in range(pools)] for place in range(each)
    ]
    fewest = (
        min(
            clashes(tuple(player for tier in choice for player in tier), pool_of)
            for choice in product([tiers[0]], *(list(permutations(tier)) for tier in tiers[1:]))
        )
        if len(seeds) <= 6
        else 0
    )
    assert clashes(seeds, pool_of) == fewest


def test_a_round_of_those_who_are_still_there():
    whole = present_round([1, 2, 3, 4], 1, {1, 2, 3, 4})
    assert (len(whole.pairs), whole.byes) == (2, ())
    (home, away), other = whole.pairs

    without = present_round([1, 2, 3, 4], 1, {1, 2, 3, 4} - {away})

    assert without.pairs == (other,)
    assert [(player, reason.as_json()) for player, reason in without.byes] == [
        (home, {"code": "opponent_left", "opponent": away})
    ]


def test_the_bye_of_an_odd_group_is_told_and_falls_away_with_its_player():
    (player, reason), *more = present_round([1, 2, 3], 2, {1, 2, 3}).byes

    assert (reason.as_json(), more) == ({"code": "round_robin_bye", "round": 2, "rounds": 3}, [])
    assert present_round([1, 2, 3], 2, {1, 2, 3} - {player}).byes == ()
    with pytest.raises(ValueError, match="no round 4"):
        present_round([1, 2, 3], 4, {1})
