from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import pytest

from cards.engine.streams import Stream
from events.engine.seat_order import SeatHistory, seat_tables, turns_again


def _stream(label: object) -> Stream:
    return Stream(b"seats", str(label))


def _key(order: tuple[int, ...], past: list[tuple[int, ...]]) -> tuple[int, int]:
    turns = Counter((one, table[(seat + 1) % len(table)]) for table in past for seat, one in enumerate(table))
    seats = Counter((one, seat) for table in past for seat, one in enumerate(table))
    again = sum(turns[one, order[(seat + 1) % len(order)]] ** 2 for seat, one in enumerate(order))
    return again, sum((seats[one, seat] + 1) ** 2 - seats[one, seat] ** 2 for seat, one in enumerate(order))


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_no_order_of_a_table_is_better(size: int) -> None:
    rng = random.Random(size)
    for number in range(25 if size < 6 else 5):
        past = [tuple(rng.sample(range(size + 1), size)) for _ in range(rng.randrange(15))]
        (order,) = seat_tables([tuple(range(size))], SeatHistory.of(past), _stream(number))
        assert _key(order, past) == min(_key(other, past) for other in permutations(range(size)))


def test_a_table_of_seven_is_seated_exactly_too() -> None:
    rng = random.Random(7)
    past = [tuple(rng.sample(range(7), 7)) for _ in range(5)]
    (order,) = seat_tables([tuple(range(7))], SeatHistory.of(past), _stream(7))
    assert _key(order, past) == min(_key(other, past) for other in permutations(range(7)))


def test_over_the_rounds_everybody_has_every_seat_about_as_often() -> None:
    past: list[tuple[int, ...]] = []
    by_lot: list[tuple[int, ...]] = []
    rng = random.Random(1)
    for number in range(8):
        together = rng.sample(range(16), 16)
        tables = [tuple(together[start : start + 4]) for start in range(0, 16, 4)]
        past += seat_tables(tables, SeatHistory.of(past), _stream(number))
        by_lot += tables

    def unevenness(history: list[tuple[int, ...]]) -> int:
        seats = Counter((one, seat) for table in history for seat, one in enumerate(table))
        return sum((seats[one, seat] - 2) ** 2 for one in range(16) for seat in range(4))

    assert unevenness(past) <= 24 < 60 < unevenness(by_lot)


def test_four_players_meet_in_every_order_of_turns_before_one_comes_again() -> None:
    past: list[tuple[int, ...]] = []
    for number in range(2):
        order = seat_tables([(0, 1, 2, 3)], SeatHistory.of(past), _stream(number))[0]
        assert turns_again(order, SeatHistory.of(past)) == []
        past.append(order)
    assert len(turns_again(past[0], SeatHistory.of(past))) == 4


def test_who_left_counts_no_more_and_tables_keep_their_order() -> None:
    history = SeatHistory.of([(1, None, 2)])
    assert history.seats == Counter({(1, 0): 1, (2, 2): 1})
    assert history.turns == Counter({(2, 1): 1})
    seated = seat_tables([(5, 6, 7, 8), (1, 2, 3)], SeatHistory(), _stream(1))
    assert [sorted(table) for table in seated] == [[5, 6, 7, 8], [1, 2, 3]]


def test_equal_orders_are_drawn() -> None:
    orders = Counter(seat_tables([(1, 2, 3)], SeatHistory(), _stream(number))[0] for number in range(600))
    assert set(orders) == set(permutations((1, 2, 3)))
    assert min(orders.values()) > 60
