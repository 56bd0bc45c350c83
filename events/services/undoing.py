"""Taking back the last step of a round, as long as nothing has been built upon it. Each is in the log."""

from __future__ import annotations

from config.errors import Conflict, NotFound
from events.engine.claims import ClaimState, agree
from events.models import ClockInterval, Match, Notice, Result, Round, Seat, Stage, Standing
from events.services.missing_lists import lost_matches, take_losses_back
from events.services.results import changed, claims_of, keep_result, lock_table
from events.services.transaction import (
    Actor,
    Change,
    Command,
    EventTransaction,
    event_transaction,
    refuse_not_running,
)

AS_REPORTED = {  # two who agree are confirmed at once, so staff can't have been between
    ClaimState.NONE: Match.State.OPEN,
    ClaimState.REPORTED: Match.State.REPORTED,
    ClaimState.CONFIRMED: Match.State.REPORTED,
    ClaimState.DISPUTED: Match.State.DISPUTED,
}


def unpost_round(*, event_id: int, actor: Actor, round_number: int, command: Command | None = None) -> Change:
    """Make a posted round a draft again, that only staff see. Raises NotFound "round.unknown", Conflict
    "event.not_running", "round.state", "undo.built_upon" (the clock ran, or somebody reported)."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        round_ = _round(tx, round_number, Round.State.POSTED)
        played = round_.matches.exclude(state=Match.State.OPEN).exclude(table=None).exclude(pk__in=lost_matches(round_))
        if played.exists() or ClockInterval.objects.filter(round=round_).exists():
            raise _built_upon("Results were reported or the clock ran since the round was posted.")
        take_losses_back(tx, round_)
        round_.state, round_.posted_at = Round.State.DRAFT, None
        round_.save(update_fields=["state", "posted_at"])
        tx.log("round.unposted", {"round": round_.sequence})
        tx.tell(Notice.ROUND_UNPOSTED, {"round": round_.sequence})
        return tx.done(round=round_.sequence)


def resume_after_time(*, event_id: int, actor: Actor, round_number: int, command: Command | None = None) -> Change:
    """Take "time" back: the clock stands where it was. Raises NotFound "round.unknown", Conflict "event.not_running",
    "round.state", "undo.built_upon" (an extra turn was counted, or a result came since)."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        round_ = _round(tx, round_number, Round.State.TIME)
        since = Result.objects.filter(match__round=round_, decided_at__gte=round_.time_called_at)
        if since.exists() or round_.matches.filter(extra_turns__isnull=False).exists():
            raise _built_upon("Extra turns were counted or results came in since time was called.")
        round_.state, round_.time_called_at = _running(round_), None
        round_.save(update_fields=["state", "time_called_at"])
        tx.log("round.time_taken_back", {"round": round_.sequence})
        return tx.done(round=round_.sequence)


def reopen_round(*, event_id: int, actor: Actor, round_number: int, command: Command | None = None) -> Change:
    """Open the last round again: its standings are thrown away until it is completed anew. Raises NotFound
    "round.unknown", Conflict "event.not_running", "round.state", "undo.built_upon" (a later round or stage began)."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        round_ = _round(tx, round_number, Round.State.COMPLETE)
        later = Round.objects.filter(event=tx.event, sequence__gt=round_.sequence)
        if later.exists() or round_.stage.state != Stage.State.ACTIVE:
            raise _built_upon("The next round or stage was made from its standings.")
        round_.state = _running(round_) if round_.time_called_at is None else Round.State.TIME
        round_.completed_at = None
        round_.save(update_fields=["state", "completed_at"])
        Standing.objects.filter(round=round_).delete()
        tx.log("round.reopened", {"round": round_.sequence})
        return tx.done(round=round_.sequence)


def take_back_result(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    match_version: int | None = None,
    command: Command | None = None,
) -> Change:
    """Undo what staff entered last for a duel of an open round: what counted before counts again, or else the match
    stands where its players' reports leave it.

    Raises NotFound "match.unknown", Conflict "result.not_entered" (nothing counts, or the players agreed on it),
    "round.closed", "match.no_duel", "event.not_running", "event.stale".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        table = lock_table(tx, match_id, match_version)
        match = table.match
        entered = match.results.filter(superseded_at=None, source=Result.Source.STAFF).first()
        if entered is None:
            raise Conflict("result.not_entered", "Staff have entered nothing here that could be taken back.")
        before = match.results.filter(superseded_at=entered.decided_at).exclude(pk=entered.pk).order_by("pk").last()
        tx.log("result.taken_back", {"match": match.pk, "table": match.table, "scores": entered.scores})
        scores = {seat["player"]: seat for seat in before.scores} if before is not None else {}
        for seat in table.seats:
            said = scores.get(seat.player_id, {})
            seat.outcome = said.get("outcome")
            seat.game_wins, seat.game_losses, seat.game_draws = (said.get(key) for key in ("wins", "losses", "draws"))
        Seat.objects.bulk_update(table.seats, ["outcome", "game_wins", "game_losses", "game_draws"])
        if before is not None:
            source = Result.Source(before.source)
            keep_result(tx, match, before.scores, source=source, how=Result.How(before.how), reason=before.reason)
        else:
            match.results.filter(pk=entered.pk).update(superseded_at=tx.now)
            match.state = AS_REPORTED[agree(claims_of(tx.event, table, match.reports.all())).state]
        return changed(tx, match)


def _running(round_: Round) -> Round.State:
    return Round.State.PLAYING if round_.intervals.exists() else Round.State.POSTED


def _built_upon(why: str) -> Conflict:
    return Conflict("undo.built_upon", f"This can no longer be taken back. {why}")


def _round(tx: EventTransaction, number: int, state: Round.State) -> Round:
    """Raises Conflict "event.not_running", "round.state", NotFound "round.unknown"."""
    refuse_not_running(tx)
    round_ = Round.objects.select_related("stage").filter(event=tx.event, sequence=number).first()
    if round_ is None:
        raise NotFound("round.unknown", f"There is no round {number} in this event.", {"round": number})
    if round_.state != state:
        raise Conflict(
            "round.state",
            f"Round {number} is {round_.get_state_display().lower()}; this needs it to be {state.label.lower()}.",
            {"round": number, "state": round_.state},
        )
    return round_
