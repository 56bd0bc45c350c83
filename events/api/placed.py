"""Results of tables of several players, and of games of sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from config.errors import DomainError
from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read
from events.api.serializers import changes, requests
from events.engine.melee import Kind, Loot, Sheet
from events.services import placed_results
from events.services.transaction import Change


def _decide(
    request: Request,
    code: str,
    match_id: int,
    form: type[serializers.Serializer],
    service: Callable[..., Change],
    told: Callable[[dict[str, Any]], dict[str, Any]],
) -> Response:
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.decides_results)
    values = read(request, form)
    version = values.pop("version", None)
    known = {name: values[name] for name in ("reason", "match_version") if name in values}
    return carry_out(
        request,
        viewer,
        service,
        event=event,
        version=version,
        needs_version=True,
        match_id=match_id,
        **known,
        **told(values),
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.DecidePlaces,
    responses=changes.MatchChanged,
    operation_id="decide_places",
)
@api_view(["POST"])
def places(request: Request, code: str, match_id: int) -> Response:
    """Staff: the places of a table. One that was entered before is replaced with a reason."""
    return _decide(request, code, match_id, requests.DecidePlaces, placed_results.decide_table, _places)


def _places(values: dict[str, Any]) -> dict[str, Any]:
    rows = [(row["player"], row["place"]) for row in values["places"]]
    if len(dict(rows)) != len(rows):
        raise DomainError("placings.players", "Enter every player of the table, each once, and nobody else.")
    return {"places": dict(rows)}


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.DecideSheets,
    responses=changes.MatchChanged,
    operation_id="decide_sheets",
)
@api_view(["POST"])
def sheets(request: Request, code: str, match_id: int) -> Response:
    """Staff: the score sheets of a table of Epic Melee, from which its places follow."""
    return _decide(request, code, match_id, requests.DecideSheets, placed_results.decide_melee, _sheets)


def _sheets(values: dict[str, Any]) -> dict[str, Any]:
    return {
        "sheets": [
            Sheet(
                row["player"],
                **{kind.value: Loot(**row[kind.value]) for kind in Kind if kind.value in row},
                symbols=row["symbols"],
            )
            for row in values["sheets"]
        ]
    }


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.DecideSides,
    responses=changes.MatchChanged,
    operation_id="decide_sides",
)
@api_view(["POST"])
def sides(request: Request, code: str, match_id: int) -> Response:
    """Staff: which side of a team game has won."""
    return _decide(
        request,
        code,
        match_id,
        requests.DecideSides,
        placed_results.decide_sides,
        lambda values: {"winner": values["winner"]},
    )


urlpatterns = [
    path("events/<slug:code>/matches/<int:match_id>/places", places, name="places"),
    path("events/<slug:code>/matches/<int:match_id>/sheets", sheets, name="sheets"),
    path("events/<slug:code>/matches/<int:match_id>/sides", sides, name="sides"),
]
