"""An accelerated start: in the first rounds the upper part of the field is paired as if it had won already.

In a field much larger than its rounds can order, the favourites then meet earlier. The rule is FIDE's Baku
Acceleration (C.04.5.1), written for any scale of points. Only pairing points change: standings never see virtual ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from events.engine.pairing import Entrant

SOURCE = "FIDE C.04.5.1; the scale of points is a house setting"


@dataclass(frozen=True, slots=True)
class Acceleration:
    """Who gets virtual points (``upper``, fixed before round 1), and how many in each round, from round 1 on; none
    after them."""

    upper: frozenset[int]
    virtual_points: tuple[int, ...]

    def in_round(self, round_number: int) -> int:
        """Virtual points of the upper part in a round, counted from 1."""
        if round_number < 1:
            raise ValueError("rounds are counted from 1")
        return self.virtual_points[round_number - 1] if round_number <= len(self.virtual_points) else 0


def accelerate(seeded: Sequence[int], rounds: int, *, win: int) -> Acceleration:
    """Acceleration for the players by seed, best first, in an event of ``rounds`` whose wins give ``win`` points.

    Upper part: the first half, rounded up to an even number. Accelerated are the first half of the rounds, rounded up;
    in the first half of those, rounded up again, a virtual win counts, in the others half a win (rounded down to a
    whole number: 1 of 3). Late entrants are never in the upper part.
    """
    if rounds < 0 or win < 0:
        raise ValueError("rounds and points are counted from 0")
    if len(set(seeded)) != len(seeded):
        raise ValueError("a player is seeded twice")
    size = min(2 * -(-len(seeded) // 4), len(seeded))
    accelerated = -(-rounds // 2)
    full = -(-accelerated // 2)
    return Acceleration(frozenset(seeded[:size]), (win,) * full + (win // 2,) * (accelerated - full))


def pairing_points(points: Mapping[int, int], acceleration: Acceleration, round_number: int) -> dict[int, int]:
    """Points to pair by in a round: real ones, and virtual ones on top for the upper part."""
    more = acceleration.in_round(round_number)
    return {player: own + more * (player in acceleration.upper) for player, own in points.items()}


def accelerated(entrants: Iterable[Entrant], acceleration: Acceleration, round_number: int) -> tuple[Entrant, ...]:
    """The entrants with their pairing points in place of the real ones, to be paired as usual."""
    more = acceleration.in_round(round_number)
    return tuple(
        replace(entrant, points=entrant.points + more) if entrant.id in acceleration.upper else entrant
        for entrant in entrants
    )
