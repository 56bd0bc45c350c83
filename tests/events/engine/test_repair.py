from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from cards.engine.streams import Stream
from config.errors import Conflict, DomainError
from events.engine.pairing import AvoidMode, Entrant, Pair, PairingCost, PairingOptions, Reason, grade
from events.engine.repair import (
    Correction,
    Gone,
    LateEntry,
    MistakenDrop,
    Place,
    RepairPlan,
    Role,
    RoundState,
    RoundStatus,
    RoundTable,
    TableStatus,
    Told,
    WrongBye,
    WrongResult,
    apply,
    plan_repair,
)
from tests.events.engine.brute import complete_pairings

STATES = int(os.environ.get("REPAIR_STATES", "250"))
A, B, C, D, E, F, G, H = range(1, 9)
NOT_BEGUN, PLAYING, REPORTED, FINISHED = TableStatus


def stream(label: str = "repair|1") -> Stream:
    return Stream(b"s" * 32, label)


def pairs_of(*names: str) -> frozenset[frozenset[int]]:
    return frozenset(frozenset("ABCDEFGH".index(letter) + 1 for letter in name) for name in names)


def entrants(*points: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(player, own) for player, own in enumerate(points, 1))


def wrong_result_round(*, rest: TableStatus = PLAYING) -> tuple[RoundState, WrongResult]:
    """Round 1: A-E, B-F, C-G, D-H; B beat F, but F's win was entered. C-D of round 2 is over."""
    tables = (
        RoundTable(1, A, F, rest),
        RoundTable(2, C, D, REPORTED),
        RoundTable(3, B, E, rest),
        RoundTable(4, G, H, rest),
    )
    believed = entrants(3, 0, 3, 3, 0, 3, 0, 0)
    history = ((A, E), (B, F), (C, G), (D, H))
    return RoundState(2, RoundStatus.PLAYING, tables, None, believed, history), WrongResult({B: 3, F: 0})


def dropped_by_mistake(first: TableStatus = NOT_BEGUN) -> tuple[RoundState, MistakenDrop]:
    everybody = entrants(9, 9, 6, 6, 3, 3, 0, 0)
    tables = (RoundTable(1, B, C, first), RoundTable(2, D, E), RoundTable(3, F, G))
    return RoundState(4, RoundStatus.POSTED, tables, H, everybody[1:]), MistakenDrop(everybody[0])


def by_role(plans: tuple[RepairPlan, ...], role: Role) -> RepairPlan:
    (plan,) = [plan for plan in plans if plan.role is role]
    return plan


def test_a_wrong_result_has_exactly_one_repair_and_it_keeps_the_reported_table() -> None:
    state, correction = wrong_result_round()
    leave, repair = plan_repair(state, correction, stream())
    assert (leave.role, leave.tables, leave.cost.pairing.score_gap) == (Role.LEAVE, (), 18)
    assert repair.pairs == pairs_of("AB", "EF")
    assert repair.kept == (2, 4)
    assert [table.number for table in repair.stopped] == [1, 3]
    assert repair.cost.pairing == PairingCost()
    assert repair.proved_best
    assert apply(repair, state.tables) == (
        RoundTable(1, A, B),
        RoundTable(2, C, D, REPORTED),
        RoundTable(3, E, F),
        RoundTable(4, G, H, PLAYING),
    )


def test_a_plan_says_who_is_told_to_go_where() -> None:
    state, correction = wrong_result_round()
    repair = by_role(plan_repair(state, correction, stream()), Role.BEST_PAIRING)
    assert repair.told == (
        Told(A, Place(1, F), Place(1, B)),
        Told(B, Place(3, E), Place(1, A)),
        Told(E, Place(3, B), Place(3, F)),
        Told(F, Place(1, A), Place(3, E)),
    )
    assert repair.moved == (A, B, E, F)
    assert repair.reasons == (
        Reason("points_corrected", {"2": 3, "6": 0}),
        Reason("reported_tables_stay", {"tables": 1}),
        Reason("new_pair", {"table": 1, "a": A, "b": B, "gap": 0, "meetings": 0}),
        Reason("new_pair", {"table": 3, "a": E, "b": F, "gap": 0, "meetings": 0}),
    )


