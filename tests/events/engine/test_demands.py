from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from time import perf_counter
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from events.engine.demanded_round import RoundBye, RoundPair, RoundPlan, pair_with_demands
from events.engine.demands import (
    ByeKind,
    Demand,
    GiveBye,
    ImpossibleDemands,
    KeepApart,
    OnePod,
    PairUp,
    SeatAt,
    SitOut,
    assigned_byes,
    check_demands,
)
from events.engine.fairness import pairing_label
from events.engine.pairing import Entrant, Pair, PairingOptions, Reason, grade
from events.engine.plan_check import verify_plan
from events.engine.tables import SeatKind, TableLayout, TableRange
from tests.events.engine.brute import complete_pairings

PLAIN = PairingOptions()
BYE_FIRST = PairingOptions(bye_before_rematch=True)


def stream(pod: int | None) -> Stream:
    return Stream(b"demands", pairing_label(1, 1, pod=pod))


def paired(
    points: Sequence[int],
    demands: Sequence[Demand],
    history: Sequence[Pair] = (),
    options: PairingOptions = PLAIN,
    byes: Sequence[int] | None = None,
) -> RoundPlan:
    had = byes or [0] * len(points)
    entrants = [Entrant(player, own, had[player]) for player, own in enumerate(points)]
    return pair_with_demands(entrants, history, demands, options, stream)


def refused(there: int, demands: Sequence[Demand], layout: TableLayout | None = None) -> list[str]:
    """Ids of the demands that a refusal names."""
    with pytest.raises(ImpossibleDemands) as refusal:
        check_demands(set(range(there)), demands, layout=layout)
    assert (refusal.value.code, refusal.value.status) == ("pairing.impossible", 422)
    assert refusal.value.context["smallest"] is True
    named = refusal.value.context["demands"]
    assert all(demand["words"] in refusal.value.message for demand in named)
    return [demand["id"] for demand in named]


def ids(plan: RoundPlan) -> list[set[int]]:
    return [{pair.a, pair.b} for pair in plan.pairs]


def test_byes_and_pairs_by_hand_are_taken_out_and_the_rest_is_paired() -> None:
    demands = [GiveBye("bye", "0 has a bye", 0), PairUp("pair", "1 meets 5", 5, 1), SitOut("out", "2 sits out", 2)]
    plan = paired([9, 6, 6, 3, 3, 0], demands)
    assert plan.pairs == (
        RoundPair(3, 4, None, False, plan.pairs[0].reasons),
        RoundPair(1, 5, None, True, (Reason("paired_by_hand", {"demand": "pair"}),)),
    )
    assert plan.byes == (RoundBye(0, None, True, (Reason("bye_by_hand", {"demand": "bye"}),)),)
    assert plan.sitting_out == (2,)
    assert plan.certified


def test_a_forbidden_pair_never_meets_whatever_it_costs() -> None:
    met = [(0, 2), (0, 3)]
    assert {0, 1} in ids(paired([9, 9, 0, 0], [], met))
    assert {0, 1} not in ids(paired([9, 9, 0, 0], [KeepApart("x", "0 and 1 never meet", 1, 0)], met))


def test_a_barred_opponent_is_not_called_one_who_was_met() -> None:
    demands = [KeepApart("x", "0 and 1 never meet", 0, 1), KeepApart("y", "0 and 2 never meet", 0, 2)]
    plan = paired([9, 9, 9, 0], demands)
    reasons = next(pair.reasons for pair in plan.pairs if pair.a == 0)
    assert reasons == (
        Reason("paired_down", {"player": 0, "opponent": 3, "from": 9, "to": 0, "why": "no_allowed_opponent_on_score"}),
        Reason("only_allowed_opponent", {"player": 0}),
    )


