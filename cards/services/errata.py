"""The writer of errata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction

from cards.engine.facts import FactValue
from cards.engine.names import name_key
from cards.models import CardName, Erratum, Game


@dataclass(frozen=True)
class ErratumRow:
    """What changed on a card from a day on: only the facts that did, and the new text, blank where it stays."""

    card: str
    starts_on: date
    facts: Mapping[str, FactValue]
    text: str
    source: str
    announced_on: date | None = None


@transaction.atomic
def save_errata(*, game: Game, errata: Sequence[ErratumRow]) -> None:
    """The game's errata become these, whole: what isn't among them is removed. ``card`` is any name of the card.

    Four queries at most.
    """
    names = dict(CardName.objects.filter(game=game).values_list("key", "card_id"))
    wanted = {
        (names[name_key(row.card)], row.starts_on): (dict(row.facts), row.text, row.source, row.announced_on)
        for row in errata
    }
    stale = []
    for stored in Erratum.objects.filter(card__game=game):
        key = (stored.card_id, stored.starts_on)
        if wanted.get(key) == (stored.facts, stored.text, stored.source, stored.announced_on):
            del wanted[key]
        else:
            stale.append(stored.pk)
    Erratum.objects.filter(pk__in=stale).delete()
    Erratum.objects.bulk_create(
        Erratum(card_id=card, starts_on=day, facts=facts, text=text, source=source, announced_on=announced)
        for (card, day), (facts, text, source, announced) in wanted.items()
    )
