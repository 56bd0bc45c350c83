"""Every published JSON Schema."""

from __future__ import annotations

from functools import cache
from typing import Any

from decks import schemas as of_decks
from events import schemas as of_events
from rules import schemas as of_rules


@cache
def published() -> dict[str, dict[str, Any]]:
    """The schemas by name, in the order of the alphabet. Not to be changed: they are made once."""
    return dict(sorted({**of_rules.schemas(), **of_decks.schemas(), **of_events.schemas()}.items()))
