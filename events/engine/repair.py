"""Mending a round that was paired on a wrong footing, with the least disturbance: plans, cheapest first.

A wrong result, a drop by mistake, a late entry, somebody who is gone, a bye by wrong counts: each leaves several ways
out, between leaving everything and pairing again. Matches that are reported or finished stay in all of them. No
document of tournament rules that we know says which way is right, so the desk is shown what each one costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cards.engine.streams import Stream
from config.errors import Conflict, DomainError
from events.engine.pairing import Entrant, Pair, PairingCost, Reason, pair_round
from events.engine.repair_field import OpenField
from events.engine.repair_model import (
    Correction,
    Gone,
    LateEntry,
    Ledger,
    MistakenDrop,
    Place,
    RepairCost,
    RepairPlan,
    Role,
    RoundState,
    RoundStatus,
    RoundTable,
    TableStatus,
    Told,
    WrongBye,
    WrongResult,
)
from events.engine.repair_search import frontier
from events.engine.repair_tables import number_tables

__all__ = [
    "Correction",
    "Gone",
    "LateEntry",
    "MistakenDrop",
    "Place",
    "RepairCost",
    "RepairPlan",
    "Role",
    "RoundState",
    "RoundStatus",
    "RoundTable",
    "TableStatus",
    "Told",
    "WrongBye",
    "WrongResult",
    "apply",
    "plan_repair",
]


def plan_repair(state: RoundState, correction: Correction, rng: Stream) -> tuple[RepairPlan, ...]:
    """Ways to mend the round, cheapest first (``RepairCost.key``): tables stopped, then the order of the pairing.

    Among them: leaving the round as it is (unless somebody who must play would not, or a draft seats somebody who is
    gone), the best that stops no table, the best pairing there is with as few tables stopped as it takes, what lies
    between, and, while no match has begun, the whole round paired again. No plan but leaving and pairing again is
    beaten by another in both tables stopped and pairing. Up to 100 open players every plan is proved best
    (``proved_best``); above, where a bound shows it.

    A player who leaves a match in play leaves the opponent a match to be finished: that table stays. The same state,
    correction and stream give the same plans. Raises DomainError "repair.unknown_player", "repair.already_in_round";
    ``ValueError`` for a state in which somebody sits twice or nowhere.
    """
    return _Desk(state, correction).plans(rng)


def apply(plan: RepairPlan, tables: Iterable[RoundTable]) -> tuple[RoundTable, ...]:
    """The round's tables after ``plan``, by number. Tables that stay are the very ones given.

    Raises Conflict "repair.stale", naming the tables, when the round has changed since the plan was made: a table is
    missing or new or has other players, or one that the plan ends was reported meanwhile.
    """
    standing = {table.number: table for table in tables}
    ended = {table.number: table for table in (*plan.stopped, *plan.vacated)}
    moved = {player for table in plan.tables for player in table.players}
    changed = {*plan.kept, *ended} ^ standing.keys()
    changed |= {number for number, table in ended.items() if number in standing and _went_on(table, standing[number])}
    changed |= {number for number in standing.keys() - ended if not moved.isdisjoint(standing[number].players)}
    if changed:
        raise Conflict(
            "repair.stale",
            "The round has changed since this plan was made. Ask for plans again.",
            {"tables": sorted(changed)},
        )
    kept = [standing[number] for number in plan.kept]
    return tuple(sorted((*kept, *plan.tables), key=lambda table: table.number))


def _went_on(planned: RoundTable, now: RoundTable) -> bool:
    return now.status.stays or now.players != planned.players


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A round as a plan would leave it, still without numbers for the new tables."""

    role: Role
    pairs: Sequence[Pair]
    bye: int | None
    proved: bool
    sits_out: tuple[int, ...] = ()
    stands: bool = False


