"""Rounds that are not Swiss, made once more from their seed and the results before them."""

from __future__ import annotations

from cards.engine.streams import Stream
from events.engine.multiplayer import TableEntrant, plan_tables
from events.models import Event, Round, Stage
from events.queries.brackets import matches_to_play
from events.queries.multiplayer import tables_options


def made_again(event: Event, round_: Round) -> list[tuple[int, ...]]:
    """The players of every match in the order of their seats, sorted. Queries grow with nothing but the kind."""
    match round_.stage.kind:
        case Stage.Kind.SINGLE_ELIMINATION:
            return sorted(match.players for match in matches_to_play(round_.stage, round_.number))
        case Stage.Kind.TABLES:
            return _tables(event, round_)
    raise ValueError(f"nothing is known of rounds of {round_.stage.kind}")


def _tables(event: Event, round_: Round) -> list[tuple[int, ...]]:
    stored = round_.plan.content
    entrants = [
        TableEntrant(player, points, byes, frozenset(avoid)) for player, points, byes, avoid in stored["entrants"]
    ]
    stream = Stream(bytes(event.secret), stored["label"])
    plan = plan_tables(entrants, round_.plan.history, tables_options(round_.stage), stream)
    return sorted([table.players for table in plan.tables] + [(player,) for player in plan.left_over])
