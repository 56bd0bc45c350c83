"""Changed lists for the decklists of an event."""

from __future__ import annotations

from cards.models import Card
from decks.models import Decklist, Revalidation
from decks.services.revalidation import start_revalidation
from events.models import DecklistSubmission
from rules.models import Publication, StatusEntry
from tests.events.factories import Made


def decklists(made: Made) -> list[Decklist]:
    found = DecklistSubmission.objects.filter(event=made.event, replaced_at=None).order_by("player")
    return [submission.decklist for submission in found.select_related("decklist")]


def published(made: Made, title: str = "Winter list") -> Publication:
    day = made.event.legality_date
    return Publication.objects.create(
        game=made.event.game, title=title, effective_on=day, payload={}, digest=f"{title} {made.event.pk}"
    )


def ban(made: Made) -> StatusEntry:
    """A card that every decklist of the event has."""
    return StatusEntry.objects.create(
        format=made.event.format,
        card=Card.objects.get(pk=decklists(made)[0].card_ids[0]),
        status="banned",
        max_copies=0,
        during=(made.event.legality_date, None),
        source="Letter",
        section="12.6",
    )


def start(made: Made, title: str = "Winter list") -> Revalidation:
    ids = [decklist.pk for decklist in decklists(made)]
    return start_revalidation(publication_id=published(made, title).pk, decklist_ids=ids)
