"""Total standings of a series, and its events."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Count, Q, QuerySet

from cards.engine.names import name_key
from events.engine.series import Entry, SeriesRow, SeriesRules, series_table
from events.models import Event, Player, Series
from events.queries.closing import final_places_of


@dataclass(frozen=True)
class SeriesStandings:
    """``events`` in the order of their start, without those that were called off; only the finished ones count."""

    series: Series
    rules: SeriesRules
    events: list[Event]
    rows: tuple[SeriesRow, ...]

    @property
    def counted(self) -> list[Event]:
        return [event for event in self.events if event.state == Event.State.FINISHED]


def series_standings(series: Series) -> SeriesStandings:
    """6 queries at most, however many events and players there are."""
    events = list(series.events.exclude(state=Event.State.CANCELLED).select_related("game").order_by("starts_at", "pk"))
    rules = SeriesRules.of_json(series.rules)
    finished = [event for event in events if event.state == Event.State.FINISHED]
    places = final_places_of(finished)
    entries = [
        Entry(
            person=_person(finish.player),
            name=finish.player.shown_name,
            event=event.code,
            place=finish.place,
            match_points=int(Fraction(finish.points or 0)),
            player=finish.player.pk,
        )
        for event in finished
        for finish in places[event.pk]
    ]
    return SeriesStandings(series, rules, events, series_table(rules, entries))


def _person(player: Player) -> Hashable:
    """Entries of one account under one name. Whoever is read by another name in another event is another row: joined,
    the points would tell which names belong together. Of two guests with one name nobody knows whether they are one.
    """
    return (player.user_id, name_key(player.shown_name)) if player.user_id is not None else ("guest", player.pk)


def all_series() -> QuerySet[Series]:
    """By name, with ``event_count``. 1 query when evaluated."""
    joined = Q(events__archived_at=None) & ~Q(events__state=Event.State.CANCELLED)
    return Series.objects.annotate(event_count=Count("events", filter=joined)).order_by("name", "pk")