def test_the_bye_goes_where_the_forbidden_pairs_let_it() -> None:
    demands = [KeepApart("x", "0 and 1 never meet", 0, 1)]
    for options in (PLAIN, BYE_FIRST):
        plan = paired([6, 3, 0], demands, options=options)
        assert [bye.player for bye in plan.byes] == [1]
        assert plan.byes[0].reasons[0].code == "other_bye_would_break_demand"
        assert plan.byes[0].reasons[0].facts["passed_over"] == 1


def test_each_pod_is_paired_by_itself_with_its_own_stream() -> None:
    pods = [OnePod("p1", "pod 1", 1, frozenset({0, 1, 2})), OnePod("p2", "pod 2", 2, frozenset({3, 4, 5, 99}))]
    plan = paired([0] * 8, pods)
    assert [(group.pod, len(group.entrants), group.plan.bye is None) for group in plan.groups] == [
        (1, 3, False),
        (2, 3, False),
        (None, 2, True),
    ]
    assert [pair.pod for pair in plan.pairs] == [1, 2, None]
    alone = paired([0] * 8, [*pods, *(SitOut(f"out{player}", "", player) for player in (0, 1, 2, 6, 7))])
    assert [group.plan for group in alone.groups] == [plan.groups[1].plan]


def test_late_entrants_and_those_without_points_are_no_case_of_their_own() -> None:
    """A missed round leaves no bye behind: the latecomer is as near to one as anybody."""
    plan = paired([3, 3, 3, 0, 0], [], [(0, 3)], byes=[0, 0, 0, 1, 0])
    assert [bye.player for bye in plan.byes] == [4]


BYE = GiveBye("bye", "0 has a bye", 0)
AGAIN = GiveBye("again", "0 has a bye, once more", 0, ByeKind.ASSIGNED)
PAIR = PairUp("pair", "0 meets 1", 0, 1)


@pytest.mark.parametrize(
    ("there", "demands", "named"),
    [
        (6, [BYE, AGAIN, KeepApart("x", "x", 2, 3)], ["bye", "again"]),
        (6, [PairUp("other", "1 meets 2", 1, 2), BYE, PAIR], ["other", "pair"]),
        (6, [BYE, PAIR], ["bye", "pair"]),
        (6, [SitOut("out", "0 sits out", 0), BYE], ["out", "bye"]),
        (6, [PAIR, KeepApart("x", "0 and 1 never meet", 1, 0)], ["pair", "x"]),
        (6, [GiveBye("gone", "7 has a bye", 7), BYE, AGAIN], ["gone"]),
        (6, [PairUp("gone", "0 meets 7", 0, 7)], ["gone"]),
        (6, [PairUp("self", "0 meets 0", 0, 0)], ["self"]),
        (2, [KeepApart("x", "0 and 1 never meet", 0, 1)], ["x"]),
        (4, [PairUp("pair", "2 meets 3", 2, 3), KeepApart("x", "0 and 1 never meet", 0, 1)], ["pair", "x"]),
        (6, [PAIR, OnePod("p", "pod of 0 and 2", 1, frozenset({0, 2}))], ["pair", "p"]),
        (6, [OnePod("p", "p", 1, frozenset({0, 2})), OnePod("q", "q", 2, frozenset({2, 3}))], ["p", "q"]),
        # That 0 and 1 never meet is no reason: both sit alone anyway.
        (
            2,
            [KeepApart("x", "x", 0, 1), KeepApart("y", "y", 1, 0), BYE, GiveBye("1", "1 has a bye", 1), AGAIN],
            ["bye", "again"],
        ),
        (6, [SeatAt("s", "0 at 4", 0, 4), SeatAt("t", "1 at 4", 1, 4)], ["s", "t"]),
        (6, [SeatAt("s", "0 at 4", 0, 4), SeatAt("t", "0 at 5", 0, 5)], ["s", "t"]),
    ],
)
def test_impossible_demands_are_refused_with_the_fewest_that_clash(
    there: int, demands: list[Demand], named: list[str]
) -> None:
    assert refused(there, demands) == named


