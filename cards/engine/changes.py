"""What an import of cards does, or would do: told card by card and field by field before anything is written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

JsonValue = bool | int | str | None | list[str]


@dataclass(frozen=True)
class FieldChange:
    """``field`` is "name", "text", "facts.cost", "printings" ... A list holds only what is added to it."""

    field: str
    label: str
    old: JsonValue
    new: JsonValue

    @property
    def forgets(self) -> bool:
        """Whether a known fact or text becomes unknown, since the file doesn't give it."""
        return self.old not in (None, "") and self.new in (None, "")

    @property
    def adds(self) -> bool:
        return isinstance(self.new, list)


@dataclass(frozen=True)
class Change:
    """A set or a card, by code or name, that is new or differs. ``line`` is 0 for what no line of a file says."""

    name: str
    line: int
    is_new: bool
    fields: tuple[FieldChange, ...]


@dataclass(frozen=True)
class Clash:
    """A card that can't be imported, since it means another one."""

    line: int
    message: str


@dataclass(frozen=True)
class CardImport:
    """``same`` counts the cards that are as they were. ``undo`` is a file that gives changed cards their old values."""

    cards: tuple[Change, ...] = ()
    sets: tuple[Change, ...] = ()
    same: int = 0
    clashes: tuple[Clash, ...] = ()
    undo: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def added(self) -> list[str]:
        return [change.name for change in self.cards if change.is_new]

    @property
    def changed(self) -> list[str]:
        return [change.name for change in self.cards if not change.is_new]

    @property
    def clashing(self) -> list[str]:
        return [clash.message for clash in self.clashes]

    @property
    def forgotten(self) -> int:
        """How many facts and texts that are known would become unknown."""
        return sum(change.forgets for card in self.cards for change in card.fields)

    @property
    def is_empty(self) -> bool:
        return not (self.cards or self.sets or self.clashes)

    @cached_property
    def digest(self) -> str:
        """The same for two imports only if they do the same to every card and set."""
        return hashlib.sha256(json.dumps(self._plain(), sort_keys=True).encode()).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """JSON types: the counts, every change and clash, and the digest that an import can be held to."""
        counts = {"added": len(self.added), "changed": len(self.changed), "same": self.same}
        counts |= {"clashing": len(self.clashes), "sets": len(self.sets), "forgotten": self.forgotten}
        return {"counts": counts, **self._plain(), "digest": self.digest}

    def _plain(self) -> dict[str, Any]:
        return {
            "cards": [asdict(change) for change in self.cards],
            "sets": [asdict(change) for change in self.sets],
            "clashes": [asdict(clash) for clash in self.clashes],
        }
