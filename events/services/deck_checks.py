"""What was found when a deck was counted against its decklist."""

from __future__ import annotations

from config.errors import Conflict, DomainError
from events.models import DeckCheck, DecklistSubmission, Event, Round
from events.services.registration import player_of
from events.services.transaction import Actor, Change, Command, event_transaction

LONGEST_NOTE = 300


def record_deck_check(
    *,
    event_id: int,
    actor: Actor,
    player_id: int,
    decklist_id: int,
    found: str,
    note: str = "",
    command: Command | None = None,
) -> Change:
    """Write down a check of the decklist ``decklist_id``, which has to be the one that counts.

    Raises NotFound "player.unknown", DomainError "deck_check.found", "deck_check.note" (what is not in order has to be
    said), Conflict "event.over", "deck_check.replaced" (the decklist was replaced since it was looked at, or is gone).
    """
    note = note.strip()
    if found not in DeckCheck.Found.values:
        raise DomainError("deck_check.found", "Say whether the deck is in order.", {"found": DeckCheck.Found.values})
    if len(note) > LONGEST_NOTE or (found == DeckCheck.Found.PROBLEM and not note):
        raise DomainError("deck_check.note", f"Say what is not in order, in at most {LONGEST_NOTE} characters.")
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = player_of(tx, player_id)
        if tx.event.state not in (Event.State.REGISTRATION, Event.State.RUNNING):
            raise Conflict("event.over", "The event is over.", {"state": tx.event.state})
        counts = DecklistSubmission.objects.filter(player=player, replaced_at=None).first()
        if counts is None or counts.decklist_id != decklist_id:
            raise Conflict(
                "deck_check.replaced",
                f"The decklist that you looked at is not the one that counts for {player.name}. Look at the new one.",
                {"decklist": None if counts is None else counts.decklist_id},
            )
        posted = Round.objects.filter(event=tx.event).exclude(state=Round.State.DRAFT).order_by("-sequence").first()
        check = DeckCheck.objects.create(
            event=tx.event,
            player=player,
            decklist_id=decklist_id,
            round=None if posted is None else posted.sequence,
            found=found,
            note=note,
            checker_name=actor.name,
            checked_at=tx.now,
        )
        said = {"player": player.pk, "decklist": decklist_id, "found": found, **({"reason": note} if note else {})}
        tx.log("deck.checked", said, public=False)
        return tx.done(check=check.pk, player=player.pk, found=found)
