"""Extra turns after time, counted by whoever sits at the table and by judges: one count, whoever taps first."""

from __future__ import annotations

from config.errors import Conflict, DomainError, NotAllowed
from events.models import ExtraTurn
from events.services.results import Table, lock_match, lock_table, refuse_decided, refuse_stranger
from events.services.transaction import Actor, Change, Command, EventTransaction, event_transaction


def count_turn(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    number: int,
    finished_by_id: int | None = None,
    player_id: int | None = None,
    command: Command | None = None,
) -> Change:
    """A turn is over: number 0 is the one that was under way when time was called, the extra turns count from 1.

    Two who tap for one turn count it once: what is the last already changes nothing, and any other number but the next
    is refused with how many are taken. ``player_id`` is who taps, None for staff. ``finished_by_id``, said with number
    0, makes known whose turns the others are.

    Raises NotFound "match.unknown", NotAllowed "match.not_yours", Conflict "round.not_at_time", "match.decided",
    "turn.other_state", DomainError "match.extra_turns", "turn.player".
    """
    with event_transaction(event_id, actor=actor, mode="shared", command=command) as tx:
        table, most = _at_time(tx, match_id, player_id)
        taken = table.match.extra_turns
        if not 0 <= number <= most:
            raise _too_many(number, most)
        if finished_by_id is not None and finished_by_id not in table.players:
            raise DomainError("turn.player", "Say which of the two players took that turn.")
        if number == taken:
            return tx.done(match=table.match.pk, extra_turns=taken, match_version=table.match.version)
        if number != (0 if taken is None else taken + 1):
            raise _other_state(table, most)
        ExtraTurn.objects.create(
            match=table.match,
            number=number,
            finished_by_id=finished_by_id if number == 0 else None,
            counted_by_id=actor.user_id,
            counted_at=tx.now,
        )
        return _keep(tx, table, number)


def take_turn_back(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    number: int,
    player_id: int | None = None,
    command: Command | None = None,
) -> Change:
    """Undo the last turn that was counted: for who counted it, and for staff.

    Raises as ``count_turn``; NotAllowed "turn.not_yours".
    """
    with event_transaction(event_id, actor=actor, mode="shared", command=command) as tx:
        table, most = _at_time(tx, match_id, player_id)
        last = ExtraTurn.objects.filter(match=table.match).order_by("-number").first()
        if last is None or last.number != number or table.match.extra_turns != number:
            raise _other_state(table, most)
        if player_id is not None and last.counted_by_id != actor.user_id:
            raise NotAllowed("turn.not_yours", "Somebody else counted this turn. Ask them or a judge to take it back.")
        last.delete()
        return _keep(tx, table, number - 1 if number else None)


def note_extra_turns(
    *, event_id: int, actor: Actor, match_id: int, turns: int, command: Command | None = None
) -> Change:
    """Staff say how many of the policy's extra turns a match has taken since time was called, whatever was counted.

    Raises NotFound "match.unknown", Conflict "round.not_at_time", DomainError "match.extra_turns".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        table = lock_match(tx, match_id, None)
        most = _most(tx, table)
        if not 0 <= turns <= most:
            raise _too_many(turns, most)
        counted = ExtraTurn.objects.filter(match=table.match)
        counted.filter(number__gt=turns).delete()
        known = set(counted.values_list("number", flat=True))
        ExtraTurn.objects.bulk_create(
            ExtraTurn(match=table.match, number=number, counted_by_id=actor.user_id, counted_at=tx.now)
            for number in range(turns + 1)
            if number not in known
        )
        return _keep(tx, table, turns)


def _at_time(tx: EventTransaction, match_id: int, player_id: int | None) -> tuple[Table, int]:
    table = lock_table(tx, match_id, None)
    if player_id is not None:
        refuse_stranger(table, player_id)
    refuse_decided(table)
    return table, _most(tx, table)


def _most(tx: EventTransaction, table: Table) -> int:
    if not table.at_time:
        raise Conflict("round.not_at_time", "Extra turns begin when the table's time is over.")
    most: int = tx.event.rules["match"]["extra_turns"]
    return most


def _too_many(turns: int, most: int) -> DomainError:
    return DomainError("match.extra_turns", f"This event plays {most} extra turns.", {"turns": turns, "limit": most})


def _other_state(table: Table, most: int) -> Conflict:
    taken = table.match.extra_turns
    now = "none is counted yet" if taken is None else f"{taken} of {most} are taken"
    return Conflict(
        "turn.other_state",
        f"The count is elsewhere: {now}. Look at it again.",
        {"match": table.match.pk, "extra_turns": taken, "limit": most},
    )


def _keep(tx: EventTransaction, table: Table, turns: int | None) -> Change:
    match = table.match
    match.extra_turns = turns
    match.version += 1
    match.save(update_fields=["extra_turns", "version"])
    tx.log("match.extra_turns", {"match": match.pk, "table": match.table, "turns": turns})
    return tx.done(match=match.pk, extra_turns=turns, match_version=match.version)
