"""Who plays, and with what."""

from __future__ import annotations

from collections.abc import Callable

from django.urls import path
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, page, read, refuse_no_key, user_of
from events.api.listing import paged
from events.api.serializers import changes, requests
from events.api.serializers.player import OwnDecklistAnswer, OwnPlayerAnswer
from events.api.serializers.public import DecklistAnswer, PlayerAnswer
from events.api.serializers.staff import AvoidanceAnswer, StaffDecklistAnswer, StaffPlayerAnswer
from events.queries.access import Viewer
from events.queries.registration import with_waitlist_places
from events.queries.visibility import player_in, visible_decklist
from events.services import player_facts, privacy, registration, submission
from events.services.transaction import Change

_PLAYER = PolymorphicProxySerializer(
    "PlayerForAudience", [PlayerAnswer, OwnPlayerAnswer, StaffPlayerAnswer], resource_type_field_name=None
)
_DECKLIST = PolymorphicProxySerializer(
    "DecklistForAudience", [DecklistAnswer, OwnDecklistAnswer, StaffDecklistAnswer], resource_type_field_name=None
)


@extend_schema(
    methods=["GET"],
    parameters=[requests.Page],
    responses=paged("PlayerPage", StaffPlayerAnswer),
    operation_id="list_players",
)
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=requests.AddPlayer,
    responses={201: changes.PlayerAdded},
    operation_id="add_player",
)
@api_view(["GET", "POST"])
@permission_classes([IsAuthenticatedOrReadOnly])
def players(request: Request, code: str) -> Response:
    """GET: everybody by name. POST, staff: enter a person without an account."""
    event, viewer = event_and_viewer(request, code)
    if request.method == "GET":
        answer = StaffPlayerAnswer if viewer.follows_event else PlayerAnswer
        return page(request, with_waitlist_places(event.players.select_related("team").order_by("name", "pk")), answer)
    viewer.require(viewer.runs_rounds)
    values = read(request, requests.AddPlayer)
    return carry_out(
        request,
        viewer,
        registration.add_player,
        event=event,
        version=values.get("version"),
        needs_version=True,
        created=True,
        name=values["name"],
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.Register,
    responses={201: changes.PlayerRegistered},
    operation_id="register",
)
@api_view(["POST"])
def register(request: Request, code: str) -> Response:
    """Enter yourself, under your display name; on the waitlist where all places are taken and the event has one."""
    event, viewer = event_and_viewer(request, code)
    values = read(request, requests.Register)
    return carry_out(
        request,
        viewer,
        registration.register,
        event=event,
        version=values.get("version"),
        created=True,
        user_id=user_of(request).pk,
        hides_surname=values["hides_surname"],
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PublicName,
    responses=changes.PublicNameChosen,
    operation_id="choose_public_name",
)
@api_view(["POST"])
def public_name(request: Request, code: str, player_id: int) -> Response:
    """The name that everybody but staff reads: by the player for themselves, or by staff for anybody."""
    event, viewer = event_and_viewer(request, code)
    own = _is_own(viewer, player_id)
    viewer.require(own or viewer.runs_rounds)
    values = read(request, requests.PublicName)
    return carry_out(
        request,
        viewer,
        privacy.choose_public_name,
        event=event,
        version=values.get("version"),
        needs_version=not own,
        player_id=player_id,
        style=values["style"],
        own=values["own"],
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY], request=requests.Claim, responses=changes.EntryClaimed, operation_id="claim_entry"
)
@api_view(["POST"])
def claim(request: Request) -> Response:
    """Take over the entry that an organiser made for you."""
    values = read(request, requests.Claim)
    return carry_out(request, None, registration.claim_entry, token=values["token"], user_id=user_of(request).pk)


def _presence(request: Request, code: str, player_id: int, service: Callable[..., Change]) -> Response:
    """By the player for themselves, or by staff for anybody."""
    event, viewer = event_and_viewer(request, code)
    own = _is_own(viewer, player_id)
    viewer.require(own or viewer.runs_rounds)
    values = read(request, requests.PlainCommand)
    return carry_out(
        request,
        viewer,
        service,
        event=event,
        version=values.get("version"),
        needs_version=not own,
        player_id=player_id,
    )


