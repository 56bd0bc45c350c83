"""What the engine of multiplayer tables needs to know, as plain data."""

from __future__ import annotations

from itertools import groupby

from events.engine.multiplayer import TableEntrant, TablesOptions
from events.engine.multiplayer_sizes import SizeRules
from events.models import Avoidance, Event, Round, Seat, Stage
from events.queries.scoring import pairing_state


def tables_options(stage: Stage) -> TablesOptions:
    """Sizes as the stage's rules have them. No query. Raises DomainError ``tables.bad_sizes``."""
    return TablesOptions(SizeRules.between(stage.config["min_players"], stage.config["max_players"]))


def entrants_of(event: Event) -> list[TableEntrant]:
    """Who is to be seated next, with points, byes and whom they are to be kept apart from. 4 queries."""
    apart: dict[int, set[int]] = {}
    for one, other in Avoidance.objects.filter(event=event).values_list("one_id", "other_id"):
        apart.setdefault(one, set()).add(other)
    entrants, _ = pairing_state(event)
    return [
        TableEntrant(entrant.id, entrant.points, entrant.byes, frozenset(apart.get(entrant.id, ())))
        for entrant in entrants.single()
    ]


def past_tables(event: Event) -> list[list[int]]:
    """Players of every table so far, byes left out, in the order of their seats. 1 query."""
    seats = Seat.objects.filter(
        round__event=event, round__state=Round.State.COMPLETE, round__stage__kind=Stage.Kind.TABLES
    )
    rows = seats.order_by("match__round__sequence", "match_id", "index").values_list("match_id", "player_id")
    tables = [[player for _, player in group] for _, group in groupby(rows, lambda row: row[0])]
    return [table for table in tables if len(table) > 1]
