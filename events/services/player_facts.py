"""What staff write down about a player: paid, assigned byes, a fixed table, a team, and whom not to meet."""

from __future__ import annotations

from typing import Any

from accounts.names import clean_display_name
from cards.engine.names import name_key
from config.errors import Conflict, DomainError, NotFound
from events.models import Avoidance, Event, Player, Team
from events.services.registration import LONGEST_KEY, player_of
from events.services.transaction import Actor, Change, Command, EventTransaction, event_transaction

MOST_BYES = 9
LAST_TABLE = 9999
LONGEST_TEAM = 60  # as accounts.names has it
LONGEST_REASON = 300
OPEN = (Event.State.REGISTRATION, Event.State.RUNNING)


def change_facts(
    *,
    event_id: int,
    actor: Actor,
    player_id: int,
    paid: bool | None = None,
    assigned_byes: int | None = None,
    fixed_table: int | None = None,
    fixed_table_kind: str = "",
    team: str | None = None,
    command: Command | None = None,
) -> Change:
    """Change what is given, and leave what is None. A ``fixed_table`` of 0 and a ``team`` of "" take it away.

    Raises NotFound "player.unknown", DomainError "player.byes", "player.table", "player.table_kind",
    "account.display_name_*" for a team, Conflict "event.over", "player.byes_late" (a round was paired already).
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = player_of(tx, player_id)
        _refuse_over(tx)
        if paid is not None and paid != (player.paid_at is not None):
            player.paid_at = tx.now if paid else None
            tx.log("player.paid", {"player": player.pk, "paid": paid}, public=False)
        if assigned_byes is not None and assigned_byes != player.assigned_byes:
            _set_byes(tx, player, assigned_byes)
        if fixed_table is not None:
            _set_table(tx, player, fixed_table, fixed_table_kind)
        if team is not None:
            _set_team(tx, player, team)
        player.save(update_fields=["paid_at", "assigned_byes", "fixed_table", "fixed_table_kind", "team"])
        return tx.done(player=player.pk)


def _set_byes(tx: EventTransaction, player: Player, byes: int) -> None:
    if not 0 <= byes <= MOST_BYES:
        raise DomainError("player.byes", f"A player has 0 to {MOST_BYES} assigned byes.", {"byes": byes})
    if tx.event.rounds.exists():
        raise Conflict("player.byes_late", "Byes are assigned before the first round is paired.")
    player.assigned_byes = byes
    tx.log("player.byes", {"player": player.pk, "byes": byes})


def _set_table(tx: EventTransaction, player: Player, table: int, kind: str) -> None:
    if not 0 <= table <= LAST_TABLE:
        raise DomainError("player.table", f"Tables are numbered from 1 to {LAST_TABLE}.", {"table": table})
    if table and kind not in Player.FixedTable.values:
        raise DomainError("player.table_kind", "Say why the table is fixed: the player needs it, or it is a feature.")
    wanted = (table or None, kind if table else "")
    if wanted != (player.fixed_table, player.fixed_table_kind):
        player.fixed_table, player.fixed_table_kind = wanted
        tx.log("player.table", {"player": player.pk, "table": table or None, "kind": wanted[1]}, public=False)


def _set_team(tx: EventTransaction, player: Player, name: str) -> None:
    name, before = name.strip(), player.team
    player.team = teams_called(tx.event, [name])[name] if name else None
    if player.team != before:
        tx.log("player.team", {"player": player.pk, "team": player.team.name if player.team is not None else None})
        if before is not None and not before.players.exclude(pk=player.pk).exists():
            player.save(update_fields=["team"])
            before.delete()


def teams_called(event: Event, names: list[str]) -> dict[str, Team]:
    """The event's teams of these names in any spelling, made where there is none.

    Raises DomainError "account.display_name_*": what can be no player's name can be no team's.
    """
    cleaned = {name: clean_display_name(name) for name in names}
    keys = {name: name_key(shown)[:LONGEST_KEY] for name, shown in cleaned.items()}
    known = {team.name_key: team for team in event.teams.filter(name_key__in=set(keys.values()))}
    for name, key in keys.items():
        if key not in known:
            known[key] = Team.objects.create(event=event, name=cleaned[name], name_key=key)
    return {name: known[key] for name, key in keys.items()}


def keep_apart(
    *,
    event_id: int,
    actor: Actor,
    player_id: int,
    other_id: int,
    is_strict: bool = False,
    reason: str = "",
    command: Command | None = None,
) -> Change:
    """Note that two players should not meet, or with ``is_strict`` must not as long as that can be. Again: anew.

    Raises NotFound "player.unknown", DomainError "avoidance.oneself", "avoidance.reason", Conflict "event.over".
    """
    reason = reason.strip()
    if player_id == other_id:
        raise DomainError("avoidance.oneself", "Choose another player: nobody meets themselves.")
    if len(reason) > LONGEST_REASON:
        raise DomainError("avoidance.reason", f"Say why in at most {LONGEST_REASON} characters.")
    with event_transaction(event_id, actor=actor, command=command) as tx:
        _refuse_over(tx)
        one, other = sorted([player_of(tx, player_id), player_of(tx, other_id)], key=lambda player: player.pk)
        values: dict[str, Any] = {"is_strict": is_strict, "reason": reason}
        found, _ = Avoidance.objects.update_or_create(event=tx.event, one=one, other=other, defaults=values)
        tx.log("avoidance.added", {"players": [one.pk, other.pk], **values}, public=False)
        return tx.done(avoidance=found.pk)


def let_meet(*, event_id: int, actor: Actor, avoidance_id: int, command: Command | None = None) -> Change:
    """Raises NotFound "avoidance.unknown", Conflict "event.over"."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        _refuse_over(tx)
        found = Avoidance.objects.filter(event=tx.event, pk=avoidance_id).first()
        if found is None:
            raise NotFound("avoidance.unknown", "These two are not kept apart.", {"avoidance": avoidance_id})
        tx.log("avoidance.removed", {"players": [found.one_id, found.other_id]}, public=False)
        found.delete()
        return tx.done(avoidance=avoidance_id)


def _refuse_over(tx: EventTransaction) -> None:
    if tx.event.state not in OPEN:
        raise Conflict("event.over", "The event is over.", {"state": tx.event.state})
