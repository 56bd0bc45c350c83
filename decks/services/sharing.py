"""Showing a deck to whoever has a link."""

from __future__ import annotations

import secrets

from accounts.models import User
from config.errors import NotFound
from decks.models import Deck


def share_deck(*, owner: User, deck_id: int) -> str:
    """The token of the deck's link: the one that it has, else a new one of 256 bits. NotFound ``decks.not_found``."""
    # One statement, so that two who share at once get one link. ``updated_at`` is when the deck was saved: it stays.
    decks = Deck.objects.filter(owner=owner, pk=deck_id)
    decks.filter(share_token=None).update(share_token=secrets.token_urlsafe(32))
    token = decks.values_list("share_token", flat=True).first()
    if token is None:
        raise _no_deck()
    return token


def unshare_deck(*, owner: User, deck_id: int) -> None:
    """From now on nobody reads the deck by its link, and a later link is another. NotFound ``decks.not_found``."""
    if not Deck.objects.filter(owner=owner, pk=deck_id).update(share_token=None):
        raise _no_deck()


def _no_deck() -> NotFound:
    return NotFound("decks.not_found", "There is no such deck among yours. Look at the list of your decks.")
