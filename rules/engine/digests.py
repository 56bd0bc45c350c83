"""Names for data: the same content has the same digest, on every machine and in every order of keys."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from rules.engine.selectors import CardFacts
from rules.engine.verdict import StatusFact

# Raise it when a deck could get another verdict from the same data.
ENGINE = "2"


def digest_of(value: Any) -> str:
    """SHA-256, as hexadecimal digits, of a value of JSON types."""
    return _sha256(_canonical(value))


def statuses_digest(statuses: Iterable[StatusFact]) -> str:
    """Of the lists of a format on a day, whatever the order of their entries."""
    return digest_of(sorted([s.card_id, s.zone, s.status, s.max_copies or 0, s.points, s.section] for s in statuses))


def cards_digest(cards: Iterable[CardFacts]) -> str:
    """Of what was known of the cards of a deck."""
    by_id = {card.id: card for card in cards}
    return digest_of_texts(card_text(by_id[card]) for card in sorted(by_id))


def card_text(card: CardFacts) -> str:
    """What was known of a card, as ``cards_digest`` reads it."""
    known = [card.id, card.name, dict(card.facts), sorted(card.tags), sorted(str(day) for day in card.legal_dates)]
    return _canonical([*known, sorted(card.sets)])


def digest_of_texts(texts: Iterable[str]) -> str:
    """The ``cards_digest`` of cards whose texts, in order of id, were kept from another deck."""
    return _sha256(f"[{','.join(texts)}]")


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def definition_digest(described: Mapping[str, Any]) -> str:
    """Of a format or a policy in JSON types. Its days aren't part of it: closing a version doesn't change it."""
    return digest_of({key: value for key, value in described.items() if key not in ("from", "until")})
