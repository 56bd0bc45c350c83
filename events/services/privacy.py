"""Under which name everybody but staff reads of a player."""

from __future__ import annotations

from accounts.names import clean_display_name
from cards.engine.names import name_key
from config.errors import Conflict, DomainError
from events.models import Event
from events.queries.registration import initial_name, names_taken
from events.services.registration import player_of
from events.services.transaction import Actor, Change, Command, event_transaction

STYLES = ("full", "initial", "own")
OPEN = (Event.State.REGISTRATION, Event.State.RUNNING)


def choose_public_name(
    *, event_id: int, actor: Actor, player_id: int, style: str, own: str = "", command: Command | None = None
) -> Change:
    """Be read by the full name, by first name and initial, or by a name of one's ``own``.

    Raises NotFound "player.unknown", DomainError "player.name_style", "account.display_name_*", Conflict "event.over",
    "player.public_name_taken".
    """
    if style not in STYLES:
        raise DomainError("player.name_style", "Choose your full name, first name and initial, or a name of your own.")
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = player_of(tx, player_id)
        if tx.event.state not in OPEN:
            raise Conflict("event.over", "The event is over.", {"state": tx.event.state})
        wanted = ""
        if style == "initial":
            wanted = initial_name(tx.event, player.name, but=player.pk)
        elif style == "own":
            wanted = clean_display_name(own)
            if name_key(wanted) in names_taken(tx.event, but=player.pk):
                raise Conflict("player.public_name_taken", f"Somebody here is called {wanted} already. Choose another.")
        if wanted != player.public_name:
            player.public_name = wanted
            player.save(update_fields=["public_name"])
            tx.log("player.public_name", {"player": player.pk}, public=False)
        return tx.done(player=player.pk, public_name=player.shown_name)
