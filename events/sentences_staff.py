"""What each role is for, and what the log says of staff and of their deck checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.models import StaffRole

Json = Mapping[str, Any]
Names = Mapping[int, str]
Role = StaffRole.Role

ROLE_SAYS: tuple[tuple[str, str], ...] = (
    (Role.ORGANISER.label, "everything, the staff included."),
    (Role.SCOREKEEPER.label, "players, pairings, clock and results."),
    (Role.HEAD_JUDGE.label, "the floor: results and deck checks, and decklists unless they play."),
    (Role.JUDGE.label, "the floor, as the head judge: results and deck checks, and decklists unless they play."),
    (Role.DECK_CHECKER.label, "reads decklists and writes down deck checks, and enters no results."),
    (Role.COVERAGE.label, "reads what everybody reads: posted pairings, standings, decklists once they are public."),
)
"""(role, what it is for), in the order of the form."""


def role_says(role: str) -> str:
    """What a role of that value is for."""
    return dict(ROLE_SAYS)[Role(role).label]


def role_word(role: str) -> str:
    """As it stands in a sentence: head judge."""
    return role.replace("_", " ")


def _invited(payload: Json, names: Names) -> str:
    way = "by mail" if payload["mailed"] else "by a link"
    return f"Somebody was invited {way} to be {role_word(payload['role'])}"


def _extended(payload: Json, names: Names) -> str:
    until = f"until {payload['until'][:10]}" if payload["until"] else "without an end"
    return f"{payload['name']} is {role_word(payload['role'])} {until}"


def _checked(payload: Json, names: Names) -> str:
    found = "in order" if payload["found"] == "in_order" else "not in order"
    name = names.get(payload["player"], f"player {payload['player']}")
    return f"The deck of {name} was checked: {found}"


STAFF_LOG: dict[str, Callable[[Json, Names], str]] = {
    "staff.added": lambda payload, names: f"{payload['name']} became {role_word(payload['role'])}",
    "staff.removed": lambda payload, names: f"{payload['name']} is no longer {role_word(payload['role'])}",
    "staff.left": lambda payload, names: f"{payload['name']} laid down the role of {role_word(payload['role'])}",
    "staff.invited": _invited,
    "staff.invite_revoked": lambda payload, names: f"An invite to be {role_word(payload['role'])} was revoked",
    "staff.extended": _extended,
    "deck.checked": _checked,
}
