"""How an event ends: prizes, final places, the archive; and another event like it."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from config.errors import NotFound
from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read
from events.api.serializers import changes, closing
from events.engine.prizes import Prize
from events.models import Event
from events.queries.closing import awards_for, final_places, handovers_of, prizes_of
from events.services import archive, cloning
from events.services import prizes as services


@extend_schema(methods=["GET"], responses=closing.PrizeAnswer(many=True), operation_id="list_prizes")
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=closing.SetPrizes,
    responses=closing.PrizesSet,
    operation_id="set_prizes",
)
@api_view(["GET", "POST"])
@permission_classes([IsAuthenticatedOrReadOnly])
def prizes(request: Request, code: str) -> Response:
    """What each place gets. POST replaces the whole table, until the event is finished."""
    event, viewer = event_and_viewer(request, code)
    if request.method == "GET":
        return Response(closing.PrizeAnswer(prizes_of(event), many=True).data)
    viewer.require(viewer.runs_event)
    values = read(request, closing.SetPrizes)
    wanted = [Prize(row["first"], row.get("last") or row["first"], row["words"]) for row in values["prizes"]]
    return carry_out(
        request,
        viewer,
        services.set_prizes,
        event=event,
        version=values.get("version"),
        needs_version=True,
        prizes=wanted,
    )


@extend_schema(responses=closing.FinishAnswer(many=True), operation_id="list_places")
@api_view(["GET"])
@permission_classes([AllowAny])
def places(request: Request, code: str) -> Response:
    """Everybody's final place with what it gets, once the event is finished. Staff also learn what was handed over."""
    event, viewer = event_and_viewer(request, code)
    if event.state != Event.State.FINISHED:
        raise NotFound("places.not_yet", "Places are final when the event is finished.", {"state": event.state})
    found = final_places(event)
    context = {"awards": awards_for(found, prizes_of(event))}
    if viewer.follows_event:
        staff = closing.FinishForStaffAnswer(found, many=True, context={**context, "handovers": handovers_of(event)})
        return Response(staff.data)
    return Response(closing.FinishAnswer(found, many=True, context=context).data)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=closing.HandOver,
    responses=changes.FactsChanged,
    operation_id="hand_prize_over",
)
@api_view(["POST"])
def prize(request: Request, code: str, player_id: int) -> Response:
    """Note that a player got what their place is worth, or with `given` false that they did not."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    values = read(request, closing.HandOver)
    if values["given"]:
        return carry_out(request, viewer, services.hand_over, event=event, player_id=player_id, note=values["note"])
    return carry_out(request, viewer, services.take_back, event=event, player_id=player_id)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=closing.Archive,
    responses=closing.Archived,
    operation_id="archive_event",
)
@api_view(["POST"])
def archived(request: Request, code: str) -> Response:
    """Put an event that is over out of all lists, where nothing in it changes; `archived` false takes it out again."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_event)
    values = read(request, closing.Archive)
    service = archive.archive_event if values["archived"] else archive.restore_event
    return carry_out(request, viewer, service, event=event, version=values.get("version"), needs_version=True)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=closing.Clone,
    responses={201: closing.EventCloned},
    operation_id="clone_event",
)
@api_view(["POST"])
def clone(request: Request, code: str) -> Response:
    """A new event with the settings, rules and prizes of this one, and nobody in it."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_event)
    values = read(request, closing.Clone)
    return carry_out(request, viewer, cloning.clone_event, event=event, created=True, **values)


urlpatterns = [
    path("events/<slug:code>/prizes", prizes, name="prizes"),
    path("events/<slug:code>/places", places, name="places"),
    path("events/<slug:code>/players/<int:player_id>/prize", prize, name="prize"),
    path("events/<slug:code>/archived", archived, name="archived"),
    path("events/<slug:code>/clone", clone, name="clone"),
]
