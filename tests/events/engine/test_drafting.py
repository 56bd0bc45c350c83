from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from config.errors import Conflict, DomainError
from events.engine.drafting import (
    Direction,
    DraftState,
    Pick,
    Waiting,
    WaitingFor,
    Window,
    alternating,
    opener_of,
    seat_of,
    shown_order,
)
from events.engine.fairness import auto_pick_label, order_label


def packs_for(seats: int, rounds: int, size: int) -> dict[tuple[int, int], tuple[int, ...]]:
    """Distinct ids: round, seat and place are the digits."""
    return {
        (number, seat): tuple(10_000 * number + 100 * seat + place for place in range(size))
        for number in range(rounds)
        for seat in range(seats)
    }


def small(picks: list[Pick] | None = None) -> DraftState:
    """Three seats, two packs of two cards, left then right."""
    return DraftState(3, alternating(2), packs_for(3, 2, 2), picks or [])


def refusal(state: DraftState, *pick: int) -> str:
    with pytest.raises(DomainError) as refused:
        state.legal_pick(*pick)
    return refused.value.code


def test_directions_alternate_from_the_first() -> None:
    assert alternating(3) == (Direction.LEFT, Direction.RIGHT, Direction.LEFT)
    assert alternating(2, Direction.RIGHT) == (Direction.RIGHT, Direction.LEFT)


def test_left_is_the_next_seat_and_right_the_one_before() -> None:
    assert [seat_of(6, Direction.LEFT, k, 8) for k in range(4)] == [6, 7, 0, 1]
    assert [seat_of(1, Direction.RIGHT, k, 8) for k in range(4)] == [1, 0, 7, 6]


@given(st.integers(1, 16), st.integers(0, 15), st.integers(0, 40), st.sampled_from(Direction))
def test_opener_is_seat_the_other_way_round(seats: int, seat: int, k: int, direction: Direction) -> None:
    seat %= seats
    assert opener_of(seat_of(seat, direction, k, seats), direction, k, seats) == seat


def test_everybody_starts_with_the_pack_in_front_of_them() -> None:
    assert small().waiting(1) == Waiting(Window(0, 0, 1, 1, (100, 101)))
    assert small().pending == (0, 1, 2)
    assert small().current == (0, 0)


def test_who_has_picked_waits_for_the_others() -> None:
    state = small([Pick(0, 1, 0, 100)])
    assert state.waiting(1) == Waiting(None, WaitingFor.OTHERS, (0, 2))


def test_the_pack_passes_left_in_round_one_and_right_in_round_two() -> None:
    first = [Pick(0, seat, 0, 100 * seat) for seat in range(3)]
    state = small(first)
    assert state.waiting(1).window == Window(0, 1, 1, 0, (1,))
    second = [Pick(0, seat, 1, 100 * ((seat - 1) % 3) + 1) for seat in range(3)]
    third = [Pick(1, seat, 0, 10_000 + 100 * seat) for seat in range(3)]
    assert small(first + second + third).waiting(1).window == Window(1, 1, 1, 2, (10_201,))


def test_each_refusal_has_its_code() -> None:
    state = small([Pick(0, 1, 0, 100)])
    assert refusal(state, 0, 0, 0, 100) == "draft.not_in_pack"
    assert refusal(state, 1, 0, 0, 101) == "draft.already_picked"
    assert refusal(state, 1, 0, 1, 1) == "draft.not_your_pack"
    assert refusal(state, 0, 0, 1, 1) == "draft.not_your_pack"
    assert refusal(state, 0, 1, 0, 10_000) == "draft.not_your_pack"


def test_a_second_pick_in_a_window_learns_what_was_picked() -> None:
    state = small([Pick(0, 1, 0, 100, automatic=True)])
    with pytest.raises(Conflict) as refused:
        state.legal_pick(1, 0, 0, 101)
    assert refused.value.context["picked"] == 100
    assert refused.value.context["automatic"] is True


def test_a_finished_draft_takes_no_pick() -> None:
    state = DraftState(1, [Direction.LEFT], {(0, 0): (5,)}, [Pick(0, 0, 0, 5)])
    assert state.finished
    assert state.current is None
    assert state.waiting(0) == Waiting(None, WaitingFor.FINISHED)
    assert refusal(state, 0, 0, 1, 5) == "draft.finished"
    with pytest.raises(DomainError) as refused:
        state.automatic_pick(0, Stream(b"s", "auto"))
    assert refused.value.code == "draft.finished"


