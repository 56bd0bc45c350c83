"""Who sits where at a multiplayer table: the best order of all there are, table by table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from cards.engine.streams import Stream

Ints = npt.NDArray[np.int64]

_AT_ONCE = 500_000
"""Orders weighed in one step, so that large fields need no large memory."""


@dataclass(slots=True)
class SeatHistory:
    """How often somebody had a seat (``seats[player, seat]``, counted from 0), and how often the turn of one player
    came directly before another's (``turns[player, next]``; after the last seat comes the first)."""

    seats: Counter[tuple[int, int]] = field(default_factory=Counter)
    turns: Counter[tuple[int, int]] = field(default_factory=Counter)

    @classmethod
    def of(cls, tables: Sequence[Sequence[int | None]]) -> SeatHistory:
        """From earlier tables in seat order; None is somebody who does not matter any more."""
        history = cls()
        for table in tables:
            for seat, player in enumerate(table):
                after = table[(seat + 1) % len(table)]
                if player is not None:
                    history.seats[player, seat] += 1
                    if after is not None:
                        history.turns[player, after] += 1
        return history


def seat_tables(tables: Sequence[Sequence[int]], history: SeatHistory, rng: Stream) -> list[tuple[int, ...]]:
    """The players of each table in the order of their seats, the tables as they came.

    Best is, of all orders: the fewest turns directly before the same player as before (each counted with the square of
    how often), then the evenest seats (least sum of squares of how often each player had each seat), then the draw.
    Exact for the tables as they are; a seat has no effect on who sits with whom.
    """
    seated: list[tuple[int, ...]] = [()] * len(tables)
    for size in sorted({len(table) for table in tables}):
        numbers = [number for number, table in enumerate(tables) if len(table) == size]
        orders = _orders(size)
        step = max(1, _AT_ONCE // len(orders))
        for start in range(0, len(numbers), step):
            some = numbers[start : start + step]
            costs = _costs([tables[number] for number in some], history, orders)
            least = costs.min(axis=1)
            for number, row, best in zip(some, costs, least, strict=True):
                order = orders[rng.choice(np.flatnonzero(row == best).tolist())]
                seated[number] = tuple(tables[number][member] for member in order)
    return seated


def turns_again(order: Sequence[int], history: SeatHistory) -> list[tuple[int, int]]:
    """Neighbours of this order of whom the first has had the turn directly before the second already."""
    pairs = ((player, order[(seat + 1) % len(order)]) for seat, player in enumerate(order))
    return [pair for pair in pairs if history.turns[pair]]


@lru_cache(maxsize=8)
def _orders(size: int) -> Ints:
    """``orders[i, seat]`` is the member who sits there in order i."""
    return np.array(list(permutations(range(size))), np.int64)


def _costs(tables: Sequence[Sequence[int]], history: SeatHistory, orders: Ints) -> Ints:
    """Cost of every order (columns) at every table (rows)."""
    size = orders.shape[1]
    seats = np.array(
        [[[history.seats[one, seat] for seat in range(size)] for one in table] for table in tables], np.int64
    )
    turns = np.array(
        [[[history.turns[one, other] ** 2 for other in table] for one in table] for table in tables], np.int64
    )
    # What the sum of squares grows by is 2n + 1; the 1 is the same for all, and so is the factor.
    turn_weight = 1 + size * int(seats.max(initial=0))
    costs = np.zeros((len(tables), len(orders)), np.int64)
    for seat in range(size):
        here, after = orders[:, seat], orders[:, (seat + 1) % size]
        costs += seats[:, here, seat]
        if turns.any():
            costs += turn_weight * turns[:, here, after]
    return costs
