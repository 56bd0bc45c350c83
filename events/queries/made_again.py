"""Rounds that are not Swiss, made once more from their seed and the results before them."""

from __future__ import annotations

from events.engine.made_again import robin_again, tables_again, teams_again
from events.engine.paired_again import KeptPlan
from events.models import Event, Round, Stage
from events.queries.brackets import matches_to_play


def made_again(event: Event, round_: Round) -> list[tuple[int, ...]]:
    """The players of every match in the order of their seats, sorted. Queries grow with nothing but the kind."""
    match round_.stage.kind:
        case Stage.Kind.SINGLE_ELIMINATION:
            return sorted(match.players for match in matches_to_play(round_.stage, round_.number))
        case Stage.Kind.ROUND_ROBIN:
            return robin_again(plan_of(round_), round_.number)
        case Stage.Kind.TABLES:
            return tables_again(bytes(event.secret), plan_of(round_), round_.stage.config)
        case Stage.Kind.TEAMS:
            return teams_again(bytes(event.secret), plan_of(round_))
    raise ValueError(f"nothing is known of rounds of {round_.stage.kind}")


def plan_of(round_: Round) -> KeptPlan:
    """No query, given its plan."""
    return KeptPlan(round_.sequence, round_.plan.content, round_.plan.history)