def _is_own(viewer: Viewer, player_id: int) -> bool:
    return viewer.player is not None and viewer.player.pk == player_id


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=changes.PlayerChanged,
    operation_id="check_in",
)
@api_view(["POST"])
def check_in(request: Request, code: str, player_id: int) -> Response:
    """Say that a player is present: yourself, or anybody for staff."""
    return _presence(request, code, player_id, registration.check_in)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlayerFacts,
    responses=changes.FactsChanged,
    operation_id="change_player_facts",
)
@api_view(["PATCH"])
def facts(request: Request, code: str, player_id: int) -> Response:
    """Staff: note whether a player has paid, their assigned byes, table and team. What is not sent stays."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    values = read(request, requests.PlayerFacts)
    version = values.pop("version", None)
    return carry_out(
        request,
        viewer,
        player_facts.change_facts,
        event=event,
        version=version,
        needs_version=True,
        player_id=player_id,
        **values,
    )


@extend_schema(methods=["GET"], responses=AvoidanceAnswer(many=True), operation_id="list_avoidances")
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=requests.KeepApart,
    responses={201: changes.KeptApart},
    operation_id="keep_apart",
)
@api_view(["GET", "POST"])
def avoidances(request: Request, code: str) -> Response:
    """Staff: who is not to meet whom. The reasons are for staff alone."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    if request.method == "GET":
        return Response(AvoidanceAnswer(event.avoidances.all(), many=True).data)
    values = read(request, requests.KeepApart)
    return carry_out(
        request,
        viewer,
        player_facts.keep_apart,
        event=event,
        version=values.get("version"),
        needs_version=True,
        created=True,
        player_id=values["one"],
        other_id=values["other"],
        is_strict=values["is_strict"],
        reason=values["reason"],
    )