class _Desk:
    """One state and one correction, sorted into what stays, what may change and who has no place."""

    def __init__(self, state: RoundState, correction: Correction) -> None:
        self.state = state
        _check(state)
        self.entrants = _corrected(state, correction)
        self.ledger = Ledger(tuple(self.entrants.values()), state.history, state.options)
        self.reason = _reason_of(state, correction)
        self.newcomer = correction.entrant.id if isinstance(correction, (MistakenDrop, LateEntry)) else None
        self.must_play = isinstance(correction, MistakenDrop)
        self.gone = correction.player if isinstance(correction, Gone) else None
        self.gone_from = next((table for table in state.tables if self.gone in table.players), None)
        # In play, the opponent has a match to finish; before that the table has no purpose.
        left_open = self.gone_from is not None and self.gone_from.status is TableStatus.NOT_BEGUN
        self.vacated = (self.gone_from,) if left_open and self.gone_from is not None else ()
        self.fixed = tuple(
            table
            for table in state.tables
            if table.status.stays or (table is self.gone_from and table not in self.vacated)
        )
        self.open = tuple(table for table in state.tables if table not in self.fixed and table not in self.vacated)
        self.bye = None if state.bye == self.gone else state.bye
        orphan = None if self.gone is None or not self.vacated else self.vacated[0].opponent(self.gone)
        self.singles = tuple(player for player in (orphan, self.newcomer, self.bye) if player is not None)

    def plans(self, rng: Stream) -> tuple[RepairPlan, ...]:
        outcomes = [*self._leaving(), *self._rearranged(rng), *self._again(rng)]
        plans: dict[tuple[object, ...], RepairPlan] = {}
        for outcome in outcomes:
            plan = self._plan(outcome)
            plans.setdefault((plan.pairs, plan.bye_after, plan.sits_out, plan.vacated), plan)
        options, spare = self.state.options, self.state.spare_playing
        return tuple(sorted(plans.values(), key=lambda plan: plan.cost.key(options, spare_playing=spare)))

    def _leaving(self) -> list[_Outcome]:
        drafted = self.state.status is RoundStatus.DRAFTED
        if self.must_play or (drafted and self.vacated):
            return []
        sits_out = () if self.newcomer is None else (self.newcomer,)
        pairs = [table.players for table in self.open]
        return [_Outcome(Role.LEAVE, pairs, self.bye, True, sits_out, stands=True)]

    def _field(self) -> OpenField:
        spare = self.state.spare_playing and self.state.status is not RoundStatus.DRAFTED
        playing = (table.number for table in self.open if table.status is TableStatus.PLAYING)
        dear = frozenset(playing if spare else ())
        return OpenField(self.ledger, self.open, self.singles, self.bye, dear, dear_price=len(self.open) + 1)

    def _rearranged(self, rng: Stream) -> list[_Outcome]:
        found = frontier(self._field(), rng)
        outcomes = []
        for place, arrangement in enumerate(found):
            if arrangement.price == 0:
                role = Role.FEWEST_STOPPED
            else:
                role = Role.BEST_PAIRING if place == len(found) - 1 else Role.BETWEEN
            outcomes.append(_Outcome(role, arrangement.pairs, arrangement.bye, arrangement.proved))
        return outcomes

    def _again(self, rng: Stream) -> list[_Outcome]:
        if self.fixed or any(table.status is not TableStatus.NOT_BEGUN for table in self.open):
            return []
        entrants = [self.entrants[player] for player in self._field().players]
        if not entrants:
            return []
        plan = pair_round(entrants, self.state.history, self.state.options, rng)
        return [_Outcome(Role.WHOLE_ROUND, [(pair.a, pair.b) for pair in plan.pairs], plan.bye, plan.certified)]

    def _plan(self, outcome: _Outcome) -> RepairPlan:
        wanted = {frozenset(pair) for pair in outcome.pairs}
        kept = [table for table in self.open if frozenset(table.players) in wanted]
        stopped = tuple(table for table in self.open if frozenset(table.players) not in wanted)
        vacated = () if outcome.stands else self.vacated
        old = {frozenset(table.players) for table in kept}
        new = [pair for pair in outcome.pairs if frozenset(pair) not in old]
        staying = (*self.fixed, *kept, *(self.vacated if outcome.stands else ()))
        tables = number_tables(
            new,
            ended=(*stopped, *vacated),
            taken=frozenset(table.number for table in staying),
            entrants=self.entrants,
            stay_put=outcome.role is not Role.WHOLE_ROUND,
        )
        cost = self._cost(staying, stopped, tables, outcome)
        return RepairPlan(
            role=outcome.role,
            kept=tuple(sorted(table.number for table in staying)),
            stopped=stopped,
            vacated=vacated,
            tables=tables,
            told=self._told(tables, outcome),
            bye_before=self.state.bye,
            bye_after=outcome.bye,
            sits_out=outcome.sits_out,
            cost=cost,
            proved_best=outcome.proved,
            reasons=(self.reason, *self._reasons(tables, outcome, cost)),
        )

    def _cost(
        self,
        staying: Sequence[RoundTable],
        stopped: Sequence[RoundTable],
        tables: Sequence[RoundTable],
        outcome: _Outcome,
    ) -> RepairCost:
        pairs = [table.players for table in (*staying, *tables) if self.gone not in table.players]
        without = len(staying) + len(tables) - len(pairs)
        told_nobody = self.state.status is RoundStatus.DRAFTED
        return RepairCost(
            playing_stopped=0 if told_nobody else sum(table.status is TableStatus.PLAYING for table in stopped),
            stopped=0 if told_nobody else len(stopped),
            idle=without + len(outcome.sits_out) + (outcome.bye is not None),
            pairing=self.ledger.total(pairs, outcome.bye),
            moved=2 * len(tables) + (outcome.bye is not None and outcome.bye != self.state.bye),
        )

    def _told(self, tables: Sequence[RoundTable], outcome: _Outcome) -> tuple[Told, ...]:
        before: dict[int, Place] = {} if self.state.bye is None else {self.state.bye: Place()}
        for table in self.state.tables:
            for player in table.players:
                before[player] = Place(table.number, table.opponent(player))
        after = {player: Place(table.number, table.opponent(player)) for table in tables for player in table.players}
        if outcome.bye is not None and outcome.bye != self.state.bye:
            after[outcome.bye] = Place()
        told = [Told(player, before.get(player), place) for player, place in sorted(after.items())]
        told += [Told(player, None, None) for player in outcome.sits_out]
        if outcome.stands and self.gone is not None and self.gone_from is not None and not self.gone_from.status.stays:
            other = self.gone_from.opponent(self.gone)
            told.append(Told(other, before[other], Place(self.gone_from.number, None)))
        return tuple(told)

    def _reasons(self, tables: Sequence[RoundTable], outcome: _Outcome, cost: RepairCost) -> list[Reason]:
        reasons = []
        gone_from = self.gone_from
        if self.gone is not None and gone_from is not None and gone_from not in self.vacated:
            code = "match_is_over" if gone_from.status.stays else "table_can_be_finished"
            reasons.append(Reason(code, {"table": gone_from.number, "opponent": gone_from.opponent(self.gone)}))
        elif self.gone is not None and gone_from is not None and outcome.stands:
            facts = {"table": gone_from.number, "opponent": gone_from.opponent(self.gone)}
            reasons.append(Reason("opponent_wins_by_absence", facts))
        if self.fixed:
            reasons.append(Reason("reported_tables_stay", {"tables": sum(table.status.stays for table in self.fixed)}))
        reasons += [Reason("misses_the_round", {"player": player}) for player in outcome.sits_out]
        for table in tables:
            facts = {
                "table": table.number,
                "a": table.a,
                "b": table.b,
                "gap": self.ledger.gap(table.a, table.b),
                "meetings": self.ledger.meetings(table.a, table.b),
            }
            reasons.append(Reason("new_pair", facts))
        if outcome.bye is not None and outcome.bye != self.state.bye:
            entrant = self.entrants[outcome.bye]
            facts = {"player": entrant.id, "points": entrant.points, "earlier_byes": entrant.byes}
            reasons.append(Reason("new_bye", facts))
        if cost.pairing != PairingCost():
            reasons.append(Reason("round_costs", dict(cost.pairing.as_json())))
        return reasons


