"""Other parsers of decklists on our golden lines, as far as they are installed (`make peers`)."""

from __future__ import annotations

import importlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cards.engine.index import CardIndex
from cards.engine.names import name_key
from decks.engine.headings import ZoneSpec
from decks.engine.parser import parse_decklist

GOLDEN = Path(__file__).parents[2] / "tests" / "data" / "decklist_lines.json"
Deck = Counter[tuple[str, str]]
Parser = Callable[[str], Deck]
ZONES = (ZoneSpec("main", "Main deck"), ZoneSpec("side", "Sideboard"), ZoneSpec("realm", "Realm"))


class NotInstalled(Exception):  # noqa: N818 - not an error: the peer is left out
    pass


def right_answers() -> dict[str, str]:
    """By parser, how many of the golden lines it reads with the right names, counts and zones: "41 of 77".

    Only lines for decks of a main deck and a sideboard: the others know no further zone. The golden lines are part of
    the tests, so a copy without tests has no peers to show.
    """
    if not GOLDEN.exists():
        return {}
    cases = [(text, _expected(rows)) for text, rows in json.loads(GOLDEN.read_text(encoding="utf-8")).values()]
    cases = [(text, deck) for text, deck in cases if all(zone in ("main", "side") for zone, _ in deck)]
    names = sorted({name for _, deck in cases for _, name in deck})
    found = {}
    for name, made in (("tiltyard", lambda: _ours(names)), *_PEERS.items()):
        try:
            parse = made()
        except NotInstalled:
            continue
        right = sum(_reads(parse, text) == deck for text, deck in cases)
        found[name] = f"{right} of {len(cases)}"
    return found


def _expected(rows: Sequence[Sequence[Any]]) -> Deck:
    deck: Deck = Counter()
    for zone, count, name in rows:
        deck[zone, name] += count
    return deck


def _reads(parse: Parser, text: str) -> Deck | None:
    try:
        return parse(text)
    except Exception:
        return None  # whatever it stumbles over, it did not read the line


def _ours(names: Sequence[str]) -> Parser:
    class Names:
        resolve = staticmethod(CardIndex.of((name_key(name), place, name) for place, name in enumerate(names)).resolve)

        def suggest(self, texts: Sequence[str], limit: int = 3) -> list[list[str]]:
            return [[] for _ in texts]

    def parse(text: str) -> Deck:
        parsed = parse_decklist(text, Names(), ZONES)
        return Counter({(entry.zone, entry.name): entry.count for entry in parsed.entries})

    return parse


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise NotInstalled from error


def _mtg_parser() -> Parser:
    module = _module("mtg_parser")

    def parse(text: str) -> Deck:
        deck: Deck = Counter()
        for card in module.parse_deck(text):
            deck["side" if "sideboard" in card.tags else "main", card.name] += card.quantity
        return deck

    return parse


def _mtgdeck() -> Parser:
    module = _module("mtgdeck")

    def parse(text: str) -> Deck:
        deck: Deck = Counter()
        for name, facts in module.loads(text):
            deck["side" if facts.get("section") else "main", name] += facts["count"]
        return deck

    return parse


def _decklist() -> Parser:
    module = _module("decklist")

    def parse(text: str) -> Deck:
        return Counter({("main", card.name): card.num for card in module.parse_deck_string(text).cards.values()})

    return parse


_PEERS: dict[str, Callable[[], Parser]] = {"mtg-parser": _mtg_parser, "mtgdeck": _mtgdeck, "decklist": _decklist}
