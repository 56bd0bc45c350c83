"""More or less time: for a whole round, and for one table beyond it. Each change has its reason in the log."""

from __future__ import annotations

from config.errors import Conflict, DomainError, NotFound
from events.models import Match, Round, TimeExtension
from events.queries.clocks import extensions_of
from events.services.results import lock_match
from events.services.transaction import Actor, Change, Command, EventTransaction, event_transaction, refuse_not_running

LONGEST_REASON = 300
MOST_AT_ONCE = 120
"""Minutes that one change may give or take."""

LONGEST_CLOCK = 600
"""Minutes of a round, as of a policy."""

ADJUSTABLE = (Round.State.POSTED, Round.State.PLAYING)


def adjust_clock(
    *, event_id: int, actor: Actor, round_number: int, minutes: int, reason: str, command: Command | None = None
) -> Change:
    """Make a round's clock ``minutes`` longer, or shorter where they are below zero, running or not. Until time is
    called; from then on single tables get theirs.

    Raises DomainError "clock.minutes", "clock.reason", NotFound "round.unknown", Conflict "event.not_running",
    "round.state".
    """
    reason = _reason(reason)
    if not minutes or abs(minutes) > MOST_AT_ONCE:
        raise DomainError(
            "clock.minutes", f"Give or take 1 to {MOST_AT_ONCE} minutes at a time.", {"most": MOST_AT_ONCE}
        )
    with event_transaction(event_id, actor=actor, command=command) as tx:
        round_ = _adjustable(tx, round_number)
        seconds = round_.seconds + 60 * minutes
        if not 0 <= seconds <= 60 * LONGEST_CLOCK:
            raise DomainError(
                "clock.minutes",
                f"A round lasts 0 to {LONGEST_CLOCK} minutes, and this one {round_.seconds // 60} now.",
                {"seconds": round_.seconds},
            )
        round_.seconds = seconds
        round_.save(update_fields=["seconds"])
        tx.log(
            "clock.adjusted",
            {"round": round_.sequence, "minutes": minutes, "seconds": seconds, "reason": reason},
        )
        return tx.done(round=round_.sequence, seconds=seconds)


def extend_table(
    *, event_id: int, actor: Actor, match_id: int, minutes: int, reason: str, command: Command | None = None
) -> Change:
    """Give one table time beyond the round's, until its result is confirmed. Also after time was called: then the
    table plays on from there. The reason is for the table and for staff.

    Raises DomainError "clock.minutes", "clock.reason", NotFound "match.unknown", Conflict "event.not_running",
    "round.closed", "match.decided".
    """
    reason = _reason(reason)
    if not 1 <= minutes <= MOST_AT_ONCE:
        raise DomainError("clock.minutes", f"Give 1 to {MOST_AT_ONCE} minutes at a time.", {"most": MOST_AT_ONCE})
    with event_transaction(event_id, actor=actor, command=command) as tx:
        match = _playing(tx, match_id)
        TimeExtension.objects.create(
            match=match, seconds=60 * minutes, reason=reason, given_at=tx.now, given_by_id=actor.user_id
        )
        tx.log("match.extended", {**_facts(match), "seconds": 60 * minutes, "reason": reason}, public=False)
        return _done(tx, match)


def take_back_extension(*, event_id: int, actor: Actor, match_id: int, command: Command | None = None) -> Change:
    """Take back what the table was given last. Raises NotFound "match.unknown", Conflict "event.not_running",
    "round.closed", "match.decided", "match.not_extended"."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        match = _playing(tx, match_id)
        given = extensions_of(match)
        if not given:
            raise Conflict("match.not_extended", f"{match} was given no time of its own.")
        last = given[-1]
        tx.log("match.extension_taken_back", {**_facts(match), "seconds": last.seconds}, public=False)
        last.delete()
        return _done(tx, match)


def _done(tx: EventTransaction, match: Match) -> Change:
    match.version += 1
    match.save(update_fields=["version"])
    seconds = sum(match.extensions.values_list("seconds", flat=True))
    return tx.done(match=match.pk, table=match.table, seconds=seconds, match_version=match.version)


def _facts(match: Match) -> dict[str, int | None]:
    return {"match": match.pk, "round": match.round.sequence, "table": match.table}


def _reason(reason: str) -> str:
    reason = " ".join(reason.split())
    if not reason or len(reason) > LONGEST_REASON:
        raise DomainError("clock.reason", f"Say why, in at most {LONGEST_REASON} characters.")
    return reason


def _playing(tx: EventTransaction, match_id: int) -> Match:
    match = lock_match(tx, match_id, None).match
    if match.state == Match.State.CONFIRMED:
        raise Conflict("match.decided", f"{match} has its result: it needs no more time.")
    return match


def _adjustable(tx: EventTransaction, number: int) -> Round:
    refuse_not_running(tx)
    round_ = Round.objects.select_for_update().filter(event=tx.event, sequence=number).first()
    if round_ is None:
        raise NotFound("round.unknown", f"There is no round {number} in this event.", {"round": number})
    if round_.state not in ADJUSTABLE:
        raise Conflict(
            "round.state",
            f"Round {number} is {round_.get_state_display().lower()}: its clock is changed until time is called. "
            "A single table can still be given time.",
            {"round": number, "state": round_.state},
        )
    return round_
