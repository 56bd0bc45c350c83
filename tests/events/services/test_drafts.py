"""One pick at a time, out of the pack that is named, by whose turn it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from config.errors import Conflict, DomainError, NotFound
from events.models import Pack, PackCard, Pick, Player, Pod, PoolCard
from events.queries.drafting import PodDraft, draft_of
from events.queries.verification import verify_event
from events.services import administration, drafts, registration
from events.services.transaction import AlreadyDone, Change, Command
from tests.events.factories import Made, actor_of, user_of
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


@pytest.fixture
def made(make_event: Make) -> Made:
    return make_event(policy="draft-2", players=3, started=True)


def pick(made: Made, player: Player, card: int, pack: int = 1, number: int = 0, **options: Any) -> Change:
    return drafts.pick_card(
        event_id=made.event.pk,
        actor=actor_of(user_of(player)),
        player_id=player.pk,
        pack_number=pack,
        pick_number=number,
        pack_card_id=card,
        **options,
    )


def in_front_of(made: Made, player: Player) -> list[int]:
    draft = made.draft(player)
    seat = draft.seat_of_player(player.pk)
    assert seat is not None
    window = draft.state.waiting(seat.index).window
    return draft.shown(window) if window is not None else []


def in_order(made: Made) -> list[Player]:
    """The players as they sit, clockwise."""
    return [seat.player for seat in Pod.objects.get(event=made.event).seats.select_related("player").order_by("index")]


def test_a_pick_takes_the_card_and_says_so_to_nobody_else(made: Made) -> None:
    player = made.players[0]
    card = in_front_of(made, player)[3]
    with one_change(made.event, "draft.picked"):
        change = pick(made, player, card)
    assert change.facts == {"pack": 1, "pick": 0, "pack_card": card}
    row = Pick.objects.get()
    assert (row.pack_card_id, row.seat.player_id, row.pack_number, row.number, row.source) == (
        card,
        player.pk,
        1,
        0,
        "player",
    )
    assert row.pack == PackCard.objects.get(pk=card).pack
    entry = last_entry(made.event)
    assert (entry.is_public, entry.payload["card"]) == (False, PackCard.objects.get(pk=card).card_id)


def test_the_packs_go_round_to_the_left_then_to_the_right(made: Made) -> None:
    seated = in_order(made)
    for number, direction in ((1, "left"), (2, "right")):
        fronts = [set(in_front_of(made, player)) for player in seated]
        for player in seated:
            made.pick(player)
        after = [set(in_front_of(made, player)) for player in seated]
        step = 1 if direction == "left" else -1
        assert [after[(index + step) % 3] <= fronts[index] for index in range(3)] == [True] * 3, number
        if number == 1:
            while Pick.objects.filter(pack_number=1).count() < 45:
                for player in seated:
                    made.pick(player)


def test_a_click_on_an_old_page_takes_nothing_from_the_next_pack(made: Made) -> None:  # draft T7
    player, others = made.players[0], made.players[1:]
    first, late = in_front_of(made, player)[:2]
    pick(made, player, first)
    for other in others:
        made.pick(other)
    front = in_front_of(made, player)
    for card in (late, front[0]):
        with refused(Conflict, "draft.already_picked", 409):
            pick(made, player, card)
    assert in_front_of(made, player) == front


def test_a_second_pick_in_one_window_is_refused_and_nothing_moves(made: Made) -> None:  # draft T21
    player, other = made.players[0], made.players[1]
    one, two = in_front_of(made, player)[:2]
    before = in_front_of(made, other)
    pick(made, player, one)
    with refused(Conflict, "draft.already_picked", 409):
        pick(made, player, two)
    assert in_front_of(made, other) == before
    assert in_front_of(made, player) == []
    with refused(Conflict, "draft.not_your_pack", 409):
        pick(made, player, two, number=1)


def test_a_repeat_of_the_same_click_has_the_same_answer(made: Made) -> None:
    player = made.players[0]
    card = in_front_of(made, player)[0]
    first = pick(made, player, card, command=Command(key="one-click"))
    with nothing_new(), pytest.raises(AlreadyDone) as repeat:
        pick(made, player, card, command=Command(key="one-click"))
    assert repeat.value.change == first


def test_windows_and_cards_that_are_not_there(made: Made) -> None:
    player, other = made.players[:2]
    card = in_front_of(made, player)[0]
    for pack, number in ((1, 1), (2, 0), (0, 0), (9, 99)):
        with refused(Conflict, "draft.not_your_pack", 409):
            pick(made, player, card, pack=pack, number=number)
    for absent in (in_front_of(made, other)[0], 2**40):
        with refused(DomainError, "draft.not_in_pack", 400):
            pick(made, player, absent)


def test_who_has_no_seat_picks_nothing(made: Made, make_event: Make) -> None:
    elsewhere = make_event(players=1, name="Another Open")
    with refused(NotFound, "draft.no_seat", 404):
        pick(made, elsewhere.players[0], in_front_of(made, made.players[0])[0])


def test_the_draft_of_a_cancelled_event_stands_still(made: Made) -> None:
    player = made.players[0]
    card = in_front_of(made, player)[0]
    administration.cancel_event(event_id=made.event.pk, actor=made.by_organiser, reason="The roof leaks.")
    with refused(Conflict, "event.not_running", 409):
        pick(made, player, card)


def test_a_draft_read_again_goes_on_where_it_was(made: Made) -> None:  # draft T19
    def seen(draft: PodDraft) -> tuple[Any, ...]:
        windows = {index: draft.state.waiting(index) for index in draft.seats}
        shown = {index: draft.shown(w.window) for index, w in windows.items() if w.window is not None}
        return windows, shown, draft.state.picks, draft.card_of

    for _ in range(17):
        for player in made.players:
            made.pick(player)
    made.pick(made.players[1])
    pod = Pod.objects.select_related("stage", "event").get(event=made.event)
    first = seen(draft_of(pod))
    assert seen(draft_of(Pod.objects.get(pk=pod.pk))) == first
    assert len(first[1]) == 2  # who has picked waits, the others look at their packs


def test_everybody_ends_with_every_card_of_two_packs_once(made: Made) -> None:  # draft T16
    made.draft_to_the_end()
    assert Pick.objects.count() == 90
    player = made.players[0]
    card = PackCard.objects.filter(pack__event=made.event)[0].pk
    with refused(DomainError, "draft.finished", 400):
        pick(made, player, card, pack=2, number=15)
    made.next_stage()
    assert [sum(row.count for row in PoolCard.objects.filter(player=p)) for p in made.players] == [30, 30, 30]
    drafted: dict[int, int] = {}
    for row in PoolCard.objects.filter(event=made.event):
        drafted[row.card_id] = drafted.get(row.card_id, 0) + row.count
    opened: dict[int, int] = {}
    for instance in PackCard.objects.filter(pack__in=Pack.objects.filter(event=made.event)):
        opened[instance.card_id] = opened.get(instance.card_id, 0) + 1
    assert drafted == opened
    with refused(Conflict, "draft.not_open", 409):
        pick(made, player, card, pack=2, number=15)


# -- a player who leaves in the middle --------------------------------------------------------------------------------


def test_a_seat_whose_player_left_picks_by_lot_and_holds_nobody_up(made: Made) -> None:
    leaver, others = made.players[0], made.players[1:]
    registration.drop_player(event_id=made.event.pk, actor=actor_of(user_of(leaver)), player_id=leaver.pk)
    made.draft_to_the_end()
    picks = Pick.objects.filter(pod__event=made.event)
    assert picks.filter(seat__player=leaver).count() == 30
    assert set(picks.filter(seat__player=leaver).values_list("source", flat=True)) == {"automatic"}
    assert set(picks.filter(seat__player__in=others).values_list("source", flat=True)) == {"player"}
    assert verify_event(made.refresh()).faults == []


def test_an_automatic_pick_that_was_not_drawn_is_found(made: Made) -> None:
    leaver = made.players[0]
    registration.drop_player(event_id=made.event.pk, actor=actor_of(user_of(leaver)), player_id=leaver.pk)
    pick = Pick.objects.get(pod__event=made.event, seat__player=leaver)
    other = pick.pack.cards.exclude(pk=pick.pack_card_id)[0]
    pick.pack_card = other
    pick.save()
    (fault,) = verify_event(made.refresh()).faults
    assert fault.startswith("An automatic pick of seat")


def test_who_left_after_picking_leaves_that_pick_as_it_is(made: Made) -> None:
    leaver = made.players[0]
    taken = made.pick(leaver)
    registration.drop_player(event_id=made.event.pk, actor=actor_of(user_of(leaver)), player_id=leaver.pk)
    assert list(Pick.objects.filter(seat__player=leaver).values_list("pack_card_id", "source")) == [(taken, "player")]
