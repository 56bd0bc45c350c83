"""What every operation on an event shares: whose event, who asks, which command, and how it is answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from config.errors import Conflict, DomainError
from events.api.serializers.requests import Page
from events.models import Event
from events.queries.access import Viewer, as_player, event_of, viewer_of
from events.queries.visibility import visible_rounds
from events.services.transaction import Actor, AlreadyDone, Change, Command

KEY = re.compile(r"[\x20-\x7e]{8,80}")
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    required=True,
    pattern=r"^[\x20-\x7e]{8,80}$",
    description="8 to 80 printable ASCII characters of your own. A repeat with the same key and body changes nothing "
    "and gets the first answer.",
)


class VersionMissing(DomainError):
    status = 428


def event_and_viewer(request: Request, code: str) -> tuple[Event, Viewer]:
    """3 queries for somebody signed in, else 1. Http404 for an unknown code."""
    event = event_of.first(code)
    if event is None:
        raise Http404
    return event, viewer_of(event, request.user)


def event_and_player(request: Request, code: str) -> tuple[Event, Viewer]:
    """As ``event_and_viewer``, for what only players do, with a player's rights. 1 query for them, else 4.

    Raises Http404 and NotAllowed "player.none".
    """
    found = as_player(code, user_of(request))
    if found is None:
        event, viewer = event_and_viewer(request, code)
        viewer.require_player()
        return event, viewer
    return found


def user_of(request: Request) -> User:
    """Only behind IsAuthenticated."""
    return cast(User, request.user)


def read(request: Request, kind: type[serializers.Serializer]) -> dict[str, Any]:
    """The body, checked. Raises DomainError "request.no_key" first, then "request.no_body", then ValidationError."""
    refuse_no_key(request)
    if request.stream is None:
        # A client whose body was lost on the way must not be taken to have asked for a command without fields.
        raise DomainError("request.no_body", "Send a JSON object as the body; for a command without fields, {}.")
    asked = kind(data=request.data)
    asked.is_valid(raise_exception=True)
    return cast(dict[str, Any], asked.validated_data)


def page(request: Request, rows: QuerySet[Any], answer: type[serializers.Serializer], **context: Any) -> Response:
    """One page of a list, as ``paged`` describes it. Raises ValidationError."""
    asked = Page(data=request.query_params)
    asked.is_valid(raise_exception=True)
    limit, offset = asked.validated_data["limit"], asked.validated_data["offset"]
    found = answer(rows[offset : offset + limit], many=True, context=context)
    return Response({"count": rows.count(), "limit": limit, "offset": offset, "results": found.data})


def carry_out(
    request: Request,
    viewer: Viewer | None,
    service: Callable[..., Change],
    *,
    event: Event | None = None,
    version: int | None = None,
    needs_version: bool = False,
    created: bool = False,
    **arguments: Any,
) -> Response:
    """Run a service as the sender's command. A repeat gets the answer and the status of the first time.

    Raises VersionMissing "request.no_version", and what the service raises; Conflict "event.stale" with the event's
    state as the sender may see it.
    """
    if needs_version and version is None:
        raise VersionMissing(
            "request.no_version",
            "Send the version of the event that you decided this on; it stands in every answer about the event.",
        )
    user = user_of(request)
    sent = {"method": request.method, "path": request.path, "body": request.data}
    command = Command(key=_key(request), body=sent, expected_version=version)
    if event is not None:
        arguments["event_id"] = event.pk
    try:
        change = service(actor=Actor(user_id=user.pk, name=user.display_name), command=command, **arguments)
    except AlreadyDone as repeat:
        change = repeat.change
    except Conflict as conflict:
        if conflict.code == "event.stale" and event is not None and viewer is not None:
            conflict.context = dict(_state(event, viewer))
        raise
    return Response(change.as_json(), status=status.HTTP_201_CREATED if created else status.HTTP_200_OK)


def _state(event: Event, viewer: Viewer) -> Mapping[str, Any]:
    event.refresh_from_db(fields=["version", "state"])
    last = visible_rounds(event, viewer).last()
    round_ = None if last is None else {"round": last.sequence, "state": last.state}
    return {"version": event.version, "state": event.state, "round": round_}


def refuse_no_key(request: Request) -> None:
    """Raises DomainError "request.no_key"."""
    _key(request)


def _key(request: Request) -> str:
    key = request.headers.get("Idempotency-Key", "")
    if KEY.fullmatch(key) is None:
        raise DomainError(
            "request.no_key",
            "Send the header Idempotency-Key with 8 to 80 printable ASCII characters, a new one for each change: "
            "then a change that you send twice counts once.",
        )
    return key
