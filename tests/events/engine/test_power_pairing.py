from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from events.engine.demanded_round import pair_with_demands
from events.engine.demands import GiveBye, KeepApart, PairUp
from events.engine.pairing import (
    AvoidMode,
    Entrant,
    Pair,
    PairingOptions,
    PairingPlan,
    PlannedPair,
    Reason,
    grade,
    pair_round,
)
from events.engine.plan_check import verify_plan
from events.engine.power_pairing import by_standing, pair_by_standing
from tests.events.engine.brute import least_cost

PLAIN = PairingOptions()
EVERY_OPTION = [PairingOptions(mode, bye_first) for mode in AvoidMode for bye_first in (False, True)]


def stream(pod: int | None = None) -> Stream:
    return Stream(b"power", "never read")


def paired(count: int, history: list[Pair], byes: dict[int, int] | None = None) -> PairingPlan:
    order = [Entrant(player, 0, (byes or {}).get(player, 0)) for player in range(count)]
    return pair_by_standing(by_standing(order), history, PLAIN, stream())


def test_first_meets_second_and_the_last_has_the_bye() -> None:
    plan = paired(5, [])
    assert plan.pairs == (
        PlannedPair(0, 1, (Reason("by_standing", {"place": 1, "opponent_place": 2}),)),
        PlannedPair(2, 3, (Reason("by_standing", {"place": 3, "opponent_place": 4}),)),
    )
    assert (plan.bye, plan.bye_reasons) == (4, (Reason("lowest_place", {"place": 5, "earlier_byes": 0}),))
    assert plan.certified


def test_who_had_a_bye_has_no_other_and_who_met_does_not_meet_again() -> None:
    plan = paired(5, [(0, 1)], {4: 1})
    assert [(pair.a, pair.b) for pair in plan.pairs] == [(0, 2), (1, 4)]
    assert plan.bye_reasons == (
        Reason("lowest_place_without_bye", {"place": 4, "earlier_byes": 0, "lower_with_bye": 1}),
    )


def test_a_rematch_that_cannot_be_avoided_is_said() -> None:
    plan = paired(2, [(1, 0), (0, 1)])
    assert plan.pairs[0].reasons[1] == Reason("rematch_unavoidable", {"meetings": 2, "fewest": 2})


def test_two_with_one_place_are_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="one place"):
        pair_by_standing([Entrant(1, 0), Entrant(2, 0)], [], PLAIN, stream())


def test_demands_hold_in_a_round_by_standing_too() -> None:
    entrants = by_standing([Entrant(player, 0) for player in (7, 3, 9, 1, 4, 8)])
    demands = [GiveBye("b", "b", 3), KeepApart("x", "x", 7, 9), PairUp("p", "p", 8, 4)]
    plan = pair_with_demands(entrants, [], demands, PLAIN, stream, solver=pair_by_standing)
    assert [(pair.a, pair.b, pair.by_hand) for pair in plan.pairs] == [(7, 1, False), (4, 8, True)]
    assert [bye.player for bye in plan.byes] == [9, 3]


@settings(deadline=None, max_examples=400)
@given(st.integers(1, 9), st.sampled_from(EVERY_OPTION), st.data())
def test_no_round_is_better_than_the_one_found(count: int, options: PairingOptions, data: st.DataObject) -> None:
    pairs = list(combinations(range(count), 2))
    some = st.lists(st.sampled_from(pairs), max_size=3 * count) if pairs else st.just([])
    history, avoided = data.draw(some), data.draw(some)
    order = [
        Entrant(player, 0, data.draw(st.integers(0, 1)), avoid=frozenset(b for a, b in avoided[:4] if a == player))
        for player in data.draw(st.permutations(range(count)))
    ]
    entrants = by_standing(order)
    plan = pair_by_standing(entrants, history, options, stream())
    made = [(pair.a, pair.b) for pair in plan.pairs]
    # The slow answer wants points from 0 on.
    raised = [replace(entrant, points=entrant.points + count) for entrant in entrants]
    best = grade(raised, history, options, made)
    assert best.key(options) == least_cost(raised, history, options)
    assert plan.certified
    assert verify_plan(entrants, history, options, plan, made).holds
    assert grade(entrants, history, options, made) == plan.cost


def played(count: int, rounds: int, width: int) -> list[Pair]:
    """Meetings of players near each other in the standings, as many for each as there were rounds."""
    chance = Stream(b"power", f"history {count}")
    history: list[Pair] = []
    for _ in range(rounds):
        order = sorted(range(count), key=lambda player: player + chance.below(width))
        history += [(order[number], order[number + 1]) for number in range(0, count - 1, 2)]
    return history


def test_ten_thousand_players_who_met_their_neighbours_are_paired_without_a_rematch() -> None:
    history = played(10_000, 14, 800)
    start = process_time()
    plan = paired(10_000, history)
    seconds = process_time() - start
    assert plan.rematch_free
    assert plan.cost.score_gap < 3 * 5_000
    assert seconds < 3


@pytest.mark.parametrize(("count", "rounds", "width"), [(40, 10, 12), (61, 20, 20), (128, 12, 30)])
def test_cutting_the_line_changes_nothing(count: int, rounds: int, width: int) -> None:
    """Equal to one complete matching by the other engine, which knows nothing of places."""

    history = played(count, rounds, width)
    entrants = by_standing([Entrant(player, 0) for player in range(count)])
    whole = pair_round(entrants, history, PLAIN, stream())
    assert whole.certified
    assert pair_by_standing(entrants, history, PLAIN, stream()).cost == whole.cost