def test_a_mistaken_drop_is_mended_at_one_table_or_by_a_cascade() -> None:
    state, correction = dropped_by_mistake()
    plans = plan_repair(state, correction, stream())
    fewest, cascade = by_role(plans, Role.FEWEST_STOPPED), by_role(plans, Role.BEST_PAIRING)
    assert (fewest.pairs, fewest.cost.stopped, fewest.bye_after) == (pairs_of("AH"), 0, None)
    assert fewest.told == (Told(A, None, Place(4, H)), Told(H, Place(), Place(4, A)))
    assert cascade.pairs == pairs_of("AB", "CD", "EF", "GH")
    assert (cascade.cost.stopped, cascade.cost.pairing) == (3, PairingCost())
    assert plans[0] == fewest
    assert {plan.role for plan in plans} == {Role.FEWEST_STOPPED, Role.BETWEEN, Role.BEST_PAIRING}


def test_a_cascade_goes_around_a_reported_table() -> None:
    state, correction = dropped_by_mistake(REPORTED)
    plan = by_role(plan_repair(state, correction, stream()), Role.BEST_PAIRING)
    assert plan.pairs == pairs_of("AD", "EF", "GH")
    assert plan.kept == (1,)


def test_who_was_dropped_by_mistake_is_never_left_out() -> None:
    state, correction = dropped_by_mistake()
    assert all(plan.sits_out == () for plan in plan_repair(state, correction, stream()))


def test_a_table_in_play_is_finished_without_the_player_who_left() -> None:
    tables = (RoundTable(1, A, B, PLAYING), RoundTable(2, C, D, PLAYING))
    state = RoundState(3, RoundStatus.PLAYING, tables, E, entrants(6, 6, 3, 3, 0))
    (plan,) = plan_repair(state, Gone(A), stream())
    assert plan.role is Role.LEAVE
    assert apply(plan, state.tables) == tables
    assert plan.told == (Told(B, Place(1, A), Place(1, None)),)
    assert plan.reasons[:2] == (
        Reason("player_gone", {"player": A, "table": 1}),
        Reason("table_can_be_finished", {"table": 1, "opponent": B}),
    )


def test_a_draft_with_somebody_who_left_must_be_changed() -> None:
    tables = (RoundTable(1, A, B), RoundTable(2, C, D))
    state = RoundState(3, RoundStatus.DRAFTED, tables, None, entrants(6, 6, 3, 3))
    plans = plan_repair(state, Gone(A), stream())
    assert Role.LEAVE not in {plan.role for plan in plans}
    assert all(plan.vacated == (tables[0],) for plan in plans)
    assert all(plan.reasons[0] == Reason("player_gone", {"player": A, "table": 1}) for plan in plans)
    assert plans[0].bye_after in (C, D)
    assert plans[0].cost.stopped == 0


def test_the_opponent_of_a_no_show_plays_the_one_with_the_bye() -> None:
    tables = (RoundTable(1, A, B), RoundTable(2, C, D, PLAYING))
    state = RoundState(3, RoundStatus.PLAYING, tables, E, entrants(6, 6, 3, 3, 0))
    plans = plan_repair(state, Gone(A), stream())
    assert (plans[0].role, plans[0].pairs, plans[0].cost.idle) == (Role.FEWEST_STOPPED, pairs_of("BE"), 0)
    assert plans[1].role is Role.LEAVE
    assert Reason("opponent_wins_by_absence", {"table": 1, "opponent": B}) in plans[1].reasons
    assert (plans[1].bye_after, plans[1].cost.idle) == (E, 2)


def test_who_is_gone_after_the_match_changes_nothing() -> None:
    tables = (RoundTable(1, A, B, FINISHED), RoundTable(2, C, D, PLAYING))
    state = RoundState(3, RoundStatus.PLAYING, tables, None, entrants(6, 6, 3, 3))
    (plan,) = plan_repair(state, Gone(B), stream())
    assert (plan.role, plan.told, plan.tables) == (Role.LEAVE, (), ())
    assert Reason("match_is_over", {"table": 1, "opponent": A}) in plan.reasons


def test_who_is_gone_with_the_bye_takes_the_bye_along() -> None:
    state = RoundState(1, RoundStatus.POSTED, (RoundTable(1, A, B),), C, entrants(0, 0, 0))
    assert {(plan.bye_before, plan.bye_after) for plan in plan_repair(state, Gone(C), stream())} == {(C, None)}


