"""Another order of tie-breakers than the template's, chosen before the event begins."""

from __future__ import annotations

from collections.abc import Sequence

from config.errors import Conflict
from events.models import Event
from events.queries.tie_breakers import order_of
from events.services.transaction import Actor, Change, Command, event_transaction


def choose_tie_breakers(
    *, event_id: int, actor: Actor, metrics: Sequence[str], command: Command | None = None
) -> Change:
    """Order the standings by these. All else of the scoring stays as the template has it, and so does its citation only
    where the order is the template's own.

    Raises DomainError as ``order_of``, Conflict "event.begun", "standings.not_swiss".
    """
    order = list(order_of(metrics))
    with event_transaction(event_id, actor=actor, command=command) as tx:
        event = tx.event
        if event.state != Event.State.REGISTRATION:
            raise Conflict("event.begun", "The event has begun: its tie-breakers stay as they are.")
        if not any(stage["kind"] == "swiss" for stage in event.rules["stages"]):
            raise Conflict("standings.not_swiss", "Only events with Swiss rounds have another order of tie-breakers.")
        standings = event.rules["standings"]
        if order != list(standings["metrics"]):
            template = event.policy.definition["standings"]
            cites = {key: cite for key, cite in standings.get("cite", {}).items() if key != "metrics"}
            if order == list(template["metrics"]) and "metrics" in template.get("cite", {}):
                cites["metrics"] = template["cite"]["metrics"]
            event.rules["standings"] = {**standings, "metrics": order, "cite": cites}
            event.save(update_fields=["rules"])
            tx.log("event.tie_breakers", {"metrics": order})
        return tx.done(metrics=order)
