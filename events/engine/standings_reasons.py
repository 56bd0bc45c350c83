"""Why a player stands where they stand: the neighbours, and what each figure is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from events.engine.outcomes import OUTCOMES
from events.engine.standings import Comparison, Ranking
from events.engine.standings_figures import CUTS, MEAN_OF, Figures


@dataclass(frozen=True, slots=True)
class Part:
    """What a round or an opponent gives to a figure. ``opponent`` is None for a bye, a missed or an unplayed round;
    ``round`` is None for what no round of its own has given. What doesn't count was cut off."""

    value: Fraction
    round: int | None = None
    opponent: int | None = None
    outcome: str | None = None
    counts: bool = True

    def as_json(self) -> dict[str, object]:
        return {
            "value": str(self.value),
            "round": self.round,
            "opponent": self.opponent,
            "outcome": self.outcome,
            "counts": self.counts,
        }


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric of one player. ``made`` is how its parts make the value: ``sum``, ``mean``, or ``given`` without."""

    key: str
    value: Fraction
    made: str
    parts: tuple[Part, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "key": self.key,
            "value": str(self.value),
            "made": self.made,
            "parts": [part.as_json() for part in self.parts],
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """``above`` compares with the player one place better, ``below`` with the one a place worse; None at the ends."""

    player: int
    rank: int
    above: Comparison | None
    below: Comparison | None
    figures: tuple[Figure, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "player": self.player,
            "rank": self.rank,
            "above": self.above.as_json() if self.above else None,
            "below": self.below.as_json() if self.below else None,
            "figures": [figure.as_json() for figure in self.figures],
        }


def explain(ranking: Ranking, player: int) -> Explanation:
    """Why the player has this place, metric by metric in the order of the policy.

    The parts of a sum add up to its value, those of a mean have it as their mean. Raises ``ValueError`` for an unknown
    player.
    """
    ids = ranking.figures.table.ids
    at = np.flatnonzero(ids[ranking.order] == player)
    if not len(at):
        raise ValueError(f"{player} is not a player of these standings")
    place = int(at[0])
    index = int(ranking.order[place])
    return Explanation(
        player,
        place + 1,
        _compared(ranking, place) if place else None,
        _compared(ranking, place + 1) if place + 1 < len(ids) else None,
        tuple(_figure(ranking.figures, key, index) for key in ranking.keys),
    )


def _compared(ranking: Ranking, place: int) -> Comparison:
    """The player at ``place`` with the one above."""
    above, below = (int(index) for index in ranking.order[place - 1 : place + 1])
    decider = int(ranking.decided_by[place])
    key = ranking.keys[decider]
    ids, column = ranking.figures.table.ids, ranking.figures[key]
    return Comparison(
        int(ids[above]),
        int(ids[below]),
        ranking.keys[:decider],
        key,
        column[above],
        column[below],
        (place, place + 1),
    )


def _figure(figures: Figures, key: str, index: int) -> Figure:
    if key in MEAN_OF:
        made, parts = "mean", _of_opponents(figures, key, index)
    elif key in CUTS:
        made, parts = "sum", _summed(figures, key, index)
    elif key in _BY_SEAT:
        made, parts = "sum", _of_seats(figures, index, _BY_SEAT[key])
    elif key == "head_to_head":
        counting = set(figures.head_to_head_seats.tolist())
        parts = _of_seats(figures, index, _BY_SEAT["match_points"], lambda seat: seat in counting)
        made = "sum"
    else:
        made, parts = "given", []
    return Figure(key, figures[key][index], made, tuple(parts))


def _meetings(figures: Figures, index: int) -> list[tuple[int, int, int]]:
    """Round, index of the opponent, and seat; by round."""
    seats, opponents = figures.meetings
    own = np.flatnonzero(figures.owners == index)
    found = [(int(figures.table.round[seats[one]]), int(opponents[one]), int(seats[one])) for one in own]
    return sorted(found, key=lambda meeting: (meeting[0], figures.table.ids[meeting[1]]))


def _of_opponents(figures: Figures, key: str, index: int) -> list[Part]:
    table, column = figures.table, figures[MEAN_OF[key]]
    parts = [
        Part(column[other], number, int(table.ids[other]), str(OUTCOMES[table.outcome[seat]]))
        for number, other, seat in _meetings(figures, index)
    ]
    if key == "omw":
        added = figures.policy.bye_opponents * int(figures.byes[index])
        parts += [Part(figures.policy.bye_opponent_value)] * added
    return parts


def _summed(figures: Figures, key: str, index: int) -> list[Part]:
    """The lowest parts and the highest that are cut off are any of those of the same worth: the first by round."""
    table, points = figures.table, figures.points
    parts = [
        Part(Fraction(int(points[other])), number, int(table.ids[other]), str(OUTCOMES[table.outcome[seat]]))
        for number, other, seat in _meetings(figures, index)
    ]
    if key != "opponents_points" and figures.policy.unplayed_rounds == "own_points":
        parts += [Part(Fraction(int(points[index])))] * int(figures.unplayed[index])
    low, high = CUTS[key]
    by_worth = sorted(range(len(parts)), key=lambda place: parts[place].value)
    kept = set(by_worth[low : len(parts) - high])
    return [
        part if place in kept else Part(part.value, part.round, part.opponent, part.outcome, counts=False)
        for place, part in enumerate(parts)
    ]


def _of_seats(
    figures: Figures, index: int, worth: Callable[[Figures, int], Fraction], wanted: Callable[[int], bool] | None = None
) -> list[Part]:
    table = figures.table
    seats = [int(seat) for seat in np.flatnonzero(table.player == index)]
    parts = []
    for seat in sorted(seats, key=lambda one: int(table.round[one])):
        if wanted is None or wanted(seat):
            other = int(table.opponent[seat])
            opponent = int(table.ids[other]) if other >= 0 else None
            outcome = str(OUTCOMES[table.outcome[seat]])
            parts.append(Part(worth(figures, seat), int(table.round[seat]), opponent, outcome))
    return parts


def _game_points(figures: Figures, seat: int) -> Fraction:
    table, policy = figures.table, figures.policy
    if OUTCOMES[table.outcome[seat]].is_bye:
        return Fraction(policy.game_win * policy.bye_games)
    return Fraction(policy.game_win * int(table.wins[seat]) + policy.game_draw * int(table.draws[seat]))


def _of_table(figures: Figures, name: str, seat: int) -> Fraction:
    column = getattr(figures.table, name)
    return Fraction(0) if column is None else Fraction(int(column[seat]), figures.table.unit)


_BY_SEAT: dict[str, Callable[[Figures, int], Fraction]] = {
    "match_points": lambda figures, seat: Fraction(int(figures.seat_points[seat])),
    "match_wins": lambda figures, seat: Fraction(int(OUTCOMES[figures.table.outcome[seat]].is_win)),
    "game_points": _game_points,
    "victory_points": lambda figures, seat: _of_table(figures, "victory", seat),
    "tournament_points": lambda figures, seat: _of_table(figures, "tournament", seat),
}
