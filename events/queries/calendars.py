"""What of an event belongs into a calendar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings

from config.errors import NotFound
from events.engine.icalendar import Entry, calendar_file
from events.models import Event, LogEntry, Match, Player, Round
from events.queries.clocks import clock_at, database_now
from events.queries.public_pages import SHOWN
from events.queries.visibility import seats_by_index
from events.sentences import round_name
from events.sentences_notices import Place, posted_line


def event_calendar(event: Event) -> str:
    """For everybody: the event, its deadlines, and the rounds that were posted. 5 queries."""
    return _file(event, event.name, _entries(event, None))


def player_calendar(event: Event, player_id: int) -> str:
    """For a player: the same, with table and opponent of each round that they play in. 8 queries.

    Raises NotFound "link.unknown" for a player of another event.
    """
    player = Player.objects.filter(event=event, pk=player_id).first()
    if player is None:
        raise NotFound("link.unknown", "This link is incomplete. Copy all of it, or follow it again.")
    return _file(event, f"{event.name}: {player.shown_name}", _entries(event, _places(event, player)))


def _file(event: Event, name: str, entries: Iterator[Entry]) -> str:
    newest = LogEntry.objects.filter(event=event).order_by("-seq").values_list("at", flat=True).first()
    return calendar_file(name, entries, stamp=newest or event.created_at, sequence=event.version)


def _places(event: Event, player: Player) -> dict[int, Place]:
    """Where the player sits, by round. 3 queries."""
    matches = Match.objects.filter(round__event=event, round__state__in=SHOWN, seats__player=player)
    return {
        match.round_id: Place(
            match.table,
            tuple(seat.player.shown_name for seat in match.seats.all() if seat.player_id != player.pk),
        )
        for match in matches.prefetch_related(seats_by_index())
    }


def _entries(event: Event, places: Mapping[int, Place] | None) -> Iterator[Entry]:
    page = f"{settings.SITE_URL}/e/{event.code}/"
    host = urlsplit(settings.SITE_URL).hostname
    cancelled = event.state == Event.State.CANCELLED

    def entry(part: str, summary: str, start: datetime, end: datetime | None = None, said: str = "") -> Entry:
        uid = f"{event.code}-{part}@{host}"
        return Entry(uid, summary, start, end, said, event.place, page, cancelled)

    stages = ", ".join(stage.get_kind_display() for stage in event.stages.order_by("number"))
    yield entry("event", event.name, event.starts_at, said=f"{event.format.name}: {stages}\n{page}")
    for part, words, moment in (
        ("opens", "registration opens", event.registration_opens_at),
        ("closes", "registration closes", event.registration_closes_at),
        ("decklists", "decklists are due", event.decklist_deadline),
    ):
        if moment is not None:
            yield entry(part, f"{event.name}: {words}", moment)
    rounds = Round.objects.filter(event=event, state__in=SHOWN).select_related("stage").prefetch_related("intervals")
    now = database_now()
    for round_ in rounds.order_by("sequence"):
        if places is not None and round_.pk not in places:
            continue
        words = round_name(round_.stage, round_.number, round_.sequence)
        line = words if places is None else posted_line(words, places[round_.pk])
        start, end = _span(round_, now)
        yield entry(f"round-{round_.sequence}", f"{event.name}: {line}", start, end)


def _span(round_: Round, now: datetime) -> tuple[datetime, datetime]:
    """From the start of the clock, or the posting, to the end of the clock as it stands, or to what ended it."""
    intervals = list(round_.intervals.all())
    start = intervals[0].started_at if intervals else round_.posted_at or now
    return start, round_.time_called_at or round_.completed_at or clock_at(round_, now).deadline
