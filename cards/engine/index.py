"""All names of a game's cards: exact look-up, and suggestions that are never more than suggestions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from rapidfuzz import fuzz, process

BATCH = 64
NEAR = 70


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

    def suggestions(self, keys: Sequence[str], limit: int = 3) -> list[list[str]]:
        """For each key the printed names that may be meant: those that begin with it, then those spelt nearly so.

        All keys at once, since comparing many with every name costs little more than comparing one.
        """
        found: list[list[str]] = []
        for start in range(0, len(keys), BATCH):
            batch = keys[start : start + BATCH]
            scores = process.cdist(
                batch, self._sorted, scorer=fuzz.ratio, score_cutoff=NEAR, dtype=np.float32, workers=1
            )
            found += [self._best(key, row, limit) for key, row in zip(batch, scores, strict=True)]
        return found

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self.names)

    def _best(self, key: str, scores: np.ndarray[Any, np.dtype[np.float32]], limit: int) -> list[str]:
        if not key:
            return []
        begun: list[str] = []
        for other in self._sorted[bisect_left(self._sorted, key) :]:
            if len(begun) == limit or not other.startswith(key):
                break
            begun.append(self.names[other][1])
        near = np.flatnonzero(scores)
        near = near[np.argsort(-scores[near], kind="stable")][: 2 * limit]
        return list(dict.fromkeys([*sorted(begun), *(self.names[self._sorted[place]][1] for place in near)]))[:limit]
