"""What happened to an event as a whole, from its making to its closing, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.engine.listing import listed
from events.engine.prizes import Prize

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


def _prizes(payload: Json, names: Names) -> str:
    said = listed([Prize(*row).line for row in payload["prizes"]])
    return f"Prizes were set: {said}" if said else "The prizes were taken out"


def _handed_over(payload: Json, names: Names) -> str:
    note = f" ({payload['note']})" if payload["note"] else ""
    return f"{names.get(payload['player'], 'A player')} got the prize: {payload['prize']}{note}"


EVENT_WORDS: dict[str, Callable[[Json, Names], str]] = {
    "event.created": _created,
    "event.started": _started,
    "event.finished": lambda payload, names: "The event is finished. The secret that seeded its draws is public now",
    "event.cancelled": lambda payload, names: f"The event was called off: {payload['reason']}",
    "event.archived": lambda payload, names: "The event was put into the archive",
    "event.restored": lambda payload, names: "The event was taken out of the archive",
    "prizes.set": _prizes,
    "prize.handed_over": _handed_over,
    "prize.taken_back": lambda payload, names: (
        f"{names.get(payload['player'], 'A player')} has not got the prize after all"
    ),
    "series.joined": lambda payload, names: f"The event counts in the series {payload['name']}",
    "series.left": lambda payload, names: f"The event no longer counts in the series {payload['name']}",
    "event.changed": lambda payload, names: f"Settings changed: {listed([_setting(key) for key in sorted(payload)])}",
}
"""By kind of log entry."""
