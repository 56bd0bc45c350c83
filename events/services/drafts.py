"""One pick at a time."""

from __future__ import annotations

from config.errors import Conflict, NotFound
from events.models import Pick, Pod, PodSeat, Stage
from events.queries.drafting import draft_of
from events.services.transaction import Actor, Change, Command, event_transaction, refuse_not_running


def pick_card(
    *,
    event_id: int,
    actor: Actor,
    player_id: int,
    pack_number: int,
    pick_number: int,
    pack_card_id: int,
    command: Command | None = None,
) -> Change:
    """Take one card out of the pack in front of a player. The window is named, so that a late tap on an old page is
    refused instead of taking a card from the next pack.

    ``pack_number`` counts from 1, ``pick_number`` from 0, as they are stored.
    Raises NotFound "draft.no_seat", Conflict "event.not_running", "draft.not_open", and as ``DraftState.legal_pick``.
    """
    with event_transaction(event_id, actor=actor, mode="shared", command=command) as tx:
        refuse_not_running(tx)
        seat = (
            PodSeat.objects.filter(pod__event=tx.event, player_id=player_id)
            .select_related("pod__stage", "pod__event")
            .order_by("-pod__stage__number")
            .first()
        )
        if seat is None:
            raise NotFound("draft.no_seat", "You have no seat in a draft of this event.")
        pod = seat.pod
        if pod.stage.state != Stage.State.ACTIVE:
            raise Conflict("draft.not_open", "The draft is over.")
        Pod.objects.select_for_update().only("pk").get(pk=pod.pk)
        draft = draft_of(pod)
        pick = draft.state.legal_pick(seat.index, pack_number - 1, pick_number, pack_card_id)
        waiting = draft.state.waiting(seat.index)
        if waiting.window is None:
            raise Conflict("draft.not_open", "There is no pack in front of you yet.")
        pack = draft.packs[pick.round, waiting.window.opened_by]
        Pick.objects.create(
            pod=pod,
            pack=pack,
            number=pick.k,
            seat=seat,
            pack_number=pack.number,
            pack_card_id=pack_card_id,
            picked_at=tx.now,
        )
        tx.log(
            "draft.picked",
            {
                "pod": pod.number,
                "seat": seat.index,
                "pack": pack.number,
                "pick": pick.k,
                "card": draft.card_of[pick.card],
            },
            public=False,
        )
        return tx.done(pack=pack.number, pick=pick.k, pack_card=pack_card_id)
