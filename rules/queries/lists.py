"""The lists of a format on a day: banned, restricted and limited cards, points, and the tags that its rules count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Case, QuerySet, Value, When

from cards.models import CardTag, Game
from rules.engine.formatparts import all_selectors
from rules.engine.formatschema import FormatDefinition
from rules.engine.schema import TagSelector
from rules.engine.selectors import walk
from rules.models import Format, StatusEntry


def status_entries_on(*, format: Format, day: date) -> QuerySet[StatusEntry]:
    """The lists of the day: banned, restricted, own limits, points; in each by name of card. One query."""
    entries = StatusEntry.objects.filter(format=format, during__contains=day)
    places = [When(status=status, then=Value(place)) for place, status in enumerate(StatusEntry.Status.values)]
    return entries.select_related("card__game").order_by(Case(*places), "card__name", "zone")


def tags_counted(definitions: Iterable[FormatDefinition]) -> list[str]:
    """The tags that rules of the formats ask for, in the order of the alphabet. No query."""
    selectors = (select for definition in definitions for _, select in all_selectors(definition))
    return sorted({part.tag for select in selectors for part in walk(select) if isinstance(part, TagSelector)})


@dataclass(frozen=True)
class TagList:
    """The cards that have a tag on a day, by name; each with its source and its days."""

    tag: str
    cards: tuple[CardTag, ...]


def tag_lists_on(*, definition: FormatDefinition, game: Game, day: date) -> list[TagList]:
    """A list for each tag that a rule of the format counts, empty ones too. One query."""
    tags = tags_counted([definition])
    found = CardTag.objects.filter(game=game, tag__in=tags, during__contains=day)
    rows = list(found.select_related("card__game").order_by("card__name"))
    return [TagList(tag, tuple(row for row in rows if row.tag == tag)) for tag in tags]
