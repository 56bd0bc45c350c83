from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cards.engine.changes import CardImport, Change
from cards.engine.facts import fact_specs
from cards.engine.files import SetRow, read_files
from cards.queries import game_by_slug
from cards.services import import_cards
from config.errors import DomainError


class Command(BaseCommand):
    help = "Imports card data of a game from a CSV or JSON file, whole or not at all, and tells what it changes."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", help="the game's slug")
        parser.add_argument(
            "file", type=Path, metavar="FILE", help="cards.csv as in a game pack, or as JSON a list or {sets, cards}"
        )
        parser.add_argument("--sets-file", type=Path, metavar="FILE", help="CSV: code,name,released_on,legal_on,sample")
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            dest="sets",
            metavar="CODE=NAME@DAY",
            help="add or renew a set first; DAY (2026-01-31) is when it was released and became legal",
        )
        parser.add_argument("--dry-run", action="store_true", help="tell what would happen and change nothing")
        parser.add_argument("--json", action="store_true", help="tell it as JSON")

    def handle(
        self,
        *,
        game: str,
        file: Path,
        sets_file: Path | None,
        sets: list[str],
        dry_run: bool,
        json: bool,
        **options: Any,
    ) -> None:
        try:
            found = game_by_slug(slug=game)
            specs = fact_specs(found.facts)
            read = read_files(file.read_bytes(), specs, sets_file.read_bytes() if sets_file else b"", limit=None)
            if read.faults:
                paths = {"cards": file, "sets": sets_file}
                raise CommandError("\n".join(f"{paths[f.file]}:{f.line}: {f.message}" for f in read.faults))
            all_sets = [*read.sets, *(_set_row(text) for text in sets)]
            done = import_cards(game=found, rows=read.rows, sets=all_sets, dry_run=dry_run)
        except DomainError as error:
            raise CommandError(error.message) from error
        except OSError as error:
            raise CommandError(f"{error.filename} can't be read: {error.strerror}") from error
        self.stdout.write(_as_json(done, dry_run) if json else _as_text(done, dry_run))
        if done.clashes:
            raise CommandError("Mend the clashes, then import again.")


def _as_json(done: CardImport, dry_run: bool) -> str:
    return json.dumps({"dry_run": dry_run, **done.as_json()}, ensure_ascii=False, indent=1)


def _as_text(done: CardImport, dry_run: bool) -> str:
    lines = [f"{len(done.sets)} sets added or changed", *_changes(done.sets)] if done.sets else []
    lines += [f"{len(done.added)} added", *(f"  {name}" for name in done.added)]
    lines += [f"{len(done.changed)} changed", *_changes([change for change in done.cards if not change.is_new])]
    lines += [f"{len(done.clashes)} clashing", *(f"  {message}" for message in done.clashing)]
    lines.append(f"{done.same} as they were")
    if done.forgotten:
        lines.append(f"{done.forgotten} known facts or texts are not in the file and become unknown")
    if dry_run:
        lines.append("Nothing was written.")
    return "\n".join(lines)


def _changes(changes: Iterable[Change]) -> list[str]:
    return [line for change in changes for line in (f"  {change.name}", *_fields(change))]


def _fields(change: Change) -> list[str]:
    said = []
    for one in change.fields:
        new = f"+ {', '.join(one.new)}" if isinstance(one.new, list) else f"{one.old!r} -> {one.new!r}"
        said.append(f"    {one.label}: {new}")
    return said


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
