"""Putting right what was found out late: a wrong result of an earlier round, a drop by mistake, somebody who is gone.

The open round was paired on the mistake. Staff choose one of the engine's plans for it; matches that are reported or
finished stay, those that the plan stops are deleted, and its new ones are stored, all in one transaction.
"""

from __future__ import annotations

from typing import Any

from config.errors import Conflict, DomainError, NotFound
from events.engine.outcomes import GameScore
from events.engine.repair import Gone, RepairPlan, Role, WrongResult
from events.models import Match, Player, Result, Round, Seat
from events.queries.repairs import Repair, finished_match, repair_of_player, repair_of_result, score_outcomes
from events.services.notices import places_before, tell_moved
from events.services.pairing import Seating, store_seatings
from events.services.registration import player_of
from events.services.results import LONGEST_REASON
from events.services.rounds import store_standings
from events.services.transaction import (
    Actor,
    Change,
    Command,
    EventTransaction,
    event_transaction,
    refuse_not_running,
    stale,
)


def correct_result(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    wins_a: int,
    wins_b: int,
    reason: str,
    draws: int = 0,
    plan: str = "",
    match_version: int | None = None,
    command: Command | None = None,
) -> Change:
    """Correct a result of a complete round, seen from seat A, and mend the open round as ``plan`` says (the key of one
    of the plans shown). The standings from that round on are counted again.

    Raises DomainError "result.reason", "score.*", NotFound "match.unknown", Conflict "round.open", "match.decided",
    "result.same", "repair.cut_made", "repair.plan_needed", "repair.stale", "event.stale".
    """
    _need(reason)
    with event_transaction(event_id, actor=actor, command=command) as tx:
        refuse_not_running(tx)
        match = finished_match(event=tx.event, match_id=match_id)
        if match_version is not None and match_version != match.version:
            raise stale(tx.event.version)
        score = GameScore(wins_a, wins_b, draws)
        repair = repair_of_result(event=tx.event, match=match, score=score)
        chosen = None if repair is None else repair.chosen(plan)
        before, after = _overwrite(tx, match, score, reason.strip())
        for round_ in tx.event.rounds.filter(sequence__gte=match.round.sequence, state=Round.State.COMPLETE):
            store_standings(tx.event, round_)
        facts = {
            "match": match.pk,
            "round": match.round.sequence,
            "table": match.table,
            "before": before,
            "after": after,
            "reason": reason.strip(),
        }
        _mend(tx, "result.corrected", facts, repair, chosen)
        return tx.done(match=match.pk, state=match.state, match_version=match.version)


def repair_round(
    *,
    event_id: int,
    actor: Actor,
    round_number: int,
    player_id: int,
    reason: str,
    plan: str = "",
    command: Command | None = None,
) -> Change:
    """Mend the open round for a player who dropped: who sits in it is taken out, who does not comes back to the event,
    and into the round where ``plan`` says so. Rounds missed meanwhile give no points.

    Raises DomainError "result.reason", NotFound "round.unknown", "player.unknown", Conflict "round.state",
    "player.not_dropped", "player.no_show", "player.too_late", "repair.*", "event.stale".
    """
    _need(reason)
    with event_transaction(event_id, actor=actor, command=command) as tx:
        refuse_not_running(tx)
        round_ = Round.objects.select_related("stage", "event").filter(event=tx.event, sequence=round_number).first()
        if round_ is None:
            raise NotFound("round.unknown", f"There is no round {round_number} in this event.", {"round": round_number})
        player = player_of(tx, player_id)
        repair = repair_of_player(event=tx.event, round_=round_, player=player)
        chosen = repair.chosen(plan)
        returns = not isinstance(repair.correction, Gone)
        if returns:
            _bring_back(tx, player, round_, misses=player.pk in chosen.sits_out)
        facts = {"round": round_number, "player": player.pk, "returns": returns, "reason": reason.strip()}
        _mend(tx, "round.mended", facts, repair, chosen)
        return tx.done(round=round_number)


def _need(reason: str) -> None:
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise DomainError("result.reason", f"Say why, in at most {LONGEST_REASON} characters: everybody can read it.")


