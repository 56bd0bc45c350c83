"""What the log says of who is not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.sentences_clocks import minutes

Json = Mapping[str, Any]
Names = Mapping[int, str]


def _name(names: Names, player: int) -> str:
    return names.get(player, f"player {player}")


def _all(names: Names, players: list[int]) -> str:
    words = [_name(names, player) for player in players]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _rule(payload: Json, names: Names) -> str:
    if payload["minutes"] is None:
        return "Nobody loses by not being there; staff decide"
    dropped = " and is dropped" if payload["drops"] else ""
    return f"Who is not there after {minutes(payload['minutes'])} loses the match{dropped}"


def _no_show(payload: Json, names: Names) -> str:
    who = _all(names, payload["players"])
    verb = "was" if len(payload["players"]) == 1 else "were"
    dropped = f"; {_all(names, payload['dropped'])} dropped" if payload["dropped"] else ""
    return f"Table {payload['table']}: {who} {verb} not there after {minutes(payload['minutes'])}{dropped}"


def _taken_back(payload: Json, names: Names) -> str:
    back = f"; {_all(names, payload['back'])} back in the event" if payload["back"] else ""
    return f"Table {payload['table']} plays after all{back}"


ATTENDANCE_LOG: dict[str, Callable[[Json, Names], str]] = {
    "event.no_show_rule": _rule,
    "match.absent": lambda payload, names: f"Table {payload['table']}: {_name(names, payload['player'])} is not there",
    "match.arrived": lambda payload, names: f"Table {payload['table']}: {_name(names, payload['player'])} has come",
    "match.no_show": _no_show,
    "match.no_show_taken_back": _taken_back,
    "players.not_there": lambda payload, names: (
        f"Not there at the start, and dropped: {_all(names, payload['players'])}"
    ),
}
