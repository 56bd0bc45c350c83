"""A round robin: everybody meets everybody, in the order of the lots."""

from __future__ import annotations

from config.errors import Conflict
from events.engine.round_robin import berger, present_round, robin_reason
from events.engine.tables import assign_tables
from events.models import Event, Player, Round, RoundPlan, Stage
from events.queries.scoring import wishes_of
from events.services.pairing import Seating, store_seatings
from events.services.transaction import EventTransaction


def robin_order(event: Event) -> list[int]:
    """Everybody who is there, in the order of the lots that were drawn when the event began. 1 query."""
    there = event.players.filter(state=Player.State.CHECKED_IN).order_by("lot")
    return list(there.values_list("pk", flat=True))


def rounds_of_robin(order: list[int]) -> int:
    """Raises DomainError "round_robin.size"."""
    return len(berger(order))


def pair_robin(tx: EventTransaction, stage: Stage, round_: Round) -> None:
    """Store the next round of the stage's order; whose opponent left has a bye.

    Raises Conflict "round.too_few_players".
    """
    state = Player.State.CHECKED_IN
    there = set(tx.event.players.filter(pk__in=stage.seeds, state=state).values_list("pk", flat=True))
    if len(there) < 2:
        raise Conflict("round.too_few_players", "A round needs at least two players who are still in the event.")
    made = present_round(stage.seeds, round_.number, there)
    content = {
        "kind": stage.kind,
        "order": stage.seeds,
        "there": sorted(there),
        "assigned_byes": [player for player, _ in made.byes],
    }
    RoundPlan.objects.create(round=round_, content=content)
    seats = wishes_of(tx.event, sequence=round_.sequence).seats
    tables = assign_tables(made.pairs, {}, seats).tables
    why = [robin_reason(round_.number, stage.rounds_planned or 0).as_json()]
    seatings = [Seating(pair, table, why) for pair, table in zip(made.pairs, tables, strict=True)]
    store_seatings(tx, round_, [*seatings, *(Seating((player,), None, [why.as_json()]) for player, why in made.byes)])
