"""Reads of cards as the legality engine sees them: with what was true of them on a day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import reduce
from operator import or_

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Prefetch

from cards.models import Card, Erratum, Printing
from cards.queries import tags_on
from rules.engine.selectors import CardFacts
from rules.queries.keeping import kept_facts


def card_facts_for(card_ids: Iterable[int], *, day: date, kept: int | None = None) -> dict[int, CardFacts]:
    """What the engine needs to know of the cards on the day. Three queries, however many cards; one for kept rules.

    Facts are those that the card has, changed by the errata that are in force on the day, one after the other; each
    holds for every printing. Ids that are no card's are left out.
    """
    ids = list(card_ids)
    if kept is not None:
        return kept_facts(kept, ids)
    printings = Prefetch("printings", Printing.objects.select_related("card_set").order_by("card_set__legal_on", "pk"))
    tags = tags_on(card_ids=ids, day=day)
    errata = Erratum.objects.filter(card=OuterRef("pk"), starts_on__lte=day).order_by("starts_on")
    cards = Card.objects.filter(pk__in=ids).annotate(changed_facts=ArraySubquery(errata.values("facts")))
    found: dict[int, CardFacts] = {}
    for card in cards.prefetch_related(printings):
        sets = [printing.card_set for printing in card.printings.all()]
        found[card.pk] = CardFacts(
            id=card.pk,
            name=card.name,
            facts=reduce(or_, card.changed_facts, card.facts),
            tags=tags.get(card.pk, frozenset()),
            legal_dates=tuple(card_set.legal_on for card_set in sets),
            sets=tuple(card_set.code for card_set in sets),
        )
    return found
