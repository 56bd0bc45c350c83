"""From the results of a stage to what its next Swiss round is paired from, in columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from config.errors import Conflict
from events.engine.outcomes import OUTCOMES, Outcome
from events.engine.pairing_columns import Entrants, History
from events.engine.standings_figures import Figures
from events.engine.standings_model import StandingsPolicy
from events.engine.standings_table import Ints, ResultTable


def swiss_state(
    table: ResultTable, policy: StandingsPolicy, playing: NDArray[np.bool_], avoid: Ints | None = None
) -> tuple[Entrants, History]:
    """Those who play the next round, with their points, byes and floats so far, and whom each has met.

    ``playing`` marks rows of the table's players. A player floated down in a round whose opponent had fewer points
    before it, and the opponent floated up. Only byes are byes: a round missed gives none. Who lost a match both have
    met. ``avoid`` are pairs of rows of the table's players. Raises Conflict ``pairing.results_missing`` (with the
    matches) while one is not finished.
    """
    _refuse_unfinished(table)
    figures = Figures(table, policy)
    met = np.flatnonzero(table.opponent >= 0)
    player, opponent = table.player[met], table.opponent[met]
    ahead = _lead_before(table, figures.seat_points, met)
    once = player < opponent
    entrants = Entrants(
        table.ids,
        figures.points,
        figures.byes,
        np.bincount(player[ahead > 0], minlength=table.players),
        np.bincount(player[ahead < 0], minlength=table.players),
        avoid=np.empty((0, 2), np.int64) if avoid is None else avoid,
        playing=playing,
    )
    return entrants, History.of(table.ids[np.stack([player[once], opponent[once]], axis=1)], table.ids)


def _refuse_unfinished(table: ResultTable) -> None:
    seats = np.flatnonzero(table.outcome == OUTCOMES.index(Outcome.UNFINISHED))
    if not len(seats):
        return
    matches = sorted(
        {(int(table.round[s]), *sorted(table.ids[[table.player[s], table.opponent[s]]].tolist())) for s in seats}
    )
    raise Conflict(
        "pairing.results_missing",
        f"{'1 result is' if len(matches) == 1 else f'{len(matches)} results are'} missing. Enter or decide "
        "them before the next round is paired.",
        {"matches": [{"round": number, "players": players} for number, *players in matches]},
    )


def _lead_before(table: ResultTable, points: Ints, seats: NDArray[np.intp]) -> Ints:
    """By how many points the player of each of ``seats`` was ahead of the opponent when their round began."""
    width = int(table.round.max(initial=0)) + 1
    place = table.player * width + table.round
    order = np.argsort(place, kind="stable")
    had = np.concatenate([[0], np.cumsum(points[order])])
    first = np.searchsorted(place[order], np.arange(table.players) * width)

    def before(players: Ints) -> Ints:
        at = np.searchsorted(place[order], players * width + table.round[seats])
        found: Ints = had[at] - had[first[players]]
        return found

    return before(table.player[seats]) - before(table.opponent[seats])
