"""A draft as one seat sees it."""

from __future__ import annotations

from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from cards.models import Card
from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read
from events.api.serializers import changes, requests
from events.api.serializers.player import DraftAnswer
from events.models import Event, PodSeat
from events.queries.drafting import PodDraft, draft_of
from events.queries.visibility import seat_in_draft
from events.services.drafts import pick_card


@extend_schema(responses=DraftAnswer, operation_id="get_my_draft")
@api_view(["GET"])
def mine(request: Request, code: str) -> Response:
    """The pack in front of you, your picks, and whom the table waits for."""
    event, viewer = event_and_viewer(request, code)
    seat = seat_in_draft(event, viewer.require_player())
    return Response(DraftAnswer(_seat_view(event, seat, draft_of(seat.pod))).data)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=requests.MakePick,
    responses={201: changes.PickMade},
    operation_id="pick_card",
)
@api_view(["POST"])
def picks(request: Request, code: str) -> Response:
    """Take one card out of the pack in front of you."""
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    values = read(request, requests.MakePick)
    return carry_out(
        request,
        viewer,
        pick_card,
        event=event,
        created=True,
        player_id=player.pk,
        pack_number=values["pack"],
        pick_number=values["pick"],
        pack_card_id=values["card"],
    )


def _seat_view(event: Event, seat: PodSeat, draft: PodDraft) -> dict[str, Any]:
    """What this seat may know and no more: never a pack that is not in front of it, never another's pick."""
    state = draft.state
    waiting = state.waiting(seat.index)
    shown = [] if waiting.window is None else draft.shown(waiting.window)
    own = [pick for pick in state.picks if pick.seat == seat.index]
    names = Card.objects.in_bulk({draft.card_of[instance] for instance in [*shown, *(pick.card for pick in own)]})

    def card(instance: int) -> dict[str, Any]:
        found = draft.card_of[instance]
        return {"id": instance, "card": found, "name": names[found].name}

    def chair(index: int) -> dict[str, Any]:
        player = draft.seats[index].player
        return {"seat": index + 1, "player": player.pk, "name": player.shown_name}

    window = None
    if waiting.window is not None:
        window = {
            "pack": waiting.window.round + 1,
            "pick": waiting.window.k,
            "direction": str(state.directions[waiting.window.round]),
            "cards": [card(instance) for instance in shown],
        }
    return {
        "version": event.version,
        "stage": seat.pod.stage.number,
        "pod": seat.pod.number,
        "seat": seat.index + 1,
        "seats": [chair(index) for index in sorted(draft.seats)],
        "picks_each": state.total_picks,
        "is_finished": len(own) == state.total_picks,
        "window": window,
        "waiting_for": [chair(index) for index in waiting.seats],
        "picks": [{"pack": pick.round + 1, "pick": pick.k, **card(pick.card)} for pick in own],
    }


urlpatterns = [
    path("events/<slug:code>/draft/me", mine, name="my-draft"),
    path("events/<slug:code>/draft/picks", picks, name="picks"),
]
