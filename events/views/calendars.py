"""An event in somebody's calendar: by an address for everybody, and by one of each player's own."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from events.channels.tokens import CALENDAR, number_of
from events.models import Event
from events.queries.calendars import event_calendar, player_calendar


@require_safe
def calendar(request: HttpRequest, code: str) -> HttpResponse:
    event = _event(code)
    response = _file(event_calendar(event), event.code)
    response["Cache-Control"] = "public, max-age=60"
    return response


@require_safe
def own_calendar(request: HttpRequest, code: str, token: str) -> HttpResponse:
    """For the calendar program of a player, which does not log in: whoever has the address may read it."""
    event = _event(code)
    response = _file(player_calendar(event, number_of(CALENDAR, token)), f"{event.code}-mine")
    response["Cache-Control"] = "private, no-store"
    return response


def _event(code: str) -> Event:
    return get_object_or_404(Event.objects.select_related("format"), code=code)


def _file(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{name}.ics"'
    return response
