"""Which table a pair plays at: by standing, around the seats that are fixed and the numbers that are not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count

from config.errors import Unprocessable

Pair = tuple[int, int]


class SeatKind(StrEnum):
    """Why a player's table is fixed. Where two claims meet, what a player needs goes before what an audience wants
    (house setting)."""

    ACCESSIBILITY = "accessibility"
    FEATURE = "feature"

    @property
    def rank(self) -> int:
        """Smaller has the stronger claim."""
        return (SeatKind.ACCESSIBILITY, SeatKind.FEATURE).index(self)


@dataclass(frozen=True, slots=True)
class FixedSeat:
    """``player`` plays at ``table`` in every round."""

    player: int
    table: int
    kind: SeatKind = SeatKind.ACCESSIBILITY


@dataclass(frozen=True, slots=True)
class TableRange:
    """Tables ``first`` to ``last``, both included; without ``last`` there is no end to them."""

    first: int = 1
    last: int | None = None

    def __post_init__(self) -> None:
        if self.first < 1 or (self.last is not None and self.last < self.first):
            raise ValueError(f"no table is in a range from {self.first} to {self.last}")

    def __contains__(self, table: int) -> bool:
        return self.first <= table and (self.last is None or table <= self.last)


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The tables that there are, hall after hall in the order in which they fill, without the ``missing`` numbers."""

    ranges: tuple[TableRange, ...] = (TableRange(),)
    missing: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        known = sorted(self.ranges, key=lambda hall: hall.first)
        for left, right in zip(known, known[1:], strict=False):
            if left.last is None or right.first <= left.last:
                raise ValueError(f"table {right.first} is in two ranges")

    def __contains__(self, table: int) -> bool:
        return table not in self.missing and any(table in hall for hall in self.ranges)

    def numbers(self) -> Iterator[int]:
        """Every table, in the order in which they fill."""
        for hall in self.ranges:
            tables = count(hall.first) if hall.last is None else range(hall.first, hall.last + 1)
            yield from (table for table in tables if table not in self.missing)


@dataclass(frozen=True, slots=True)
class Displaced:
    """A player who plays at table ``given`` and not at the fixed one, and why: the ``opponent`` or ``another_pair``
    has the stronger claim, or the table is ``not_there``."""

    player: int
    wanted: int
    given: int
    why: str


@dataclass(frozen=True, slots=True)
class TableAssignment:
    """``tables`` holds one number per pair, in the order of the pairs; ``displaced`` is in the order of the claims."""

    tables: tuple[int, ...]
    displaced: tuple[Displaced, ...] = ()


def assign_tables(
    pairs: Sequence[Pair],
    points: Mapping[int, int],
    fixed: Sequence[FixedSeat] = (),
    *,
    first: int = 1,
    layout: TableLayout | None = None,
    blocks: Sequence[int] | None = None,
) -> TableAssignment:
    """Best pair (higher points of either player, then of the other) at the first free table.

    ``points`` are whatever orders the players, higher is better: match points, or minus the rank in the standings.
    ``layout`` says which tables there are; by default all from ``first`` on. ``blocks`` holds a number per pair (its
    pod): a lower block sits before a higher one, whatever the points. A bye has no table: leave it out, it is listed
    after them.

    A player with a fixed seat keeps it together with the opponent. Of two claims on one pair or one table the stronger
    kind comes first, then the lower table number, then the better pair; whoever loses the seat is in ``displaced``.
    Raises Unprocessable ``tables.too_few`` when the layout ends before the pairs do.
    """
    layout = layout or TableLayout((TableRange(first),))
    order = _best_first(pairs, points, blocks)
    given, displaced = _fixed_first(pairs, order, fixed, layout)
    taken = set(given.values())
    free = (table for table in layout.numbers() if table not in taken)
    for index in order:
        if index in given:
            continue
        table = next(free, None)
        if table is None:
            available = sum(1 for _ in layout.numbers())
            raise Unprocessable(
                "tables.too_few",
                f"{len(pairs)} pairs play and {available} tables are there. Add a range of tables.",
                {"pairs": len(pairs), "tables": available},
            )
        given[index] = table
    return TableAssignment(
        tuple(given[index] for index in range(len(pairs))),
        tuple(Displaced(seat.player, seat.table, given[index], why) for seat, index, why in displaced),
    )


def _best_first(pairs: Sequence[Pair], points: Mapping[int, int], blocks: Sequence[int] | None) -> list[int]:
    """Indexes of the pairs. One whole number per pair orders them: sorting five thousand is then a millisecond."""
    of = points.get
    left, right = [of(a, 0) for a, _ in pairs], [of(b, 0) for _, b in pairs]
    least = min((0, *left, *right))
    span = max((0, *left, *right)) - least + 1
    strength = [a * span + b if a > b else b * span + a for a, b in zip(left, right, strict=True)]
    if blocks is not None:
        strength = [value - block * span * span for value, block in zip(strength, blocks, strict=True)]
    return sorted(range(len(pairs)), key=strength.__getitem__, reverse=True)


def _fixed_first(
    pairs: Sequence[Pair], order: Sequence[int], fixed: Sequence[FixedSeat], layout: TableLayout
) -> tuple[dict[int, int], list[tuple[FixedSeat, int, str]]]:
    """Tables by index of the pair for the claims that are kept; the others with their pair and the reason."""
    wanted = {seat.player for seat in fixed}
    place_of: dict[int, int] = {}
    for place, index in enumerate(order) if wanted else ():
        a, b = pairs[index]
        if a in wanted:
            place_of[a] = place
        if b in wanted:
            place_of[b] = place
    claims = sorted(
        (seat.kind.rank, seat.table, place_of[seat.player], seat.player, number)
        for number, seat in enumerate(fixed)
        if seat.player in place_of
    )
    given: dict[int, int] = {}
    taken: set[int] = set()
    displaced = []
    for _, table, place, _, number in claims:
        seat = fixed[number]
        index = order[place]
        if given.get(index) == table:
            continue
        if table not in layout:
            displaced.append((seat, index, "not_there"))
        elif index in given:
            displaced.append((seat, index, "opponent"))
        elif table in taken:
            displaced.append((seat, index, "another_pair"))
        else:
            given[index] = table
            taken.add(table)
    return given, displaced