def test_a_table_that_is_not_there_cannot_be_demanded() -> None:
    hall = TableLayout((TableRange(1, 9),))
    assert refused(4, [SeatAt("s", "0 at table 10", 0, 10)], hall) == ["s"]
    check_demands({0, 1}, [SeatAt("s", "0 at table 9", 0, 9)], layout=hall)


def test_one_table_serves_two_kinds_of_claim_two_who_meet_and_one_who_does_not_play() -> None:
    seats = [SeatAt("s", "0 at 4", 0, 4), SeatAt("t", "1 at 4", 1, 4)]
    check_demands(set(range(4)), [*seats, PAIR])
    check_demands(set(range(4)), [*seats, SitOut("out", "1 sits out", 1)])
    check_demands(set(range(4)), [*seats, GiveBye("bye", "1 has a bye", 1)])
    check_demands(set(range(4)), [seats[0], SeatAt("t", "1 at 4", 1, 4, SeatKind.FEATURE)])


@pytest.mark.parametrize(("players", "fewest"), [(2, 1), (3, 3), (4, 3), (5, 6), (6, 5), (8, 7)])
def test_where_all_pairs_are_forbidden_a_smallest_reason_is_named(players: int, fewest: int) -> None:
    """An even field needs one player barred from all others; an odd one three who may not meet, and so on."""
    everything = [KeepApart(f"{a}-{b}", f"{a} not {b}", a, b) for a, b in combinations(range(players), 2)]
    assert len(refused(players, everything)) == fewest


def test_two_demands_with_one_id_are_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="one id"):
        check_demands({0, 1}, [BYE, BYE])


def test_assigned_byes_are_given_in_their_rounds_and_never_again() -> None:
    awards = {7: 1, 3: 2}
    assert [[bye.player for bye in assigned_byes(awards, number)] for number in (1, 2, 3)] == [[3, 7], [3], []]
    assert assigned_byes({7: 1}, 1, {7: "Ann"}) == (
        GiveBye("assigned_bye:7", "Ann has an assigned bye in round 1", 7, ByeKind.ASSIGNED),
    )


def test_ten_thousand_players_with_hundreds_of_demands_are_checked_at_once() -> None:
    demands: list[Demand] = [KeepApart(f"x{number}", "", number, number + 5000) for number in range(300)]
    demands += [GiveBye(f"b{number}", "", number + 2000) for number in range(300)]
    start = perf_counter()
    check_demands(set(range(10_000)), demands)
    assert refused(10_000, [*demands, GiveBye("twice", "twice", 2017)]) == ["b17", "twice"]
    assert perf_counter() - start < 5


# -- laws -------------------------------------------------------------------------------------------------------------

FIELD = 5
player = st.integers(0, FIELD - 1)
demand = st.one_of(
    st.builds(lambda a: ("bye", a), player),
    st.builds(lambda a: ("out", a), player),
    st.builds(lambda a, b: ("pair", a, b), player, player).filter(lambda row: row[1] != row[2]),
    st.builds(lambda a, b: ("apart", a, b), player, player).filter(lambda row: row[1] != row[2]),
    st.builds(lambda a, b: ("apart", a, b), player, player).filter(lambda row: row[1] != row[2]),
)


def built(rows: list[tuple[str, int] | tuple[str, int, int]]) -> list[Demand]:
    kinds = {"bye": GiveBye, "out": SitOut, "pair": PairUp, "apart": KeepApart}
    return [kinds[row[0]](str(number), str(row), *row[1:]) for number, row in enumerate(rows)]


def rounds(players: list[int], alone: set[int]) -> Iterator[tuple[set[frozenset[int]], set[int]]]:
    """Every round: pairs, and who sits alone; more than one only of those who may."""
    if not players:
        yield set(), set()
        return
    first, *others = players
    for pairs, lonely in rounds(others, alone):
        if len((lonely | {first}) - alone) <= 1:
            yield pairs, lonely | {first}
    for other in others:
        for pairs, lonely in rounds([player for player in others if player != other], alone):
            yield {*pairs, frozenset({first, other})}, lonely


