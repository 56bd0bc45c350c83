"""The report of an event, for programs."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from events.api.commands import event_and_viewer
from events.queries.report import report_of


@extend_schema(responses=OpenApiTypes.OBJECT, operation_id="get_report")
@api_view(["GET"])
@permission_classes([AllowAny])
def report(request: Request, code: str) -> Response:
    """What happened, in the shape of the published schema `report`: names as players chose to be read, no decklists."""
    event, _ = event_and_viewer(request, code)
    return Response(report_of(event, audience="public").as_json())


@extend_schema(responses=OpenApiTypes.OBJECT, operation_id="get_full_report")
@api_view(["GET"])
@permission_classes([IsAuthenticated])
def full_report(request: Request, code: str) -> Response:
    """The organiser's report: also full names, teams, staff's reasons and what was handed over."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_event)
    return Response(report_of(event, audience="organiser").as_json())


urlpatterns = [
    path("events/<slug:code>/report", report, name="report"),
    path("events/<slug:code>/report/full", full_report, name="full-report"),
]
