"""The log about what staff write down of players, and about lists that come in and go out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.engine.decklist_rules import MODES, WITHOUT

Json = Mapping[str, Any]
Names = Mapping[int, str]


def _name(names: Names, player: int) -> str:
    return names.get(player, f"player {player}")


def _both(payload: Json, names: Names) -> str:
    return " and ".join(_name(names, player) for player in payload["players"])


def _fixed_table(payload: Json, names: Names) -> str:
    name, table = _name(names, payload["player"]), payload["table"]
    if table is None:
        return f"{name} has no fixed table"
    why = "who needs it" if payload["kind"] == "accessibility" else "as a feature match"
    return f"{name} sits at table {table}, {why}"


def _players(number: int) -> str:
    return f"{number} player" if number == 1 else f"{number} players"


def _dropped_without(payload: Json, names: Names) -> str:
    gone = [_name(names, player) for player in payload["players"]]
    listed = " and ".join([", ".join(gone[:-1]), gone[-1]] if len(gone) > 1 else gone)
    return f"{listed} {'was' if len(gone) == 1 else 'were'} dropped: no decklist that may be played was in"


def _imported(payload: Json, names: Names) -> str:
    waiting = f", {payload['waiting']} of them on the waitlist" if payload["waiting"] else ""
    return f"{_players(len(payload['players']))} came in with a list{waiting}"


def _import_undone(payload: Json, names: Names) -> str:
    kept, removed = payload["kept"], payload["removed"]
    stay = f"; {len(kept)} had begun to take part and stay{'s' if len(kept) == 1 else ''}" if kept else ""
    return f"{_players(removed)} of a list {'was' if removed == 1 else 'were'} taken out again{stay}"


PLAYERS: Mapping[str, Callable[[Json, Names], str]] = {
    "player.paid": lambda payload, names: (
        f"{_name(names, payload['player'])} {'has paid' if payload['paid'] else 'has not paid after all'}"
    ),
    "player.byes": lambda payload, names: (
        f"{_name(names, payload['player'])} has {payload['byes']} assigned bye{'' if payload['byes'] == 1 else 's'}"
    ),
    "player.table": _fixed_table,
    "player.team": lambda payload, names: (
        f"{_name(names, payload['player'])} plays for {payload['team']}"
        if payload["team"]
        else f"{_name(names, payload['player'])} plays for no team"
    ),
    "avoidance.added": lambda payload, names: (
        f"{_both(payload, names)} are kept apart{', strictly' if payload['is_strict'] else ' where it can be'}"
    ),
    "avoidance.removed": lambda payload, names: f"{_both(payload, names)} may meet",
    "decklists.rules": lambda payload, names: (
        f"Decklists are {MODES[payload['mode']]}"
        + (f"; of players without a legal one: {WITHOUT[payload['without']]}" if payload["mode"] == "required" else "")
    ),
    "decklists.dropped": _dropped_without,
    "decklists.reminded": lambda payload, names: (
        f"{_players(len(payload['players']))} {'was' if len(payload['players']) == 1 else 'were'} reminded of the "
        "decklist"
    ),
    "players.imported": _imported,
    "players.import_undone": _import_undone,
}
"""Sentences by kind of entry."""
