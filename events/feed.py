"""Tickets for the live feed, which config.live serves."""

from __future__ import annotations

from typing import NamedTuple

from django.core import signing

SALT = "live-feed"


class Ticket(NamedTuple):
    """Whose page follows which event. Nobody's page has no player."""

    code: str
    player: int | None = None


def ticket_for(code: str, player: int | None = None) -> str:
    """Opens the feed of an event for a minute, to whoever may see the event."""
    return signing.dumps(Ticket(code, player), salt=SALT)
