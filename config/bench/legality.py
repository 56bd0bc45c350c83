"""How many decks are judged in a second, and how long it takes to judge all stored ones again."""

from __future__ import annotations

import gc
import random
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Sequence
from typing import Any

from config.bench.decks import Kind, engarde, epic
from rules.engine.screening import Row, Screen

Decks = Sequence[tuple[Row, ...]]
SLICE = 200
"""So many decks are timed at a time, by one way after the other, so that what else the machine does hits all alike."""


def add_arguments(parser: ArgumentParser) -> None:
    number = parser.add_argument
    number("--decks", type=_at_least(10), default=10_000, help="decks of each format (default: 10000)")
    number("--illegal-in-ten", type=int, choices=range(1, 10), default=1, help="of ten decks (default: 1)")
    number("--rounds", type=_at_least(1), default=5, help="the best of so many counts (default: 5)")
    number("--bulk-decks", type=_at_least(1), default=175_000, help="stored decks judged again (default: 175000)")
    parser.add_argument("--seed", default="tiltyard", help="any text (default: tiltyard)")
    parser.add_argument("--without-bulk", action="store_true", help="leave those out: then no database is needed")


def _at_least(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise ArgumentTypeError(f"a whole number from {least} on")
        return int(text)

    return read


def run(options: dict[str, Any]) -> dict[str, Any]:
    """The figures by name.

    A deck is judged from its rows (zone, card, copies) to a verdict with every violation. The format is compiled before
    and the screen knows the cards, as after the first few hundred decks of many; ``first_pass`` begins without that.
    ``over_floor`` says how many times as long it takes as a loop that only sums the copies in the same rows.
    RuntimeError: a verdict isn't that of the full check, so nothing is worth measuring.
    """
    found: dict[str, Any] = {
        "mix": {key: options[key] for key in ("decks", "illegal_in_ten", "seed", "rounds")},
        **_measured("epic", "designed", epic(), options),
        **_measured("engarde", "standard", engarde(), options),
    }
    found["floor_decks_per_s"] = found["epic_floor_decks_per_s"]
    if not options["without_bulk"]:
        from config.bench import bulk

        found |= bulk.run(options["bulk_decks"])
    return found


def _measured(game: str, slug: str, kind: Kind, options: dict[str, Any]) -> dict[str, Any]:
    rng = random.Random(f"{options['seed']} {game}")  # noqa: S311 - decks to measure with
    _say(f"{game}: drawing {options['decks']} decks")
    decks = [kind.deck(rng, legal=place % 10 >= options["illegal_in_ten"]) for place in range(options["decks"])]
    legal = [rows for place, rows in enumerate(decks) if place % 10 >= options["illegal_in_ten"]]
    illegal = [rows for place, rows in enumerate(decks) if place % 10 < options["illegal_in_ten"]]
    screen = Screen(kind.compiled, kind.cards)
    first_pass = _seconds(screen.verdict_of, decks)
    _say(f"{game}: comparing every verdict with the full check's")
    for outcome, group in (("legal", legal), ("illegal", illegal)):
        for rows in group:
            verdict = kind.full_check(rows)
            if verdict.outcome != outcome or screen.verdict_of(rows) != verdict:
                raise RuntimeError(f"not {outcome}, or not by the screen: {rows}")
    loops: dict[str, tuple[Callable[[tuple[Row, ...]], object], Decks]] = {
        f"{game}_{slug}": (screen.verdict_of, decks),
        f"{game}_legal": (screen.verdict_of, legal),
        f"{game}_illegal": (screen.verdict_of, illegal),
        f"{game}_full_check": (kind.full_check, decks[: len(decks) // 10]),
        f"{game}_floor": (_sum, decks),
    }
    best: dict[tuple[str, int], float] = {}
    for number in range(options["rounds"]):
        _say(f"{game}: round {number + 1} of {options['rounds']}")
        for start in range(0, len(decks), SLICE):
            for name, (judge, of) in loops.items():
                if some := of[start : start + SLICE]:
                    took = _seconds(judge, _read(some))
                    best[name, start] = min(took, best.get((name, start), took))
    per_second = {
        name: len(of) / sum(took for (one, _), took in best.items() if one == name) for name, (_, of) in loops.items()
    }
    return {
        **{f"{name}_decks_per_s": round(figure) for name, figure in per_second.items()},
        f"{game}_first_pass_decks_per_s": round(len(decks) / first_pass),
        f"{game}_over_floor": round(per_second[f"{game}_floor"] / per_second[f"{game}_{slug}"], 1),
        f"{game}_legal_over_floor": round(per_second[f"{game}_floor"] / per_second[f"{game}_legal"], 1),
        f"{game}_rows_per_deck": round(sum(map(len, decks)) / len(decks), 1),
        f"{game}_share_legal": len(legal) / len(decks),
        f"{game}_share_split": round(sum(len({row[1] for row in rows}) < len(rows) for rows in decks) / len(decks), 2),
    }


def _seconds(judge: Callable[[tuple[Row, ...]], object], decks: Decks) -> float:
    """Of a core's time, not of the clock on the wall: what else the machine does isn't counted.

    No garbage is collected meanwhile, which would bill one way for what another has left.
    """
    gc.disable()
    began = time.process_time()
    for rows in decks:
        judge(rows)
    took = time.process_time() - began
    gc.enable()
    return took


def _read(decks: Decks) -> Decks:
    """Made anew right before they are judged, as by a read from a database: so they are near, and not known before."""
    return [tuple([(zone, card, copies) for zone, card, copies in rows]) for rows in decks]


def _sum(rows: tuple[Row, ...]) -> int:
    total = 0
    for _, _, copies in rows:
        total += copies
    return total


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201
