"""What the log says of who sits with whom: the engine's pairing, and every change that staff made to it since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

Players = tuple[int, ...]
KINDS = (
    "round.drafted",
    "round.drafted_by_hand",
    "round.posted",
    "round.seats_changed",
    "round.mended",
    "result.corrected",
)


def seating_faults(
    sequence: int,
    told: Iterable[tuple[str, Mapping[str, Any]]],
    drawn: Iterable[Players],
    stored: Iterable[Players],
    fault: str,
) -> list[str]:
    """Where the round ``sequence`` is not as ``drawn`` and changed by what the log tells since the draft.

    ``told`` are (kind, payload) of the log's entries of ``KINDS``, in order. A round by hand is as its entry says.
    ``fault`` says that what nobody changed is not what the engine gives, or that entry."""
    by_engine = tuple(drawn)
    drawn, now = by_engine, Counter(by_engine)
    posted: Counter[Players] | None = None
    for kind, said in told:
        if said.get("mended_round", said["round"]) != sequence:
            continue
        if kind == "round.drafted":
            drawn = by_engine
            now, posted = Counter(drawn), None
        elif kind == "round.drafted_by_hand":
            drawn = tuple(tuple(players) for players in said["made"])
            now, posted = Counter(drawn), None
        elif kind == "round.posted":
            shown = Counter(tuple(match["players"]) for match in said["matches"])
            if shown != now:
                return [fault]
            posted = shown
        else:
            ended = Counter(tuple(players) for players in said.get("ended", ()))
            if ended - now:
                return [f"The log of round {sequence} ends matches that were never made."]
            now = now - ended + Counter(tuple(players) for players in said.get("made", ()))
    if now == Counter(stored):
        return []
    untouched = now == Counter(drawn)
    seated = [f"Round {sequence} is not seated as it was posted and mended."]
    return [*([fault] if untouched else []), *([] if posted is None and untouched else seated)]
