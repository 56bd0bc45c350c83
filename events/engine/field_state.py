"""From results to the field that is to be paired: points, byes, floats and meetings of every player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from config.errors import Conflict
from events.engine.pairing import Entrant, Pair
from events.engine.standings_model import Result, StandingsPolicy


@dataclass(frozen=True, slots=True)
class FieldPlayer:
    """A player of the stage; only ``active`` ones are paired. ``avoid`` as in ``Entrant``."""

    id: int
    active: bool = True
    avoid: frozenset[int] = frozenset()


def field_after(
    players: Iterable[FieldPlayer], results: Sequence[Result], policy: StandingsPolicy
) -> tuple[tuple[Entrant, ...], tuple[Pair, ...]]:
    """Entrants of the next round, in the order of ``players``, and every meeting so far by round.

    Only byes count as byes: a round missed, by coming late or by an absence, gives no points and is no bye. Players
    who lost a match both have met, as everybody who sat at one table. Points are those that each had when a round was
    paired, so that pair-downs and pair-ups are told as they were.

    Raises Conflict ``pairing.results_missing`` (with the matches) while a result is not final.
    """
    ordered = sorted(results, key=lambda result: result.round)
    _refuse_unfinished(ordered)
    players = list(players)
    points = {player.id: 0 for player in players}
    byes, down, up = dict.fromkeys(points, 0), dict.fromkeys(points, 0), dict.fromkeys(points, 0)
    history: list[Pair] = []
    for _, played in groupby(ordered, key=lambda result: result.round):
        before = dict(points)
        for result in played:
            points[result.a] += policy.points(result.outcome_a)
            byes[result.a] += result.outcome_a.is_bye
            if result.b is None or result.outcome_b is None:
                continue
            points[result.b] += policy.points(result.outcome_b)
            history.append((result.a, result.b))
            if before[result.a] != before[result.b]:
                high, low = sorted((result.a, result.b), key=lambda player: -before[player])
                down[high] += 1
                up[low] += 1
    entrants = tuple(
        Entrant(
            id=player.id,
            points=points[player.id],
            byes=byes[player.id],
            paired_down=down[player.id],
            paired_up=up[player.id],
            avoid=player.avoid,
        )
        for player in players
        if player.active
    )
    return entrants, tuple(history)


def _refuse_unfinished(results: Sequence[Result]) -> None:
    waiting = [result for result in results if not result.outcome_a.is_final]
    if waiting:
        raise Conflict(
            "pairing.results_missing",
            f"{'1 result is' if len(waiting) == 1 else f'{len(waiting)} results are'} missing. Enter or decide "
            "them before the next round is paired.",
            {"matches": [{"round": result.round, "players": [result.a, result.b]} for result in waiting]},
        )
