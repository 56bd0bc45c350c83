"""The prizes table, and which prizes were handed over."""

from __future__ import annotations

from collections.abc import Sequence

from config.errors import Conflict, DomainError
from events.engine.prizes import Prize, check_prizes
from events.models import Event, PrizeHandover
from events.models import Prize as StoredPrize
from events.queries.closing import awards_for, final_places, prizes_of
from events.services.registration import player_of
from events.services.transaction import Actor, Change, Command, event_transaction

OPEN = (Event.State.REGISTRATION, Event.State.RUNNING)
LONGEST_NOTE = 200


def set_prizes(*, event_id: int, actor: Actor, prizes: Sequence[Prize], command: Command | None = None) -> Change:
    """Replace the prizes table, until the event is finished.

    Raises what ``check_prizes`` raises, Conflict "event.over".
    """
    wanted = check_prizes(prizes)
    with event_transaction(event_id, actor=actor, command=command) as tx:
        if tx.event.state not in OPEN:
            raise Conflict("event.over", "The event is over: its prizes stay as they are.", {"state": tx.event.state})
        if tuple(prizes_of(tx.event)) != wanted:
            tx.event.prizes.all().delete()
            StoredPrize.objects.bulk_create(
                StoredPrize(event=tx.event, first=prize.first, last=prize.last, words=prize.words) for prize in wanted
            )
            tx.log("prizes.set", {"prizes": [[prize.first, prize.last, prize.words] for prize in wanted]})
        return tx.done(prizes=len(wanted))


def hand_over(*, event_id: int, actor: Actor, player_id: int, note: str = "", command: Command | None = None) -> Change:
    """Note that a player got what their place is worth, who gave it and when.

    Raises NotFound "player.unknown", DomainError "prize.note", "prize.none", Conflict "event.not_finished",
    "prize.handed_over" (with who did it and when).
    """
    note = " ".join(note.split())
    if len(note) > LONGEST_NOTE:
        raise DomainError("prize.note", f"Note it in at most {LONGEST_NOTE} characters.")
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = player_of(tx, player_id)
        _refuse_unfinished(tx.event)
        award = awards_for(final_places(tx.event), prizes_of(tx.event)).get(player.pk)
        if award is None:
            raise DomainError("prize.none", f"{player.name}'s place gets no prize.", {"player": player.pk})
        before = PrizeHandover.objects.filter(player=player).first()
        if before is not None:
            raise Conflict(
                "prize.handed_over",
                f"{player.name} has got it already, from {before.by_name}.",
                {"player": player.pk, "by": before.by_name, "at": before.at.isoformat()},
            )
        PrizeHandover.objects.create(
            event=tx.event, player=player, at=tx.now, by_id=actor.user_id, by_name=actor.name, note=note
        )
        tx.log("prize.handed_over", {"player": player.pk, "prize": award.told, "note": note}, public=False)
        return tx.done(player=player.pk, prize=award.told)


def take_back(*, event_id: int, actor: Actor, player_id: int, command: Command | None = None) -> Change:
    """Undo ``hand_over``. Raises NotFound "player.unknown", Conflict "event.not_finished", "prize.not_handed_over"."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = player_of(tx, player_id)
        _refuse_unfinished(tx.event)
        gone, _ = PrizeHandover.objects.filter(player=player).delete()
        if not gone:
            raise Conflict("prize.not_handed_over", f"{player.name} has not got a prize yet.", {"player": player.pk})
        tx.log("prize.taken_back", {"player": player.pk}, public=False)
        return tx.done(player=player.pk)


def _refuse_unfinished(event: Event) -> None:
    if event.state != Event.State.FINISHED:
        raise Conflict(
            "event.not_finished",
            "Places are final when the event is finished. Finish it, then hand prizes over.",
            {"state": event.state},
        )
