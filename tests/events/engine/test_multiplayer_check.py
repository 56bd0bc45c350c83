from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from events.engine.multiplayer import PlannedTable, TableEntrant, TablesOptions, TablesPlan, plan_tables
from events.engine.multiplayer_check import verify_tables
from events.engine.multiplayer_sizes import LeftOver, SizeRules

OPTIONS = TablesOptions(SizeRules(5, (4, 5)), kicks=10)
ENTRANTS = [TableEntrant(one, one % 4 * 3, avoid=frozenset({one + 1} if one < 3 else ())) for one in range(11)]
HISTORY = [(0, 1, 2, 3, 4), (5, 6, 7, 8), (9, 0, 5, 1)]


def _plan(options: TablesOptions = OPTIONS) -> TablesPlan:
    return plan_tables(ENTRANTS, HISTORY, options, Stream(b"check", "1"))


@settings(deadline=None, max_examples=25)
@given(st.integers(5, 45), st.sampled_from(LeftOver), st.integers(0, 10**6), st.sampled_from([None, 20]))
def test_every_plan_of_the_engine_passes(players: int, left_over: LeftOver, seed: int, weight: int | None) -> None:
    rules = SizeRules(5, (3, 4, 5) if left_over is LeftOver.REFUSE else (4, 5), left_over)
    options = TablesOptions(rules, weight, weight, kicks=5)
    draw = Stream(b"check", str(seed))
    history = []
    for _ in range(3):
        order = draw.shuffled(range(players))
        history += [order[start : start + 4] for start in range(0, players - 3, 4)]
    entrants = [TableEntrant(one, draw.below(5), draw.below(2)) for one in range(players)]
    plan = plan_tables(entrants, history, options, draw)
    assert verify_tables(entrants, history, options, plan) == ()


def _with_players(plan: TablesPlan, players: tuple[int, ...]) -> TablesPlan:
    return replace(plan, tables=(PlannedTable(players), *plan.tables[1:]))


@pytest.mark.parametrize(
    ("code", "spoil"),
    [
        ("missing", lambda plan: replace(plan, left_over=())),
        ("not_an_entrant", lambda plan: replace(plan, left_over=(*plan.left_over, 99))),
        ("twice", lambda plan: replace(plan, left_over=plan.left_over * 2)),
        ("size_not_allowed", lambda plan: _with_players(plan, plan.tables[0].players[:3])),
        (
            "left_over_before_others",
            lambda plan: replace(
                _with_players(plan, (*plan.tables[0].players[1:], *plan.left_over)),
                left_over=plan.tables[0].players[:1],
            ),
        ),
        ("cost", lambda plan: replace(plan, cost=replace(plan.cost, spread=plan.cost.spread - 1))),
        ("bound_above_cost", lambda plan: replace(plan, lower_bound=replace(plan.cost, repeats=plan.cost.repeats + 1))),
        ("certified_without_bound", lambda plan: replace(plan, lower_bound=replace(plan.cost, spread=0))),
        (
            "fewest_repeats_without_bound",
            lambda plan: replace(plan, lower_bound=replace(plan.cost, repeats=plan.cost.repeats - 1)),
        ),
    ],
)
def test_each_fault_is_found(code: str, spoil: Callable[[TablesPlan], TablesPlan]) -> None:
    faults = verify_tables(ENTRANTS, HISTORY, OPTIONS, spoil(_plan()))
    assert code in {fault.code for fault in faults}
