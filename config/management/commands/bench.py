from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.bench import brackets, decklists, engine, event, legality, pairing, rounds, standings, tables

BENCHES = {
    "brackets": brackets,
    "decklists": decklists,
    "engine": engine,
    "event": event,
    "legality": legality,
    "pairing": pairing,
    "rounds": rounds,
    "standings": standings,
    "tables": tables,
}


class Command(BaseCommand):
    help = "Measure what must be fast. Progress goes to standard error."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        benches = parser.add_subparsers(dest="bench", required=True, metavar="BENCH")
        for name, bench in BENCHES.items():
            one = benches.add_parser(name, help=bench.__doc__)
            one.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
            bench.add_arguments(one)

    def handle(self, *args: Any, **options: Any) -> None:
        figures = BENCHES[options["bench"]].run(options)
        if options["json"]:
            self.stdout.write(json.dumps(figures))
            return
        if "table" in figures:
            self.stdout.write(figures["table"])
            return
        width = max(map(len, figures))
        for name, value in figures.items():
            self.stdout.write(f"{name:<{width}}  {_shown(value):>12}")


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {one}" for key, one in value.items())
    return f"{value:,}" if isinstance(value, int | float) else str(value)
