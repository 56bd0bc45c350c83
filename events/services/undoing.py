"""Taking back the last step of a round, as long as nothing has been built upon it. Each is in the log."""

from __future__ import annotations

from config.errors import Conflict, NotFound
from events.models import ClockInterval, Match, Notice, Result, Round, Stage, Standing
from events.services.missing_lists import lost_matches, take_losses_back
from events.services.transaction import (
    Actor,
    Change,
    Command,
    EventTransaction,
    event_transaction,
    refuse_not_running,
)


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
