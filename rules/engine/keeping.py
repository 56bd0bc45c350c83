"""Lists and card facts of one moment as JSON that is kept: what is read back says the same, to the digest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

from rules.engine.selectors import CardFacts
from rules.engine.verdict import StatusFact


def kept_statuses(statuses: Iterable[StatusFact]) -> list[dict[str, Any]]:
    """The entries in an order of their own, whatever order they come in."""
    ordered = sorted(statuses, key=lambda status: (status.card_id, status.zone, status.status))
    return [{**asdict(one), "since": None if one.since is None else one.since.isoformat()} for one in ordered]


def status_read(kept: Mapping[str, Any]) -> StatusFact:
    """An entry of ``kept_statuses``."""
    since = kept["since"]
    return StatusFact(**{**kept, "since": None if since is None else date.fromisoformat(since)})


def kept_cards(cards: Iterable[CardFacts]) -> dict[str, dict[str, Any]]:
    """By id, as text: that is how JSON has keys."""
    return {
        str(card.id): {
            "name": card.name,
            "facts": dict(card.facts),
            "tags": sorted(card.tags),
            "legal": [None if day is None else day.isoformat() for day in card.legal_dates],
            "sets": list(card.sets),
        }
        for card in cards
    }


def card_read(id_: int, kept: Mapping[str, Any]) -> CardFacts:
    """A card of ``kept_cards``."""
    legal = tuple(None if day is None else date.fromisoformat(day) for day in kept["legal"])
    return CardFacts(id_, kept["name"], kept["facts"], frozenset(kept["tags"]), legal, tuple(kept["sets"]))
