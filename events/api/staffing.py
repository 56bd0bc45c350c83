"""Who helps at an event: roles, invites, and what those who check decks find."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read, user_of
from events.api.serializers import staffing as serializers
from events.api.serializers.requests import PlainCommand
from events.models import Event, StaffInvite
from events.queries.access import Viewer
from events.queries.staffing import deck_rows, invite_of, invite_rows, staff_rows
from events.services import administration, invites, setup
from events.services.deck_checks import record_deck_check
from events.services.invite_tokens import hash_of, link_of


def _staff(request: Request, code: str, right: str) -> tuple[Event, Viewer]:
    """Whoever is no staff does not learn that there is anything."""
    event, viewer = event_and_viewer(request, code)
    if not viewer.is_staff:
        raise Http404
    viewer.require(getattr(viewer, right))
    return event, viewer


def _organiser(request: Request, code: str, service: Any, kind: Any = PlainCommand, **arguments: Any) -> Response:
    event, viewer = _staff(request, code, "runs_event")
    values = read(request, kind)
    version = values.pop("version", None)
    created = kind in (serializers.AddStaff, serializers.Invite)
    return carry_out(
        request,
        viewer,
        service,
        event=event,
        version=version,
        needs_version=True,
        created=created,
        **arguments,
        **values,
    )


@extend_schema(methods=["GET"], responses=serializers.StaffAnswer(many=True), operation_id="list_staff")
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=serializers.AddStaff,
    responses={201: serializers.RoleChanged},
    operation_id="add_staff",
)
@api_view(["GET", "POST"])
def staff(request: Request, code: str) -> Response:
    """Organisers: who has which role until when. POST gives one to an account at once."""
    if request.method == "POST":
        return _organiser(request, code, setup.add_staff, serializers.AddStaff)
    event, _ = _staff(request, code, "runs_event")
    return Response(serializers.StaffAnswer(staff_rows(event), many=True).data)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=serializers.RoleEnd,
    responses=serializers.RoleChanged,
    operation_id="change_role_end",
)
@api_view(["POST"])
def role_end(request: Request, code: str, role_id: int) -> Response:
    """Organisers: let a role end later, sooner or never."""
    return _organiser(request, code, invites.change_role_end, serializers.RoleEnd, role_id=role_id)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=PlainCommand,
    responses=serializers.RoleChanged,
    operation_id="remove_staff",
)
@api_view(["POST"])
def remove(request: Request, code: str, role_id: int) -> Response:
    """Organisers: take a role away. The last organiser's stays."""
    return _organiser(request, code, administration.remove_staff, role_id=role_id)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=serializers.Leave,
    responses=serializers.RoleChanged,
    operation_id="leave_staff",
)
@api_view(["POST"])
def leave(request: Request, code: str) -> Response:
    """Lay down a role of your own."""
    event, viewer = _staff(request, code, "is_staff")
    values = read(request, serializers.Leave)
    return carry_out(request, viewer, invites.leave, event=event, role=values["role"])


@extend_schema(methods=["GET"], responses=serializers.InviteAnswer(many=True), operation_id="list_invites")
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=serializers.Invite,
    responses={201: serializers.Invited},
    operation_id="invite_staff",
)
@api_view(["GET", "POST"])
def invite_list(request: Request, code: str) -> Response:
    """Organisers: the invites. POST makes one; the link of one without an address is in its answer alone."""
    if request.method != "POST":
        event, _ = _staff(request, code, "runs_event")
        return Response(serializers.InviteAnswer(invite_rows(event), many=True).data)
    origin = request.build_absolute_uri("/").rstrip("/")
    answer = _organiser(request, code, invites.invite, serializers.Invite, origin=origin)
    made = StaffInvite.objects.select_related("event").get(pk=answer.data["invite"])
    if not made.email:
        answer.data["link"] = link_of(made, origin)
    answer["Cache-Control"] = "no-store"
    return answer


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=PlainCommand,
    responses=serializers.InviteRevoked,
    operation_id="revoke_invite",
)
@api_view(["POST"])
def revoke(request: Request, code: str, invite_id: int) -> Response:
    """Organisers: nobody accepts this invite any more."""
    return _organiser(request, code, invites.revoke_invite, invite_id=invite_id)


@extend_schema(methods=["GET"], responses=serializers.HeldOutAnswer, operation_id="get_invite")
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=PlainCommand,
    responses=serializers.InviteAccepted,
    operation_id="accept_invite",
)
@api_view(["GET", "POST"])
def join(request: Request, code: str, token: str) -> Response:
    """What an invite holds out to you; POST accepts it. 410 once it is revoked, expired or used up."""
    event, viewer = event_and_viewer(request, code)
    found = invite_of(event, hash_of(token))
    if request.method != "POST":
        return Response(serializers.HeldOutAnswer(found).data)
    read(request, PlainCommand)
    return carry_out(request, viewer, invites.accept_invite, token=token, user_id=user_of(request).pk)


@extend_schema(responses=serializers.DeckRowAnswer(many=True), operation_id="list_deck_checks")
@api_view(["GET"])
def deck_checks(request: Request, code: str) -> Response:
    """Who checks decks: every player with the decklist that counts and what was found."""
    event, _ = _staff(request, code, "checks_decks")
    return Response(serializers.DeckRowAnswer(deck_rows(event), many=True).data)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=serializers.RecordDeckCheck,
    responses={201: serializers.DeckChecked},
    operation_id="record_deck_check",
)
@api_view(["POST"])
def deck_check(request: Request, code: str, player_id: int) -> Response:
    """Write down what a deck check found. 409 where the decklist was replaced meanwhile."""
    event, viewer = _staff(request, code, "checks_decks")
    values = read(request, serializers.RecordDeckCheck)
    return carry_out(
        request,
        viewer,
        record_deck_check,
        event=event,
        version=values.get("version"),
        created=True,
        player_id=player_id,
        decklist_id=values["decklist"],
        found=values["found"],
        note=values["note"],
    )


urlpatterns = [
    path("events/<slug:code>/staff", staff, name="staff"),
    path("events/<slug:code>/staff/leave", leave, name="leave-staff"),
    path("events/<slug:code>/staff/<int:role_id>/end", role_end, name="role-end"),
    path("events/<slug:code>/staff/<int:role_id>/remove", remove, name="remove-staff"),
    path("events/<slug:code>/invites", invite_list, name="invites"),
    path("events/<slug:code>/invites/<int:invite_id>/revoke", revoke, name="revoke-invite"),
    path("events/<slug:code>/join/<str:token>", join, name="join"),
    path("events/<slug:code>/deck-checks", deck_checks, name="deck-checks"),
    path("events/<slug:code>/players/<int:player_id>/deck-check", deck_check, name="deck-check"),
]
