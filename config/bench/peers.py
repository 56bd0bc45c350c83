"""Other parsers of decklists on our golden lines, as far as they are installed (`make peers`)."""

from __future__ import annotations

import importlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
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


def right_answers() -> dict[str, dict[str, str]]:
    """By parser, how many of the golden lines it reads with the right names, counts and zones, as "28 of 46".

    "reported" are spellings that programs of this kind were reported to meet or to stumble over, "all" are those and
    our further ones. Only lines for decks of a main deck and a sideboard: the others know no further zone. The golden
    lines are part of the tests, so a copy without tests has no peers to show.
    """
    if not GOLDEN.exists():
        return {}
    groups = json.loads(GOLDEN.read_text(encoding="utf-8"))
    reported, further = (_for_two_zones(groups[key].values()) for key in ("reported", "further"))
    names = sorted({name for _, deck in reported + further for _, name in deck})
    found = {}
    for name, made in _PARSERS.items():
        try:
            parse = made(names)
        except NotInstalled:
            continue
        found[name] = {"reported": _score(parse, reported), "all": _score(parse, reported + further)}
    return found


def _for_two_zones(cases: Iterable[Sequence[Any]]) -> list[tuple[str, Deck]]:
    decks = [(case[0], _expected(case[1])) for case in cases]
    return [(text, deck) for text, deck in decks if all(zone in ("main", "side") for zone, _ in deck)]


def _score(parse: Parser, cases: Sequence[tuple[str, Deck]]) -> str:
    return f"{sum(_reads(parse, text) == deck for text, deck in cases)} of {len(cases)}"


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


def _line_patterns(names: Sequence[str]) -> Parser:
    """What april/decklist, a program in JavaScript, is like: one pattern after another for each line, then the names.

    Written here after that manner, so it stands for the manner and not for that program: a count with or without x,
    what comes behind it without a set in brackets, "Sideboard" by itself as heading and "SB:" before a line.
    """
    known = {name.casefold(): name for name in names}
    line_of_card = re.compile(r"(SB:)? *([0-9]+)x? +(?:\[[^]]*\] *)?(.+?)(?: *\([A-Za-z0-9]+\)(?: [0-9]+)?)?", re.I)
    heading = re.compile(r"(?:// *)?(main|deck|sideboard):?", re.I)

    def parse(text: str) -> Deck:
        deck: Deck = Counter()
        zone = "main"
        for line in (line.strip() for line in re.split(r"\r?\n", text)):
            if found := heading.fullmatch(line):
                zone = "side" if found[1].lower() == "sideboard" else "main"
            elif (found := line_of_card.fullmatch(line)) and found[3].casefold() in known:
                deck["side" if found[1] else zone, known[found[3].casefold()]] += int(found[2])
        return +deck

    return parse


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise NotInstalled from error


def _mtg_parser(_: Sequence[str]) -> Parser:
    module = _module("mtg_parser")

    def parse(text: str) -> Deck:
        deck: Deck = Counter()
        for card in module.parse_deck(text):
            deck["side" if "sideboard" in card.tags else "main", card.name] += card.quantity
        return deck

    return parse


def _mtgdeck(_: Sequence[str]) -> Parser:
    module = _module("mtgdeck")

    def parse(text: str) -> Deck:
        deck: Deck = Counter()
        for name, facts in module.loads(text):
            deck["side" if facts.get("section") else "main", name] += facts["count"]
        return deck

    return parse


def _decklist(_: Sequence[str]) -> Parser:
    module = _module("decklist")

    def parse(text: str) -> Deck:
        return Counter({("main", card.name): card.num for card in module.parse_deck_string(text).cards.values()})

    return parse


_PARSERS: dict[str, Callable[[Sequence[str]], Parser]] = {
    "tiltyard": _ours,
    "april/decklist-style": _line_patterns,
    "mtg-parser": _mtg_parser,
    "mtgdeck": _mtgdeck,
    "decklist": _decklist,
}
