"""One pick at a time."""

from __future__ import annotations

from cards.engine.streams import Stream
from config.errors import Conflict, NotFound
from events.engine.drafting import Pick as EnginePick
from events.engine.drafting import opener_of
from events.engine.fairness import auto_pick_label
from events.models import Pick, Player, Pod, PodSeat, Stage
from events.queries.drafting import PodDraft, draft_of
from events.services.transaction import (
    Actor,
    Change,
    Command,
    EventTransaction,
    event_transaction,
    refuse_not_running,
)


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
        if seat.pod.stage.state != Stage.State.ACTIVE:
            raise Conflict("draft.not_open", "The draft is over.")
        draft = _locked(seat.pod)
        pick = draft.state.legal_pick(seat.index, pack_number - 1, pick_number, pack_card_id)
        _store(tx, draft, pick)
        pick_for_absent(tx, seat.pod)
        return tx.done(pack=pack_number, pick=pick_number, pack_card=pack_card_id)


def pick_for_absent(tx: EventTransaction, pod: Pod) -> None:
    """Draw a card for every seat whose player has dropped, until the pod waits for somebody who is there: the counts
    and directions of the others stay exact. Called in a service's transaction."""
    draft = _locked(pod)
    while absent := [seat for seat in draft.state.pending if draft.seats[seat].player.state == Player.State.DROPPED]:
        for seat in absent:
            window = draft.state.waiting(seat).window
            if window is None:
                raise RuntimeError(f"Seat {seat} is to pick and has no pack.")
            label = auto_pick_label(pod.stage.number, pod.number, window.round, seat, window.k)
            _store(tx, draft, draft.state.automatic_pick(seat, Stream(bytes(tx.event.secret), label)))
        draft = draft_of(pod)


def _locked(pod: Pod) -> PodDraft:
    Pod.objects.select_for_update().only("pk").get(pk=pod.pk)
    return draft_of(pod)


def _store(tx: EventTransaction, draft: PodDraft, pick: EnginePick) -> None:
    opener = opener_of(pick.seat, draft.state.directions[pick.round], pick.k, draft.state.seats)
    pack = draft.packs[pick.round, opener]
    Pick.objects.create(
        pod=draft.pod,
        pack=pack,
        number=pick.k,
        seat=draft.seats[pick.seat],
        pack_number=pack.number,
        pack_card_id=pick.card,
        source=Pick.Source.AUTOMATIC if pick.automatic else Pick.Source.PLAYER,
        picked_at=tx.now,
    )
    tx.log(
        "draft.picked",
        {
            "pod": draft.pod.number,
            "seat": pick.seat,
            "pack": pack.number,
            "pick": pick.k,
            "card": draft.card_of[pick.card],
            "automatic": pick.automatic,
        },
        public=False,
    )
