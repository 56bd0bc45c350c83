"""Which of many cards a format takes on a day, by the same engine that judges whole decks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet

from cards.models import Card
from config.errors import DomainError
from rules.models import Format
from rules.queries import compiled_format, format_version_on
from rules.queries.facts import card_facts_for
from rules.queries.standing import standing_in

MOST = 2000
"""Cards that one request may have judged: about half a second."""


@dataclass(frozen=True)
class Playable:
    """Ids of the cards that may be played, in the order given, and how many others nobody can tell about."""

    ids: Sequence[int]
    undetermined: int


def playable_cards(*, cards: QuerySet[Card], format: Format, day: date) -> Playable:
    """Those of the cards that a deck of the format may hold on the day, in whatever zone and number. Six queries.

    DomainError ``cards.too_many``: they are more than 2,000. NotFound: no version of the format is in force.
    """
    version = format_version_on(format=format, day=day)
    ids = list(cards.values_list("pk", flat=True)[: MOST + 1])
    if len(ids) > MOST:
        raise DomainError(
            "cards.too_many",
            f"More than {MOST:,} cards are meant. Ask for a name, set or fact too; {format.name} is applied to those.",
            {"most": MOST},
        )
    compiled = compiled_format(format_version=version, day=day)
    facts = card_facts_for(ids, day=day)
    standings = {pk: standing_in(facts[pk], compiled) for pk in ids if pk in facts}
    return Playable(
        [pk for pk in ids if standings.get(pk) in ("legal", "restricted", "own pool")],
        sum(standing == "undetermined" for standing in standings.values()),
    )
