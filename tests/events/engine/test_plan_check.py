"""The check of a plan finds every fault that is put into one, and takes no part in making it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from events.engine import plan_check
from events.engine.pairing import AvoidMode, Entrant, Pair, PairingCost, PairingOptions, pair_round
from events.engine.plan_check import PlanFault, least_score_gap, verify_plan

OPTIONS = PairingOptions()


@dataclass(frozen=True)
class Stated:
    """A plan as somebody states it, right or wrong."""

    bye: int | None
    cost: PairingCost
    lower_bound: PairingCost
    certified: bool


def stated(entrants: list[Entrant], history: list[Pair], options: PairingOptions) -> tuple[Stated, list[Pair]]:
    plan = pair_round(entrants, history, options, Stream(b"seed", "check"))
    return Stated(plan.bye, plan.cost, plan.lower_bound, plan.certified), [(pair.a, pair.b) for pair in plan.pairs]


FIELD = [Entrant(1, 6), Entrant(2, 6), Entrant(3, 3), Entrant(4, 3), Entrant(5, 0, byes=1)]
HISTORY = [(1, 3), (2, 4), (1, 4), (2, 3)]


def codes(plan: Stated, pairs: list[Pair]) -> list[str]:
    return [fault.code for fault in verify_plan(FIELD, HISTORY, OPTIONS, plan, pairs).faults]


def test_a_plan_of_the_engine_holds() -> None:
    plan, pairs = stated(FIELD, HISTORY, OPTIONS)
    check = verify_plan(FIELD, HISTORY, OPTIONS, plan, pairs)
    assert check.holds
    # Least rematches and the least bye are proved without a search; 3 against 0 can't be avoided either.
    assert check.proved == ("rematches", "bye", "score_gap", "avoided", "repeated_floats")


def test_each_player_is_paired_exactly_once() -> None:
    plan, _ = stated(FIELD, HISTORY, OPTIONS)
    no_bye = replace(plan, bye=None)
    bye3 = replace(plan, bye=3)
    assert codes(bye3, [(1, 2), (3, 4)]) == ["paired_twice", "not_paired"]
    assert codes(bye3, [(1, 2)]) == ["not_paired", "not_paired"]
    assert codes(bye3, [(1, 2), (4, 5), (6, 7)]) == ["stranger", "stranger"]
    assert codes(bye3, [(1, 2), (4, 4)]) == ["paired_with_self", "paired_twice", "not_paired"]
    assert codes(no_bye, [(1, 2), (3, 4)]) == ["not_paired", "no_bye_in_odd_field"]
    assert [
        fault.code for fault in verify_plan(FIELD[:4], HISTORY, OPTIONS, replace(plan, bye=1), [(2, 3)]).faults
    ] == ["not_paired", "bye_in_even_field"]


def test_a_stated_cost_is_counted_again() -> None:
    plan, pairs = stated(FIELD, HISTORY, OPTIONS)
    cheaper = replace(plan, cost=replace(plan.cost, score_gap=plan.cost.score_gap - 1))
    check = verify_plan(FIELD, HISTORY, OPTIONS, cheaper, pairs)
    assert check.faults == (PlanFault("cost", {"counted": plan.cost.as_json(), "stated": cheaper.cost.as_json()}),)


def test_a_bound_is_never_above_the_cost_and_a_certificate_needs_it_reached() -> None:
    plan, pairs = stated(FIELD, HISTORY, OPTIONS)
    above = replace(plan, lower_bound=replace(plan.cost, rematches=1), certified=False)
    assert codes(above, pairs) == ["bound_above_cost"]
    below = replace(plan, lower_bound=PairingCost())
    assert codes(below, pairs) == ["certified_without_bound"]
    assert codes(replace(below, certified=False), pairs) == []


def test_the_better_player_comes_first_in_a_pair() -> None:
    plan, pairs = stated(FIELD, HISTORY, OPTIONS)
    turned = [(b, a) for a, b in pairs]
    uneven = [(a, b) for a, b in pairs if abs(FIELD[a - 1].points - FIELD[b - 1].points)]
    assert verify_plan(FIELD, HISTORY, OPTIONS, plan, turned).faults == tuple(
        PlanFault("wrong_order", {"above": a, "below": b}) for a, b in uneven
    )
    assert uneven


def test_meetings_avoidances_and_floats_are_counted_from_both_sides() -> None:
    field = [Entrant(1, 3, paired_down=2, avoid=frozenset({2})), Entrant(2, 0, paired_up=1)]
    cost = PairingCost(rematches=2, avoided=1, score_gap=9, repeated_floats=3)
    plan = Stated(None, cost, cost, certified=True)
    check = verify_plan(field, [(1, 2), (2, 1)], OPTIONS, plan, [(1, 2)])
    assert check.holds
    assert check.proved == ()  # two rematches: only a search can say whether fewer were possible


def test_it_shares_no_code_with_the_solver() -> None:
    tree = ast.parse(Path(plan_check.__file__).read_text())
    ours = [
        f"{node.module}.{name.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("events")
        for name in node.names
    ]
    assert sorted(ours) == [
        f"events.engine.pairing_model.{name}"
        for name in ("AvoidMode", "Entrant", "Pair", "PairingCost", "PairingOptions")
    ]


@given(st.lists(st.integers(0, 9), min_size=2, max_size=8).filter(lambda points: len(points) % 2 == 0))
def test_no_order_of_the_players_has_a_smaller_gap_than_the_least(points: list[int]) -> None:
    gaps = (
        sum((order[place] - order[place + 1]) ** 2 for place in range(0, len(order), 2))
        for order in set(permutations(points))
    )
    assert min(gaps) == least_score_gap(points)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_plan_of_the_engine_holds(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 14))
    number = st.integers(0, 2)
    field = [
        Entrant(
            player,
            3 * data.draw(st.integers(0, 4)),
            data.draw(number),
            data.draw(number),
            data.draw(number),
            avoid=frozenset(data.draw(st.lists(st.integers(0, count - 1), max_size=2))) - {player},
        )
        for player in range(count)
    ]
    pair = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda met: met[0] != met[1])
    history = data.draw(st.lists(pair, max_size=3 * count))
    options = PairingOptions(data.draw(st.sampled_from(AvoidMode)), data.draw(st.booleans()))
    plan, pairs = stated(field, history, options)
    assert verify_plan(field, history, options, plan, pairs).faults == ()


@pytest.mark.parametrize("options", [PairingOptions(), PairingOptions(bye_before_rematch=True)])
def test_what_is_proved_stops_at_the_first_level_that_needs_a_search(options: PairingOptions) -> None:
    met = [(1, 2), (3, 4), (1, 3), (2, 4), (1, 4), (2, 3)]
    field = [Entrant(player, 0) for player in range(1, 5)]
    plan, pairs = stated(field, met, options)
    assert plan.cost.rematches == 2
    proved = verify_plan(field, met, options, plan, pairs).proved
    assert proved == (("bye",) if options.bye_before_rematch else ())
