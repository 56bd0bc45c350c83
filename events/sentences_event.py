"""What happened to an event as a whole, from its making to its closing, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.engine.listing import listed

Json = Mapping[str, Any]
Names = Mapping[int, str]


def _created(payload: Json, names: Names) -> str:
    custom = ", with rules of its own" if payload.get("custom") else ""
    return f"The event was made: {payload['name']}, rules of {payload['legality_date']}{custom}"


def _started(payload: Json, names: Names) -> str:
    absent = [names.get(player, f"player {player}") for player in payload["no_shows"]]
    return f"The event began with {payload['players']} players" + (f"; not there: {listed(absent)}" if absent else "")


def _setting(key: str) -> str:
    return {"starts_at": "start", "capacity": "number of places"}.get(key, key.replace("_", " "))


EVENT_WORDS: dict[str, Callable[[Json, Names], str]] = {
    "event.created": _created,
    "event.started": _started,
    "event.finished": lambda payload, names: "The event is finished. The secret that seeded its draws is public now",
    "event.cancelled": lambda payload, names: f"The event was called off: {payload['reason']}",
    "event.changed": lambda payload, names: f"Settings changed: {listed([_setting(key) for key in sorted(payload)])}",
}
"""By kind of log entry."""
