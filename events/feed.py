"""Tickets for the live feed, which config.live serves."""

from __future__ import annotations

from django.core import signing

SALT = "live-feed"


def ticket_for(code: str) -> str:
    """Opens the feed of an event for a minute, to whoever may see the event."""
    return signing.dumps(code, salt=SALT)
