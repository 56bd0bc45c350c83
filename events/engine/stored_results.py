"""Seats as they are stored, a column each, as a table of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from events.engine.outcomes import OUTCOMES
from events.engine.standings_table import Ints, ResultTable

SEAT_COLUMNS = ("player", "match", "round", "outcome", "game_wins", "game_losses", "game_draws")
NOBODY = -1


def table_of_seats(
    *, ids: Sequence[int], lots: Sequence[int], dropped: Sequence[bool], seats: Mapping[str, Sequence[Any]]
) -> ResultTable:
    """Of players with ascending ``ids``, and matches of one or two seats.

    ``seats`` holds ``SEAT_COLUMNS``, in any order of seats: ids of player and match, the number of the round, the
    outcome's word, and games. Raises ``ValueError`` for a seat of somebody who is not a player or a match of more than
    two seats.
    """
    player_ids, match = (np.array(seats[name], np.int64) for name in ("player", "match"))
    known = np.array(ids, np.int64)
    player = np.searchsorted(known, player_ids)
    if len(player) and (not len(known) or (known[np.minimum(player, len(known) - 1)] != player_ids).any()):
        raise ValueError("a result of somebody who is not a player")
    code = {outcome.value: number for number, outcome in enumerate(OUTCOMES)}
    wins, losses, draws = (np.array(seats[name], np.int64) for name in ("game_wins", "game_losses", "game_draws"))
    return ResultTable(
        known,
        np.array(dropped, np.bool_),
        np.ones(len(known), np.int64),
        np.array(lots, np.int64),
        player,
        np.array(seats["round"], np.int64),
        _opponents(player, match),
        np.array([code[word] for word in seats["outcome"]], np.int64),
        wins,
        losses,
        draws,
    )


def _opponents(player: Ints, match: Ints) -> Ints:
    order = np.argsort(match, kind="stable")
    same = match[order][1:] == match[order][:-1]
    if (same[1:] & same[:-1]).any():
        raise ValueError("a match of more than two seats")
    first, second = order[:-1][same], order[1:][same]
    opponent = np.full(len(player), NOBODY, np.int64)
    opponent[first], opponent[second] = player[second], player[first]
    return opponent
