"""Whether an event asks for decklists, and what becomes of who has none when the first round is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Mode = Literal["none", "welcome", "required"]
Without = Literal["wait", "drop", "loss"]

MODES: Mapping[Mode, str] = {
    "none": "not asked for",
    "welcome": "welcome, not needed",
    "required": "needed",
}
WITHOUT: Mapping[Without, str] = {
    "wait": "the event waits for them",
    "drop": "they are dropped",
    "loss": "they lose round 1",
}
"""What becomes of players without a legal decklist."""


@dataclass(frozen=True, slots=True)
class DecklistRules:
    """``without`` counts only where decklists are required."""

    mode: Mode
    without: Without = "wait"

    @property
    def asks(self) -> bool:
        return self.mode != "none"

    @property
    def requires(self) -> bool:
        return self.mode == "required"

    def as_json(self) -> dict[str, Any]:
        """What is kept in an event's rules. ``required`` says it to readers of templates, which may know no modes."""
        return {"mode": self.mode, "without": self.without, "required": self.requires}


def decklist_rules(rules: Mapping[str, Any]) -> DecklistRules:
    """Of an event's rules, or of a template: one that says no mode asks for nothing that it doesn't require."""
    said = rules["decklist"]
    return DecklistRules(
        said.get("mode") or ("required" if said["required"] else "none"), said.get("without") or "wait"
    )