@extend_schema(parameters=[IDEMPOTENCY_KEY], request=None, responses=changes.KeptApart, operation_id="let_meet")
@api_view(["DELETE"])
def avoidance(request: Request, code: str, avoidance_id: int) -> Response:
    """Staff: two players may meet after all."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    refuse_no_key(request)
    return carry_out(request, viewer, player_facts.let_meet, event=event, avoidance_id=avoidance_id)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.CheckInCode,
    responses=changes.CheckedInByCode,
    operation_id="check_in_by_code",
)
@api_view(["POST"])
def check_in_by_code(request: Request, code: str) -> Response:
    """Staff: check in whoever shows this code at the door."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    values = read(request, requests.CheckInCode)
    return carry_out(request, viewer, registration.check_in_by_code, event=event, code=values["code"])


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=changes.PlayerChanged,
    operation_id="undo_check_in",
)
@api_view(["POST"])
def undo_check_in(request: Request, code: str, player_id: int) -> Response:
    """Take a check-in back, until the event starts."""
    return _presence(request, code, player_id, registration.undo_check_in)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=changes.PlayerDropped,
    operation_id="drop_player",
)
@api_view(["POST"])
def drop(request: Request, code: str, player_id: int) -> Response:
    """Leave the event, or take a player out of it for staff."""
    return _presence(request, code, player_id, registration.drop_player)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.PlainCommand,
    responses=changes.PlayerChanged,
    operation_id="reinstate_player",
)
@api_view(["POST"])
def reinstate(request: Request, code: str, player_id: int) -> Response:
    """Take a drop back, until a round was paired without the player: your own, or as staff anybody's."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds or _is_own(viewer, player_id))
    values = read(request, requests.PlainCommand)
    return carry_out(
        request,
        viewer,
        registration.reinstate_player,
        event=event,
        version=values.get("version"),
        needs_version=not _is_own(viewer, player_id),
        player_id=player_id,
        by_staff=viewer.runs_rounds,
    )


@extend_schema(methods=["GET"], responses=_DECKLIST, operation_id="get_decklist")
@extend_schema(
    methods=["DELETE"],
    parameters=[IDEMPOTENCY_KEY],
    request=None,
    responses=changes.DecklistWithdrawn,
    operation_id="withdraw_decklist",
)
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=requests.SubmitDecklist,
    responses={201: changes.DecklistSubmitted},
    operation_id="submit_decklist",
)
@api_view(["GET", "POST", "DELETE"])
@permission_classes([IsAuthenticatedOrReadOnly])
def decklist(request: Request, code: str, player_id: int) -> Response:
    """GET: the decklist that counts, for its player, for staff who do not play, and for everybody once the event
    publishes it. POST: hand one in; it replaces the one before. DELETE: withdraw your own, until the deadline; it is
    kept, and counts again once it is handed in again."""
    event, viewer = event_and_viewer(request, code)
    own = _is_own(viewer, player_id)
    if request.method == "GET":
        found = visible_decklist(event, viewer, player_id)
        if viewer.sees_decklists:
            return Response(StaffDecklistAnswer(found).data)
        return Response((OwnDecklistAnswer if own else DecklistAnswer)(found).data)
    if request.method == "DELETE":
        viewer.require(own)
        refuse_no_key(request)
        return carry_out(request, viewer, submission.withdraw_decklist, event=event, player_id=player_id)
    viewer.require(own or viewer.decides_results)
    values = read(request, requests.SubmitDecklist)
    return carry_out(
        request,
        viewer,
        submission.submit_decklist,
        event=event,
        version=values.get("version"),
        needs_version=not own,
        created=True,
        player_id=player_id,
        text=values["text"],
        by_staff=not own,
        reason=values["reason"],
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.Consent,
    responses=changes.ConsentGiven,
    operation_id="consent_to_publication",
)
@api_view(["POST"])
def decklist_consent(request: Request, code: str, player_id: int) -> Response:
    """Agree that everybody reads your decklist from the cut on, or take that back, until the cut is made."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(_is_own(viewer, player_id))
    values = read(request, requests.Consent)
    return carry_out(
        request,
        viewer,
        submission.consent_to_publication,
        event=event,
        version=values.get("version"),
        player_id=player_id,
        shows=values["shows"],
    )


@extend_schema(responses=_PLAYER, operation_id="get_player")
@api_view(["GET"])
@permission_classes([AllowAny])
def player(request: Request, code: str, player_id: int) -> Response:
    """One player of the event."""
    event, viewer = event_and_viewer(request, code)
    found = player_in(event, player_id, players=with_waitlist_places(event.players.select_related("team")))
    if _is_own(viewer, player_id):
        return Response(OwnPlayerAnswer(found).data)
    return Response((StaffPlayerAnswer if viewer.follows_event else PlayerAnswer)(found).data)


urlpatterns = [
    path("claim", claim, name="claim"),
    path("events/<slug:code>/check-in", check_in_by_code, name="check-in-by-code"),
    path("events/<slug:code>/players", players, name="players"),
    path("events/<slug:code>/players/register", register, name="register"),
    path("events/<slug:code>/players/<int:player_id>", player, name="player"),
    path("events/<slug:code>/players/<int:player_id>/public-name", public_name, name="public-name"),
    path("events/<slug:code>/players/<int:player_id>/facts", facts, name="player-facts"),
    path("events/<slug:code>/avoidances", avoidances, name="avoidances"),
    path("events/<slug:code>/avoidances/<int:avoidance_id>", avoidance, name="avoidance"),
    path("events/<slug:code>/players/<int:player_id>/check-in", check_in, name="check-in"),
    path("events/<slug:code>/players/<int:player_id>/undo-check-in", undo_check_in, name="undo-check-in"),
    path("events/<slug:code>/players/<int:player_id>/drop", drop, name="drop"),
    path("events/<slug:code>/players/<int:player_id>/reinstate", reinstate, name="reinstate"),
    path("events/<slug:code>/players/<int:player_id>/decklist", decklist, name="decklist"),
    path("events/<slug:code>/players/<int:player_id>/decklist-consent", decklist_consent, name="decklist-consent"),
]
