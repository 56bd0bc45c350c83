from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cards.engine.facts import FactSpec
from cards.engine.rows import read_csv, read_json
from cards.queries import game_by_slug
from cards.services import SetRow, import_cards
from config.errors import DomainError


class Command(BaseCommand):
    help = "Imports real card data of a game from a CSV or JSON file, whole or not at all."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", help="the game's slug")
        parser.add_argument("file", type=Path, metavar="FILE", help="cards.csv as in a game pack, or the same as JSON")
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            dest="sets",
            metavar="CODE=NAME@DAY",
            help="add or renew a set first; DAY (2026-01-31) is when it was released and became legal",
        )
        parser.add_argument("--dry-run", action="store_true", help="tell what would happen and change nothing")

    def handle(self, *, game: str, file: Path, sets: list[str], dry_run: bool, **options: Any) -> None:
        try:
            found = game_by_slug(slug=game)
            text = file.read_bytes().decode("utf-8")
            specs = {key: FactSpec.model_validate(spec) for key, spec in found.facts.items()}
            read = read_json if file.suffix.lower() == ".json" else read_csv
            rows, faults = read(text, specs)
            if faults:
                raise CommandError("\n".join(f"{file}:{fault.line}: {fault.message}" for fault in faults))
            new_sets = [_set_row(text) for text in sets]
            done = import_cards(game=found, rows=rows, sets=new_sets, dry_run=dry_run)
        except DomainError as error:
            raise CommandError(error.message) from error
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} can't be read as UTF-8: {error}") from error
        for word, names in (("added", done.added), ("changed", done.changed), ("clashing", done.clashing)):
            self.stdout.write(f"{len(names)} {word}")
            for name in names:
                self.stdout.write(f"  {name}")
        self.stdout.write(f"{done.same} as they were")
        if dry_run:
            self.stdout.write("Nothing was written.")
        if done.clashing:
            raise CommandError("Mend the clashes, then import again.")


def _set_row(text: str) -> SetRow:
    code, equals, rest = text.partition("=")
    name, at, day = rest.rpartition("@")
    try:
        if not (code and equals and name and at):
            raise ValueError("it has not all three parts")
        legal_on = date.fromisoformat(day)
    except ValueError as error:
        raise CommandError(f"--set {text}: write CODE=NAME@2026-01-31 ({error}).") from error
    return SetRow(code, name, legal_on, legal_on)
