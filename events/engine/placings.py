"""What a multiplayer table comes to: who was placed where, and what each place is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from config.errors import DomainError
from events.engine.outcomes import Outcome

Points = int | Fraction


class Leaving(StrEnum):
    """How somebody's game ended before the others' did."""

    ELIMINATED = "eliminated"
    CONCEDED = "conceded"


@dataclass(frozen=True, slots=True)
class Exit:
    """Players who left a game at the same moment."""

    players: frozenset[int]
    how: Leaving = Leaving.ELIMINATED


class Ties(StrEnum):
    """Players on one place share the points of the places they fill, or all get those of the best of them."""

    SPLIT = "split"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class PlacingPoints:
    """Points for each place, best first, for each size of table.

    ``ties`` says what players on one place get. ``shared_victory``, if given, is what each of several winners gets
    instead. With ``conceding_is_last``, a player who concedes gets the points of the last place (house settings all).
    """

    by_size: Mapping[int, tuple[Points, ...]]
    ties: Ties = Ties.SPLIT
    shared_victory: Points | None = None
    conceding_is_last: bool = False

    def __post_init__(self) -> None:
        for size, points in self.by_size.items():
            if len(points) != size or any(better < worse for better, worse in zip(points, points[1:], strict=False)):
                raise DomainError(
                    "placings.bad_points",
                    f"A table of {size} needs {size} numbers of points, none above the one before it.",
                    {"size": size, "points": [str(one) for one in points]},
                )


def winner_takes(win: Points, shared: Points, loss: Points, sizes: Collection[int]) -> PlacingPoints:
    """Points of a policy that knows winners and losers only; several winners get ``shared`` each."""
    return PlacingPoints({size: (win, *[loss] * (size - 1)) for size in sizes}, Ties.FULL, shared)


def places_by_exits(players: Collection[int], exits: Sequence[Exit]) -> dict[int, int]:
    """The place of each player, from 1, by the order in which they left; those who never did share the first.

    Players who left together share a place, and the next one is counted on by their number. If nobody is left, the
    last to leave share the victory. Raises DomainError ``placings.not_at_table`` or ``placings.left_twice``.
    """
    left: Counter[int] = Counter(player for one in exits for player in one.players)
    for player, times in sorted(left.items()):
        if player not in players:
            raise DomainError(
                "placings.not_at_table", f"Player {player} does not sit at this table.", {"player": player}
            )
        if times > 1:
            raise DomainError(
                "placings.left_twice", f"Player {player} leaves {times} times. Keep one of them.", {"player": player}
            )
    places = {player: 1 for player in players if player not in left}
    ahead = len(places)
    for one in reversed(exits):
        places |= dict.fromkeys(sorted(one.players), ahead + 1)
        ahead += len(one.players)
    return places


def placing_points(
    places: Mapping[int, int], policy: PlacingPoints, conceded: Collection[int] = ()
) -> dict[int, Points]:
    """Points of every player of one table, exact: whole numbers, or fractions where a tie splits them.

    ``conceded`` are the players who conceded, for policies that ask. Raises DomainError ``placings.impossible`` for
    places that no game can end with (1, 2, 2, 3), and ``placings.no_points_for_size``.
    """
    check_places(places)
    points = policy.by_size.get(len(places))
    if points is None:
        raise DomainError(
            "placings.no_points_for_size",
            f"The policy names no points for a table of {len(places)}. Add them.",
            {"size": len(places), "sizes": sorted(policy.by_size)},
        )
    level = Counter(places.values())
    scored: dict[int, Points] = {}
    for player, place in places.items():
        filled = points[place - 1 : place - 1 + level[place]]
        if policy.conceding_is_last and player in conceded:
            scored[player] = points[-1]
        elif place == 1 and level[1] > 1 and policy.shared_victory is not None:
            scored[player] = policy.shared_victory
        elif policy.ties is Ties.FULL:
            scored[player] = filled[0]
        else:
            scored[player] = _whole(Fraction(sum(filled)) / len(filled))
    return scored


def outcomes_by_place(places: Mapping[int, int]) -> dict[int, Outcome]:
    """What the places mean in match points: a sole winner wins, those who share the victory draw, the others lose."""
    check_places(places)
    shared = list(places.values()).count(1) > 1
    first = Outcome.DRAW if shared else Outcome.WIN
    return {player: first if place == 1 else Outcome.LOSS for player, place in places.items()}


def check_places(places: Mapping[int, int]) -> None:
    """Each place must be 1 more than the number of players who are ahead. Raises ``placings.impossible``."""
    given = sorted(places.values())
    for place in given:
        ahead = sum(other < place for other in given)
        if place != ahead + 1:
            raise DomainError(
                "placings.impossible",
                f"Place {place} cannot be: {ahead} players are ahead, so it is place {ahead + 1}. Players who are "
                "level share a place, and the next place is counted on by their number.",
                {"places": given, "place": place, "expected": ahead + 1},
            )


def _whole(points: Fraction) -> Points:
    return points.numerator if points.denominator == 1 else points