def _bring_back(tx: EventTransaction, player: Player, round_: Round, *, misses: bool) -> None:
    last = tx.event.late_until_round
    missed = (player.dropped_after_round or 0) < round_.sequence - 1
    if missed and last is not None and round_.sequence > last:
        raise Conflict("player.too_late", f"Nobody comes into this event after round {last}.", {"round": last})
    player.state, player.dropped_after_round = Player.State.CHECKED_IN, None
    if misses:
        player.entered_from_round = round_.sequence + 1
    player.save(update_fields=["state", "dropped_after_round", "entered_from_round"])


def _overwrite(
    tx: EventTransaction, match: Match, score: GameScore, reason: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The new result over the old one, which stays in the history; both as stored. Raises Conflict "result.same"."""
    seats = list(match.seats.order_by("index"))
    old = Result.objects.get(match=match, superseded_at=None)
    outcomes = score_outcomes(tx.event, match, score)
    scores = []
    for seat, outcome, games in zip(seats, outcomes, (score, score.reversed), strict=True):
        seat.outcome = outcome
        seat.game_wins, seat.game_losses, seat.game_draws = games.wins, games.losses, games.draws
        counts = {"wins": games.wins, "losses": games.losses, "draws": games.draws}
        scores.append({"player": seat.player_id, **counts, "outcome": outcome.value})
    if scores == old.scores:
        raise Conflict("result.same", "This is the result that counts already.")
    Seat.objects.bulk_update(seats, ["outcome", "game_wins", "game_losses", "game_draws"])
    old.superseded_at = tx.now
    old.save(update_fields=["superseded_at"])
    Result.objects.create(
        match=match,
        scores=scores,
        source=Result.Source.STAFF,
        decided_by_id=tx.actor.user_id,
        reason=reason,
        decided_at=tx.now,
    )
    match.version += 1
    match.save(update_fields=["version"])
    return old.scores, scores


def _mend(
    tx: EventTransaction, kind: str, facts: dict[str, Any], repair: Repair | None, plan: RepairPlan | None
) -> None:
    """Apply a plan, and log it in the same entry; of a draft nobody may read, in an entry of its own."""
    if repair is None or plan is None:
        tx.log(kind, facts)
        return
    role = {"mended_round": repair.round.sequence, "plan": str(plan.role)}
    change = _apply(tx, repair, plan)
    if repair.round.state == Round.State.DRAFT:
        tx.log(kind, {**facts, **role}, public=isinstance(repair.correction, WrongResult))
        if plan.role is not Role.LEAVE:
            tx.log("round.seats_changed", {"round": repair.round.sequence, **change}, public=False)
    else:
        tx.log(kind, {**facts, **role, **change})


def _apply(tx: EventTransaction, repair: Repair, plan: RepairPlan) -> dict[str, Any]:
    """Delete what the plan ends, store what it makes; both as lists of players."""
    if plan.role is Role.LEAVE:
        return {"ended": [], "made": []}
    round_ = repair.round
    ended = (*plan.stopped, *plan.vacated)
    gone = Match.objects.filter(round=round_, table__in=[table.number for table in ended])
    touched = [player for table in (*ended, *plan.tables) for player in table.players]
    touched += [player for player in (plan.bye_before, plan.bye_after) if player is not None]
    before = places_before(round_, touched)
    pods = {seat.player_id: seat.match.pod for seat in Seat.objects.filter(round=round_).select_related("match__pod")}
    gone.delete()
    unseated: list[list[int]] = [[table.a, table.b] for table in ended]
    seatings = [
        Seating(table.players, table.number, [{"code": "mended"}], pods.get(table.a))
        for table in sorted(plan.tables, key=lambda table: table.number)
    ]
    if plan.bye_before != plan.bye_after:
        if plan.bye_before is not None:
            Match.objects.filter(round=round_, table=None, seats__player=plan.bye_before).delete()
            unseated.append([plan.bye_before])
        if plan.bye_after is not None:
            seatings.append(Seating((plan.bye_after,), None, [{"code": "mended"}], pods.get(plan.bye_after)))
    store_seatings(tx, round_, seatings)
    if round_.state != Round.State.DRAFT:
        tell_moved(tx, round_, before=before)
    return {"ended": unseated, "made": [list(seating.players) for seating in seatings]}
