"""A round of multiplayer tables: how many of which size, who sits together, and where, with reasons.

What "best" means, most important first: the fewest players without a table, and of those who had fewest byes, the
lowest score; nobody meets again while that can be avoided; players to be kept apart; turns at tables of an uneven size;
equal scores, as the least sum of squared differences; then the draw. The order is a house setting, and
``TablesOptions`` holds the choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.multiplayer_model import (
    PastTable,
    PlannedTable,
    TableEntrant,
    TableField,
    TablesCost,
    TablesOptions,
    TablesPlan,
)
from events.engine.multiplayer_search import seat_together
from events.engine.multiplayer_sizes import LeftOver, SizePlan, table_sizes
from events.engine.pairing_model import Reason
from events.engine.seat_order import SeatHistory, seat_tables, turns_again

__all__ = ["PlannedTable", "TableEntrant", "TablesCost", "TablesOptions", "TablesPlan", "grade_tables", "plan_tables"]


def plan_tables(
    entrants: Iterable[TableEntrant],
    history: Sequence[PastTable],
    options: TablesOptions,
    rng: Stream,
    sizes: SizePlan | None = None,
) -> TablesPlan:
    """Seat everybody who plays this round; leave out the dropped beforehand.

    ``history`` lists every earlier table, its players in the order of their seats; ids of players who are not entrants
    are ignored. ``sizes`` are those of one round of a stagger; by default they follow from the rules. The same
    entrants, history and stream give the same plan, whatever the order of the input. Up to
    ``multiplayer_search.EXACT_UP_TO`` players the plan is certified to be the best.
    Raises DomainError as ``table_sizes`` does, and ``tables.sizes_do_not_fit`` for sizes of another number of players.
    """
    field = TableField(entrants, history, options, rng)
    plan = table_sizes(len(field), options.sizes) if sizes is None else sizes
    if sum(plan.sizes) + plan.left_over != len(field):
        raise DomainError(
            "tables.sizes_do_not_fit",
            f"The tables of this round are meant for {sum(plan.sizes) + plan.left_over} players, and there are "
            f"{len(field)}. Plan the sizes again.",
            {"players": len(field), "sizes": list(plan.sizes), "left_over": plan.left_over},
        )
    left_over = _left_over(field, plan.left_over, rng)
    out = set(left_over)
    seated = [place for place in range(len(field)) if place not in out]
    tables, exact = seat_together(field, seated, plan.sizes, rng)
    tables.sort(key=lambda table: (-field.points[min(table)], -sum(field.points[place] for place in table), min(table)))
    cost = field.cost(tables, left_over)
    bound = cost if exact else _lower_bound(field, seated, plan.sizes, cost)
    fewest = cost.repeats == bound.repeats and (options.repeat_weight is None or not cost.repeats)
    places = SeatHistory.of(field.past)
    return TablesPlan(
        tables=tuple(
            PlannedTable(
                tuple(field.entrants[place].id for place in order), _reasons(field, order, places, fewest=fewest)
            )
            for order in seat_tables(tables, places, rng)
        ),
        left_over=tuple(field.entrants[place].id for place in left_over),
        left_over_reasons=tuple(_why_left_over(field, place) for place in left_over),
        cost=cost,
        lower_bound=bound,
        certified=cost.key(options) == bound.key(options),
        fewest_repeats=fewest,
    )


def grade_tables(
    entrants: Iterable[TableEntrant],
    history: Sequence[PastTable],
    options: TablesOptions,
    tables: Sequence[Sequence[int]],
) -> TablesCost:
    """Cost of tables made by hand, to set beside the engine's. ``tables`` hold ids; who is at none is left over.

    Raises DomainError ``tables.seated_twice``, ``tables.not_an_entrant`` or ``tables.size_not_allowed``.
    """
    field = TableField(entrants, history, options, None)
    times = Counter(player for table in tables for player in table)
    for player, count in times.items():
        if player not in field.position:
            raise DomainError("tables.not_an_entrant", f"Player {player} does not play this round.", {"player": player})
        if count > 1:
            raise DomainError(
                "tables.seated_twice", f"Player {player} sits {count} times. Leave one seat.", {"player": player}
            )
    for table in tables:
        if len(table) not in options.sizes.allowed:
            raise DomainError(
                "tables.size_not_allowed",
                f"A table of {len(table)} is not allowed: {' or '.join(map(str, options.sizes.allowed))} players are.",
                {"players": list(table), "allowed": list(options.sizes.allowed)},
            )
    left_over = [field.position[entrant.id] for entrant in field.entrants if entrant.id not in times]
    return field.cost([[field.position[player] for player in table] for table in tables], left_over)


def _left_over(field: TableField, count: int, rng: Stream) -> list[int]:
    if not count:
        return []
    by_points = field.options.sizes.left_over is not LeftOver.SIT_OUT
    drawn = rng.shuffled(range(len(field)))
    drawn.sort(key=lambda place: (field.entrants[place].byes, field.points[place] if by_points else 0))
    return drawn[:count]


def _lower_bound(field: TableField, seated: Sequence[int], sizes: Sequence[int], cost: TablesCost) -> TablesCost:
    """Below which no tables of these sizes can go, in each part by itself; the choice of who is left over is exact."""
    playing = set(seated)
    known = Counter(place for pair in field.met for place in pair if playing.issuperset(pair))
    needed = min(sizes) - 1
    again = sum(max(0, needed - (len(seated) - 1 - known[place])) for place in seated)
    uneven_seats = sum(size for size in sizes if size != field.options.sizes.preferred)
    uneven = sum(sorted(field.uneven[place] for place in seated)[:uneven_seats])
    spread = 0
    if len(set(sizes)) == 1:
        # Of equal tables, those cut from the sorted points have the least spread.
        size = sizes[0]
        for start in range(0, len(seated), size):
            points = [field.points[place] for place in seated[start : start + size]]
            spread += size * sum(point * point for point in points) - sum(points) ** 2
    return TablesCost(cost.byes, cost.bye_points, -(-again // 2), 0, uneven, spread)


def _reasons(field: TableField, order: Sequence[int], places: SeatHistory, *, fewest: bool) -> tuple[Reason, ...]:
    ids = [field.entrants[place].id for place in order]
    points = [field.points[place] for place in order]
    reasons = []
    if min(points) == max(points):
        reasons.append(Reason("same_score", {"points": points[0]}))
    else:
        reasons.append(Reason("scores_apart", {"highest": max(points), "lowest": min(points)}))
    again = field.pairs_again(order)
    if not again:
        reasons.append(Reason("nobody_met_before", {"pairs": comb(len(order), 2)}))
    for a, b in again:
        facts = {"player": field.entrants[a].id, "opponent": field.entrants[b].id, "meetings": field.met[a, b]}
        reasons.append(Reason("rematch_unavoidable" if fewest else "rematch", facts))
    for a, b in turns_again(order, places):
        reasons.append(Reason("same_neighbour", {"player": field.entrants[a].id, "next": field.entrants[b].id}))
    for a, b in combinations(sorted(order), 2):
        if (a, b) in field.apart:
            facts = {"player": field.entrants[a].id, "opponent": field.entrants[b].id}
            reasons.append(Reason("kept_apart_not_possible", facts))
    preferred = field.options.sizes.preferred
    if len(ids) != preferred:
        most = max(field.uneven[place] for place in order)
        reasons.append(Reason("uneven_size", {"size": len(ids), "preferred": preferred, "most_before": most}))
    return tuple(reasons)


def _why_left_over(field: TableField, place: int) -> Reason:
    entrant = field.entrants[place]
    in_turn = field.options.sizes.left_over is LeftOver.SIT_OUT
    code = "sits_out_in_turn" if in_turn else "fewest_byes_then_lowest_score"
    return Reason(code, {"player": entrant.id, "earlier_byes": entrant.byes, "points": entrant.points})
