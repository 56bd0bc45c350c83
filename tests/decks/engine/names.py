"""Names that are hard to read out of a list, and an index of them."""

from __future__ import annotations

from collections.abc import Sequence

from cards.engine.names import name_key
from decks.engine.headings import ZoneSpec

ZONES = (
    ZoneSpec("main", "Main deck", ("main", "main deck", "deck", "mainboard")),
    ZoneSpec("side", "Sideboard", ("side", "sideboard", "sb")),
    ZoneSpec("realm", "Realm", ("realm", "realm card")),
)
NAMES = (
    "Ember Fox",
    "Glass Oath",
    "Mira, Keeper of Bells",
    "Tideturn: Reflux",
    "Salt & Ash",
    "Mira's Final Ledger",
    "D\u00e9j\u00e0 Song",
    "Rise // Fall",
    "419 Operation",
    "Local 1111",
    "Sideboard Surfer",
    "Deck of Bells",
    "Frost Rex",
    "Ice Tunnel",
    "Sasuke #4",
    "Sasuke",
    "Giant",
    "Hazmat Suit (Used)",
    "2nd Tradition",
    "Deny",
    "Confusion",
    "Channel 10",
    "Multi-Shot",
    "The Tower",
)


class Index:
    def __init__(self, names: tuple[str, ...] = NAMES) -> None:
        self.asked: set[str] = set()
        self.by_key = {name_key(name): (number, name) for number, name in enumerate(names)}

    def resolve(self, key: str) -> tuple[int, str] | None:
        self.asked.add(key)
        return self.by_key.get(key)

    def suggest(self, texts: Sequence[str], limit: int = 3) -> list[list[str]]:
        return [
            [name for key, (_, name) in self.by_key.items() if key[:1] == name_key(text)[:1]][:limit] for text in texts
        ]
