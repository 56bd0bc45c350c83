"""Coming into an event that is under way."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read, refuse_no_key, user_of
from events.api.serializers import changes
from events.api.serializers import late as answers
from events.queries.late_entry import late_terms
from events.queries.visibility import player_in
from events.sentences_late import terms_sentence
from events.services import late_entry as services


@extend_schema(
    methods=["GET"],
    parameters=[answers.LateQuestion],
    responses=answers.LateTermsAnswer,
    operation_id="get_late_terms",
)
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=answers.EnterLate,
    responses={201: answers.EnteredLate},
    operation_id="enter_late",
)
@api_view(["GET", "POST"])
@permission_classes([IsAuthenticatedOrReadOnly])
def late_entries(request: Request, code: str) -> Response:
    """GET: on which terms somebody new, or a player of the event, comes in now. POST: accept them, for yourself or, as
    staff, for others. 409 `late.price_changed` with the new terms where a round was paired meanwhile."""
    event, viewer = event_and_viewer(request, code)
    if request.method == "GET":
        asked = answers.LateQuestion(data=request.query_params)
        asked.is_valid(raise_exception=True)
        known = asked.validated_data.get("player")
        own = viewer.player is not None and known == viewer.player.pk
        viewer.require(known is None or own or viewer.runs_rounds)
        player = player_in(event, known) if known is not None else None
        terms = late_terms(event, player)
        who = "You" if own or not viewer.is_staff else "Somebody new" if player is None else player.name
        said = terms_sentence(terms.round, terms.missed, count_as_lost=terms.count_as_lost, who=who)
        return Response(answers.LateTermsAnswer({**terms.as_json(), "sentence": said}).data)
    values = read(request, answers.EnterLate)
    for_others = "name" in values or "player" in values
    viewer.require(not for_others or viewer.runs_rounds)
    own_entry = viewer.player if not for_others else None
    return carry_out(
        request,
        viewer,
        services.enter_late,
        event=event,
        version=values.get("version"),
        created=True,
        round_number=values["round"],
        name=values.get("name"),
        player_id=values.get("player") if own_entry is None else own_entry.pk,
        user_id=user_of(request).pk if not for_others and own_entry is None else None,
        hides_surname=values["hides_surname"],
        by_staff=for_others,
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY], request=None, responses=changes.PlayerChanged, operation_id="undo_late_entry"
)
@api_view(["DELETE"])
def late_entry(request: Request, code: str, player_id: int) -> Response:
    """Take a late entry back, until the next round is paired: your own, or as staff anybody's."""
    event, viewer = event_and_viewer(request, code)
    own = viewer.player is not None and viewer.player.pk == player_id
    viewer.require(own or viewer.runs_rounds)
    refuse_no_key(request)
    return carry_out(request, viewer, services.undo_late_entry, event=event, player_id=player_id)


urlpatterns = [
    path("events/<slug:code>/late-entries", late_entries, name="late-entries"),
    path("events/<slug:code>/players/<int:player_id>/late-entry", late_entry, name="late-entry"),
]