def test_two_copies_of_a_card_in_a_pack_are_two_picks() -> None:
    state = DraftState(1, [Direction.LEFT], {(0, 0): (5, 5, 6)}, [Pick(0, 0, 0, 5)])
    assert state.remaining(0, 0) == (5, 6)
    state = state.with_pick(Pick(0, 0, 1, 5))
    assert refusal(state, 0, 0, 2, 5) == "draft.not_in_pack"


def test_the_replay_refuses_a_stored_pick_that_could_not_be() -> None:
    with pytest.raises(DomainError):
        small([Pick(0, 0, 0, 100)])
    with pytest.raises(DomainError):
        small([Pick(0, 0, 0, 0), Pick(0, 0, 1, 201)])


def test_packs_must_fit_the_seats() -> None:
    with pytest.raises(ValueError, match="one pack for every"):
        DraftState(2, [Direction.LEFT], {(0, 0): (1,)})
    with pytest.raises(ValueError, match="differ in size"):
        DraftState(2, [Direction.LEFT], {(0, 0): (1,), (0, 1): (2, 3)})
    with pytest.raises(ValueError, match="no seat 3"):
        small().waiting(3)


def test_the_shown_order_changes_with_every_pass_and_not_with_a_reload() -> None:
    cards = list(range(15))
    orders = [shown_order(cards, Stream(b"s", order_label(1, 1, 0, 0, k))) for k in range(5)]
    again = [shown_order(cards[::-1], Stream(b"s", order_label(1, 1, 0, 0, k))) for k in range(5)]
    assert again == orders
    assert len({tuple(order) for order in orders}) == 5
    assert [sorted(order) for order in orders] == [cards] * 5


def test_an_absent_seat_gets_its_first_wish_or_a_drawn_card() -> None:
    state = small()
    stream = Stream(b"s", auto_pick_label(1, 1, 0, 1, 0))
    assert state.automatic_pick(1, stream, wishes=[201, 101, 100]) == Pick(0, 1, 0, 101, automatic=True)
    drawn = {state.automatic_pick(1, Stream(b"s", str(number))).card for number in range(20)}
    assert drawn == {100, 101}


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 12), st.integers(1, 4), st.integers(1, 15), st.data())
def test_laws_of_a_whole_draft(seats: int, rounds: int, size: int, data: st.DataObject) -> None:
    directions = tuple(data.draw(st.lists(st.sampled_from(Direction), min_size=rounds, max_size=rounds)))
    packs = packs_for(seats, rounds, size)
    everything = Counter(card for cards in packs.values() for card in cards)
    random = data.draw(st.randoms(use_true_random=False))
    state = DraftState(seats, directions, packs)
    windows = 0
    made: list[Pick] = []
    while not state.finished:
        windows += 1
        round_number, k = state.current or (-1, -1)
        order = list(state.pending)
        assert order == list(range(seats))
        random.shuffle(order)
        for seat in order:
            window = state.waiting(seat).window
            assert window is not None
            assert (window.round, window.k) == (round_number, k)
            assert seat == seat_of(window.opened_by, directions[round_number], k, seats)
            assert len(window.cards) == size - k
            made.append(state.legal_pick(seat, round_number, k, random.choice(window.cards)))
        state = DraftState(seats, directions, packs, made)
        left = Counter(card for key in packs for card in state.remaining(*key))
        taken = Counter(card for pool in state.pools().values() for card in pool)
        assert left + taken == everything
        assert {len(pool) for pool in state.pools().values()} == {windows}
    assert windows == rounds * size == state.total_picks
    assert state.pool(0) == state.pools()[0]
    for number in range(rounds):
        steps = [pick.seat for pick in state.taken(number, 0)]
        assert steps == [seat_of(0, directions[number], k, seats) for k in range(size)]


def test_eight_seats_with_three_packs_of_fifteen_end_with_forty_five_each() -> None:
    packs = packs_for(8, 3, 15)
    picks = [
        Pick(number, seat, k, packs[number, opener_of(seat, alternating(3)[number], k, 8)][k])
        for number in range(3)
        for k in range(15)
        for seat in range(8)
    ]
    state = DraftState(8, alternating(3), packs, reversed(picks))
    assert {seat: len(pool) for seat, pool in state.pools().items()} == dict.fromkeys(range(8), 45)
