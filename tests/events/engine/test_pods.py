from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.pods import PodPlan, draw_pods, draw_seats, pod_sizes


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (4, (4,)),
        (7, (7,)),
        (8, (8,)),
        (9, (5, 4)),
        (10, (6, 4)),
        (11, (6, 5)),
        (12, (6, 6)),
        (13, (7, 6)),
        (14, (8, 6)),
        (16, (8, 8)),
        (17, (6, 6, 5)),
        (18, (6, 6, 6)),
        (20, (8, 6, 6)),
        (23, (8, 8, 7)),
        (24, (8, 8, 8)),
    ],
)
def test_small_pods(players: int, sizes: tuple[int, ...]) -> None:
    assert pod_sizes(players) == PodPlan(sizes, sum(size % 2 for size in sizes))


@pytest.mark.parametrize("players", range(4, 33))
def test_no_other_split_is_better(players: int) -> None:
    splits = [
        sizes
        for pods in range(1, players // 4 + 1)
        for sizes in combinations_with_replacement(range(4, 9), pods)
        if sum(sizes) == players
    ]
    keys = [(sum(size % 2 for size in sizes), sum((size - 8) ** 2 for size in sizes), len(sizes)) for sizes in splits]
    chosen = pod_sizes(players).sizes
    assert (sum(size % 2 for size in chosen), sum((size - 8) ** 2 for size in chosen), len(chosen)) == min(keys)


def test_fields_that_do_not_split_get_shorter_pods_and_say_so() -> None:
    assert pod_sizes(3) == PodPlan((3,), 1, short=True)
    assert pod_sizes(7, target=6) == PodPlan((4, 3), 1, short=True)
    with pytest.raises(DomainError) as refused:
        pod_sizes(1)
    assert refused.value.code == "pods.too_few_players"
    with pytest.raises(DomainError) as unsplit:
        pod_sizes(3, target=2, smallest=2)
    assert unsplit.value.code == "pods.cannot_split"


def test_pods_hold_everybody_once_whatever_the_order_of_the_input() -> None:
    pods = draw_pods(range(14), (8, 6), Stream(b"s", "pods|1"))
    assert [len(pod) for pod in pods] == [8, 6]
    assert sorted(player for pod in pods for player in pod) == list(range(14))
    assert draw_pods(range(13, -1, -1), (8, 6), Stream(b"s", "pods|1")) == pods
    assert draw_pods(range(14), (8, 6), Stream(b"s", "pods|2")) != pods
    with pytest.raises(ValueError):
        draw_pods(range(13), (8, 6), Stream(b"s", "pods|1"))


def test_seats_are_drawn_by_a_stream_of_their_own() -> None:
    seats = draw_seats([4, 2, 3, 1, 5, 6, 7, 8], Stream(b"s", "seats|1|1"))
    assert sorted(seats) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert draw_seats(range(1, 9), Stream(b"s", "seats|1|1")) == seats
    assert draw_seats(range(1, 9), Stream(b"s", "seats|1|2")) != seats


PUBLISHED = {
    8: (8,),
    9: (9,),
    10: (10,),
    11: (11,),
    12: (6, 6),
    13: (7, 6),
    14: (8, 6),
    15: (8, 7),
    16: (8, 8),
    17: (9, 8),
    18: (10, 8),
    19: (10, 9),
    20: (10, 10),
    21: (8, 7, 6),
    22: (8, 8, 6),
    23: (8, 8, 7),
    24: (8, 8, 8),
}
"""Pods of 6 to 11 as published for booster drafts, but for 21: there 11 + 10 is published."""


def test_pods_of_six_to_eleven_are_the_published_ones() -> None:
    assert {players: pod_sizes(players, smallest=6, largest=11).sizes for players in PUBLISHED} == PUBLISHED