def test_a_late_entry_may_miss_the_round_or_play_it() -> None:
    state = RoundState(1, RoundStatus.POSTED, (RoundTable(1, A, B),), C, entrants(0, 0, 0))
    plans = plan_repair(state, LateEntry(Entrant(D, 0)), stream())
    assert (plans[0].role, plans[0].pairs) == (Role.FEWEST_STOPPED, pairs_of("CD"))
    leave = by_role(plans, Role.LEAVE)
    assert (leave.sits_out, leave.told) == ((D,), (Told(D, None, None),))
    assert Reason("misses_the_round", {"player": D}) in leave.reasons


def test_a_bye_by_wrong_counts_goes_to_the_right_player() -> None:
    state = RoundState(3, RoundStatus.POSTED, (RoundTable(1, A, B), RoundTable(2, C, D)), E, entrants(6, 6, 3, 3, 0))
    plans = plan_repair(state, WrongBye({E: 1}), stream())
    best = by_role(plans, Role.BEST_PAIRING)
    assert (plans[0].role, plans[0].bye_after) == (Role.LEAVE, E)
    assert best.bye_before == E
    assert best.bye_after in (C, D)
    assert best.cost.stopped == 1


def test_the_whole_round_can_be_paired_again_while_no_match_has_begun() -> None:
    ids = range(1, 21)
    tables = tuple(RoundTable(number, 2 * number - 1, 2 * number) for number in range(1, 11))
    state = RoundState(1, RoundStatus.POSTED, tables, None, tuple(Entrant(player, 0) for player in ids))
    again = by_role(plan_repair(state, LateEntry(Entrant(99, 0)), stream()), Role.WHOLE_ROUND)
    assert again.cost.stopped > 5
    assert sorted(table.number for table in apply(again, tables)) == list(range(1, 11))
    started = replace(state, tables=(replace(tables[0], status=PLAYING), *tables[1:]))
    roles = {plan.role for plan in plan_repair(started, LateEntry(Entrant(99, 0)), stream())}
    assert roles == {Role.LEAVE, Role.FEWEST_STOPPED}


def test_a_table_in_play_is_dearer_to_stop_than_several_that_are_not() -> None:
    state, correction = dropped_by_mistake(PLAYING)
    spared = [(plan.cost.playing_stopped, plan.cost.stopped) for plan in plan_repair(state, correction, stream())]
    assert spared == [(0, 0), (0, 1), (0, 2), (1, 3)]
    alike = plan_repair(replace(state, spare_playing=False), correction, stream())
    assert [(plan.cost.stopped, plan.pairs) for plan in alike][2] == (2, pairs_of("AB", "CD", "EH"))


def test_one_of_a_new_pair_stays_at_the_old_table_wherever_that_can_be() -> None:
    state, correction = dropped_by_mistake()
    numbers = (7, 3, 1)
    tables = tuple(replace(table, number=number) for table, number in zip(state.tables, numbers, strict=True))
    plan = by_role(plan_repair(replace(state, tables=tables), correction, stream()), Role.BEST_PAIRING)
    told = {one.player: one for one in plan.told}
    staying = {
        player for player, one in told.items() if one.before and one.after and one.before.table == one.after.table
    }
    assert plan.pairs == pairs_of("AB", "CD", "EF", "GH")
    assert sorted(table.number for table in plan.tables) == [1, 3, 7, 8]
    assert len(staying) == 3


def test_who_has_the_bye_keeps_it_where_nobody_has_a_better_claim() -> None:
    # Both tables are rematches: breaking both mends that, with the bye as it is or with another.
    tables = (RoundTable(1, A, B), RoundTable(2, C, D))
    state = RoundState(2, RoundStatus.POSTED, tables, E, entrants(3, 0, 0, 0, 0), ((A, B), (C, D)))
    plans = [plan_repair(state, WrongResult({A: 0}), stream(f"r{number}")) for number in range(12)]
    best = [by_role(found, Role.BEST_PAIRING) for found in plans]
    assert [(plan.bye_after, plan.cost.moved) for plan in best] == [(E, 4)] * 12


