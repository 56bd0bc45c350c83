"""Places that become free go to who waits for them, in order."""

from __future__ import annotations

from events.models import Event, Notice, Player
from events.queries.registration import HOLDING, waiting
from events.services.transaction import EventTransaction


def give_places(tx: EventTransaction) -> list[Player]:
    """Before the start, let in as many of the waiting as there are places; who is at the place already is checked in.

    Every service that frees a place calls it: a drop, a bigger capacity. Whoever got a place, in order.
    """
    if tx.event.state != Event.State.REGISTRATION:
        return []
    return _promote(tx, list(waiting(tx.event)), taken=tx.event.players.filter(state__in=HOLDING).count())


def give_places_of_no_shows(tx: EventTransaction, *, present: int) -> list[Player]:
    """At the start, let in who waits and is at the place, as far as ``present`` players leave room."""
    return _promote(tx, list(waiting(tx.event).filter(is_present=True)), taken=present)


def _promote(tx: EventTransaction, queue: list[Player], *, taken: int) -> list[Player]:
    free = len(queue) if tx.event.capacity is None else max(0, tx.event.capacity - taken)
    chosen = queue[:free]
    for player in chosen:
        player.state = Player.State.CHECKED_IN if player.is_present else Player.State.REGISTERED
        player.is_present = False
        tx.log("player.promoted", {"player": player.pk})
    Player.objects.bulk_update(chosen, ["state", "is_present"])
    if chosen:
        tx.tell(Notice.PLACE_WON, {"players": [player.pk for player in chosen]})
    return chosen
