"""manage.py export_schemas --check"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.schemas import published


class Command(BaseCommand):
    help = "Writes the published JSON Schemas into docs/schemas. Needs no database."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing; fail if a file isn't as it would be")
        parser.add_argument("--to", type=Path, metavar="DIR", help="another folder than docs/schemas")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["to"] or Path(settings.BASE_DIR) / "docs" / "schemas"
        wanted = {f"{name}.json": _text(schema) for name, schema in published().items()}
        there = {path.name: path.read_text() for path in folder.glob("*.json")}
        stale = sorted(name for name in {*wanted, *there} if wanted.get(name) != there.get(name))
        if options["check"]:
            if stale:
                raise CommandError(f"Not as the code has them: {', '.join(stale)}. Run manage.py export_schemas.")
            self.stdout.write(f"{len(wanted)} schemas are as the code has them.")
            return
        folder.mkdir(parents=True, exist_ok=True)
        for name in stale:
            if name in wanted:
                (folder / name).write_text(wanted[name])
            else:
                (folder / name).unlink()
        self.stdout.write(f"{len(wanted)} schemas in {folder}, {len(stale)} of them changed.")


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
