"""Whose verdicts a changed list or format version may change."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

from django.db.models import QuerySet

from decks.models import Decklist


def affected_decklists(*, format_id: int, since: date, cards: Collection[int] | None = None) -> QuerySet[Decklist]:
    """Decklists of the format for ``since`` or a later day that hold one of the cards, or, without ``cards``, all.

    One query when it is read.
    """
    found = Decklist.objects.filter(format_version__format=format_id, legality_date__gte=since)
    return found if cards is None else found.filter(card_ids__overlap=sorted(cards))
