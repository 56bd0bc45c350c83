"""Series of events, for programs."""

from __future__ import annotations

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from events.api.commands import IDEMPOTENCY_KEY, VersionMissing, carry_out, page, read
from events.api.listing import paged
from events.api.serializers import requests
from events.api.serializers import series as answers
from events.models import Event, Series
from events.queries.series import all_series, series_standings
from events.services import series as services


@extend_schema(
    methods=["GET"],
    parameters=[requests.Page],
    responses=paged("SeriesPage", answers.SeriesRowAnswer),
    operation_id="list_series",
)
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=answers.CreateSeries,
    responses={201: answers.SeriesChanged},
    operation_id="create_series",
)
@api_view(["GET", "POST"])
@permission_classes([IsAuthenticatedOrReadOnly])
def index(request: Request) -> Response:
    """GET: every series. POST: a new one, which is yours."""
    if request.method == "GET":
        return page(request, all_series(), answers.SeriesRowAnswer)
    values = read(request, answers.CreateSeries)
    rules = answers.rules_of(values["points"])
    return carry_out(request, None, services.create_series, created=True, name=values["name"], rules=rules)


@extend_schema(methods=["GET"], responses=answers.SeriesStandingsAnswer, operation_id="get_series")
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=answers.ChangeSeries,
    responses=answers.SeriesChanged,
    operation_id="change_series",
)
@api_view(["GET", "POST"])
@permission_classes([IsAuthenticatedOrReadOnly])
def series(request: Request, slug: str) -> Response:
    """GET: total standings over the finished events. POST, for the owner: another name or points."""
    if request.method == "GET":
        found = Series.objects.filter(slug=slug).first()
        if found is None:
            raise Http404
        return Response(answers.SeriesStandingsAnswer(series_standings(found)).data)
    values = read(request, answers.ChangeSeries)
    if values.get("version") is None:
        raise VersionMissing("request.no_version", "Send the version of the series that you decided this on.")
    rules = answers.rules_of(values["points"])
    return carry_out(
        request,
        None,
        services.change_series,
        slug=slug,
        version=values["version"],
        name=values["name"],
        rules=rules,
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=answers.SeriesEvent,
    responses=answers.SeriesEventChanged,
    operation_id="join_series",
)
@api_view(["POST"])
def join(request: Request, slug: str) -> Response:
    """Let an event that you organise count in a series of yours."""
    event = _event(read(request, answers.SeriesEvent)["code"])
    return carry_out(request, None, services.join_series, event=event, slug=slug)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=answers.SeriesEvent,
    responses=answers.SeriesEventChanged,
    operation_id="leave_series",
)
@api_view(["POST"])
def leave(request: Request, slug: str) -> Response:
    """Take an event out of a series of yours."""
    event = _event(read(request, answers.SeriesEvent)["code"])
    return carry_out(request, None, services.leave_series, event=event, slug=slug)


def _event(code: str) -> Event:
    event = Event.objects.filter(code=code).first()
    if event is None:
        raise Http404
    return event


urlpatterns = [
    path("series", index, name="all-series"),
    path("series/<slug:slug>", series, name="series"),
    path("series/<slug:slug>/join", join, name="join-series"),
    path("series/<slug:slug>/leave", leave, name="leave-series"),
]