def _check(state: RoundState) -> None:
    seated = [player for table in state.tables for player in table.players]
    seated += [] if state.bye is None else [state.bye]
    numbers = [table.number for table in state.tables]
    if sorted(seated) != sorted(entrant.id for entrant in state.entrants) or len(set(seated)) != len(seated):
        raise ValueError("every entrant sits at one table or has the bye")
    if len(set(numbers)) != len(numbers):
        raise ValueError("two tables have one number")


def _corrected(state: RoundState, correction: Correction) -> dict[int, Entrant]:
    """Entrants as they should have been."""
    entrants = {entrant.id: entrant for entrant in state.entrants}
    match correction:
        case WrongResult(points):
            _must_know(entrants, points)
            return entrants | {player: replace(entrants[player], points=true) for player, true in points.items()}
        case WrongBye(byes):
            _must_know(entrants, byes)
            return entrants | {player: replace(entrants[player], byes=true) for player, true in byes.items()}
        case Gone(player):
            _must_know(entrants, (player,))
            return {id_: entrant for id_, entrant in entrants.items() if id_ != player}
        case MistakenDrop(entrant) | LateEntry(entrant):
            if entrant.id in entrants:
                raise DomainError(
                    "repair.already_in_round",
                    "This player is in the round already: nothing has to be mended.",
                    {"player": entrant.id, "round": state.number},
                )
            return entrants | {entrant.id: entrant}


def _must_know(entrants: dict[int, Entrant], players: Iterable[int]) -> None:
    unknown = sorted(set(players) - entrants.keys())
    if unknown:
        raise DomainError(
            "repair.unknown_player",
            "Only players of this round can be corrected in it; leave out who was not paired.",
            {"players": unknown},
        )


def _reason_of(state: RoundState, correction: Correction) -> Reason:
    match correction:
        case WrongResult(points):
            return Reason("points_corrected", {str(player): true for player, true in sorted(points.items())})
        case WrongBye(byes):
            return Reason("byes_corrected", {str(player): true for player, true in sorted(byes.items())})
        case MistakenDrop(entrant):
            return Reason("reinstated", {"player": entrant.id, "points": entrant.points})
        case LateEntry(entrant):
            return Reason("late_entry", {"player": entrant.id, "points": entrant.points})
        case Gone(player):
            table = next((table.number for table in state.tables if player in table.players), None)
            return Reason("player_gone", {"player": player} | ({} if table is None else {"table": table}))
