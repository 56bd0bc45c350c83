"""Rounds that are not Swiss, made once more from their seed and the results before them."""

from __future__ import annotations

from events.models import Event, Round, Stage
from events.queries.brackets import matches_to_play


def made_again(event: Event, round_: Round) -> list[tuple[int, ...]]:
    """The players of every match in the order of their seats, sorted. Queries grow with nothing but the kind."""
    match round_.stage.kind:
        case Stage.Kind.SINGLE_ELIMINATION:
            return sorted(match.players for match in matches_to_play(round_.stage, round_.number))
    raise ValueError(f"nothing is known of rounds of {round_.stage.kind}")
