"""Decks that are read by their link."""

from __future__ import annotations

from config.errors import NotFound
from decks.models import Deck


def shared_deck(*, token: str) -> Deck:
    """One query. Raises NotFound, the same for a link that never was and for one that was taken back."""
    decks = Deck.objects.select_related("owner", "game", "format__game")
    deck = decks.filter(share_token=token).first() if token else None
    if deck is None:
        raise NotFound("decks.not_shared", "Nobody shows a deck at this address, or its owner took the link back.")
    return deck
