"""Swiss rounds of a simulated event: demands, late entries, drops, mistakes and their repair, checked at every step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from cards.engine.streams import Stream
from events.engine.acceleration import accelerate, accelerated
from events.engine.demanded_round import RoundPlan, Solver, pair_with_demands
from events.engine.demands import Demand, OnePod, SeatAt, assigned_byes
from events.engine.health import DraftedBye, DraftedPair, DraftedRound, Severity, check_round
from events.engine.outcomes import GameScore, Outcome
from events.engine.pairing import AvoidMode, Entrant, Pair, PairingOptions, pair_round
from events.engine.plan_check import verify_plan
from events.engine.pods import draw_pods, pod_sizes
from events.engine.power_pairing import by_standing, pair_by_standing
from events.engine.repair import (
    Correction,
    Gone,
    LateEntry,
    MistakenDrop,
    RepairPlan,
    RoundState,
    RoundStatus,
    RoundTable,
    TableStatus,
    WrongResult,
    apply,
    plan_repair,
)
from events.engine.simulation_model import Chances, Course, StageSpec, points_by_hand
from events.engine.standings import PlayerEntry, Result, StandingRow, StandingsPolicy, standings
from events.engine.standings_table import ResultTable
from events.engine.swiss import number_of_rounds
from events.engine.swiss_state import swiss_state
from events.engine.tables import FixedSeat, assign_tables
from events.engine.whatif import Chance, OpenMatch, outlook_for_cut

POLICY = StandingsPolicy()
FIXED_TABLE = 3


@dataclass(slots=True)
class SwissStage:
    """State of the stage. ``strength`` decides who wins; ``solver`` can be another, to see that faults are found."""

    course: Course
    spec: StageSpec
    chances: Chances
    strength: dict[int, int]
    cut: int = 0
    solver: Solver = pair_round
    repairer: Callable[[RoundState, Correction, Stream], Sequence[RepairPlan]] = plan_repair
    active: set[int] = field(default_factory=set)
    results: list[Result] = field(default_factory=list)
    pods: dict[int, int] = field(default_factory=dict)
    promised: dict[int, Chance] = field(default_factory=dict)
    seeded: list[int] = field(default_factory=list)

    def play(self) -> list[StandingRow]:
        """All rounds; the final standings."""
        self.active = set(self.strength)
        if self.spec.kind == "pods":
            self._draw_pods()
        rounds = self.spec.rounds or number_of_rounds(len(self.strength))
        self.seeded = sorted(self.strength, key=lambda player: -self.strength[player])
        for number in range(1, rounds + 1):
            if len(self.active) < 2:
                break
            self._round(number, rounds)
        rows = self._standings()
        places = {row.player: place for place, row in enumerate((r for r in rows if not r.dropped), 1)}
        for player, chance in self.promised.items():
            kept = {Chance.CLINCHED: places[player] <= self.cut, Chance.ELIMINATED: places[player] > self.cut}
            self.course.check(kept.get(chance, True), "what_if_is_sound", "after the last round", player=player)
        return rows

    # -- a round ------------------------------------------------------------------------------------------------------

    def _round(self, number: int, rounds: int) -> None:
        course, chance = self.course, self.course.stream("chance", self.spec.kind, number)
        # "Clinched" holds while nobody else drops or comes; a round by standings has no scores to repair by.
        quiet = (self.cut > 0 and number > rounds - 2) or (self.spec.last_by_standings and number == rounds)
        if not quiet:
            self._late_entries(number, chance)
        entrants, history = self._field()
        gone_by_mistake = None
        if not quiet and not self.pods and number > 1 and chance.below(1000) < self.chances.mistakes // 2:
            gone_by_mistake = chance.choice(entrants)
            entrants = [entrant for entrant in entrants if entrant.id != gone_by_mistake.id]
        if len(entrants) < 2:
            return
        shown, solver = self._as_paired(entrants, number, rounds)
        plan = pair_with_demands(
            shown,
            history,
            self._demands(number),
            self._options(),
            lambda pod: course.stream("pairing", number, pod),
            solver=solver,
        )
        where = f"round {number}"
        self._check_plan(plan, shown, history, where)
        tables = self._tables(plan, shown)
        self._check_health(plan, tables, shown, history, where)
        course.step("rounds", pairs=[(t.number, t.a, t.b) for t in tables], byes=[bye.player for bye in plan.byes])
        byes = [bye.player for bye in plan.byes]
        if not self.pods:
            for correction in self._corrections(number, gone_by_mistake, quiet, entrants, chance):
                tables, byes = self._repair(number, tables, byes, shown, history, correction, chance, where)
        if quiet and self.cut:
            self._what_if(number, rounds, tables, byes)
        self._play(number, tables, byes, chance)
        self._check_standings(where)
        if not quiet:
            self._drops(chance)

    def _field(self) -> tuple[list[Entrant], list[Pair]]:
        ids = sorted(self.strength)
        table = ResultTable.of(
            [PlayerEntry(player, player not in self.active, lot=player) for player in ids], self.results
        )
        teams = self._team_pairs(table.ids.tolist()) if self.spec.strict else np.empty((0, 2), np.int64)
        entrants, history = swiss_state(table, POLICY, ~table.dropped, teams)
        return entrants.single(), history.among(entrants)

    def _team_pairs(self, ids: list[int]) -> np.ndarray:
        rows = [(a, b) for a in range(len(ids)) for b in range(a + 1, len(ids)) if ids[a] % 5 == ids[b] % 5]
        return np.array(rows, np.int64).reshape(-1, 2)

    def _options(self) -> PairingOptions:
        return PairingOptions(AvoidMode.STRICT if self.spec.strict else AvoidMode.SOFT)

    def _as_paired(self, entrants: list[Entrant], number: int, rounds: int) -> tuple[list[Entrant], Solver]:
        if self.spec.accelerated:
            return list(accelerated(entrants, accelerate(self.seeded, rounds, win=POLICY.win), number)), self.solver
        if self.spec.last_by_standings and number == rounds:
            by_id = {entrant.id: entrant for entrant in entrants}
            order = [by_id[row.player] for row in self._standings() if row.player in by_id]
            return list(by_standing(order)), pair_by_standing
        return entrants, self.solver

    def _demands(self, number: int) -> list[Demand]:
        demands: list[Demand] = []
        if self.pods:
            members: dict[int, set[int]] = {}
            for player, pod in self.pods.items():
                if player in self.active:
                    members.setdefault(pod, set()).add(player)
            return [OnePod(f"pod {pod}", f"Pod {pod}", pod, frozenset(who)) for pod, who in sorted(members.items())]
        if len(self.active) > 8:
            demands += assigned_byes({player: 1 for player in self.seeded[:2] if player in self.active}, number)
        needs = self.seeded[-1]
        if needs in self.active:
            demands.append(SeatAt("seat", "A wheelchair", needs, FIXED_TABLE))
        return demands

    def _tables(self, plan: RoundPlan, entrants: Sequence[Entrant]) -> list[RoundTable]:
        points = {entrant.id: entrant.points for entrant in entrants}
        pairs = [(pair.a, pair.b) for pair in plan.pairs]
        fixed = [] if self.pods else [FixedSeat(self.seeded[-1], FIXED_TABLE)]
        numbers = assign_tables(pairs, points, fixed, blocks=[pair.pod or 0 for pair in plan.pairs]).tables
        return [RoundTable(number, a, b) for number, (a, b) in zip(numbers, pairs, strict=True)]

    # -- what can go wrong --------------------------------------------------------------------------------------------

    def _corrections(
        self, number: int, dropped: Entrant | None, quiet: bool, entrants: Sequence[Entrant], chance: Stream
    ) -> list[Correction]:
        if dropped is not None:
            return [MistakenDrop(dropped)]
        if quiet or chance.below(1000) >= self.chances.mistakes:
            return []
        found: list[Correction] = []
        match chance.below(3):
            case 0:
                wrong = [r for r in self.results if r.round == number - 1 and r.b is not None]
                if wrong and not self.spec.accelerated:
                    found.append(self._set_right(chance.choice(wrong), entrants))
            case 1:
                player = chance.choice(sorted(self.active - self._given_byes(number)))
                self.active.discard(player)
                self.course.step("no_shows", player=player)
                found.append(Gone(player))
            case _:
                newcomer = self._enter(number, chance)
                found.append(LateEntry(Entrant(newcomer, 0)))
        return found

    def _set_right(self, result: Result, entrants: Sequence[Entrant]) -> WrongResult:
        """The other player had won."""
        right = replace(
            result,
            outcome_a=Outcome.LOSS if result.outcome_a.is_win else Outcome.WIN,
            outcome_b=Outcome.WIN if result.outcome_a.is_win else Outcome.LOSS,
            games=GameScore(0, 2) if result.outcome_a.is_win else GameScore(2, 0),
        )
        self.results[self.results.index(result)] = right
        self.course.step("wrong_results", round=result.round, a=result.a, b=result.b)
        points = Counter[int]()
        for one in self.results:
            points[one.a] += POLICY.points(one.outcome_a)
            if one.b is not None and one.outcome_b is not None:
                points[one.b] += POLICY.points(one.outcome_b)
        concerned = {entrant.id for entrant in entrants} & {right.a, *([] if right.b is None else [right.b])}
        return WrongResult({player: points[player] for player in concerned})

    def _repair(
        self,
        number: int,
        tables: list[RoundTable],
        byes: list[int],
        entrants: Sequence[Entrant],
        history: Sequence[Pair],
        correction: Correction,
        chance: Stream,
        where: str,
    ) -> tuple[list[RoundTable], list[int]]:
        seated = {player for table in tables for player in table.players}
        odd = [player for player in byes if player not in self._given_byes(number)]
        status = chance.choice(list(RoundStatus))
        if status is RoundStatus.PLAYING:
            tables = [replace(table, status=chance.choice(list(TableStatus))) for table in tables]
        state = RoundState(
            number,
            status,
            tuple(tables),
            odd[0] if odd else None,
            tuple(entrant for entrant in entrants if entrant.id in seated or entrant.id in odd),
            tuple(history),
            self._options(),
        )
        if isinstance(correction, WrongResult):
            paired = {entrant.id for entrant in state.entrants}
            correction = WrongResult({p: points for p, points in correction.points.items() if p in paired})
        plans = self.repairer(state, correction, self.course.stream("repair", number))
        keys = [plan.cost.key(state.options, spare_playing=state.spare_playing) for plan in plans]
        self.course.check(keys == sorted(keys), "plans_are_ordered", where, keys=keys)
        self.course.check(bool(plans), "a_plan_is_offered", where)
        if not plans:
            return tables, byes
        chosen = plans[0] if chance.below(2) else chance.choice(list(plans))
        after = apply(chosen, tables)
        self.course.step("repairs", role=chosen.role, correction=type(correction).__name__, status=status)
        self.course.counts[f"repairs: {chosen.role}"] += 1
        stayed = {table for table in tables if table.status.stays}
        self.course.check(stayed <= set(after), "finished_tables_stay", where, role=chosen.role)
        here = Counter(player for table in after for player in table.players)
        if chosen.bye_after is not None:
            here[chosen.bye_after] += 1
        twice = sorted(player for player, times in here.items() if times > 1)
        self.course.check(not twice, "nobody_sits_twice", where, players=twice)
        expected = {entrant.id for entrant in state.entrants} | _joining(correction)
        lost = expected - here.keys() - set(chosen.sits_out) - _leaving(correction)
        self.course.check(not lost, "nobody_is_lost", where, players=sorted(lost), role=chosen.role)
        numbers = Counter(table.number for table in after)
        self.course.check(max(numbers.values(), default=1) == 1, "a_table_seats_one_match", where)
        given = [player for player in byes if player not in odd]
        for player in chosen.sits_out:
            if player in self.active:
                self.results.append(Result(number, player, None, Outcome.ABSENT))
        return list(after), given + ([] if chosen.bye_after is None else [chosen.bye_after])

    def _given_byes(self, number: int) -> set[int]:
        return set(self.seeded[:2]) if number == 1 and len(self.strength) > 8 else set()

    # -- results and people -------------------------------------------------------------------------------------------

    def _play(self, number: int, tables: Sequence[RoundTable], byes: Sequence[int], chance: Stream) -> None:
        for table in tables:
            a_left, b_left = table.a not in self.active, table.b not in self.active
            if a_left or b_left:  # a match in play is finished without whoever left it
                outcome = Outcome.FORFEIT_LOSS if a_left else Outcome.FORFEIT_WIN
                self.results.append(Result(number, table.a, table.b, outcome, outcome.opposite, GameScore()))
                continue
            if chance.below(1000) < self.chances.draws:
                self.results.append(Result(number, table.a, table.b, Outcome.DRAW, Outcome.DRAW, GameScore(1, 1, 1)))
                continue
            both = self.strength[table.a] + self.strength[table.b]
            a_wins = chance.below(both) < self.strength[table.a]
            games = GameScore(2, chance.below(2))
            outcome = Outcome.WIN if a_wins else Outcome.LOSS
            self.results.append(
                Result(number, table.a, table.b, outcome, outcome.opposite, games if a_wins else games.reversed)
            )
        given = self._given_byes(number)
        for player in byes:
            kind = Outcome.ASSIGNED_BYE if player in given else Outcome.BYE
            self.results.append(Result(number, player, None, kind))
        self.course.counts["matches"] += len(tables)
        played = [r for r in self.results if r.round == number]
        self.course.step("results", results=[(r.a, r.b, str(r.outcome_a)) for r in played])
        there = Counter(p for r in played for p in (r.a, r.b) if p is not None)
        self.course.check(max(there.values(), default=1) == 1, "one_result_a_round", f"round {number}")

    def _late_entries(self, number: int, chance: Stream) -> None:
        if number > 1 and not self.pods and chance.below(1000) < self.chances.late:
            self._enter(number, chance)

    def _enter(self, number: int, chance: Stream) -> int:
        """A new player, who has missed the rounds so far."""
        newcomer = max(self.strength) + 1
        self.strength[newcomer] = 500 + chance.below(1000)
        self.active.add(newcomer)
        self.results += [Result(missed, newcomer, None, Outcome.ABSENT) for missed in range(1, number)]
        self.course.step("late_entries", player=newcomer)
        return newcomer

    def _drops(self, chance: Stream) -> None:
        leaving = [player for player in sorted(self.active) if chance.below(1000) < self.chances.drops]
        for player in leaving:
            if len(self.active) > max(4, self.cut):
                self.active.discard(player)
                self.course.step("drops", player=player)

    def _draw_pods(self) -> None:
        sizes = pod_sizes(len(self.active), target=8).sizes
        drawn = draw_pods(sorted(self.active), sizes, self.course.stream("pods"))
        self.pods = {player: number for number, pod in enumerate(drawn, 1) for player in pod}

    # -- checks -------------------------------------------------------------------------------------------------------

    def _check_plan(self, plan: RoundPlan, entrants: Sequence[Entrant], history: Sequence[Pair], where: str) -> None:
        course = self.course
        here = Counter(player for pair in plan.pairs for player in (pair.a, pair.b))
        here.update(bye.player for bye in plan.byes)
        course.check(here == Counter(entrant.id for entrant in entrants), "everybody_once", where)
        for group in plan.groups:
            pairs = [(pair.a, pair.b) for pair in group.plan.pairs]
            check = verify_plan(group.entrants, group.history, self._options(), group.plan, pairs)
            course.check(check.holds, "the_plan_holds", where, faults=[fault.as_json() for fault in check.faults])
            course.check(group.plan.certified, "the_plan_is_certified", where)
            course.check(group.plan.cost.rematches == group.plan.lower_bound.rematches, "no_avoidable_rematch", where)
            course.check(sum(bye.pod == group.pod and not bye.demanded for bye in plan.byes) <= 1, "one_bye", where)

    def _check_health(
        self,
        plan: RoundPlan,
        tables: Sequence[RoundTable],
        entrants: Sequence[Entrant],
        history: Sequence[Pair],
        where: str,
    ) -> None:
        number_of = {table.players: table.number for table in tables}
        drafted = DraftedRound(
            active=frozenset(entrant.id for entrant in entrants),
            pairs=tuple(DraftedPair(p.a, p.b, number_of[p.a, p.b], p.pod, p.by_hand) for p in plan.pairs),
            byes=tuple(DraftedBye(bye.player, bye.pod, bye.demanded) for bye in plan.byes),
            history=tuple(history),
            fewest_rematches=sum(group.plan.cost.rematches for group in plan.groups),
            pods=self.pods,
            fixed_seats=() if self.pods else (FixedSeat(self.seeded[-1], FIXED_TABLE),),
        )
        stops = [finding.code for finding in check_round(drafted) if finding.severity is Severity.STOPS]
        self.course.check(not stops, "fit_to_be_posted", where, codes=stops)

    def _standings(self) -> list[StandingRow]:
        entries = [PlayerEntry(player, player not in self.active, lot=player) for player in sorted(self.strength)]
        return standings(entries, self.results, POLICY)

    def _check_standings(self, where: str) -> None:
        rows = self._standings()
        self.course.check([row.rank for row in rows] == list(range(1, len(rows) + 1)), "a_total_order", where)
        own = points_by_hand(self.results)
        told = {row.player: int(row.values["match_points"]) for row in rows}
        self.course.check(told == {player: own.get(player, 0) for player in told}, "points_add_up", where)
        decided = sum(r.outcome_a.is_win or r.outcome_a.is_loss for r in self.results)
        drawn = sum(r.outcome_a.is_draw for r in self.results)
        self.course.check(sum(told.values()) == 3 * decided + 2 * drawn, "points_are_given_once", where)

    def _what_if(self, number: int, rounds: int, tables: Sequence[RoundTable], byes: Sequence[int]) -> None:
        entries = [PlayerEntry(player, player not in self.active, lot=player) for player in sorted(self.strength)]
        results = [*self.results, *(Result(number, player, None, Outcome.BYE) for player in byes)]
        open_ = [OpenMatch(number, table.a, table.b) for table in tables]
        found = outlook_for_cut(entries, results, open_, POLICY, cut=self.cut, later=rounds - number, play_through=0)
        for player, outlook in found.players.items():
            before = self.promised.get(player)
            if before in (Chance.CLINCHED, Chance.ELIMINATED):
                self.course.check(outlook.chance is before, "what_was_said_stays", f"round {number}", player=player)
            if outlook.chance in (Chance.CLINCHED, Chance.ELIMINATED):
                self.promised[player] = outlook.chance
        self.course.counts["outlooks"] += 1


def _joining(correction: Correction) -> set[int]:
    return {correction.entrant.id} if isinstance(correction, MistakenDrop | LateEntry) else set()


def _leaving(correction: Correction) -> set[int]:
    return {correction.player} if isinstance(correction, Gone) else set()
