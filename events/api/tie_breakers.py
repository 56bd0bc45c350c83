"""What another order of tie-breakers would change, and the order itself before the event begins."""

from __future__ import annotations

from dataclasses import asdict

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from decks.serializers import Text
from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read
from events.api.serializers import changes, requests
from events.queries.tie_breakers import MOST_METRICS, preview
from events.services.tie_breakers import choose_tie_breakers

ORDER = OpenApiParameter("order", str, many=True, description="An order to try: tie-breakers, the first first.")


class ChooseTieBreakers(requests.PlainCommand):
    metrics = serializers.ListField(child=Text(max_length=40), min_length=1, max_length=MOST_METRICS)


class TieBreakersChosen(changes.Changed):
    metrics = serializers.ListField(child=serializers.CharField())


class OrderChangeAnswer(serializers.Serializer):
    name = serializers.CharField()
    metrics = serializers.ListField(child=serializers.CharField())
    moved = serializers.IntegerField(help_text="Of 100 players, who would have another place.")
    farthest = serializers.IntegerField(help_text="Places moved at most.")
    cuts = serializers.IntegerField(help_text="Examples in which others make the cut.")


class TieBreakersAnswer(serializers.Serializer):
    """Tried on events that never were; the examples are the same each time."""

    players = serializers.IntegerField(help_text="Of each example.")
    rounds = serializers.IntegerField()
    cut = serializers.IntegerField(help_text="0 without a cut.")
    examples = serializers.IntegerField()
    metrics = serializers.ListField(child=serializers.CharField(), help_text="The event's order.")
    changes = OrderChangeAnswer(many=True)


@extend_schema(methods=["GET"], parameters=[ORDER], responses=TieBreakersAnswer, operation_id="preview_tie_breakers")
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=ChooseTieBreakers,
    responses=TieBreakersChosen,
    operation_id="choose_tie_breakers",
)
@api_view(["GET", "POST"])
@permission_classes([IsAuthenticated])
def tie_breakers(request: Request, code: str) -> Response:
    """GET, organiser: the event's order against others. POST: order the standings like this, before it begins."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_event)
    if request.method == "GET":
        return Response(TieBreakersAnswer(asdict(preview(event, request.query_params.getlist("order")))).data)
    values = read(request, ChooseTieBreakers)
    return carry_out(
        request,
        viewer,
        choose_tie_breakers,
        event=event,
        version=values.get("version"),
        needs_version=True,
        metrics=values["metrics"],
    )


urlpatterns = [path("events/<slug:code>/tie-breakers", tie_breakers, name="tie-breakers")]
