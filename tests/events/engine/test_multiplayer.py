"""Tables of several players: against trying every split, and the laws that hold for all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.multiplayer import (
    PlannedTable,
    TableEntrant,
    TablesCost,
    TablesOptions,
    TablesPlan,
    grade_tables,
    plan_tables,
)
from events.engine.multiplayer_model import TableField
from events.engine.multiplayer_search import seat_together
from events.engine.multiplayer_sizes import LeftOver, SizePlan, SizeRules, stagger, table_sizes
from events.engine.pairing_model import Reason

THREES = SizeRules(3, (3,))
FOURS = SizeRules(4, (3, 4))
Tables = list[tuple[int, ...]]


def _stream(label: object) -> Stream:
    return Stream(b"tables", str(label))


def _state(rng: random.Random, players: int, rules: SizeRules, rounds: int) -> tuple[list[TableEntrant], Tables]:
    """A field after some rounds at tables drawn by lot, with points that need not fit them."""
    history: Tables = []
    byes: Counter[int] = Counter()
    for _ in range(rounds):
        order = rng.sample(range(players), players)
        for size in table_sizes(players, rules).sizes:
            history.append(tuple(order[:size]))
            order = order[size:]
        byes.update(order)
    friends = {tuple(rng.sample(range(players), 2)) for _ in range(rng.randrange(3))}
    entrants = [
        TableEntrant(
            one, rng.randrange(4) * 3, byes[one], frozenset(other for pair in friends if one in pair for other in pair)
        )
        for one in range(players)
    ]
    return entrants, history


def _splits(players: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    if not sizes:
        yield []
        return
    first, rest = players[0], players[1:]
    for size in sorted(set(sizes)):
        left_sizes = list(sizes)
        left_sizes.remove(size)
        for others in combinations(rest, size - 1):
            left = tuple(player for player in rest if player not in others)
            for split in _splits(left, tuple(left_sizes)):
                yield [(first, *others), *split]


def _played(plan: TablesPlan) -> list[int]:
    return [player for table in plan.tables for player in table.players]


@pytest.mark.parametrize(
    ("players", "rules", "states"),
    [
        (6, THREES, 30),
        (7, FOURS, 20),
        (8, FOURS, 20),
        (9, THREES, 20),
        (9, SizeRules(5, (4, 5)), 10),
        (10, FOURS, 1),
    ],
)
@pytest.mark.parametrize(("repeat_weight", "uneven_weight"), [(None, None), (25, 9), (25, None), (None, 9)])
def test_no_split_of_a_small_field_is_better(
    players: int, rules: SizeRules, states: int, repeat_weight: int | None, uneven_weight: int | None
) -> None:
    rng = random.Random(f"{players} {repeat_weight}")
    options = TablesOptions(rules, repeat_weight, uneven_weight)
    for number in range(states):
        entrants, history = _state(rng, players, rules, rng.randrange(6))
        plan = plan_tables(entrants, history, options, _stream(number))
        assert plan.certified
        assert plan.cost == grade_tables(entrants, history, options, [table.players for table in plan.tables])
        seated = tuple(sorted(_played(plan)))
        best = min(
            grade_tables(entrants, history, options, split).key(options)
            for split in _splits(seated, table_sizes(players, rules).sizes)
        )
        assert plan.cost.key(options) == best


@pytest.mark.parametrize(("players", "rules"), [(9, THREES), (12, FOURS), (13, FOURS)])
def test_the_search_by_swaps_finds_the_best_of_nearly_all_small_fields(players: int, rules: SizeRules) -> None:
    rng = random.Random(players)
    options = TablesOptions(rules, kicks=60)
    found = []
    for number in range(20):
        field = TableField(*_state(rng, players, rules, rng.randrange(1, 6)), options, _stream(number))
        sizes = table_sizes(players, rules).sizes
        exact, proved = seat_together(field, range(players), sizes, _stream(number))
        swapped, claimed = seat_together(field, range(players), sizes, _stream(number), exact_up_to=0)
        assert (proved, claimed) == (True, False)
        best, reached = (field.cost(tables).key(options) for tables in (exact, swapped))
        assert reached >= best
        found.append(reached == best)
    assert found.count(True) >= 18


fields = st.builds(
    lambda seed, players, rounds: (*_state(random.Random(seed), players, FOURS, rounds), seed),
    st.integers(0, 10**6),
    st.integers(3, 40),
    st.integers(0, 5),
)


@settings(deadline=None, max_examples=40)
@given(fields)
def test_every_plan_seats_everybody_once_at_legal_tables_and_counts_its_cost_right(
    state: tuple[list[TableEntrant], Tables, int],
) -> None:
    entrants, history, seed = state
    options = TablesOptions(FOURS, kicks=20)
    plan = plan_tables(entrants, history, options, _stream(seed))
    assert sorted([*_played(plan), *plan.left_over]) == [entrant.id for entrant in entrants]
    assert sorted((len(table.players) for table in plan.tables), reverse=True) == list(
        table_sizes(len(entrants), FOURS).sizes
    )
    tables = [table.players for table in plan.tables]
    assert plan.cost == grade_tables(entrants, history, options, tables)
    assert plan.lower_bound.key(options) <= plan.cost.key(options)
    assert all(getattr(plan.lower_bound, part) <= getattr(plan.cost, part) for part in ("repeats", "uneven", "spread"))
    assert plan == plan_tables(entrants[::-1], history, options, _stream(seed))


def test_the_same_stream_gives_the_same_tables_in_every_version() -> None:
    rng = random.Random(20)
    entrants, history = _state(rng, 20, FOURS, 3)
    options = TablesOptions(FOURS, kicks=100)
    plan = plan_tables(entrants, history, options, _stream("golden"))
    assert [table.players for table in plan.tables] == GOLDEN
    assert plan != plan_tables(entrants, history, options, _stream("another"))


GOLDEN = [(12, 1, 18, 5), (13, 15, 19, 4), (14, 17, 10, 0), (6, 16, 11, 8), (3, 7, 9, 2)]


def _event(players: int, rounds: int, options: TablesOptions, seed: int = 1) -> tuple[list[TablesPlan], Tables]:
    rng = random.Random(seed)
    points = dict.fromkeys(range(players), 0)
    byes: Counter[int] = Counter()
    history: Tables = []
    plans = []
    for number in range(rounds):
        entrants = [TableEntrant(one, total, byes[one]) for one, total in points.items()]
        plans.append(plan_tables(entrants, history, options, _stream(f"{seed} {number}")))
        byes.update(plans[-1].left_over)
        for table in plans[-1].tables:
            history.append(table.players)
            points[rng.choice(table.players)] += 3
    return plans, history


@pytest.mark.parametrize(("players", "rounds"), [(33, 5), (64, 6), (101, 6), (250, 7), (1000, 7)])
def test_nobody_meets_again_from_thirty_three_players_on(players: int, rounds: int) -> None:
    plans, history = _event(players, rounds, TablesOptions(FOURS, kicks=60))
    met = Counter(pair for table in history for pair in combinations(sorted(table), 2))
    assert max(met.values()) == 1
    assert {(plan.cost.repeats, plan.fewest_repeats) for plan in plans} == {(0, True)}


def test_where_everybody_has_met_the_repeats_are_proved_to_be_unavoidable() -> None:
    entrants = [TableEntrant(one, 3) for one in range(20)]
    plan = plan_tables(entrants, list(combinations(range(20), 2)), TablesOptions(FOURS), _stream(1))
    assert plan.cost == plan.lower_bound == TablesCost(repeats=5 * 6)
    assert (plan.certified, plan.fewest_repeats) == (True, True)
    assert [reason.code for reason in plan.tables[0].reasons[:7]] == ["same_score", *["rematch_unavoidable"] * 6]


def test_tables_of_an_uneven_size_come_round() -> None:
    _, history = _event(18, 5, TablesOptions(FOURS, kicks=100))
    uneven = Counter(player for table in history if len(table) == 3 for player in table)
    assert sum(uneven.values()) == 30
    assert max(uneven.values()) <= 2
    assert len(uneven) == 18


def test_points_lie_nearer_together_when_a_repeat_is_given_a_price() -> None:
    strict, _ = _event(18, 5, TablesOptions(FOURS, kicks=100))
    priced, _ = _event(18, 5, TablesOptions(FOURS, repeat_weight=10, uneven_weight=10, kicks=100))
    assert sum(plan.cost.repeats for plan in strict) < sum(plan.cost.repeats for plan in priced)
    assert sum(plan.cost.spread for plan in strict) > sum(plan.cost.spread for plan in priced)


def test_byes_go_to_the_lowest_score_without_one() -> None:
    entrants = [TableEntrant(1, 0, 1), TableEntrant(2, 0, 1), *(TableEntrant(one, one) for one in (3, 4, 5))]
    plan = plan_tables(entrants, [], TablesOptions(FOURS), _stream("bye"))
    assert plan.left_over == (3,)
    assert plan.left_over_reasons == (
        Reason("fewest_byes_then_lowest_score", {"player": 3, "earlier_byes": 0, "points": 3}),
    )
    assert (plan.cost.byes, plan.cost.bye_points) == (0, 3)


@pytest.mark.parametrize(("players", "games"), [(6, 2), (6, 3), (7, 2), (7, 5), (11, 2), (11, 3)])
def test_in_a_staggered_event_everybody_plays_as_many_games(players: int, games: int) -> None:
    rules = SizeRules(5, (4, 5), LeftOver.SIT_OUT)
    out: Counter[int] = Counter()
    history: Tables = []
    for number, sizes in enumerate(stagger(players, games, rules).rounds):
        entrants = [TableEntrant(one, 10 * one, out[one]) for one in range(players)]
        plan = plan_tables(entrants, history, TablesOptions(rules), _stream(number), sizes)
        assert {reason.code for reason in plan.left_over_reasons} <= {"sits_out_in_turn"}
        out.update(plan.left_over)
        history += [table.players for table in plan.tables]
    assert Counter(player for table in history for player in table) == dict.fromkeys(range(players), games)


def test_turns_at_sitting_out_are_drawn_without_a_look_at_points() -> None:
    rules = SizeRules(5, (4, 5), LeftOver.SIT_OUT)
    entrants = [TableEntrant(one, one, int(one == 0)) for one in range(6)]
    plans = [plan_tables(entrants, [], TablesOptions(rules), _stream(number)) for number in range(40)]
    assert {plan.left_over for plan in plans} == {(1,), (2,), (3,), (4,), (5,)}


def test_sizes_planned_for_other_numbers_are_refused() -> None:
    entrants = [TableEntrant(one, 0) for one in range(8)]
    with pytest.raises(DomainError) as refused:
        plan_tables(entrants, [], TablesOptions(FOURS), _stream(1), SizePlan((4,), 3))
    assert refused.value.code == "tables.sizes_do_not_fit"


TURNS = {(0, 1), (1, 2), (2, 0), (2, 1), (1, 0), (0, 3), (3, 2)}
"""Of the two earlier tables of the next test"""


def test_reasons_are_data() -> None:
    entrants = [TableEntrant(one, 3 if one < 2 else 0, avoid=frozenset({3 - one})) for one in range(4)]
    plan = plan_tables(entrants, [(0, 1, 2), (2, 1, 0, 3)], TablesOptions(FOURS), _stream(1))
    assert plan.cost == TablesCost(repeats=2 * 2 * 3 + 3, avoided=2, spread=4 * 9)
    assert plan.certified
    (table,) = plan.tables
    assert table.reasons[:7] == (
        Reason("scores_apart", {"highest": 3, "lowest": 0}),
        *(
            Reason("rematch_unavoidable", {"player": a, "opponent": b, "meetings": 1 if 3 in (a, b) else 2})
            for a, b in _by_place(entrants, table)
        ),
    )
    neighbours = [
        pair for pair in zip(table.players, table.players[1:] + table.players[:1], strict=True) if pair in TURNS
    ]
    apart = [pair for pair in _by_place(entrants, table) if sum(pair) == 3]
    assert table.reasons[7:] == (
        *(Reason("same_neighbour", {"player": one, "next": after}) for one, after in neighbours),
        *(Reason("kept_apart_not_possible", {"player": one, "opponent": other}) for one, other in apart),
    )
    assert neighbours
    again = plan_tables(entrants[:3], [], TablesOptions(FOURS), _stream(1)).tables[0].reasons
    assert again[1:] == (
        Reason("nobody_met_before", {"pairs": 3}),
        Reason("kept_apart_not_possible", {"player": again[2].facts["player"], "opponent": again[2].facts["opponent"]}),
        Reason("uneven_size", {"size": 3, "preferred": 4, "most_before": 0}),
    )


def _by_place(entrants: Sequence[TableEntrant], table: PlannedTable) -> list[tuple[int, int]]:
    field = TableField(entrants, [], TablesOptions(FOURS), _stream(1))
    return [
        (field.entrants[a].id, field.entrants[b].id)
        for a, b in combinations(sorted(field.position[player] for player in table.players), 2)
    ]


def test_tables_made_by_hand_are_graded_or_refused() -> None:
    entrants = [TableEntrant(one, one) for one in range(1, 8)]
    options = TablesOptions(FOURS)
    cost = grade_tables(entrants, [(1, 2, 3)], options, [(1, 2, 3), (4, 5, 6, 7)])
    assert cost == TablesCost(repeats=3, uneven=3, spread=1 + 1 + 4 + 3 * 1 + 2 * 4 + 9)
    for tables, code in (
        ([(1, 2, 3), (3, 4, 5, 6)], "tables.seated_twice"),
        ([(1, 2, 9)], "tables.not_an_entrant"),
        ([(1, 2)], "tables.size_not_allowed"),
    ):
        with pytest.raises(DomainError) as refused:
            grade_tables(entrants, [], options, tables)
        assert refused.value.code == code


def test_points_far_apart_do_not_upset_the_order_of_what_matters() -> None:
    entrants = [TableEntrant(one, one * 10**9) for one in range(24)]
    history = [tuple(range(start, start + 4)) for start in range(0, 24, 4)]
    plan = plan_tables(entrants, history, TablesOptions(FOURS, kicks=50), _stream(1))
    assert plan.cost.repeats == 0


def test_a_player_cannot_be_entered_or_have_sat_twice() -> None:
    with pytest.raises(ValueError):
        plan_tables([TableEntrant(1, 0)] * 3, [], TablesOptions(FOURS), _stream(1))
    with pytest.raises(ValueError):
        plan_tables([TableEntrant(one, 0) for one in range(3)], [(0, 0, 1)], TablesOptions(FOURS), _stream(1))