def test_a_fixed_table_goes_along() -> None:
    state, correction = dropped_by_mistake()
    fixed = tuple(replace(entrant, fixed_table=3) if entrant.id == G else entrant for entrant in state.entrants)
    plan = by_role(plan_repair(replace(state, entrants=fixed), correction, stream()), Role.BEST_PAIRING)
    assert {table.number: frozenset(table.players) for table in plan.tables}[3] == frozenset((G, H))


@pytest.mark.parametrize(
    ("now", "changed"),
    [
        (lambda tables: (replace(tables[0], status=REPORTED), *tables[1:]), [1]),
        (lambda tables: tables[1:], [1]),
        (lambda tables: (*tables, RoundTable(9, 91, 92)), [9]),
        (lambda tables: (replace(tables[0], b=E), tables[1], replace(tables[2], b=F), tables[3]), [1, 3]),
        (lambda tables: (*tables[:3], replace(tables[3], a=A)), [4]),
    ],
)
def test_a_plan_for_a_round_that_went_on_is_refused(
    now: Callable[[tuple[RoundTable, ...]], tuple[RoundTable, ...]], changed: list[int]
) -> None:
    state, correction = wrong_result_round()
    plan = by_role(plan_repair(state, correction, stream()), Role.BEST_PAIRING)
    with pytest.raises(Conflict) as stale:
        apply(plan, now(state.tables))
    assert (stale.value.code, stale.value.context) == ("repair.stale", {"tables": changed})


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        (WrongResult({99: 3}), "repair.unknown_player"),
        (WrongBye({99: 1}), "repair.unknown_player"),
        (Gone(99), "repair.unknown_player"),
        (LateEntry(Entrant(A, 0)), "repair.already_in_round"),
        (MistakenDrop(Entrant(A, 0)), "repair.already_in_round"),
    ],
)
def test_a_correction_that_does_not_fit_the_round_is_refused(correction: Correction, code: str) -> None:
    state, _ = wrong_result_round()
    with pytest.raises(DomainError) as refused:
        plan_repair(state, correction, stream())
    assert refused.value.code == code


def test_a_round_in_which_somebody_sits_twice_is_no_state() -> None:
    state, correction = wrong_result_round()
    with pytest.raises(ValueError, match="one table or has the bye"):
        plan_repair(replace(state, bye=A), correction, stream())


# ------------------------------------------------------------------------------------- every state, against brute force


