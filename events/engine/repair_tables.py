"""Numbers for the tables of a repair: as many players as possible stay where they sit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from events.engine.pairing import Entrant, Pair
from events.engine.repair_model import RoundTable


def number_tables(
    pairs: Sequence[Pair],
    *,
    ended: Sequence[RoundTable],
    taken: frozenset[int],
    entrants: Mapping[int, Entrant],
    stay_put: bool,
) -> tuple[RoundTable, ...]:
    """New tables for ``pairs``, on the numbers of the ``ended`` ones and, past those, on new numbers behind all others.

    A fixed table goes before everything, unless it is ``taken`` by a match that stays or given already. Then, with
    ``stay_put``, a pair gets the old table of one of its two wherever that can be arranged for all; what is left goes
    by points, the lower number to the higher pair. The player with more points is ``a``.
    """
    ordered = sorted((_by_points(pair, entrants) for pair in pairs), key=lambda pair: _strength(pair, entrants))
    given: dict[Pair, int] = {}
    for pair in ordered:
        for player in pair:
            fixed = entrants[player].fixed_table
            if fixed is not None and pair not in given and fixed not in taken and fixed not in given.values():
                given[pair] = fixed
    freed = sorted({table.number for table in ended} - set(given.values()))
    if stay_put:
        old = {player: table.number for table in ended for player in table.players}
        wishes = {
            pair: [old[player] for player in pair if old.get(player) in freed] for pair in ordered if pair not in given
        }
        given |= _granted(wishes)
    numbers = _free_numbers([number for number in freed if number not in given.values()], {*taken, *given.values()})
    for pair in ordered:
        if pair not in given:
            given[pair] = next(numbers)
    return tuple(sorted((RoundTable(given[pair], *pair) for pair in ordered), key=lambda table: table.number))


def _granted(wishes: Mapping[Pair, Sequence[int]]) -> dict[Pair, int]:
    """As many pairs as possible on a table they wish for (augmenting paths)."""
    holder: dict[int, Pair] = {}

    def seat(pair: Pair, tried: set[int]) -> bool:
        for number in wishes[pair]:
            if number not in tried:
                tried.add(number)
                if number not in holder or seat(holder[number], tried):
                    holder[number] = pair
                    return True
        return False

    for pair in wishes:
        seat(pair, set())
    return {pair: number for number, pair in holder.items()}


def _free_numbers(freed: Sequence[int], used: set[int]) -> Iterator[int]:
    yield from freed
    yield from count(max([*freed, *used], default=0) + 1)


def _by_points(pair: Pair, entrants: Mapping[int, Entrant]) -> Pair:
    a, b = pair
    return (a, b) if (-entrants[a].points, a) <= (-entrants[b].points, b) else (b, a)


def _strength(pair: Pair, entrants: Mapping[int, Entrant]) -> tuple[int, int, Pair]:
    points = [entrants[player].points for player in pair]
    return -max(points), -sum(points), pair
