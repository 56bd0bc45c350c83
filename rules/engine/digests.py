"""Names for data: the same content has the same digest, on every machine and in every order of keys."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from rules.engine.selectors import CardFacts
from rules.engine.verdict import StatusFact

# Raise it when a deck could get another verdict from the same data.
ENGINE = "1"


def digest_of(value: Any) -> str:
    """SHA-256, as hexadecimal digits, of a value of JSON types."""
    encoded = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(encoded.encode()).hexdigest()


def statuses_digest(statuses: Iterable[StatusFact]) -> str:
    """Of a banned and restricted list on a day, whatever the order of its entries."""
    return digest_of(sorted([s.card_id, s.status, s.max_copies, s.section] for s in statuses))


def cards_digest(cards: Iterable[CardFacts]) -> str:
    """Of what was known of the cards of a deck."""
    return digest_of(
        sorted(
            [card.id, card.name, dict(card.facts), sorted(card.tags), sorted(str(day) for day in card.legal_dates)]
            for card in {card.id: card for card in cards}.values()
        )
    )
