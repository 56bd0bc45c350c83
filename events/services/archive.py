"""Put an event that is over away, and take it out again."""

from __future__ import annotations

from config.errors import Conflict
from events.models import Event
from events.services.transaction import Actor, Change, Command, event_transaction

OVER = (Event.State.FINISHED, Event.State.CANCELLED)


def archive_event(*, event_id: int, actor: Actor, command: Command | None = None) -> Change:
    """Hide it from lists and let nothing in it be changed. Its pages stay where they are, so that links to it hold.

    Raises Conflict "event.not_over", "event.archived".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        if tx.event.state not in OVER:
            raise Conflict(
                "event.not_over", "The event goes on: finish it or call it off first.", {"state": tx.event.state}
            )
        tx.event.archived_at = tx.now
        tx.event.save(update_fields=["archived_at"])
        tx.log("event.archived", {})
        return tx.done(event=tx.event.pk, archived=True)


def restore_event(*, event_id: int, actor: Actor, command: Command | None = None) -> Change:
    """Undo ``archive_event``. Raises Conflict "event.not_archived"."""
    with event_transaction(event_id, actor=actor, command=command, archived=True) as tx:
        if tx.event.archived_at is None:
            raise Conflict("event.not_archived", "The event is not in the archive.")
        tx.event.archived_at = None
        tx.event.save(update_fields=["archived_at"])
        tx.log("event.restored", {})
        return tx.done(event=tx.event.pk, archived=False)
