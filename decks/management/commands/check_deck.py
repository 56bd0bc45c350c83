"""manage.py check_deck --format engarde/standard --on 2025-06-01 FILE"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from config.errors import DomainError
from decks.engine.containers.opening import MAX_BYTES
from decks.panels import verdict_json
from rules.engine.days import day_of

EXIT_CODES = {"legal": 0, "illegal": 1, "undetermined": 2}
UNREADABLE = 2


class Command(BaseCommand):
    help = "Judge a decklist. Exit code 0: legal; 1: illegal; 2: undetermined, or the list can't be read."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the list as UTF-8 text; - for standard input")
        parser.add_argument("--format", required=True, metavar="GAME/FORMAT", help="engarde/standard")
        parser.add_argument("--on", metavar="DAY", help="2025-06-01; today without it")
        parser.add_argument("--json", action="store_true", help="print the verdict as the API answers it")

    def handle(self, *args: Any, **options: Any) -> None:
        game, _, format = options["format"].partition("/")
        try:
            day = day_of(options["on"]) if options["on"] else timezone.localdate()
            verdict = verdict_json(game=game, format=format, day=day, text=_text(options["file"]))
        except DomainError as error:
            self._refuse(error.message)
        except UnicodeDecodeError:
            self._refuse(f"{options['file']} is not UTF-8 text. Save it as UTF-8 and try again.")
        except OSError as error:
            self._refuse(f"{options['file']} can't be read: {error.strerror}.")
        if options["json"]:
            self.stdout.write(json.dumps(verdict, ensure_ascii=False, indent=2))
        else:
            self._tell(verdict)
        sys.exit(EXIT_CODES[verdict["outcome"]])

    def _refuse(self, sentence: str) -> None:
        self.stderr.write(sentence)
        sys.exit(UNREADABLE)

    def _tell(self, verdict: dict[str, Any]) -> None:
        self.stdout.write(
            f"{verdict['outcome'].capitalize()}: {verdict['game']}/{verdict['format']} {verdict['format_version']} "
            f"on {verdict['on']}, {verdict['fingerprint']}"
        )
        for count in verdict["counts"]:
            self.stdout.write(f"  {'ok ' if count['is_met'] else 'NOT'} {count['label']}: {count['actual']}")
        for violation in verdict["violations"]:
            where = f" (lines {', '.join(map(str, violation['lines']))})" if violation["lines"] else ""
            self.stderr.write(f"{violation['cite']}: {violation['sentence']}{where}")
        for problem in verdict["problems"]:
            self.stderr.write(f"line {problem['number']}: {problem['message']}")
        for notice in verdict["notices"]:
            self.stderr.write(notice["message"])


def _text(name: str) -> str:
    if name == "-":
        raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    else:
        with Path(name).open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    if not raw.strip():
        raise DomainError(
            "decks.empty", f"{'Standard input' if name == '-' else name} is empty: there is no deck in it."
        )
    # One byte more than is allowed is enough to be refused; a character cut in two there is not the list's fault.
    return raw.decode(errors="replace" if len(raw) > MAX_BYTES else "strict")