def random_case(seed: int) -> tuple[RoundState, Correction]:
    draw = random.Random(seed)
    size = draw.randint(2, 8)
    options = PairingOptions(draw.choice(list(AvoidMode)), draw.random() < 0.3)
    everybody = [
        Entrant(
            player,
            draw.choice((0, 1, 3, 4, 6, 9)),
            byes=draw.randint(0, 1),
            paired_down=draw.randint(0, 1),
            paired_up=draw.randint(0, 1),
            avoid=frozenset({draw.randint(1, size)} - {player}) if draw.random() < 0.3 else frozenset(),
        )
        for player in range(1, size + 1)
    ]
    history = tuple(
        (a, b) for a in range(1, size + 1) for b in range(1, a) for _ in range(draw.choice((0, 0, 0, 1, 1, 2)))
    )
    kind = draw.choice(("result", "drop", "late", "gone", "bye"))
    paired = everybody[:-1] if kind in ("drop", "late") else everybody
    order = draw.sample([entrant.id for entrant in paired], len(paired))
    status = draw.choice(list(RoundStatus))
    possible = list(TableStatus) if status is RoundStatus.PLAYING else [NOT_BEGUN]
    numbers = draw.sample(range(1, 12), len(order) // 2)
    tables = tuple(
        RoundTable(number, a, b, draw.choice(possible))
        for number, a, b in zip(numbers, order[::2], order[1::2], strict=False)
    )
    bye = order[-1] if len(order) % 2 else None
    state = RoundState(3, status, tables, bye, tuple(paired), history, options, spare_playing=draw.random() < 0.5)
    some = draw.sample([entrant.id for entrant in paired], min(2, len(paired)))
    corrections: dict[str, Correction] = {
        "result": WrongResult({player: draw.choice((0, 3, 6)) for player in some}),
        "bye": WrongBye({player: draw.randint(0, 2) for player in some}),
        "drop": MistakenDrop(everybody[-1]),
        "late": LateEntry(everybody[-1]),
        "gone": Gone(some[0]),
    }
    return state, corrections[kind]


def truth(state: RoundState, correction: Correction) -> tuple[dict[int, Entrant], list[RoundTable], list[int]]:
    """Who plays, the tables that nothing may touch, and who can be seated anew."""
    players = {entrant.id: entrant for entrant in state.entrants}
    locked = [table for table in state.tables if table.status.stays]
    match correction:
        case WrongResult(points):
            players |= {player: replace(players[player], points=true) for player, true in points.items()}
        case WrongBye(byes):
            players |= {player: replace(players[player], byes=true) for player, true in byes.items()}
        case Gone(player):
            del players[player]
            locked += [t for t in state.tables if player in t.players and t.status is PLAYING]
        case MistakenDrop(entrant) | LateEntry(entrant):
            players[entrant.id] = entrant
    seated = {player for table in locked for player in table.players}
    return players, locked, [player for player in players if player not in seated]


def everything_possible(
    state: RoundState, correction: Correction
) -> Iterator[tuple[tuple[int, int], tuple[int, ...], int]]:
    """(playing stopped or 0, tables stopped), pairing cost and players moved of every rearrangement."""
    players, locked, free = truth(state, correction)
    gone = {player for table in locked for player in table.players} - players.keys()
    own = [table.players for table in locked if not gone & set(table.players)]
    alone = {player for table in locked if gone & set(table.players) for player in table.players}
    movable = [t for t in state.tables if t not in locked and set(t.players) <= players.keys()]
    graded = [entrant for entrant in players.values() if entrant.id not in alone]
    for pairs, bye in complete_pairings(free):
        made = {frozenset(pair) for pair in pairs}
        stopped = [table for table in movable if frozenset(table.players) not in made]
        playing = sum(table.status is PLAYING for table in stopped)
        spare = state.spare_playing and state.status is not RoundStatus.DRAFTED
        cost = grade(graded, state.history, state.options, [*own, *pairs])
        seats = {frozenset(table.players) for table in movable}
        moved = 2 * len(made - seats) + (bye is not None and bye != state.bye)
        yield (playing if spare else 0, len(stopped)), cost.key(state.options), moved


@pytest.mark.parametrize("block", range(5))
def test_plans_equal_the_best_of_all_rearrangements(block: int) -> None:
    for seed in range(block * STATES, (block + 1) * STATES):
        state, correction = random_case(seed)
        best: list[tuple[tuple[int, int], tuple[int, ...], int]] = []
        for price, key, moved in sorted(everything_possible(state, correction)):
            if not best or key < best[-1][1]:
                best.append((price, key, moved))
        found = []
        for plan in plan_repair(state, correction, stream(str(seed))):
            absent = any(reason.code in ("opponent_wins_by_absence", "misses_the_round") for reason in plan.reasons)
            if absent or plan.role is Role.WHOLE_ROUND:
                continue
            spare = state.spare_playing and state.status is not RoundStatus.DRAFTED
            playing = sum(table.status is PLAYING for table in plan.stopped)
            price = playing if spare else 0, len(plan.stopped)
            found.append((price, plan.cost.pairing.key(state.options), plan.cost.moved))
            assert plan.proved_best
        assert sorted(found) == best, f"seed {seed}"


@pytest.mark.parametrize("block", range(5))
def test_a_repaired_round_seats_everybody_once_and_leaves_the_finished_alone(block: int) -> None:
    for seed in range(block * STATES, (block + 1) * STATES):
        state, correction = random_case(seed)
        players, locked, _ = truth(state, correction)
        plans = plan_repair(state, correction, stream(str(seed)))
        options, spare = state.options, state.spare_playing
        keys = [plan.cost.key(options, spare_playing=spare) for plan in plans]
        assert keys == sorted(keys), f"seed {seed}"
        for plan in plans:
            after = apply(plan, state.tables)
            seated = [player for table in after for player in table.players]
            seated += [] if plan.bye_after is None else [plan.bye_after]
            seated += plan.sits_out
            gone = {correction.player} if isinstance(correction, Gone) else set()
            assert sorted(set(seated) - gone) == sorted(players), f"seed {seed}"
            assert len(seated) == len(set(seated)), f"seed {seed}"
            assert set(locked) <= set(after), f"seed {seed}"
            assert len({table.number for table in after}) == len(after), f"seed {seed}"
            assert plan.cost.moved == len(plan.moved), f"seed {seed}"
            told = {one.player: one for one in plan.told}
            for player in players:
                before, now = place(player, state.tables, state.bye), place(player, after, plan.bye_after)
                if before != now:
                    assert (told[player].before, told[player].after) == (before, now), f"seed {seed}"
        assert plans == plan_repair(state, correction, stream(str(seed)))


def place(player: int, tables: tuple[RoundTable, ...], bye: int | None) -> Place | None:
    if player == bye:
        return Place()
    own = next((table for table in tables if player in table.players), None)
    return None if own is None else Place(own.number, own.opponent(player))


# ------------------------------------------------------------------------------------------------------- a large field


def large_round(players: int, seed: int, history: int = 4) -> RoundState:
    draw = random.Random(seed)
    points = sorted((3 * draw.choice((0, 1, 1, 2, 2, 2, 3, 3, 4)) for _ in range(players)), reverse=True)
    ids = list(range(1, players + 1))
    met: list[Pair] = []
    for _ in range(history):
        mixed = draw.sample(ids, len(ids))
        met += list(zip(mixed[::2], mixed[1::2], strict=False))
    everybody = tuple(Entrant(player, own) for player, own in zip(ids, points, strict=True))
    tables = tuple(RoundTable(place, a, b) for place, (a, b) in enumerate(zip(ids[::2], ids[1::2], strict=False), 1))
    return RoundState(5, RoundStatus.POSTED, tables, ids[-1] if players % 2 else None, everybody, tuple(met))


@pytest.mark.parametrize("seed", range(4))
def test_a_kernel_of_a_larger_field_finds_what_the_whole_graph_finds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = large_round(81, seed)
    correction = MistakenDrop(Entrant(999, 12))
    whole = plan_repair(state, correction, stream())
    monkeypatch.setattr("events.engine.repair_search.WHOLE_UP_TO", 60)
    kernel = plan_repair(state, correction, stream())
    proved = [plan for plan in kernel if plan.proved_best and plan.role is not Role.WHOLE_ROUND]
    assert len(proved) >= 2
    exact = {plan.cost.stopped: plan.cost.pairing.key(state.options) for plan in whole}
    for plan in proved:
        if plan.cost.stopped in exact:
            assert plan.cost.pairing.key(state.options) == exact[plan.cost.stopped]


def test_a_thousand_players_are_repaired_with_proof() -> None:
    state = large_round(1001, 1)
    plans = plan_repair(state, MistakenDrop(Entrant(9999, 12)), stream())
    assert (plans[0].role, plans[0].cost.stopped) == (Role.FEWEST_STOPPED, 0)
    assert by_role(plans, Role.BEST_PAIRING).cost.stopped < 20
    assert all(plan.proved_best for plan in plans)


def test_points_by_the_million_are_repaired_alike() -> None:
    state = large_round(1001, 1)
    dear = replace(
        state,
        status=RoundStatus.PLAYING,
        entrants=tuple(replace(one, points=one.points * 80_000) for one in state.entrants),
        tables=tuple(replace(table, status=PLAYING) for table in state.tables),
    )
    plans = plan_repair(dear, MistakenDrop(Entrant(9999, 960_000)), stream())
    assert (plans[0].cost.stopped, plans[0].proved_best) == (0, True)
    assert 0 < by_role(plans, Role.BEST_PAIRING).cost.playing_stopped < 20


def test_who_moves_is_drawn_by_the_stream() -> None:
    state = RoundState(
        2,
        RoundStatus.POSTED,
        tuple(RoundTable(number, 2 * number - 1, 2 * number) for number in range(1, 11)),
        21,
        tuple(Entrant(player, 3 if player < 21 else 0) for player in range(1, 22)),
        history=((21, 99),),
    )
    correction = MistakenDrop(Entrant(99, 3))
    best = [by_role(plan_repair(state, correction, stream(f"r{n}")), Role.BEST_PAIRING) for n in range(12)]
    assert {plan.cost for plan in best} == {best[0].cost}
    assert len({plan.pairs for plan in best}) > 6
