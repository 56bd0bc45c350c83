"""A pod's draft, replayed from its packs and picks."""

from __future__ import annotations

from dataclasses import dataclass

from cards.engine.streams import Stream
from events.engine.drafting import Direction, DraftState, Window, shown_order
from events.engine.drafting import Pick as EnginePick
from events.engine.fairness import order_label
from events.models import Pack, PackCard, Pick, Pod, PodSeat


@dataclass(frozen=True)
class PodDraft:
    """``state`` speaks of card instances (PackCard ids); ``card_of`` tells which card each is, ``contents`` what each
    pack held when it was opened.

    Seats, rounds and picks count from 0 in the engine; ``packs`` is by (round, index of the seat that opened it).
    """

    pod: Pod
    seats: dict[int, PodSeat]
    packs: dict[tuple[int, int], Pack]
    contents: dict[tuple[int, int], list[int]]
    state: DraftState
    card_of: dict[int, int]

    def seat_of_player(self, player_id: int) -> PodSeat | None:
        return next((seat for seat in self.seats.values() if seat.player_id == player_id), None)

    def shown(self, window: Window) -> list[int]:
        """The instances in front of a seat in the keyed order of this pass. No query."""
        label = order_label(self.pod.stage.number, self.pod.number, window.round, window.opened_by, window.k)
        return shown_order(window.cards, Stream(bytes(self.pod.event.secret), label))


def draft_of(pod: Pod) -> PodDraft:
    """4 queries, and 2 more unless the pod came with its event and stage."""
    seats = {seat.index: seat for seat in PodSeat.objects.filter(pod=pod).select_related("player")}
    index_of = {seat.player_id: index for index, seat in seats.items()}
    packs = {(pack.number - 1, index_of[pack.opened_by_id]): pack for pack in Pack.objects.filter(pod=pod)}
    held: dict[int, list[int]] = {pack.pk: [] for pack in packs.values()}
    card_of: dict[int, int] = {}
    instances = PackCard.objects.filter(pack__in=list(held)).order_by("pack_id", "position")
    for instance, pack_id, card in instances.values_list("pk", "pack_id", "card_id"):
        held[pack_id].append(instance)
        card_of[instance] = card
    made = Pick.objects.filter(pod=pod).order_by()
    picks = [
        EnginePick(round=number - 1, seat=seat, k=k, card=instance, automatic=source == Pick.Source.AUTOMATIC)
        for number, seat, k, instance, source in made.values_list(
            "pack_number", "seat__index", "number", "pack_card_id", "source"
        )
    ]
    directions = [Direction(word) for word in pod.stage.config["directions"]]
    contents = {key: held[pack.pk] for key, pack in packs.items()}
    state = DraftState(len(seats), directions, contents, picks)
    return PodDraft(pod=pod, seats=seats, packs=packs, contents=contents, state=state, card_of=card_of)
