"""Events and their templates; an event from its creation to its end."""

from __future__ import annotations

from typing import Any

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from cards.queries import game_by_slug
from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, page, read
from events.api.listing import paged
from events.api.serializers import changes, requests
from events.api.serializers.player import EventForMemberAnswer
from events.api.serializers.public import EventAnswer, EventRow, TemplateAnswer
from events.queries.templates import templates_on
from events.queries.visibility import events_to_list
from events.services import setup, stages
from rules.queries import policy_on


@extend_schema(
    parameters=[requests.TemplatesPage], responses=paged("TemplatePage", TemplateAnswer), operation_id="list_templates"
)
@api_view(["GET"])
@permission_classes([AllowAny])
def templates(request: Request) -> Response:
    """What an event can be made from: the policies in force today whose stages can all be played."""
    asked = requests.TemplatesPage(data=request.query_params)
    asked.is_valid(raise_exception=True)
    found = templates_on(day=timezone.localdate()).order_by("game__slug", "slug")
    if game := asked.validated_data.get("game"):
        found = found.filter(game__slug=game)
    return page(request, found, TemplateAnswer)


@extend_schema(
    methods=["GET"], parameters=[requests.Page], responses=paged("EventPage", EventRow), operation_id="list_events"
)
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=requests.CreateEvent,
    responses={201: changes.EventCreated},
    operation_id="create_event",
)
@api_view(["GET", "POST"])
@permission_classes([IsAuthenticatedOrReadOnly])
def events(request: Request) -> Response:
    """GET: every event, the newest first. POST: a new one from a template, with you as its organiser."""
    if request.method == "GET":
        return page(request, events_to_list(), EventRow)
    values = read(request, requests.CreateEvent)
    game = game_by_slug(slug=values.pop("game"))
    policy = policy_on(game=game, slug=values.pop("template"), day=timezone.localdate())
    own = values.pop("rules", None)
    return carry_out(request, None, setup.create_event, created=True, policy_id=policy.pk, own_rules=own, **values)


@extend_schema(
    responses=PolymorphicProxySerializer(
        "EventForAudience", [EventAnswer, EventForMemberAnswer], resource_type_field_name=None
    ),
    operation_id="get_event",
)
@api_view(["GET"])
@permission_classes([AllowAny])
def event(request: Request, code: str) -> Response:
    """One event. Whoever is signed in also learns their own entry and roles."""
    found, viewer = event_and_viewer(request, code)
    if viewer.user is None:
        return Response(EventAnswer(found).data)
    return Response(EventForMemberAnswer(found, context={"viewer": viewer}).data)


def _organiser(request: Request, code: str, service: Any) -> Response:
    found, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_event)
    values = read(request, requests.PlainCommand)
    return carry_out(request, viewer, service, event=found, version=values.get("version"), needs_version=True)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=changes.EventStarted,
    operation_id="start_event",
)
@api_view(["POST"])
def start(request: Request, code: str) -> Response:
    """Close registration and begin the first stage. Whoever has not checked in is dropped."""
    return _organiser(request, code, setup.start_event)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=changes.EventFinished,
    operation_id="finish_event",
)
@api_view(["POST"])
def finish(request: Request, code: str) -> Response:
    """Make the placing final and the secret public."""
    return _organiser(request, code, setup.finish_event)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=changes.StageBegun,
    operation_id="begin_next_stage",
)
@api_view(["POST"])
def next_stage(request: Request, code: str) -> Response:
    """Close the stage that is under way and begin the next."""
    found, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    values = read(request, requests.PlainCommand)
    return carry_out(
        request, viewer, stages.begin_next_stage, event=found, version=values.get("version"), needs_version=True
    )


urlpatterns = [
    path("templates", templates, name="templates"),
    path("events", events, name="events"),
    path("events/<slug:code>", event, name="event"),
    path("events/<slug:code>/start", start, name="start"),
    path("events/<slug:code>/finish", finish, name="finish"),
    path("events/<slug:code>/stages/next", next_stage, name="next-stage"),
]
