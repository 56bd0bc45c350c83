"""Rounds of multiplayer tables: who sits together, and in which order of seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cards.engine.streams import Stream
from config.errors import Conflict
from events.engine.fairness import pairing_label
from events.engine.multiplayer import TablesPlan, plan_tables
from events.engine.multiplayer_check import verify_tables
from events.engine.pairing_model import Reason
from events.models import Round, RoundPlan, Stage
from events.queries.multiplayer import entrants_of, past_tables, tables_options
from events.services.pairing import Seating, store_seatings
from events.services.transaction import EventTransaction


def pair_tables(tx: EventTransaction, stage: Stage, round_: Round) -> None:
    """Seat everybody who plays at tables, and store the round with its plan; who finds no table has a bye.

    The plan is checked by code that shares nothing with the engine. Raises as ``plan_tables``, and Conflict
    "round.plan_does_not_hold" with the faults.
    """
    options = tables_options(stage)
    entrants, history = entrants_of(tx.event), past_tables(tx.event)
    label = pairing_label(stage.number, round_.number)
    plan = plan_tables(entrants, history, options, Stream(bytes(tx.event.secret), label))
    faults = verify_tables(entrants, history, options, plan)
    if faults:
        raise Conflict(
            "round.plan_does_not_hold",
            f"Round {round_.sequence} was not drafted: the tables failed the check that all tables have to pass. "
            "Send the event's log to whoever runs this site.",
            {"round": round_.sequence, "faults": [fault.as_json() for fault in faults]},
        )
    content = {
        "kind": stage.kind,
        "label": label,
        "entrants": [[entrant.id, entrant.points, entrant.byes, sorted(entrant.avoid)] for entrant in entrants],
        **_told(plan),
    }
    RoundPlan.objects.create(round=round_, content=content, history=history)
    store_seatings(tx, round_, _seatings(plan))


def _told(plan: TablesPlan) -> Mapping[str, Any]:
    return {
        "tables": [list(table.players) for table in plan.tables],
        "left_over": list(plan.left_over),
        "cost": plan.cost.as_json(),
        "lower_bound": plan.lower_bound.as_json(),
        "certified": plan.certified,
    }


AT_A_TABLE = ("same_score", "rematch", "rematch_unavoidable")
"""Codes of reasons that say something else of a table than of a pair."""


def _reason(reason: Reason) -> dict[str, Any]:
    said = reason.as_json()
    return {**said, "code": f"table_{reason.code}"} if reason.code in AT_A_TABLE else said


def _seatings(plan: TablesPlan) -> Sequence[Seating]:
    tables = [
        Seating(table.players, number, [_reason(reason) for reason in table.reasons])
        for number, table in enumerate(plan.tables, 1)
    ]
    byes = zip(plan.left_over, plan.left_over_reasons, strict=True)
    return [*tables, *(Seating((player,), None, [reason.as_json()]) for player, reason in byes)]
