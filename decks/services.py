"""What changes decks and decklists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date

from django.db import transaction

from accounts.models import User
from config.errors import DomainError
from decks.engine.parser import split_lines
from decks.models import Deck, Decklist, Verdict
from decks.queries import check_text, deck_of, verdict_digests
from rules.models import Format, FormatVersion

MAX_DECKS = 500


def freeze_decklist(
    *, text: str, format_version: FormatVersion, legality_date: date, pool: Mapping[int, int] | None = None
) -> Decklist:
    """Store ``text`` as a decklist that is never changed, with its verdict, legal or not.

    Runs in the caller's transaction, or in one of its own. ``pool`` maps card ids to copies, for limited play.
    Raises DomainError ``decks.too_large`` and ``decks.unreadable``; then nothing is stored.
    """
    game = format_version.format.game
    checked = check_text(text=text, game=game, format_version=format_version, day=legality_date, pool=pool)
    with transaction.atomic():
        decklist = Decklist.objects.create(
            format_version=format_version,
            legality_date=legality_date,
            text=text,
            entries=[{**asdict(entry), "lines": list(entry.lines)} for entry in checked.entries],
            card_ids=sorted({entry.card for entry in checked.entries}),
            fingerprint=checked.fingerprint,
            pool=None if pool is None else {str(card): count for card, count in sorted(pool.items())},
        )
        Verdict.objects.create(
            decklist=decklist,
            outcome=checked.verdict.outcome,
            violations=[violation.as_json() for violation in checked.verdict.violations],
            problems=[problem.as_json() for problem in checked.parsed.problems],
            digests=verdict_digests(game=game, compiled=checked.compiled, deck=checked.deck),
        )
    return decklist


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
