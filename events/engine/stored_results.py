"""Seats as they are stored, a column each, as a table of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from events.engine.outcomes import OUTCOMES
from events.engine.standings_table import Ints, ResultTable

SEAT_COLUMNS = ("player", "match", "round", "outcome", "side", "game_wins", "game_losses", "game_draws")
NOBODY = -1


def table_of_seats(
    *, ids: Sequence[int], lots: Sequence[int], dropped: Sequence[bool], seats: Mapping[str, Sequence[Any]]
) -> ResultTable:
    """Of players with ascending ``ids``, and matches of any number of seats.

    ``seats`` holds ``SEAT_COLUMNS``, in any order of seats: ids of player and match, the number of the round, the
    outcome's word, the side ("" for each for themselves), and games. At a match of more than two seats everybody is an
    opponent who is not of one's own side. Raises ``ValueError`` for a seat of somebody who is not a player.
    """
    player_ids, match = (np.array(seats[name], np.int64) for name in ("player", "match"))
    known = np.array(ids, np.int64)
    player = np.searchsorted(known, player_ids)
    if len(player) and (not len(known) or (known[np.minimum(player, len(known) - 1)] != player_ids).any()):
        raise ValueError("a result of somebody who is not a player")
    code = {outcome.value: number for number, outcome in enumerate(OUTCOMES)}
    opponent, table_seat, table_opponent = _opponents(player, match, seats["side"])
    wins, losses, draws = (np.array(seats[name], np.int64) for name in ("game_wins", "game_losses", "game_draws"))
    return ResultTable(
        known,
        np.array(dropped, np.bool_),
        np.ones(len(known), np.int64),
        np.array(lots, np.int64),
        player,
        np.array(seats["round"], np.int64),
        opponent,
        np.array([code[word] for word in seats["outcome"]], np.int64),
        wins,
        losses,
        draws,
        table_seat,
        table_opponent,
    )


def _opponents(player: Ints, match: Ints, side: Sequence[str]) -> tuple[Ints, Ints | None, Ints | None]:
    """The opponent of each seat of a duel, -1 elsewhere; and pairs of a row and an opponent, of larger matches."""
    order = np.argsort(match, kind="stable")
    ordered = match[order]
    opponent = np.full(len(player), NOBODY, np.int64)
    starts = np.flatnonzero(np.diff(ordered, prepend=NOBODY))
    sizes = np.diff(starts, append=len(ordered))
    first = order[starts[sizes == 2]]
    second = order[starts[sizes == 2] + 1]
    opponent[first], opponent[second] = player[second], player[first]
    if not (sizes > 2).any():
        return opponent, None, None
    # Of the large matches alone: seats that are so many places apart in the same match, for each distance.
    rows = order[np.repeat(sizes > 2, sizes)]
    pairs = []
    for apart in range(1, int(sizes.max())):
        same = match[rows[apart:]] == match[rows[:-apart]]
        pairs.append((rows[:-apart][same], rows[apart:][same]))
    one = np.concatenate([pair[0] for pair in pairs] + [pair[1] for pair in pairs])
    other = np.concatenate([pair[1] for pair in pairs] + [pair[0] for pair in pairs])
    sides = np.array(side, np.str_)
    against = (sides[one] != sides[other]) | (sides[one] == "")
    return opponent, one[against], player[other[against]]
