"""The part of a player's page that changes with every word of either player of a table."""

from __future__ import annotations

from typing import cast
from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from events.engine.decklist_rules import decklist_rules
from events.models import Event
from events.queries.access import as_player, event_of
from events.queries.own_match import my_open_seat
from events.queries.player_pages import submission_of
from events.queries.sideboarding import can_sideboard
from events.views.kept import kept
from events.views.player import match_context


@login_required
@require_safe
def my_match(request: HttpRequest, code: str) -> HttpResponse:
    """The match that the player is in, alone. Where they are in none, nothing, and the page is told to ask for all of
    itself."""
    found = as_player(code, cast(User, request.user))
    if found is None:
        if event_of.first(code) is None:
            raise Http404
        return _ask_for_all()
    event, player = found[0], found[1].require_player()
    seat = my_open_seat(player) if event.state == Event.State.RUNNING else None
    if seat is None:
        return _ask_for_all()
    mine, now = seat
    context = match_context(event, player, mine, mine.round, now)
    if context["sideboard_game"] is not None and decklist_rules(event.rules).asks:
        context["sideboards"] = can_sideboard(event, submission_of(player))
    with timezone.override(ZoneInfo(event.time_zone)):
        page = render(request, "events/_my_match.html", {"event": event, "player": player, **context})
    page["Cache-Control"] = "no-store"
    return kept(page, "me")


def _ask_for_all() -> HttpResponse:
    return HttpResponse(status=204, headers={"HX-Trigger": "refresh", "Cache-Control": "no-store"})
