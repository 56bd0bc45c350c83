"""Whole events of every structure hold together; and each invariant finds the fault that it is there for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine import simulation, simulation_swiss
from events.engine.pairing import Pair, PairingOptions, PlannedPair, pair_round
from events.engine.repair import Correction, RepairPlan, RoundState, plan_repair
from events.engine.simulation import play_event
from events.engine.simulation_model import STRUCTURES, Chances, Course, StageSpec
from events.engine.simulation_swiss import SwissStage
from events.engine.standings import standings

EVENTS = 500
OFTEN = Chances(draws=50, drops=30, late=300, mistakes=1000)


def test_five_hundred_events_of_mixed_structure_break_nothing() -> None:
    counts: dict[str, int] = {}
    for number in range(EVENTS):
        players = 8 + Stream(str(number).encode(), "players").below(57)
        course = play_event("mixed", players, f"event {number}")
        assert course.broken == [], (course.structure, players, course.seed)
        for kind, times in course.counts.items():
            counts[kind] = counts.get(kind, 0) + times
    happened = ("repairs", "wrong_results", "no_shows", "late_entries", "drops", "outlooks", "bracket", "double")
    assert all(counts[kind] > 20 for kind in happened), counts
    assert counts["checks"] > 20_000


@pytest.mark.parametrize("name", sorted(STRUCTURES))
def test_the_same_seed_plays_the_same_event(name: str) -> None:
    first, second = (play_event(name, 23, "same", OFTEN) for _ in range(2))
    assert (first.digest, first.counts, first.broken) == (second.digest, second.counts, [])
    assert play_event(name, 23, "other", OFTEN).digest != first.digest


def test_a_structure_that_nobody_knows_is_refused() -> None:
    with pytest.raises(DomainError) as refusal:
        play_event("ladder", 8, "x")
    assert refusal.value.code == "simulation.structure"


# -- every invariant fires --------------------------------------------------------------------------------------------


def swiss(*, cut: int = 0, rounds: int = 4, kind: str = "swiss", chances: Chances = OFTEN, **faults: Any) -> set[str]:
    """Invariants that break in a stage of Swiss with these faults in it."""
    course = Course("swiss", 16, "faults")
    spec = StageSpec(kind, rounds=rounds)  # type: ignore[arg-type]
    stage = SwissStage(course, spec, chances, {player: 500 + 10 * player for player in range(1, 17)}, cut, **faults)
    stage.play()
    return {broken.invariant for broken in course.broken}


class Altered:
    """A plan with something changed in it."""

    def __init__(self, plan: Any, **changed: Any) -> None:
        self._plan, self._changed = plan, changed

    def __getattr__(self, name: str) -> Any:
        return self._changed[name] if name in self._changed else getattr(self._plan, name)


def solver(change: Callable[[Any], dict[str, Any]]) -> Any:
    def solve(entrants: Any, history: Sequence[Pair], options: PairingOptions, rng: Stream) -> Any:
        plan = pair_round(entrants, history, options, rng)
        return Altered(plan, **change(plan))

    return solve


def test_without_a_fault_nothing_breaks() -> None:
    assert swiss() == set()
    assert swiss(cut=4, solver=pair_round, repairer=plan_repair) == set()


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda plan: {"pairs": plan.pairs[1:]}, {"everybody_once", "the_plan_holds"}),
        (lambda plan: {"pairs": (plan.pairs[0], *plan.pairs[:-1])}, {"everybody_once", "the_plan_holds"}),
        (lambda plan: {"cost": replace(plan.cost, score_gap=plan.cost.score_gap + 1)}, {"the_plan_holds"}),
        (lambda plan: {"certified": False}, {"the_plan_is_certified"}),
        (
            lambda plan: {"cost": replace(plan.cost, rematches=1), "certified": False},
            {"no_avoidable_rematch", "the_plan_is_certified"},
        ),
    ],
    ids=["somebody is left out", "a pair twice", "a wrong cost", "no certificate", "a rematch"],
)
def test_a_wrong_plan_is_found(change: Callable[[Any], dict[str, Any]], found: set[str]) -> None:
    assert found <= swiss(solver=solver(change), chances=Chances(0, 0, 0, 0))


def test_a_pair_of_one_player_is_not_fit_to_be_posted() -> None:
    def with_self(plan: Any) -> dict[str, Any]:
        first = plan.pairs[0]
        return {"pairs": (PlannedPair(first.a, first.a), *plan.pairs[1:])}

    course = Course("swiss", 16, "faults")
    stage = SwissStage(course, StageSpec("swiss", rounds=1), Chances(0, 0, 0, 0), dict.fromkeys(range(1, 17), 500))
    stage.solver = solver(with_self)
    stage.play()
    assert {"fit_to_be_posted", "everybody_once"} <= {broken.invariant for broken in course.broken}


Repairs = Callable[[Sequence[RepairPlan], RoundState], Sequence[RepairPlan]]


def repairer(change: Repairs) -> Any:
    def repair(state: RoundState, correction: Correction, rng: Stream) -> Sequence[RepairPlan]:
        return change(plan_repair(state, correction, rng), state)

    return repair


def _lose(plans: Sequence[RepairPlan], state: RoundState) -> list[RepairPlan]:
    return [replace(plan, tables=plan.tables[:-1]) for plan in plans if plan.tables] or list(plans)


def _double(plans: Sequence[RepairPlan], state: RoundState) -> list[RepairPlan]:
    return [replace(plan, tables=(*plan.tables, *plan.tables[:1])) for plan in plans if plan.tables] or list(plans)


def _break_up(plans: Sequence[RepairPlan], state: RoundState) -> list[RepairPlan]:
    return [replace(plan, kept=(), stopped=tuple(state.tables), vacated=(), tables=()) for plan in plans]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda plans, state: list(plans)[::-1], "plans_are_ordered"),
        (lambda plans, state: [], "a_plan_is_offered"),
        (_lose, "nobody_is_lost"),
        (_double, "nobody_sits_twice"),
        (_double, "a_table_seats_one_match"),
    ],
    ids=["turned round", "none", "a table lost", "twice", "two matches at a table"],
)
def test_a_wrong_repair_is_found(change: Repairs, found: str) -> None:
    broken: set[str] = set()
    for kind in range(6):  # so that a correction of each kind comes up
        course = Course("swiss", 16, f"repairs {kind}")
        strength = {player: 500 + 10 * player for player in range(1, 17)}
        stage = SwissStage(course, StageSpec("swiss", rounds=3), OFTEN, strength, repairer=repairer(change))
        with suppress(ValueError):  # a round with somebody twice can't be counted on
            stage.play()
        broken |= {one.invariant for one in course.broken}
    assert found in broken


def test_a_finished_table_that_is_broken_up_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation_swiss, "apply", lambda plan, tables: plan.tables)
    assert "finished_tables_stay" in swiss()


def test_what_is_said_of_the_cut_is_held_against_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    said = simulation_swiss.outlook_for_cut
    monkeypatch.setattr(
        simulation_swiss, "outlook_for_cut", lambda *args, cut, **rest: said(*args, cut=cut + 6, **rest)
    )
    found: set[str] = set()
    for seed in range(8):
        course = Course("swiss", 16, f"cut {seed}")
        strength = {player: 500 + 60 * player for player in range(1, 17)}
        SwissStage(course, StageSpec("swiss", rounds=4), Chances(0, 0, 0, 0), strength, cut=2).play()
        found |= {one.invariant for one in course.broken}
    assert "what_if_is_sound" in found


def test_an_outlook_that_changes_its_mind_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    said = simulation_swiss.outlook_for_cut

    def moody(*args: Any, cut: int, later: int, **rest: Any) -> Any:
        return said(*args, cut=cut + 13 * later, later=later, **rest)

    monkeypatch.setattr(simulation_swiss, "outlook_for_cut", moody)
    found: set[str] = set()
    for seed in range(8):
        course = Course("swiss", 16, f"mood {seed}")
        SwissStage(
            course, StageSpec("swiss", rounds=4), Chances(0, 0, 0, 0), {p: 500 + 60 * p for p in range(1, 17)}, cut=2
        ).play()
        found |= {one.invariant for one in course.broken}
    assert "what_was_said_stays" in found


def test_standings_that_miscount_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(players: Any, results: Any, policy: Any) -> Any:
        return standings(players, results[1:], policy)[:-1]

    monkeypatch.setattr(simulation_swiss, "standings", forgetful)
    found = swiss(chances=Chances(0, 0, 0, 0))
    assert {"points_add_up", "points_are_given_once"} <= found


def test_an_order_with_a_gap_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation_swiss, "standings", lambda *args: standings(*args)[1:])
    assert "a_total_order" in swiss(chances=Chances(0, 0, 0, 0))


def test_two_results_in_a_round_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    play = SwissStage._play

    def twice(self: SwissStage, number: int, tables: Any, byes: Any, chance: Stream) -> None:
        play(self, number, tables, [*byes, tables[0].a], chance)

    monkeypatch.setattr(SwissStage, "_play", twice)
    course = Course("swiss", 8, "twice")
    SwissStage(course, StageSpec("swiss", rounds=1), Chances(0, 0, 0, 0), dict.fromkeys(range(1, 9), 500)).play()
    assert "one_result_a_round" in {one.invariant for one in course.broken}


def broken_in(name: str, monkeypatch: pytest.MonkeyPatch, what: str, fault: Callable[[Any], Any]) -> set[str]:
    """Invariants that break in a structure when one function of the engine answers wrongly."""
    real = getattr(simulation, what)
    monkeypatch.setattr(simulation, what, lambda *args, **options: fault(real(*args, **options)))
    return {one.invariant for one in play_event(name, 24, "fault").broken}


@pytest.mark.parametrize(
    ("name", "what", "fault", "found"),
    [
        ("swiss-cut", "first_round", lambda ms: (*ms[:-1], replace(ms[-1], a=ms[0].a)), "once_in_a_bracket_round"),
        ("swiss-cut", "champion", lambda best: None, "one_champion"),
        ("swiss-cut", "final_placing", lambda placing: placing[1:], "everybody_is_placed"),
        ("round-robin", "berger", lambda rounds: rounds[:-1], "every_two_meet_once"),
        (
            "round-robin",
            "berger",
            lambda rounds: (replace(rounds[0], pairs=rounds[0].pairs[1:]), *rounds[1:]),
            "everybody_once",
        ),
        ("pools", "snake_pools", lambda pools: (pools[0] + pools[1][:1], pools[1][1:], *pools[2:]), "pools_are_even"),
        ("pools", "pool_rounds", lambda rounds: rounds[:-1], "every_two_meet_once"),
        ("tables", "plan_tables", lambda plan: replace(plan, tables=plan.tables[1:]), "the_plan_holds"),
        ("tables", "placing_points", lambda points: dict.fromkeys(points, 0), "a_table_gives_its_points"),
        ("teams", "pair_teams", lambda found: replace(found, matches=found.matches[1:]), "everybody_once"),
    ],
)
def test_a_fault_in_another_kind_of_stage_is_found(
    name: str, what: str, fault: Callable[[Any], Any], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        assert found in broken_in(name, monkeypatch, what, fault)
    except (ValueError, DomainError) as refusal:
        pytest.fail(f"refused before it was checked: {refusal}")


def test_a_bracket_that_lets_losers_play_on_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = simulation.next_round

    def kind(previous: Any, winners: Any, **options: Any) -> Any:
        losers = {m.slot: m.b if winners[m.slot] == m.a else m.a for m in previous if m.b is not None}
        return real(previous, losers, **options)

    monkeypatch.setattr(simulation, "next_round", kind)
    assert "who_lost_is_out" in {one.invariant for one in play_event("swiss-cut", 24, "kind").broken}


def test_a_cut_with_somebody_who_left_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = simulation.make_cut
    monkeypatch.setattr(simulation, "make_cut", lambda ranking, size, gone: real(ranking[::-1], len(ranking)))
    found = set()
    for seed in range(4):
        found |= {
            one.invariant for one in play_event("swiss-cut", 24, f"left {seed}", replace(OFTEN, drops=200)).broken
        }
    assert "who_left_is_not_in_the_cut" in found


def test_a_double_bracket_that_ends_early_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = simulation.replay

    def short(seeds: Any, decisions: Any) -> Any:
        state = real(seeds, decisions)
        return replace(state, ready=()) if len(decisions) > 10 else state

    monkeypatch.setattr(simulation, "replay", short)
    found = {one.invariant for one in play_event("double-elimination", 24, "short").broken}
    assert {"everybody_but_one_loses_twice", "as_many_matches"} <= found


def test_a_double_bracket_in_which_the_beaten_play_on_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = simulation.replay

    def again(seeds: Any, decisions: Any) -> Any:
        state = real(seeds, decisions)
        return replace(state, ready=state.ready[:1] * 5) if not decisions else replace(state, ready=())

    monkeypatch.setattr(simulation, "replay", again)
    assert "who_lost_twice_is_out" in {one.invariant for one in play_event("double-elimination", 16, "again").broken}


def test_a_seed_given_twice_and_a_place_left_out_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    course, strength = Course("pools", 24, "fault"), dict.fromkeys(range(1, 25), 500)
    real = simulation.cut_pools
    twice = lambda *args, **options: replace(real(*args, **options), seeds=(1, 1))  # noqa: E731
    monkeypatch.setattr(simulation, "cut_pools", twice)
    simulation.pools(course, StageSpec("pools", cut=8), list(strength), strength)
    monkeypatch.setattr(simulation, "places_by_exits", lambda players, exits: dict.fromkeys(players[1:], 1))
    monkeypatch.setattr(simulation, "placing_points", lambda places, policy: dict.fromkeys(places, 4))
    simulation.tables(course, StageSpec("tables", rounds=1), list(strength), strength)
    assert {one.invariant for one in course.broken} == {"seeds_differ", "a_table_is_placed"}


# -- the command ------------------------------------------------------------------------------------------------------


def command(*words: str, hash_seed: str = "0") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none", "PYTHONHASHSEED": hash_seed}
    return subprocess.run(
        [sys.executable, "manage.py", "simulate_event", *words],
        capture_output=True,
        text=True,
        cwd=settings.BASE_DIR,
        env=env,
        check=False,
        timeout=120,
    )


def test_the_command_plays_the_same_in_every_process_without_a_database() -> None:
    words = ("--events", "6", "--players", "8-20", "--json")
    first, second = (json.loads(command(*words, hash_seed=seed).stdout) for seed in ("1", "2"))
    assert {**first, "seconds": 0} == {**second, "seconds": 0}
    assert (first["events"], first["broken"]) == (6, [])


@pytest.mark.parametrize(
    "words", [["--players", "7"], ["--players", "9-8"], ["--players", "x"], ["--structure", "ladder"], ["--drops", "2"]]
)
def test_the_command_refuses_what_cannot_be_played(words: list[str]) -> None:
    refused = command(*words)
    assert refused.returncode != 0
    assert "Traceback" not in refused.stderr
