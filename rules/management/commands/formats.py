"""manage.py formats --game engarde --on 2025-06-01"""

from __future__ import annotations

import argparse
import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from cards.queries import game_by_slug
from config.errors import DomainError
from rules.engine.days import day_of
from rules.queries import FormatOnDay, formats_on


class Command(BaseCommand):
    help = "Lists every format with the version in force on a day, its days and its document."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--game", metavar="GAME", help="only those of this game: engarde")
        parser.add_argument("--on", metavar="DAY", help="2025-06-01; today without it")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            day = day_of(options["on"]) if options["on"] else timezone.localdate()
            game = game_by_slug(slug=options["game"]) if options["game"] else None
        except DomainError as error:
            raise CommandError(error.message) from error
        rows = [_row(found) for found in formats_on(day=day, game=game)]
        if options["json"]:
            self.stdout.write(json.dumps({"on": day.isoformat(), "formats": rows}, ensure_ascii=False, indent=2))
            return
        for row in rows:
            self.stdout.write(f"{row['format']}: {_said(row)}")
        if not rows:
            self.stdout.write("No game is loaded. manage.py load_packs loads those that Tiltyard comes with.")


def _row(found: FormatOnDay) -> dict[str, Any]:
    row: dict[str, Any] = {"format": f"{found.format.game.slug}/{found.format.slug}", "name": found.format.name}
    version = found.version
    if version is None:
        return {**row, "version": None, "since": None, "until": None, "document": None, "date_note": None}
    since, until = version.during.lower, version.during.upper
    return {
        **row,
        "version": version.version,
        "since": since and since.isoformat(),
        "until": until and until.isoformat(),
        "document": f"{version.document.slug}@{version.document.version}",
        "date_note": version.document.date_note,
    }


def _said(row: dict[str, Any]) -> str:
    if row["version"] is None:
        return "no version in force"
    since = f"from {row['since']}" if row["since"] else "since a day that is not known"
    until = f" until {row['until']}" if row["until"] else ""
    note = f" ({row['date_note']})" if row["date_note"] else ""
    return f"version {row['version']}, {since}{until}, by {row['document']}{note}"
