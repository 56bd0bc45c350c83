from __future__ import annotations

from itertools import combinations
from time import perf_counter

from hypothesis import given
from hypothesis import strategies as st

from events.engine.feasibility import barred_by, can_pair

Pair = tuple[int, int]


def fewest_left_over(players: list[int], barred: set[Pair], optional: frozenset[int]) -> int:
    """Every way to pair, tried one by one."""
    if not players:
        return 0
    first, *others = players
    alone = (first not in optional) + fewest_left_over(others, barred, optional)
    return min(
        [alone]
        + [
            fewest_left_over([player for player in others if player != other], barred, optional)
            for other in others
            if (first, other) not in barred
        ]
    )


@given(st.integers(0, 8), st.integers(1, 3), st.data())
def test_it_says_what_trying_everything_says(count: int, spare: int, data: st.DataObject) -> None:
    everything = list(combinations(range(count), 2))
    barred = set(data.draw(st.lists(st.sampled_from(everything), unique=True))) if everything else set()
    optional = data.draw(st.frozensets(st.integers(0, max(count - 1, 0)), max_size=3))
    expected = fewest_left_over(list(range(count)), barred, optional) <= spare
    assert can_pair(range(count), barred_by(barred), optional=optional, spare=spare) == expected


def test_one_player_may_be_left_over_and_two_may_not() -> None:
    assert can_pair([1, 2, 3], barred_by([(1, 2), (1, 3)]))
    assert not can_pair([1, 2, 3, 4], barred_by([(1, 2), (1, 3), (1, 4)]))
    assert can_pair([1, 2, 3, 4], barred_by([(1, 2), (1, 3), (1, 4)]), optional=frozenset({1}))


def test_four_who_may_not_meet_need_four_others() -> None:
    among_four = barred_by(list(combinations(range(4), 2)))
    assert [can_pair(range(players), among_four) for players in (6, 7, 8)] == [False, True, True]


def test_ten_thousand_players_are_answered_at_once() -> None:
    rounds = [(player, (player + step) % 10_000) for step in (1, 2, 5) for player in range(10_000)]
    barred = barred_by(rounds)
    start = perf_counter()
    assert can_pair(range(10_000), barred)
    assert not can_pair(range(10_000), barred_by([(0, other) for other in range(1, 10_000)]))
    assert perf_counter() - start < 2
