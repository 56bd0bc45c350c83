"""manage.py simulate_event --structure mixed --players 8-64 --events 500"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cards.engine.streams import Stream
from events.engine.simulation import Chances, Course, play_event
from events.engine.simulation_model import STRUCTURES

LEAST, MOST = 8, 10_000


class Command(BaseCommand):
    help = (
        "Play whole events by chance and check everything that must hold. Needs no database. Exit 1: something broke."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        names = ["mixed", *STRUCTURES]
        parser.add_argument(
            "--structure",
            choices=names,
            default="mixed",
            metavar="NAME",
            help=f"{', '.join(names)} (default: mixed, drawn for each event)",
        )
        parser.add_argument("--players", type=_players, default=(8, 64), help="32, or 8-64 to draw (default: 8-64)")
        parser.add_argument("--events", type=int, default=1, help="how many (default: 1)")
        parser.add_argument("--seed", default="tiltyard", help="any text; the same plays the same (default: tiltyard)")
        for name, what in WHAT.items():
            parser.add_argument(
                f"--{name.replace('_', '-')}",
                type=_share,
                default=getattr(Chances(), name),
                metavar="SHARE",
                help=f"share of {what} (default: {getattr(Chances(), name) / 1000})",
            )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.perf_counter()
        chances = Chances(**{name: options[name] for name in WHAT})
        counts: Counter[str] = Counter()
        broken: list[dict[str, Any]] = []
        digest = ""
        for number in range(1, options["events"] + 1):
            course = self._play(number, chances, options)
            counts.update(course.counts)
            digest = _chained(digest, course.digest)
            broken += [{**one.as_json(), "again": _again(course)} for one in course.broken]
            if number % 50 == 0:
                print(f"{number} of {options['events']} events, {len(broken)} broken", file=sys.stderr)
        seconds = round(time.perf_counter() - began, 1)
        found = {"events": options["events"], **dict(sorted(counts.items())), "broken": broken, "seconds": seconds}
        found["digest"] = digest
        if options["json"]:
            self.stdout.write(json.dumps(found))
        else:
            for name, value in found.items():
                if name != "broken":
                    self.stdout.write(
                        f"{name:<24}{value:>12}" if isinstance(value, int | float) else f"{name}  {value}"
                    )
            for one in broken:
                self.stderr.write(
                    f"{one['invariant']} does not hold in {one['where']}: {one['facts']}\n  {one['again']}"
                )
        if broken:
            raise CommandError(f"{len(broken)} invariants did not hold.", returncode=1)

    def _play(self, number: int, chances: Chances, options: dict[str, Any]) -> Course:
        alone = options["events"] == 1
        seed = options["seed"] if alone else f"{options['seed']} {number}"
        least, most = options["players"]
        players = least + Stream(seed.encode(), "simulated|players").below(most - least + 1)
        return play_event(options["structure"], players, seed, chances)


WHAT = {
    "draws": "matches drawn",
    "drops": "players who leave after a round",
    "late": "rounds with a late entry",
    "mistakes": "rounds with a mistake that is repaired",
}


def _players(text: str) -> tuple[int, int]:
    least, _, most = text.partition("-")
    if not (least.isdecimal() and (most or least).isdecimal()):
        raise argparse.ArgumentTypeError("a number, or two with a dash between")
    found = int(least), int(most or least)
    if not LEAST <= found[0] <= found[1] <= MOST:
        raise argparse.ArgumentTypeError(f"from {LEAST} to {MOST:,} players")
    return found


def _share(text: str) -> int:
    """Thousandths."""
    try:
        share = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError("a share such as 0.05") from None
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError("from 0 to 1")
    return round(1000 * share)


def _chained(digest: str, more: str) -> str:
    return hashlib.sha256(f"{digest}{more}".encode()).hexdigest()


def _again(course: Course) -> str:
    return f"simulate_event --structure {course.structure} --players {course.players} --seed {course.seed!r}"
