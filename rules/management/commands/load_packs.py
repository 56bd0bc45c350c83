from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.errors import DomainError
from rules.packreader import read_pack
from rules.services.loading import load_pack

SHIPPED = Path(__file__).resolve().parents[2] / "packs"


class Command(BaseCommand):
    help = "Loads game packs: those in the folders named, or all that Tiltyard comes with."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("folders", nargs="*", type=Path, metavar="DIR")

    def handle(self, *, folders: list[Path], **options: Any) -> None:
        chosen = folders or sorted(path for path in SHIPPED.iterdir() if (path / "game.toml").is_file())
        refused = 0
        for folder in chosen:
            try:
                report = load_pack(pack=read_pack(folder))
            except DomainError as error:
                refused += 1
                self.stderr.write(error.message)
                continue
            if report.changed:
                added, changed = len(report.cards.added), len(report.cards.changed)
                self.stdout.write(f"{report.game.name}: loaded, {added} cards added, {changed} changed.")
            else:
                self.stdout.write(f"{report.game.name}: as it was loaded before.")
        if refused:
            raise CommandError(f"{refused} of {len(chosen)} packs were refused.")
