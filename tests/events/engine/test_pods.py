from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.pods import PodPlan, draw_pods, draw_seats, opposite_pairs, pod_sizes


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


def test_the_first_round_is_across_the_table() -> None:
    stream = Stream(b"s", "pairing")
    assert opposite_pairs([1, 2, 3, 4, 5, 6], stream) == (((1, 4), (2, 5), (3, 6)), None)
    assert opposite_pairs(range(1, 9), stream) == (((1, 5), (2, 6), (3, 7), (4, 8)), None)


def test_in_an_odd_pod_anybody_may_have_the_bye_and_the_rest_close_up() -> None:
    byes = set()
    for number in range(60):
        pairs, bye = opposite_pairs([1, 2, 3, 4, 5], Stream(b"s", str(number)))
        left = [player for player in (1, 2, 3, 4, 5) if player != bye]
        assert pairs == ((left[0], left[2]), (left[1], left[3]))
        byes.add(bye)
    assert byes == {1, 2, 3, 4, 5}
