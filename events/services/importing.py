"""Lists of players that come in whole, and go out again whole as long as nobody has done anything."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from config.errors import Conflict, NotFound, Unprocessable
from events.engine.rosters import MAX_ROWS, Entry, too_large
from events.models import Event, Player
from events.queries.importing import RowVerdict, plan_of_import, untouched_players
from events.services.player_facts import teams_called
from events.services.transaction import Actor, Change, Command, EventTransaction, event_transaction
from events.services.waitlist import give_places

PROBLEMS_NAMED = 20


def import_players(
    *,
    event_id: int,
    actor: Actor,
    entries: Sequence[Entry],
    leave_out_problems: bool = False,
    command: Command | None = None,
) -> Change:
    """Enter everybody of a list who is not there yet, in the order of its rows, before the start: all of them, or
    nobody. Rows with a problem stop it unless they are to be left out. Each entry gets a link to claim it by.

    Raises DomainError "roster.too_large", Conflict "registration.closed", Unprocessable "import.problems" (lines and
    how to mend them), "import.nobody" (all are there already).
    """
    if len(entries) > MAX_ROWS:
        raise too_large()
    with event_transaction(event_id, actor=actor, command=command) as tx:
        _refuse_started(tx)
        plan = plan_of_import(tx.event, entries)
        problems = [row for row in plan.rows if row.verdict == "problem"]
        if problems and not leave_out_problems:
            raise _problems(problems)
        if not plan.coming:
            raise Unprocessable(
                "import.nobody", "Nobody of this list is new: there is nothing to bring in.", plan.counts
            )
        players = _create(tx, plan.coming)
        token = secrets.token_hex(8)
        waiting = [player.pk for player in players if player.state == Player.State.WAITLISTED]
        ids = [player.pk for player in players]
        tx.log("players.imported", {"list": token, "players": ids, "waiting": len(waiting)})
        left_out = {verdict: number for verdict, number in plan.counts.items() if verdict not in ("new", "waitlist")}
        return tx.done(list=token, players=ids, waiting=len(waiting), left_out=left_out)


def _refuse_started(tx: EventTransaction) -> None:
    if tx.event.state != Event.State.REGISTRATION:
        raise Conflict(
            "registration.closed", "Registration is closed: the event has started.", {"state": tx.event.state}
        )


def _problems(rows: Sequence[RowVerdict]) -> Unprocessable:
    first = rows[0]
    more = f", and {len(rows) - 1} more" if len(rows) > 1 else ""
    return Unprocessable(
        "import.problems",
        f"Nobody was brought in: line {first.entry.line} can't be used{more}. {first.message} "
        "Mend the list, or leave these rows out.",
        {"problems": [{"line": row.entry.line, "message": row.message} for row in rows[:PROBLEMS_NAMED]]},
    )


def _create(tx: EventTransaction, rows: Sequence[RowVerdict]) -> list[Player]:
    teams = teams_called(tx.event, sorted({row.team for row in rows if row.team}))
    players = Player.objects.bulk_create(
        Player(
            event=tx.event,
            name=row.name,
            name_key=row.key,
            public_name=row.public_name,
            state=Player.State.WAITLISTED if row.verdict == "waitlist" else Player.State.REGISTERED,
            claim_token=secrets.token_urlsafe(24),
            check_in_code=secrets.token_urlsafe(12),
            paid_at=tx.now if row.entry.paid else None,
            team=teams.get(row.team),
            assigned_byes=row.entry.assigned_byes,
            fixed_table=row.entry.fixed_table or None,
            fixed_table_kind=Player.FixedTable.ACCESSIBILITY if row.entry.fixed_table else "",
        )
        for row in rows
    )
    # The order of the waitlist is by the database's clock; within one list it is that of the rows.
    Player.objects.filter(pk__in=[player.pk for player in players]).update(registered_at=tx.now)
    return players


def undo_import(*, event_id: int, actor: Actor, token: str, command: Command | None = None) -> Change:
    """Take out again who came in with a list and has done nothing since: claimed the entry, come, handed in a decklist
    or dropped. Before the start only: afterwards a player can drop. Places that become free go to who waits.

    Raises NotFound "import.unknown", Conflict "registration.closed", "import.undone".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        entry = tx.event.log.filter(kind="players.imported", payload__contains={"list": token}).first()
        if entry is None:
            raise NotFound("import.unknown", "No list was brought in under this name.", {"list": token})
        _refuse_started(tx)
        if tx.event.log.filter(kind="players.import_undone", payload__contains={"list": token}).exists():
            raise Conflict("import.undone", "This list was taken out again already.", {"list": token})
        added = Player.objects.filter(event=tx.event, pk__in=entry.payload["players"])
        leaving = list(untouched_players(tx.event).filter(pk__in=entry.payload["players"]).values_list("pk", flat=True))
        teams = set(added.filter(pk__in=leaving).exclude(team=None).values_list("team_id", flat=True))
        kept = list(added.exclude(pk__in=leaving).order_by("pk").values_list("pk", flat=True))
        added.filter(pk__in=leaving).delete()
        tx.event.teams.filter(pk__in=teams, players=None).delete()
        tx.log("players.import_undone", {"list": token, "removed": len(leaving), "kept": kept})
        give_places(tx)
        return tx.done(list=token, removed=len(leaving), kept=kept)
