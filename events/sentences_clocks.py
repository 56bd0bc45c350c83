"""What the log says of clocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Json = Mapping[str, Any]
Names = Mapping[int, str]


def minutes(number: int) -> str:
    return f"{number} minute" if number == 1 else f"{number} minutes"


def _adjusted(payload: Json, names: Names) -> str:
    by = abs(payload["minutes"])
    word = "longer" if payload["minutes"] > 0 else "shorter"
    return f"Round {payload['round']} was made {minutes(by)} {word}: {payload['reason']}"


CLOCK_LOG: dict[str, Callable[[Json, Names], str]] = {
    "clock.started": lambda payload, names: f"The clock of round {payload['round']} runs",
    "clock.paused": lambda payload, names: f"The clock of round {payload['round']} was stopped",
    "clock.adjusted": _adjusted,
    "match.extended": lambda payload, names: (
        f"Table {payload['table']} was given {minutes(payload['seconds'] // 60)} more: {payload['reason']}"
    ),
    "match.extension_taken_back": lambda payload, names: (
        f"Table {payload['table']} does not get its last {minutes(payload['seconds'] // 60)} after all"
    ),
}
