"""Ways to mend the open round after a mistake: what the engine is told of it, and the plans that it offers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cards.engine.streams import Stream
from config.errors import Conflict, NotFound
from events.engine.fairness import repair_label
from events.engine.outcomes import GameScore, Outcome, outcome_of
from events.engine.pairing import Entrant
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
    plan_repair,
)
from events.engine.swiss_state import swiss_state
from events.models import Event, Match, Player, Round, Seat, Stage
from events.queries.scoring import result_table, standings_policy

STATUS = {Round.State.DRAFT: RoundStatus.DRAFTED, Round.State.POSTED: RoundStatus.POSTED}


@dataclass(frozen=True)
class Repair:
    """The open round and the plans that mend it, by key; the key of a plan depends on all that is in it."""

    round: Round
    correction: Correction
    plans: Mapping[str, RepairPlan]

    def chosen(self, key: str) -> RepairPlan:
        """Raises Conflict "repair.plan_needed", "repair.stale"."""
        if not key:
            raise Conflict(
                "repair.plan_needed",
                f"Round {self.round.sequence} was paired on this. Choose one of the plans for it.",
                {"round": self.round.sequence, "plans": self._told()},
            )
        if key not in self.plans:
            raise Conflict(
                "repair.stale",
                "The round has changed since this plan was made. Look at the plans again.",
                {"round": self.round.sequence, "plans": self._told()},
            )
        return self.plans[key]

    def _told(self) -> list[dict[str, object]]:
        return [{"key": key, **plan.as_json()} for key, plan in self.plans.items()]


def finished_match(*, event: Event, match_id: int) -> Match:
    """A match of two in a complete round of Swiss or of a round robin, on which no cut was made. 2 queries.

    Raises NotFound "match.unknown", Conflict "round.open", "repair.cut_made".
    """
    match = Match.objects.select_related("round__stage").filter(event=event, pk=match_id)
    found = match.exclude(round__state=Round.State.DRAFT).first()
    if found is None:
        raise NotFound("match.unknown", "There is no such match in this event.", {"match": match_id})
    if found.round.state != Round.State.COMPLETE:
        raise Conflict("round.open", "This round is still open: enter the result there.", {"match": match_id})
    begun = event.stages.filter(number__gt=found.round.stage.number).exclude(state=Stage.State.WAITING)
    if found.round.stage.kind not in (Stage.Kind.SWISS, Stage.Kind.ROUND_ROBIN) or begun.exists():
        raise Conflict(
            "repair.cut_made",
            "What was made of this result is no Swiss round: it can be put right only while its round is the last one. "
            "Take the steps since then back, the newest first.",
            {"match": match_id},
        )
    return found


def score_outcomes(event: Event, match: Match, score: GameScore) -> tuple[Outcome, Outcome]:
    """Of both seats, by the rules under which the match ended. No query. Raises DomainError "score.*"."""
    at_time = match.round.time_called_at is not None
    return outcome_of(score, event.rules["match"]["best_of"], at_time=at_time, elimination=False)


def repair_of_result(*, event: Event, match: Match, score: GameScore) -> Repair | None:
    """Plans for a corrected result of ``finished_match``; None when nothing was paired on what it changes.

    7 queries at most. Raises DomainError "score.*".
    """
    seats = list(match.seats.order_by("index"))
    if len(seats) != 2:
        raise Conflict("match.decided", "A bye is decided by the pairing.")
    outcomes = score_outcomes(event, match, score)
    round_ = _open_round(event)
    if round_ is None:
        return None
    policy = standings_policy(event)
    gained = {
        seat.player_id: policy.points(outcome) - policy.points(Outcome(seat.outcome or Outcome.UNFINISHED))
        for seat, outcome in zip(seats, outcomes, strict=True)
    }
    state = _round_state(event, round_, set(gained))
    points = {
        entrant.id: entrant.points + gained[entrant.id] for entrant in state.entrants if gained.get(entrant.id, 0)
    }
    return _repair(event, round_, state, WrongResult(points)) if points else None


def repair_of_player(*, event: Event, round_: Round, player: Player) -> Repair:
    """Plans for somebody who dropped and sits in the open round, or who dropped and is to be in it. 6 queries.

    Raises Conflict "round.state", "player.not_dropped", "player.no_show", "repair.pods".
    """
    if round_.state == Round.State.COMPLETE or round_.stage.kind != Stage.Kind.SWISS:
        raise Conflict("round.state", "Only a Swiss round that is open can be mended.", {"round": round_.sequence})
    if player.state != Player.State.DROPPED:
        raise Conflict("player.not_dropped", f"{player.name} has not dropped: there is nothing to mend.")
    if player.lot == 0:
        raise Conflict("player.no_show", f"{player.name} was not checked in when the event started.")
    if Seat.objects.filter(round=round_, player=player).exists():
        return _repair(event, round_, _round_state(event, round_, {player.pk}), Gone(player.pk))
    if round_.stage.config.get("within_pods"):
        raise Conflict("repair.pods", "Pods play among themselves: a player comes back with the next round only.")
    entrant = _entrants(event, round_, [player.pk])[0][0]
    missed_one = (player.dropped_after_round or 0) == round_.sequence - 1
    correction = MistakenDrop(entrant) if missed_one else LateEntry(entrant)
    return _repair(event, round_, _round_state(event, round_, {player.pk}), correction)


def _open_round(event: Event) -> Round | None:
    open_ = event.rounds.exclude(state=Round.State.COMPLETE).select_related("stage", "event")
    return open_.filter(stage__kind=Stage.Kind.SWISS).first()


def _repair(event: Event, round_: Round, state: RoundState, correction: Correction) -> Repair:
    rng = Stream(bytes(event.secret), repair_label(round_.stage.number, round_.number))
    plans = plan_repair(state, correction, rng)
    return Repair(round_, correction, {_key(plan): plan for plan in plans})


def _key(plan: RepairPlan) -> str:
    said = {name: value for name, value in plan.as_json().items() if name not in ("reasons", "proved_best")}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


def _round_state(event: Event, round_: Round, concerned: set[int]) -> RoundState:
    """The round as it was paired, or the pod of it in which a player of ``concerned`` sits."""
    matches = list(round_.matches.prefetch_related("seats").order_by("table", "pk"))
    pods = {match.pod_id for match in matches if concerned & {seat.player_id for seat in match.seats.all()}}
    if round_.stage.config.get("within_pods"):
        matches = [match for match in matches if match.pod_id in pods]
    tables, byes = [], []
    for match in matches:
        players = [seat.player_id for seat in sorted(match.seats.all(), key=lambda seat: seat.index)]
        if len(players) == 2 and match.table is not None:
            tables.append(RoundTable(match.table, players[0], players[1], _status(round_, match)))
        else:
            byes += players
    seated = [player for table in tables for player in table.players] + byes
    entrants, history = _entrants(event, round_, seated)
    return RoundState(
        number=round_.sequence,
        status=STATUS.get(Round.State(round_.state), RoundStatus.PLAYING),
        tables=tuple(tables),
        bye=byes[0] if byes else None,
        entrants=entrants,
        history=history,
    )


def _status(round_: Round, match: Match) -> TableStatus:
    if match.state == Match.State.CONFIRMED:
        return TableStatus.FINISHED
    if match.state != Match.State.OPEN:
        return TableStatus.REPORTED
    begun = round_.state in (Round.State.PLAYING, Round.State.TIME)
    return TableStatus.PLAYING if begun else TableStatus.NOT_BEGUN


def _entrants(
    event: Event, round_: Round, players: list[int]
) -> tuple[tuple[Entrant, ...], tuple[tuple[int, int], ...]]:
    """Of ``players`` what they had before the round, and whom they had met."""
    table = result_table(event, up_to=round_.sequence - 1)
    group, history = swiss_state(table, standings_policy(event), np.isin(table.ids, players))
    return tuple(group.single()), tuple((a, b) for a, b in history.among(group))
