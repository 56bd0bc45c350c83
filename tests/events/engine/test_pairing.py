from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from events.engine.pairing import (
    AvoidMode,
    Entrant,
    Pair,
    PairingCost,
    PairingOptions,
    PairingPlan,
    PlannedPair,
    Reason,
    grade,
    pair_round,
)
from tests.events.engine.brute import fewest_rematches, least_cost

CASES = json.loads((Path(__file__).parents[2] / "data" / "pairing_cases.json").read_text())
DEFAULT = PairingOptions()


def stream(label: str = "pairing|1|1") -> Stream:
    return Stream(b"s" * 32, label)


def together(plan: PairingPlan) -> set[frozenset[int]]:
    return {frozenset((pair.a, pair.b)) for pair in plan.pairs}


def everyone(plan: PairingPlan) -> list[int]:
    paired = [player for pair in plan.pairs for player in (pair.a, pair.b)]
    return sorted(paired if plan.bye is None else [*paired, plan.bye])


@st.composite
def fields(draw: st.DrawFn, largest: int = 8) -> tuple[list[Entrant], list[Pair], PairingOptions]:
    size = draw(st.integers(0, largest))
    small = st.integers(0, 2)
    entrants = [
        Entrant(
            number,
            draw(st.sampled_from([0, 1, 3, 4, 6, 7, 9])),
            draw(small),
            draw(small),
            draw(small),
            avoid=frozenset(draw(st.sets(st.integers(1, size), max_size=1))) - {number},
        )
        for number in range(1, size + 1)
    ]
    every_pair = list(combinations(range(1, size + 1), 2))
    history = draw(st.lists(st.sampled_from(every_pair), max_size=14)) if every_pair else []
    options = PairingOptions(draw(st.sampled_from(AvoidMode)), draw(st.booleans()))
    return entrants, history, options


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_hard_cases_come_out_as_brute_force_found(case: dict) -> None:
    avoid: dict[int, set[int]] = {}
    for left, right in case["avoid"]:
        avoid.setdefault(left, set()).add(right)
    entrants = [Entrant(*row, avoid=frozenset(avoid.get(row[0], ()))) for row in case["entrants"]]
    options = PairingOptions(AvoidMode(case["avoid_mode"]))
    expect = case["expect"]
    for label in "abcdefgh":
        plan = pair_round(entrants, [tuple(pair) for pair in case["history"]], options, stream(label))
        assert everyone(plan) == sorted(entrant.id for entrant in entrants)
        assert plan.cost == PairingCost(
            rematches=expect["rematches"],
            bye_earlier_byes=expect.get("bye_earlier_byes", 0),
            bye_points=expect.get("bye_points", 0),
            avoided=expect["avoided"],
            score_gap=expect["score_gap"],
            repeated_floats=expect["repeated_floats"],
        )
        assert plan.certified
        pairs = together(plan)
        assert {frozenset(pair) for pair in expect.get("required", [])} <= pairs
        assert not {frozenset(pair) for pair in expect.get("forbidden", [])} & pairs
        if "only" in expect:
            assert pairs == {frozenset(pair) for pair in expect["only"]}
        if "bye" in expect:
            assert plan.bye in expect["bye"]


@settings(max_examples=300, deadline=None)
@given(fields())
def test_no_pairing_of_a_small_field_is_better(field: tuple[list[Entrant], list[Pair], PairingOptions]) -> None:
    entrants, history, options = field
    plan = pair_round(entrants, history, options, stream())
    assert everyone(plan) == [entrant.id for entrant in entrants]
    assert plan.cost.key(options) == least_cost(entrants, history, options)
    assert plan.cost == plan.lower_bound
    assert grade(entrants, history, options, [(pair.a, pair.b) for pair in plan.pairs]) == plan.cost
    if not options.bye_before_rematch:
        assert plan.cost.rematches == fewest_rematches([entrant.id for entrant in entrants], history)