def possible(kept: Sequence[Demand], demands: Sequence[Demand]) -> bool:
    solo = [d.player for d in kept if isinstance(d, GiveBye | SitOut)]
    outs = {d.player for d in kept if isinstance(d, SitOut)}
    byes = [d.player for d in kept if isinstance(d, GiveBye)]
    hands = [player for d in kept if isinstance(d, PairUp) for player in (d.a, d.b)]
    if len(set(byes)) < len(byes) or len(set(hands)) < len(hands) or outs & set(byes):
        return False
    alone = {d.player for d in demands if isinstance(d, GiveBye | SitOut)}
    together = {frozenset({d.a, d.b}) for d in kept if isinstance(d, PairUp)}
    apart = {frozenset({d.a, d.b}) for d in kept if isinstance(d, KeepApart)}
    return any(
        set(solo) <= lonely and together <= pairs and not apart & pairs
        for pairs, lonely in rounds(list(range(FIELD)), alone)
    )


@settings(deadline=None)
@given(st.lists(demand, max_size=7), st.data())
def test_either_every_demand_holds_or_a_smallest_clash_is_named(
    rows: list[tuple[str, int] | tuple[str, int, int]], data: st.DataObject
) -> None:
    demands = built(rows)
    points = data.draw(st.lists(st.integers(0, 3), min_size=FIELD, max_size=FIELD))
    options = data.draw(st.sampled_from([PLAIN, BYE_FIRST]))
    clash: dict[str, Any] = {}
    try:
        plan = paired(points, demands, options=options)
    except ImpossibleDemands as refusal:
        clash = refusal.context
    if clash:
        named = {row["id"] for row in clash["demands"]}
        assert clash["smallest"]
        assert not possible([demand for demand in demands if demand.id in named], demands)
        fewer = combinations(demands, len(named) - 1)
        assert all(possible(kept, demands) for kept in fewer)
        return
    assert possible(demands, demands)
    met = [frozenset({pair.a, pair.b}) for pair in plan.pairs]
    alone = [bye.player for bye in plan.byes] + list(plan.sitting_out)
    assert sorted([player for pair in met for player in pair] + alone) == list(range(FIELD))
    for wanted in demands:
        match wanted:
            case GiveBye():
                assert any(bye.player == wanted.player and bye.demanded for bye in plan.byes)
            case SitOut():
                assert wanted.player in plan.sitting_out
            case PairUp():
                assert frozenset({wanted.a, wanted.b}) in met
            case KeepApart():
                assert frozenset({wanted.a, wanted.b}) not in met


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_the_best_round_among_those_without_the_forbidden_pairs_is_chosen(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 7))
    pairs = list(combinations(range(count), 2))
    history = data.draw(st.lists(st.sampled_from(pairs), max_size=12))
    apart = data.draw(st.lists(st.sampled_from(pairs), unique=True, max_size=6))
    options = data.draw(st.sampled_from([PLAIN, BYE_FIRST]))
    entrants = [Entrant(p, 3 * data.draw(st.integers(0, 2)), data.draw(st.integers(0, 1))) for p in range(count)]
    allowed = [made for made, _ in complete_pairings(range(count)) if not set(made) & set(apart)]
    assume(allowed)
    demands = [KeepApart(str(pair), str(pair), *pair) for pair in apart]
    plan = pair_with_demands(entrants, history, demands, options, stream)
    (group,) = plan.groups
    best = min(grade(entrants, history, options, made).key(options) for made in allowed)
    assert group.plan.cost.key(options) == best
    assert plan.certified
    made = [(pair.a, pair.b) for pair in plan.pairs]
    assert verify_plan(group.entrants, group.history, options, group.plan, made).holds
