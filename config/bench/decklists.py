"""How quickly decklists are read, unknown names answered with suggestions, and registration sheets printed."""

from __future__ import annotations

import gc
import random
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import Any

from cards.engine.index import CardIndex
from cards.engine.names import name_key
from config.bench.peers import right_answers
from decks.engine.headings import ZoneSpec
from decks.engine.parser import parse_decklist
from decks.sheets import Block, Sheet, render_sheets

ZONES = (ZoneSpec("main", "Main deck"), ZoneSpec("side", "Sideboard"))
SYLLABLES = ["ba", "ko", "tu", "mi", "ra", "sel", "von", "dar", "eth", "lor", "qui", "zan", "fer", "ost", "ula", "wy"]


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--names", type=int, default=30_000, help="names of cards (default: 30000)")
    parser.add_argument("--lists", type=int, default=1_000, help="lists of 75 cards (default: 1000)")
    parser.add_argument("--unknown", type=int, default=1_000, help="names that no card has (default: 1000)")
    parser.add_argument("--sheets", type=int, default=500, help="registration sheets in one PDF (default: 500)")
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many counts (default: 3)")
    parser.add_argument("--seed", default="tiltyard", help="any text (default: tiltyard)")


class _Names:
    """An index as decks ask for it."""

    def __init__(self, index: CardIndex) -> None:
        self.index = index
        self.resolve = index.resolve

    def suggest(self, texts: Sequence[str], limit: int = 3) -> list[list[str]]:
        return self.index.suggestions([name_key(text) for text in texts], limit)


def run(options: dict[str, Any]) -> dict[str, Any]:
    """The figures by name, in seconds of a core.

    A list is read from its text to cards with zones and counts, all of them resolved; ``over_floor`` says how many
    times as long it takes as splitting its lines and looking each up. ``peers`` is how many of our golden lines other
    parsers read right, of those that are installed. RuntimeError: a list is not read as it was written.
    """
    rng = random.Random(options["seed"])  # noqa: S311 - names to measure with
    names = _names(rng, options["names"])
    index = _Names(CardIndex.of((name_key(name), place, name) for place, name in enumerate(names)))
    decks = [_deck(rng, names) for _ in range(options["lists"])]
    texts = [_text(deck) for deck in decks]
    _say("comparing what is read with what was written")
    for deck, text in zip(decks, texts, strict=True):
        parsed = parse_decklist(text, index, ZONES)
        if {(entry.zone, entry.name): entry.count for entry in parsed.entries} != deck or parsed.problems:
            raise RuntimeError(f"read otherwise than written: {text}")
    unknown = [_misspelt(rng, name) for name in rng.sample(names, min(options["unknown"], len(names)))]
    sheets = [_sheet(deck) for deck in decks[: options["sheets"]]] or [_sheet({})]
    sheets = (sheets * options["sheets"])[: options["sheets"]]
    floor = index.index.names

    def look_up(text: str) -> list[tuple[int, str] | None]:
        return [floor.get(line.partition(" ")[2].lower()) for line in text.splitlines()]

    rounds = options["rounds"]
    reading = _best(rounds, "reading", lambda: [parse_decklist(f"{text}\n", index, ZONES).entries for text in texts])
    least = _best(rounds, "the floor", lambda: [look_up(text) for text in texts])
    return {
        "names": len(names),
        "lists_per_s": round(len(texts) / reading),
        "lists_over_floor": round(reading / least, 1),
        "suggestions_1000_s": round(
            _best(rounds, "suggestions", lambda: index.suggest(unknown)) * 1000 / len(unknown), 3
        ),
        "sheets_500_s": round(_best(rounds, "sheets", lambda: render_sheets(iter(sheets))) * 500 / len(sheets), 2),
        "peers": right_answers(),
    }


def _names(rng: random.Random, number: int) -> list[str]:
    names: set[str] = set()
    while len(names) < number:
        words = ("".join(rng.choices(SYLLABLES, k=rng.randint(2, 4))).title() for _ in range(rng.randint(1, 3)))
        names.add(" ".join(words))
    return sorted(names)


def _deck(rng: random.Random, names: Sequence[str]) -> dict[tuple[str, str], int]:
    """60 cards and 15, in 24 to 33 rows."""
    deck: dict[tuple[str, str], int] = {}
    for zone, size in (("main", 60), ("side", 15)):
        left = size
        while left:
            name = rng.choice(names)
            if (zone, name) not in deck:
                deck[zone, name] = min(left, rng.choice((3, 3, 2, 2, 1)))
                left -= deck[zone, name]
    return deck


def _text(deck: dict[tuple[str, str], int]) -> str:
    lines = {zone: [f"{count} {name}" for (of, name), count in deck.items() if of == zone] for zone in ("main", "side")}
    return "\n".join([*lines["main"], "", "Sideboard", *lines["side"]])


def _misspelt(rng: random.Random, name: str) -> str:
    place = rng.randrange(len(name))
    return f"{name[:place]}{rng.choice('xz')}{name[place + 1 :]}"


def _sheet(deck: dict[tuple[str, str], int]) -> Sheet:
    blocks = tuple(
        Block(zone.label, tuple((count, name) for (of, name), count in deck.items() if of == zone.key), "Any number.")
        for zone in ZONES
    )
    details = (("Date", "1 September 2026"), ("Place", "Here"), ("Format", "Designed Deck 1"), ("Table", ""))
    verdict = "Legal as of 1 September 2026 under Designed Deck 1, by the lists of that day."
    return Sheet("Lima", "Ana", "An event", details, blocks, verdict, "K7QM-2XWD-9RTB", "https://tiltyard.example/e/x/")


def _best(rounds: int, what: str, job: Callable[[], object]) -> float:
    """The fewest seconds of a core's time that it took: what else the machine does isn't counted."""
    _say(f"timing {what}")
    took = []
    for _ in range(rounds):
        gc.collect()
        began = time.process_time()
        job()
        took.append(time.process_time() - began)
    return min(took)


def _say(words: str) -> None:
    sys.stderr.write(f"{words}\n")
