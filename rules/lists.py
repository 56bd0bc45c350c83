"""What stands on a format's lists, and what errata change, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.models import StatusEntry
from rules.sentences import counted

NOT_LISTED = "not on the list"


def entry_text(entry: StatusEntry, zones: Mapping[str, str]) -> str:
    """ "banned", "restricted to 1 copy", "up to 7 copies", "3 points"; ``zones`` gives the game's labels by key."""
    where = f" in {zones.get(entry.zone, entry.zone)}" if entry.zone else ""
    match entry.status:
        case StatusEntry.Status.BANNED:
            return f"banned{where}"
        case StatusEntry.Status.RESTRICTED:
            return f"restricted to {counted(entry.max_copies or 0, 'copies')}{where}"
        case StatusEntry.Status.LIMIT:
            return f"up to {counted(entry.max_copies or 0, 'copies')}{where}"
        case _:
            return f"{counted(entry.points or 0, 'points')}{where}"


def tag_text(tag: str, *, has: bool) -> str:
    return f"{tag} card" if has else f"no {tag} card"


def facts_text(facts: Mapping[str, Any], specs: Mapping[str, Any], *, wording: str = "") -> str:
    """ "Cost 3, Unique yes, new wording"; ``specs`` are the facts of the game. None is a fact that isn't known."""
    said = sorted(f"{specs.get(key, {}).get('label', key)} {_fact(value)}" for key, value in facts.items())
    return ", ".join([*said, wording] if wording else said)


def _fact(value: Any) -> str:
    if value is None:
        return "not known"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
