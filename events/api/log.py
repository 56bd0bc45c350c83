"""The log of an event, and the event as it stood after any entry."""

from __future__ import annotations

from django.http import FileResponse
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from events.api.commands import event_and_viewer, page
from events.api.listing import paged
from events.api.serializers import requests
from events.api.serializers.log import LogStateAnswer
from events.api.serializers.public import LogEntryAnswer
from events.queries.log import Wanted, asked_for, entry_at, state_at
from events.queries.public_pages import hidden_actors, player_names
from events.views.event_file import file_of


@extend_schema(
    parameters=[requests.LogQuery], responses=paged("LogPage", LogEntryAnswer), operation_id="list_log_entries"
)
@api_view(["GET"])
@permission_classes([AllowAny])
def log(request: Request, code: str) -> Response:
    """What happened, in order: the public entries, for staff who do not play all of them."""
    event, viewer = event_and_viewer(request, code)
    asked = requests.LogQuery(data=request.query_params)
    asked.is_valid(raise_exception=True)
    values = asked.validated_data
    wanted = Wanted(
        kind=values.get("kind", ""),
        player=values.get("player"),
        round=values.get("round"),
        by=values.get("by", ""),
        text=values.get("q", ""),
    )
    hidden = {} if viewer.knows_names else hidden_actors(event)
    names = player_names(event, full=viewer.knows_names) if wanted.text else {}
    rows = asked_for(event, viewer, wanted, names=names, hidden=hidden)
    for name, lookup in (("after", "seq__gt"), ("before", "seq__lt")):
        if name in values:
            rows = rows.filter(**{lookup: values[name]})
    return page(request, rows, LogEntryAnswer, event=event, hidden=hidden)


@extend_schema(parameters=[requests.StateQuery], responses=LogStateAnswer, operation_id="get_log_state")
@api_view(["GET"])
@permission_classes([AllowAny])
def log_state(request: Request, code: str, seq: int) -> Response:
    """The event after an entry, as far as its log tells and you may read it."""
    event, viewer = event_and_viewer(request, code)
    asked = requests.StateQuery(data=request.query_params)
    asked.is_valid(raise_exception=True)
    number = asked.validated_data.get("round")
    entry, _, _ = entry_at(event, viewer, seq)
    state = state_at(event, viewer, seq, round_number=number)
    shown = state.newest if number is None else state.rounds.get(number)
    context = {"entry": entry.seq, "rounds": sorted(state.rounds), "shown": shown}
    return Response(LogStateAnswer(state, context=context).data)


@extend_schema(responses=OpenApiTypes.OBJECT, operation_id="get_event_file")
@api_view(["GET"])
@permission_classes([AllowAny])
def whole_file(request: Request, code: str) -> FileResponse:
    """The event as one file, which `manage.py verify_event --file` proves; docs/schemas/event.json says what is in it.
    For who runs the event at any time, for everybody once it is finished: then without what is not public."""
    event, viewer = event_and_viewer(request, code)
    return file_of(event, viewer)


urlpatterns = [
    path("events/<slug:code>/file", whole_file, name="event-file"),
    path("events/<slug:code>/log", log, name="log"),
    path("events/<slug:code>/log/<int:seq>/state", log_state, name="log-state"),
]