@settings(max_examples=80, deadline=None)
@given(fields(largest=14), st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_nothing(field, random) -> None:
    entrants, history, options = field
    plan = pair_round(entrants, history, options, stream())
    other_entrants, other_history = list(entrants), [pair[::-1] for pair in history]
    random.shuffle(other_entrants)
    random.shuffle(other_history)
    assert pair_round(other_entrants, other_history, options, stream()) == plan


def test_another_stream_draws_another_first_round() -> None:
    entrants = [Entrant(number, 0) for number in range(1, 17)]
    plans = {frozenset(together(pair_round(entrants, [], DEFAULT, stream(label)))) for label in "abcdefgh"}
    assert len(plans) == 8


def test_equally_good_pairings_come_equally_often() -> None:
    # Three pairings of four: 1200 draws, 400 each; the standard deviation is 16.3.
    entrants = [Entrant(number, 0) for number in range(1, 5)]
    partner_of_one: dict[int, int] = {2: 0, 3: 0, 4: 0}
    for number in range(1200):
        pairs = together(pair_round(entrants, [], DEFAULT, stream(str(number))))
        (pair,) = [pair for pair in pairs if 1 in pair]
        (partner,) = pair - {1}
        partner_of_one[partner] += 1
    assert all(330 < count < 470 for count in partner_of_one.values()), partner_of_one


@pytest.mark.parametrize("seed", range(20))
def test_four_players_never_meet_again_in_round_three(seed: int) -> None:
    entrants = [Entrant(1, 6), Entrant(2, 3), Entrant(3, 3), Entrant(4, 0)]
    plan = pair_round(entrants, [(1, 2), (3, 4), (1, 3), (2, 4)], DEFAULT, stream(str(seed)))
    assert together(plan) == {frozenset((1, 4)), frozenset((2, 3))}


def test_eight_players_after_a_round_robin_get_the_fewest_rematches_and_are_told() -> None:
    entrants = [Entrant(number, 3 * number) for number in range(8)]
    history = list(combinations(range(8), 2))
    plan = pair_round(entrants, history, DEFAULT, stream())
    assert plan.cost.rematches == 4
    assert not plan.rematch_free
    for pair in plan.pairs:
        assert Reason("rematch_unavoidable", {"meetings": 1, "fewest": 4, "why": "met_everyone"}) in pair.reasons


def test_two_who_drew_by_agreement_are_not_paired_again() -> None:
    entrants = [Entrant(1, 10), Entrant(2, 10), Entrant(3, 9), Entrant(4, 9)]
    plan = pair_round(entrants, [(1, 2)], DEFAULT, stream())
    assert frozenset((1, 2)) not in together(plan)
    assert plan.cost.score_gap == 2


def test_the_bye_goes_to_the_lowest_who_had_none() -> None:
    a, b, c, d, e = 1, 2, 3, 4, 5
    history = [(a, b), (c, d), (a, c), (e, b)]
    entrants = [Entrant(a, 6), Entrant(e, 6, byes=1), Entrant(c, 3), Entrant(d, 3, byes=1), Entrant(b, 0)]
    plan = pair_round(entrants, history, DEFAULT, stream())
    assert plan.bye == b
    assert plan.bye_reasons == (Reason("lowest_score", {"points": 0, "earlier_byes": 0}),)


def test_no_second_bye_while_somebody_had_none_even_if_that_is_the_leader() -> None:
    a, d, e = 1, 4, 5
    history = [(a, 2), (3, d), (a, 3), (e, 2)]
    plan = pair_round([Entrant(a, 6), Entrant(e, 6, byes=1), Entrant(d, 3, byes=1)], history, DEFAULT, stream())
    assert plan.bye == a
    assert together(plan) == {frozenset((d, e))}
    assert plan.bye_reasons == (
        Reason("lowest_score_without_bye", {"points": 6, "earlier_byes": 0, "lower_with_bye": 1}),
    )


def test_a_bye_is_second_only_when_everybody_had_one() -> None:
    entrants = [Entrant(1, 6, byes=1), Entrant(2, 3, byes=1), Entrant(3, 3, byes=1)]
    plan = pair_round(entrants, [], DEFAULT, stream())
    assert plan.bye_reasons == (Reason("everyone_had_bye", {"points": 3, "earlier_byes": 1}),)


def test_a_rematch_outranks_the_bye_unless_the_event_says_otherwise() -> None:
    entrants = [Entrant(1, 6), Entrant(2, 3), Entrant(3, 0)]
    by_default = pair_round(entrants, [(1, 2), (1, 3)], DEFAULT, stream())
    assert by_default.bye == 1
    assert by_default.bye_reasons == (
        Reason("other_bye_would_force_rematch", {"points": 6, "earlier_byes": 0, "passed_over": 2}),
    )
    bye_first = pair_round(entrants, [(1, 2), (1, 3)], PairingOptions(bye_before_rematch=True), stream())
    assert (bye_first.bye, bye_first.cost.rematches) == (3, 1)


@pytest.mark.parametrize(("players", "assigned"), [(6, 1), (9, 4)])
def test_five_left_after_assigned_byes_make_two_tables_and_one_bye(players: int, assigned: int) -> None:
    first = [Entrant(number, 0) for number in range(assigned + 1, players + 1)]
    plan = pair_round(first, [], DEFAULT, stream())
    assert (len(plan.pairs), plan.bye is None) == (2, False)
    had_bye = {*range(1, assigned + 1), plan.bye}
    points = dict.fromkeys(had_bye, 3) | {pair.a: 3 for pair in plan.pairs} | {pair.b: 0 for pair in plan.pairs}
    second = [Entrant(number, points[number], byes=int(number in had_bye)) for number in points]
    again = pair_round(second, [(pair.a, pair.b) for pair in plan.pairs], DEFAULT, stream("pairing|1|2"))
    assert everyone(again) == list(range(1, players + 1))
    assert again.cost.rematches == 0
    assert again.bye not in had_bye


def test_reasons_say_who_is_paired_down_and_why() -> None:
    entrants = [Entrant(1, 6), Entrant(2, 3), Entrant(3, 3), Entrant(4, 3)]
    plan = pair_round(entrants, [(1, 2), (1, 3)], DEFAULT, stream())
    assert plan.pairs[0] == PlannedPair(
        1,
        4,
        (
            Reason("paired_down", {"player": 1, "opponent": 4, "from": 6, "to": 3, "why": "alone_on_score"}),
            Reason("only_rematch_free", {"player": 1}),
        ),
    )
    assert {reason.code for reason in plan.pairs[1].reasons} == {"same_score", "only_rematch_free"}


def test_pairs_that_follow_from_one_another_are_the_only_ones_without_a_rematch() -> None:
    # 1 can meet 4 only; without these two, 2 can meet 3 only, and 5 and 6 remain, who have not met 2 and 3.
    entrants = [Entrant(number, 0) for number in range(1, 7)]
    history = [(1, 2), (1, 3), (1, 5), (1, 6), (2, 5), (2, 6), (3, 5), (3, 6)]
    plan = pair_round(entrants, history, DEFAULT, stream())
    alone = {
        frozenset((pair.a, pair.b)): {reason.facts["player"] for reason in pair.reasons if reason.code != "same_score"}
        for pair in plan.pairs
    }
    assert alone == {frozenset((1, 4)): {1}, frozenset((2, 3)): {2, 3}, frozenset((5, 6)): {5, 6}}


def test_a_rematch_may_be_nobodys_who_met_everyone() -> None:
    entrants = [Entrant(number, 0) for number in range(6)]
    history = list(combinations(range(3), 2)) + list(combinations(range(3, 6), 2))
    assert pair_round(entrants, history, DEFAULT, stream()).rematch_free
    history = [(a, b) for a in range(3) for b in range(3, 6)]
    plan = pair_round(entrants, history, DEFAULT, stream())
    (reason,) = [reason for pair in plan.pairs for reason in pair.reasons if reason.code != "same_score"]
    assert reason == Reason("rematch_unavoidable", {"meetings": 1, "fewest": 1, "why": "fewest_in_the_round"})


def test_who_met_everybody_on_the_score_goes_down_for_that_reason() -> None:
    entrants = [Entrant(1, 6), Entrant(2, 6), Entrant(3, 3), Entrant(4, 3)]
    plan = pair_round(entrants, [(1, 2)], DEFAULT, stream())
    assert {pair.reasons[0].facts["why"] for pair in plan.pairs} == {"met_everyone_on_score"}


def test_an_odd_score_group_sends_one_down_for_that_reason() -> None:
    entrants = [Entrant(number, 6) for number in range(3)] + [Entrant(number, 3) for number in range(3, 6)]
    plan = pair_round(entrants, [], DEFAULT, stream())
    downs = [pair.reasons[0].facts["why"] for pair in plan.pairs if pair.reasons[0].code == "paired_down"]
    assert downs == ["odd_number_on_score"]


def test_strict_avoidance_outranks_scores_and_soft_does_not() -> None:
    entrants = [Entrant(1, 6, avoid=frozenset({2})), Entrant(2, 6), Entrant(3, 3), Entrant(4, 3)]
    strict = pair_round(entrants, [], PairingOptions(AvoidMode.STRICT), stream())
    assert (strict.cost.avoided, strict.cost.score_gap) == (0, 18)
    soft = pair_round(entrants, [], PairingOptions(AvoidMode.SOFT), stream())
    assert (soft.cost.avoided, soft.cost.score_gap) == (1, 0)
    assert soft.pairs[0].reasons[-1] == Reason("kept_apart_not_possible", {"mode": "soft"})


def test_empty_and_lonely_fields_have_a_plan() -> None:
    assert pair_round([], [], DEFAULT, stream()).pairs == ()
    alone = pair_round([Entrant(7, 3)], [], DEFAULT, stream())
    assert (alone.pairs, alone.bye) == ((), 7)
    assert alone.bye_reasons == (Reason("only_player", {"points": 3}),)


def test_a_hand_made_pairing_must_be_complete() -> None:
    entrants = [Entrant(number, 0) for number in range(1, 5)]
    for pairs in ([(1, 2), (2, 3)], [(1, 2)], [(1, 9), (2, 3)]):
        with pytest.raises(ValueError):
            grade(entrants, [], DEFAULT, pairs)


def test_an_entrant_twice_is_a_bug() -> None:
    with pytest.raises(ValueError, match="twice"):
        pair_round([Entrant(1, 0), Entrant(1, 3)], [], DEFAULT, stream())
