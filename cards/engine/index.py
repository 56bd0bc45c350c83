"""All names of a game's cards: exact look-up, and suggestions that are never more than suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rapidfuzz import fuzz, process


@dataclass(frozen=True)
class CardIndex:
    """``names`` maps ``name_key(name)`` of every printed name, face and alias to (card id, printed name)."""

    names: Mapping[str, tuple[int, str]]

    @classmethod
    def of(cls, names: Iterable[tuple[str, int, str]]) -> CardIndex:
        """From (key, card id, printed name) triples."""
        return cls({key: (card_id, name) for key, card_id, name in names})

    def resolve(self, key: str) -> tuple[int, str] | None:
        """(card id, printed name) of exactly this key, or None. Nothing that is merely near."""
        return self.names.get(key)

    def suggestions(self, key: str, limit: int = 3) -> list[str]:
        """Printed names that may be meant: those that begin with the key, then those spelt nearly so."""
        if not key:
            return []
        begun = sorted(name for other, (_, name) in self.names.items() if other.startswith(key))
        near = process.extract(key, self.names.keys(), scorer=fuzz.ratio, score_cutoff=70, limit=limit)
        found = dict.fromkeys([*begun[:limit], *(self.names[other][1] for other, _, _ in near)])
        return list(found)[:limit]
