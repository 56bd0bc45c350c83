"""Staff ask for decklists that are missing or illegal."""

from __future__ import annotations

from datetime import timedelta

from config.errors import Conflict, Unprocessable
from events.engine.decklist_rules import decklist_rules
from events.models import Event, Notice, Player, Round
from events.queries.decklists import gaps_among
from events.queries.registration import HOLDING
from events.services.registration import player_of
from events.services.transaction import Actor, Change, Command, EventTransaction, event_transaction

PAUSE = timedelta(minutes=10)


def remind_of_decklists(
    *, event_id: int, actor: Actor, player_id: int | None = None, command: Command | None = None
) -> Change:
    """Ask everybody with a place who has no decklist or an illegal one, or one of them, to hand it in: on their own
    page at once, and by the ways that they chose. Each is asked once in ``PAUSE`` at most.

    Raises NotFound "player.unknown", Conflict "decklist.not_asked", "decklist.too_late" (round 1 is posted),
    "decklist.reminded_lately" (when next), Unprocessable "decklist.nobody_to_remind".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        _refuse_unasked(tx)
        people = [player_of(tx, player_id)] if player_id is not None else list(_players(tx.event))
        lacking = gaps_among(tx.event, [player for player in people if player.state in HOLDING]).players
        if not lacking:
            raise Unprocessable("decklist.nobody_to_remind", "There is nobody to remind: no decklist is wanting.")
        since = tx.now - PAUSE
        asked = [player for player in lacking if (player.decklist_reminded_at or since) <= since]
        if not asked:
            again = min(player.decklist_reminded_at for player in lacking if player.decklist_reminded_at) + PAUSE
            raise Conflict(
                "decklist.reminded_lately",
                f"They were reminded less than {PAUSE.seconds // 60} minutes ago. Give them time to answer.",
                {"again_at": again.isoformat()},
            )
        for player in asked:
            player.decklist_reminded_at = tx.now
        Player.objects.bulk_update(asked, ["decklist_reminded_at"])
        ids = sorted(player.pk for player in asked)
        tx.log("decklists.reminded", {"players": ids}, public=False)
        tx.tell(Notice.DECKLIST_REMINDER, {"players": ids})
        return tx.done(reminded=ids, lately=len(lacking) - len(asked))


def _players(event: Event) -> list[Player]:
    return list(event.players.select_for_update().filter(state__in=HOLDING).order_by("pk"))


def _refuse_unasked(tx: EventTransaction) -> None:
    event = tx.event
    if event.state not in (Event.State.REGISTRATION, Event.State.RUNNING) or not decklist_rules(event.rules).requires:
        raise Conflict("decklist.not_asked", "This event needs no decklists now.", {"state": event.state})
    if event.rounds.exclude(state=Round.State.DRAFT).exists():
        raise Conflict("decklist.too_late", "Round 1 is posted. Take a decklist at the desk, with a reason.")
