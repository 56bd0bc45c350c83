"""What changes decks."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from config.errors import Conflict, DomainError, NotFound
from decks.engine.containers.opening import open_decklist
from decks.models import Deck, DeckRevision
from decks.queries.history import newest_number
from rules.models import Format

MAX_DECKS = 500
MAX_REVISIONS = 200


def create_deck(*, owner: User, format: Format, name: str, text: str = "") -> Deck:
    """A deck of ``owner``'s own. DomainError ``decks.name``, ``decks.too_many`` and those of ``open_decklist``."""
    open_decklist(text)
    if Deck.objects.filter(owner=owner).count() >= MAX_DECKS:
        raise DomainError(
            "decks.too_many", f"You have {MAX_DECKS} decks, which is the most. Delete one that you no longer need."
        )
    return Deck.objects.create(owner=owner, game=format.game, format=format, name=_name(name), text=text)


@transaction.atomic
def save_deck(
    *,
    owner: User,
    deck_id: int,
    name: str | None = None,
    text: str | None = None,
    format: Format | None = None,
    seen: int | None = None,
) -> Deck:
    """Change what is given and leave the rest. A name or a text that another takes the place of is kept as a revision.

    ``seen`` is the number of the version that the change was made from. Raises NotFound ``decks.not_found``, Conflict
    ``decks.stale`` where that is no longer the newest and names or texts differ, and what ``create_deck`` raises.
    """
    deck = _locked(owner, deck_id)
    if text is not None:
        open_decklist(text)
    wanted = (deck.name if name is None else _name(name), deck.text if text is None else text)
    if wanted != (deck.name, deck.text):
        _keep(deck, seen)
        deck.name, deck.text = wanted
    if format is not None:
        deck.format, deck.game = format, format.game
    deck.save()
    return deck


@transaction.atomic
def restore_revision(*, owner: User, deck_id: int, number: int) -> Deck:
    """Name and text of an older version, saved anew: what they take the place of becomes a revision in its turn.

    Raises NotFound ``decks.not_found`` and ``decks.no_revision``.
    """
    deck = _locked(owner, deck_id)
    found = DeckRevision.objects.filter(deck=deck, number=number).first()
    if found is None:
        raise NotFound("decks.no_revision", f"There is no version {number} of this deck any more.", {"number": number})
    if (found.name, found.text) != (deck.name, deck.text):
        _keep(deck, None)
        deck.name, deck.text = found.name, found.text
        deck.save()
    return deck


def delete_deck(*, owner: User, deck_id: int) -> None:
    """With its versions. Raises NotFound ``decks.not_found``. Decklists that were handed in from the deck stay."""
    with transaction.atomic():
        _locked(owner, deck_id).delete()


def _locked(owner: User, deck_id: int) -> Deck:
    """Two saves of one deck, one after the other."""
    decks = Deck.objects.select_for_update(of=("self",)).select_related("format__game", "game")
    deck = decks.filter(owner=owner, pk=deck_id).first()
    if deck is None:
        raise NotFound("decks.not_found", "There is no such deck among yours. Look at the list of your decks.")
    return deck


def _keep(deck: Deck, seen: int | None) -> None:
    number = newest_number(deck=deck)
    if seen is not None and seen != number:
        raise Conflict(
            "decks.stale",
            f"The deck was saved elsewhere since you opened it: there is a version {number}, yours began with version "
            f"{seen}. Nothing was overwritten. Compare the two, then save yours again.",
            {"version": number, "seen": seen},
        )
    DeckRevision.objects.create(deck=deck, number=number, name=deck.name, text=deck.text, saved_at=deck.updated_at)
    DeckRevision.objects.filter(deck=deck, number__lte=number - MAX_REVISIONS).delete()


def _name(name: str) -> str:
    name = " ".join(name.split())
    if not 1 <= len(name) <= 100:
        raise DomainError("decks.name", "A deck's name has 1 to 100 characters. Give it another.")
    return name
