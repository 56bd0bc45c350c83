from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.errors import DomainError
from rules.packreader import read_pack


class Command(BaseCommand):
    help = "Tells every fault of the game packs in these folders, with file and line. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")

    def handle(self, *, folders: list[Path], **options: Any) -> None:
        unsound = 0
        for folder in folders:
            try:
                pack = read_pack(folder)
            except DomainError as error:
                unsound += 1
                self.stderr.write(error.message)
            else:
                self.stdout.write(
                    f"{folder}: sound. {pack.game.name}: {len(pack.cards)} cards, {len(pack.formats)} format versions, "
                    f"{len(pack.policies)} policies, {len(pack.documents)} documents."
                )
        if unsound:
            raise CommandError(f"{unsound} of {len(folders)} packs can't be used.")
