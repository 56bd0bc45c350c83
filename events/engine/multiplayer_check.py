"""Whether a round of multiplayer tables is what it claims to be, counted anew from the plan's ids alone.

Shares nothing with the search: a fault of the solver, or of a plan that was stored and read again, shows here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from events.engine.multiplayer_model import PastTable, TableEntrant, TablesCost, TablesOptions, TablesPlan
from events.engine.multiplayer_sizes import LeftOver
from events.engine.plan_check import PlanFault


def verify_tables(
    entrants: Iterable[TableEntrant], history: Sequence[PastTable], options: TablesOptions, plan: TablesPlan
) -> tuple[PlanFault, ...]:
    """What is wrong with a plan; nothing if all is well. No exception for whatever is wrong with it.

    Codes: ``missing``, ``not_an_entrant``, ``twice``, ``size_not_allowed``; and if everybody sits once,
    ``left_over_before_others`` (who had fewer byes, or as many and fewer points), ``cost``, ``bound_above_cost``,
    ``certified_without_bound``, ``fewest_repeats_without_bound``.
    """
    by_id = {entrant.id: entrant for entrant in entrants}
    faults = list(_who_sits(by_id, options, plan))
    if faults:
        return tuple(faults)
    faults += _who_is_left_over(by_id, options, plan)
    counted = _count(by_id, history, options, plan)
    if counted != plan.cost:
        faults.append(PlanFault("cost", {"counted": counted.as_json(), "stated": plan.cost.as_json()}))
    if plan.lower_bound.key(options) > counted.key(options):
        bound = plan.lower_bound.as_json()
        faults.append(PlanFault("bound_above_cost", {"bound": bound, "counted": counted.as_json()}))
    if plan.certified and plan.lower_bound.key(options) != counted.key(options):
        faults.append(PlanFault("certified_without_bound", {"bound": plan.lower_bound.as_json()}))
    if plan.fewest_repeats and plan.lower_bound.repeats != counted.repeats:
        faults.append(PlanFault("fewest_repeats_without_bound", {"bound": plan.lower_bound.repeats}))
    return tuple(faults)


def _who_sits(by_id: dict[int, TableEntrant], options: TablesOptions, plan: TablesPlan) -> Iterator[PlanFault]:
    times = Counter(player for table in plan.tables for player in table.players)
    times.update(plan.left_over)
    for player in sorted(by_id.keys() - times.keys()):
        yield PlanFault("missing", {"player": player})
    for player in sorted(times.keys() - by_id.keys()):
        yield PlanFault("not_an_entrant", {"player": player})
    for player, count in sorted(times.items()):
        if count > 1:
            yield PlanFault("twice", {"player": player, "times": count})
    for number, table in enumerate(plan.tables, start=1):
        if len(table.players) not in options.sizes.allowed:
            yield PlanFault("size_not_allowed", {"table": number, "size": len(table.players)})


def _who_is_left_over(by_id: dict[int, TableEntrant], options: TablesOptions, plan: TablesPlan) -> Iterator[PlanFault]:
    in_turn = options.sizes.left_over is LeftOver.SIT_OUT

    def key(player: int) -> tuple[int, int]:
        return by_id[player].byes, 0 if in_turn else by_id[player].points

    seated = [player for table in plan.tables for player in table.players]
    for player in plan.left_over:
        rather = [other for other in seated if key(other) < key(player)]
        if rather:
            yield PlanFault("left_over_before_others", {"player": player, "others": len(rather)})


def _count(
    by_id: dict[int, TableEntrant], history: Sequence[PastTable], options: TablesOptions, plan: TablesPlan
) -> TablesCost:
    met = Counter(frozenset(pair) for table in history for pair in combinations(table, 2))
    preferred = options.sizes.preferred
    uneven = Counter(player for table in history if len(table) != preferred for player in table)
    pairs = [pair for table in plan.tables for pair in combinations(table.players, 2)]
    return TablesCost(
        byes=sum(by_id[player].byes for player in plan.left_over),
        bye_points=sum(by_id[player].points for player in plan.left_over),
        repeats=sum(met[frozenset(pair)] ** 2 for pair in pairs),
        avoided=sum(a in by_id[b].avoid or b in by_id[a].avoid for a, b in pairs),
        uneven=sum(uneven[one] for table in plan.tables if len(table.players) != preferred for one in table.players),
        spread=sum((by_id[a].points - by_id[b].points) ** 2 for a, b in pairs),
    )
