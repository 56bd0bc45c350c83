"""Why a player has a place: the explanation of the engine, with the names of everybody in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from config.errors import NotFound
from events.engine.standings import rank_table
from events.engine.standings_reasons import Explanation, explain
from events.models import Event, Player, Round
from events.queries.scoring import result_table, standings_policy


@dataclass(frozen=True)
class Place:
    """``names`` are what everybody reads, of the player, the neighbours and the opponents."""

    explanation: Explanation
    names: Mapping[int, str]


def place_in(event: Event, round_: Round, player_id: int) -> Place:
    """Of a player in the standings after a complete round, counted from the results. 4 queries.

    Raises NotFound "standings.unknown_player".
    """
    if not round_.standings.filter(player=player_id).exists():
        raise NotFound(
            "standings.unknown_player", "This player has no place in these standings.", {"player": player_id}
        )
    ranking = rank_table(result_table(event, up_to=round_.sequence), standings_policy(event))
    found = explain(ranking, player_id)
    people = {player_id}
    for comparison in (found.above, found.below):
        people |= {comparison.above, comparison.below} if comparison is not None else set()
    people |= {part.opponent for figure in found.figures for part in figure.parts if part.opponent is not None}
    rows = Player.objects.filter(event=event, pk__in=people)
    return Place(found, {player.pk: player.shown_name for player in rows})
