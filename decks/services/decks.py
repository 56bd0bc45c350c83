"""What changes decks."""

from __future__ import annotations

from accounts.models import User
from config.errors import DomainError
from decks.engine.parser import split_lines
from decks.models import Deck
from decks.queries import deck_of
from rules.models import Format

MAX_DECKS = 500


def create_deck(*, owner: User, format: Format, name: str, text: str = "") -> Deck:
    """A deck of ``owner``'s own. Raises DomainError ``decks.name``, ``decks.too_many`` and those of ``split_lines``."""
    split_lines(text)
    if Deck.objects.filter(owner=owner).count() >= MAX_DECKS:
        raise DomainError(
            "decks.too_many", f"You have {MAX_DECKS} decks, which is the most. Delete one that you no longer need."
        )
    return Deck.objects.create(owner=owner, game=format.game, format=format, name=_name(name), text=text)


def save_deck(
    *, owner: User, deck_id: int, name: str | None = None, text: str | None = None, format: Format | None = None
) -> Deck:
    """Change what is given and leave the rest. Raises NotFound ``decks.not_found`` and what ``create_deck`` raises."""
    deck = deck_of(owner=owner, deck_id=deck_id)
    if name is not None:
        deck.name = _name(name)
    if text is not None:
        split_lines(text)
        deck.text = text
    if format is not None:
        deck.format, deck.game = format, format.game
    deck.save()
    return deck


def delete_deck(*, owner: User, deck_id: int) -> None:
    """Raises NotFound ``decks.not_found``. Decklists that were handed in from the deck stay."""
    deck_of(owner=owner, deck_id=deck_id).delete()


def _name(name: str) -> str:
    name = " ".join(name.split())
    if not 1 <= len(name) <= 100:
        raise DomainError("decks.name", "A deck's name has 1 to 100 characters. Give it another.")
    return name
