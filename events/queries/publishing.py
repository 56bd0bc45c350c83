"""Which events and decklists a publication meets. Only numbers of decklists leave here: the lists are private."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Q, QuerySet

from decks.models import Revalidation
from events.models import DecklistSubmission, Event, LogEntry, Player
from rules.models import Publication

JUDGED_AGAIN = "decklists.judged_again"
"""The kind of log entry that an event gets for a publication."""


@dataclass(frozen=True)
class Met:
    """An event with the current decklists in it that meet a publication."""

    event: Event
    decklist_ids: tuple[int, ...]


@dataclass(frozen=True)
class Reach:
    """``open`` events have not begun: their decklists are judged again. ``running`` ones are not touched.

    ``finished`` is the number of finished events with such decklists, which aren't touched either.
    """

    open: tuple[Met, ...]
    running: tuple[Met, ...]
    finished: int

    @property
    def decklist_ids(self) -> list[int]:
        return [decklist for met in self.open for decklist in met.decklist_ids]


@dataclass(frozen=True)
class Scope:
    """A format from a day on. ``cards`` are the changed ones by id, None for all: its rules are new."""

    format_id: int
    day: date
    cards: tuple[int, ...] | None


def scopes_of(summary: Mapping[str, Any]) -> list[Scope]:
    """What a publication's summary says that it concerns. No query."""
    return [
        Scope(
            scope["format"],
            date.fromisoformat(scope["from"]),
            None if scope["cards"] is None else tuple(scope["cards"]),
        )
        for scope in summary.get("scopes", ())
    ]


def reach_of(*, scopes: Iterable[Scope]) -> Reach:
    """Four queries at most.

    Of open events those are met whose legality date is on the day or after it; of others, all with such cards.
    """
    scopes = list(scopes)
    if not scopes:
        return Reach((), (), 0)
    states = Event.State
    waiting = _met(_current(scopes, dated=True).filter(event__state=states.REGISTRATION))
    running = _met(_current(scopes, dated=False).filter(event__state=states.RUNNING))
    over = _current(scopes, dated=False).filter(event__state=states.FINISHED)
    return Reach(waiting, running, over.values("event").distinct().count())


def events_to_renew(*, scopes: Iterable[Scope]) -> list[int]:
    """Events that have not begun, and are held by a format on a day from which a publication changes it. One query."""
    concerned = Q(pk__in=[])
    for scope in scopes:
        concerned |= Q(format=scope.format_id, legality_date__gte=scope.day)
    found = Event.objects.filter(concerned, state=Event.State.REGISTRATION)
    return list(found.order_by("pk").values_list("pk", flat=True))


def current_decklists(*, event: Event, scopes: Iterable[Scope]) -> dict[int, int]:
    """The decklists of one event that the scopes meet, with their players. One query."""
    rows = _current(list(scopes), dated=True).filter(event=event)
    return dict(rows.order_by("decklist").values_list("decklist", "player"))


def begun(decklist_ids: Collection[int]) -> set[int]:
    """Those whose event has begun or is over by now, or that were replaced: their verdicts stay. One query."""
    waiting = DecklistSubmission.objects.filter(
        decklist__in=decklist_ids, replaced_at=None, event__state=Event.State.REGISTRATION
    )
    return {*decklist_ids} - {*waiting.values_list("decklist", flat=True)}


def events_waiting(decklist_ids: Collection[int]) -> list[int]:
    """The events that haven't begun in which these decklists count. One query."""
    found = DecklistSubmission.objects.filter(
        decklist__in=decklist_ids, replaced_at=None, event__state=Event.State.REGISTRATION
    )
    return list(found.values_list("event", flat=True).distinct())


def unfollowed_publications() -> list[int]:
    """Publications whose decklists are not all judged yet, oldest first. One query."""
    done = Publication.objects.filter(revalidation__state=Revalidation.State.DONE)
    return list(Publication.objects.exclude(pk__in=done).order_by("pk").values_list("pk", flat=True))


def told_of(*, publication_id: int) -> list[tuple[Event, dict[str, Any]]]:
    """The events whose log speaks of the publication, with what it says. One query."""
    entries = LogEntry.objects.filter(kind=JUDGED_AGAIN, payload__publication=publication_id)
    found = entries.select_related("event").order_by("event__starts_at", "event")
    return [(entry.event, entry.payload) for entry in found]


def _current(scopes: list[Scope], *, dated: bool) -> QuerySet[DecklistSubmission]:
    concerned = Q(pk__in=[])
    for scope in scopes:
        one = Q(event__format=scope.format_id)
        if dated:
            one &= Q(event__legality_date__gte=scope.day)
        if scope.cards is not None:
            one &= Q(decklist__card_ids__overlap=list(scope.cards))
        concerned |= one
    found = DecklistSubmission.objects.filter(concerned, replaced_at=None)
    return found.exclude(player__state=Player.State.DROPPED)


def _met(rows: QuerySet[DecklistSubmission]) -> tuple[Met, ...]:
    """Two queries."""
    held: dict[int, list[int]] = {}
    for event, decklist in rows.order_by("event", "decklist").values_list("event", "decklist"):
        held.setdefault(event, []).append(decklist)
    events = Event.objects.filter(pk__in=held).order_by("starts_at", "pk")
    return tuple(Met(event, tuple(held[event.pk])) for event in events)
