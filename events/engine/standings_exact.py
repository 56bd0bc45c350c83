"""Exact fractions by the column: whole numbers of any size in NumPy, over one denominator.

Sums of fractions in floats depend on the order of addition, and the common denominator of a large event's game-win
percentages is above 64 bits. So numerators are kept in limbs of 28 bits: a product of two limbs, added up a hundred
times, still fits into 64. Nothing here rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

BITS = 28
_MASK = (1 << BITS) - 1

Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Player ``i`` has ``sum(limbs[j][i] << (28 * j)) / denominator``. Limbs are 0 to 2**28 - 1, the lowest first."""

    limbs: tuple[Whole, ...]
    denominator: int

    def __len__(self) -> int:
        return len(self.limbs[0])

    def __getitem__(self, index: int) -> Fraction:
        return Fraction(sum(int(limb[index]) << (BITS * j) for j, limb in enumerate(self.limbs)), self.denominator)

    @property
    def keys(self) -> list[Whole]:
        """What orders the values, the most important first: two limbs in each."""
        pairs = [self.limbs[j : j + 2] for j in range(0, len(self.limbs), 2)]
        return [pair[0] if len(pair) == 1 else pair[0] | pair[1] << BITS for pair in reversed(pairs)]

    def over(self, denominator: int) -> Column:
        """The same values over a multiple of the denominator."""
        factor = denominator // self.denominator
        if factor * self.denominator != denominator:
            raise ValueError(f"{denominator} is no multiple of {self.denominator}")
        if factor == 1:
            return self
        return Column(_product(self.limbs, [np.int64(limb) for limb in _split(factor)]), denominator)


def whole(numbers: Whole, denominator: int = 1) -> Column:
    """A column of ``numbers / denominator``. Raises ``ValueError`` for a negative number."""
    if len(numbers) and numbers.min() < 0:
        raise ValueError("figures of standings are never negative")
    return Column(_carried([numbers]), denominator)


def ratio(
    numerators: Whole,
    denominators: Whole,
    *,
    floor: Fraction = Fraction(0),
    cap: tuple[NDArray[np.bool_], Fraction] | None = None,
) -> Column:
    """Each numerator by its denominator, at least ``floor``, which also stands for nothing by nothing.

    ``cap`` is the most that those marked can have. Numerators and denominators are below 2**32, and the denominators
    of floor and cap at most 10**9.
    """
    present = np.flatnonzero(np.bincount(denominators))
    common = lcm(*(int(one) for one in present if one), floor.denominator, cap[1].denominator if cap else 1)
    factors = _by_key({int(one): common // int(one) for one in present if one})
    limbs = list(_carried([numerators * factor[denominators] for factor in factors]))
    low = (denominators == 0) | (numerators * floor.denominator < denominators * floor.numerator)
    _put(limbs, low, int(floor * common))
    if cap is not None:
        marked, most = cap
        high = marked & np.where(low, floor > most, numerators * most.denominator > denominators * most.numerator)
        _put(limbs, high, int(most * common))
    return Column(tuple(limbs), common)


def mean(
    column: Column,
    owners: Whole,
    members: Whole,
    *,
    extra: tuple[Whole, Fraction] | None = None,
) -> Column:
    """The mean, for every owner, of the values of its members; 0 without any.

    ``owners`` and ``members`` are indices, one of each for a meeting; a member met twice counts twice. ``extra`` is how
    many more members each owner has, all of one value.
    """
    if extra is not None:
        column = column.over(lcm(column.denominator, extra[1].denominator))
    counts = np.bincount(owners, minlength=len(column))
    sums = [_sums(limb, owners, members) for limb in column.limbs]
    if extra is not None:
        more, value = extra
        counts = counts + more
        parts = _split(int(value * column.denominator))
        sums += [np.zeros_like(counts)] * (len(parts) - len(sums))
        sums = [total + more * (parts[j] if j < len(parts) else 0) for j, total in enumerate(sums)]
    present = [int(one) for one in np.flatnonzero(np.bincount(counts)) if one]
    common = lcm(*present)
    factors = _by_key({one: common // one for one in present})
    return Column(_product(_carried(sums), [factor[counts] for factor in factors]), column.denominator * common)


def groups(columns: Iterable[Column], length: int) -> Whole:
    """A number for each player, the same for those who are equal in every column."""
    keys = [key for column in columns for key in column.keys]
    numbers = np.zeros(length, np.int64)
    if keys:
        order = np.lexsort(keys[::-1])
        numbers[order] = np.cumsum(differs(keys, order))
    return numbers


def differs(keys: Sequence[Whole], order: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether each in the order has another value than the one before it; False for the first."""
    found = np.zeros(len(order), bool)
    for key in keys:
        ordered = key[order]
        found[1:] |= ordered[1:] != ordered[:-1]
    return found


def _sums(limb: Whole, owners: Whole, members: Whole) -> Whole:
    # bincount adds in floats: exact below 2**53, which is 2**25 members of 2**28.
    return np.bincount(owners, weights=limb.astype(np.float64)[members], minlength=len(limb)).astype(np.int64)


def _split(number: int) -> list[int]:
    limbs = [number & _MASK]
    while number := number >> BITS:
        limbs.append(number & _MASK)
    return limbs


def _by_key(numbers: dict[int, int]) -> list[Whole]:
    """Limbs of the numbers, each limb as a table by key; 0 where there is no number."""
    split = {key: _split(number) for key, number in numbers.items()}
    tables = np.zeros((max(map(len, split.values()), default=1), max(split, default=0) + 1), np.int64)
    for key, limbs in split.items():
        tables[: len(limbs), key] = limbs
    return list(tables)


def _product(limbs: Sequence[Whole], factors: Sequence[Whole | np.int64]) -> tuple[Whole, ...]:
    parts = [np.zeros_like(limbs[0]) for _ in range(len(limbs) + len(factors) - 1)]
    for j, limb in enumerate(limbs):
        for k, factor in enumerate(factors):
            parts[j + k] += limb * factor
    return _carried(parts)


def _carried(parts: Iterable[Whole]) -> tuple[Whole, ...]:
    """Limbs of ``sum(part << (28 * j))``, without leading ones that are 0 for everybody."""
    limbs = []
    carry: Whole | None = None
    for part in parts:
        total = part if carry is None else part + carry
        limbs.append(total & _MASK)
        carry = total >> BITS
    while carry is not None and carry.any():
        limbs.append(carry & _MASK)
        carry = carry >> BITS
    while len(limbs) > 1 and not limbs[-1].any():
        limbs.pop()
    return tuple(limbs)


def _put(limbs: list[Whole], where: NDArray[np.bool_], number: int) -> None:
    """Write the number where it is asked for."""
    if not where.any():
        return
    parts = _split(number)
    limbs.extend(np.zeros_like(limbs[0]) for _ in range(len(parts) - len(limbs)))
    for j, limb in enumerate(limbs):
        limb[where] = parts[j] if j < len(parts) else 0
