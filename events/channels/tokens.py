"""Links that work without a login, for one thing each."""

from __future__ import annotations

from django.core import signing

from config.errors import NotFound

UNSUBSCRIBE = "no-more-mail"
CALENDAR = "own-calendar"


def token_for(purpose: str, number: int) -> str:
    """For the account or the player with that id. It does not run out: mails are read, and calendars asked, late."""
    return signing.Signer(salt=purpose).sign(str(number))


def number_of(purpose: str, token: str) -> int:
    """Raises NotFound "link.unknown"."""
    try:
        return int(signing.Signer(salt=purpose).unsign(token))
    except (signing.BadSignature, ValueError):
        raise NotFound("link.unknown", "This link is incomplete. Copy all of it, or follow it again.") from None
