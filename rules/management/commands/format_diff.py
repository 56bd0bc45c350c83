"""manage.py format_diff engarde/standard 2024 2025"""

from __future__ import annotations

import argparse
import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.errors import DomainError
from rules.queries import Changes, changes_between, format_by_slug, points_between


class Command(BaseCommand):
    help = "Tells what is different between two versions or days of a format: rules, policies, lists."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("format", metavar="GAME/FORMAT", help="engarde/standard")
        parser.add_argument("before", metavar="FROM", help="a version (2024) or a day (2024-12-31)")
        parser.add_argument("after", metavar="TO", help="a version or a day")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        game, _, slug = options["format"].partition("/")
        try:
            before, after = points_between(
                format=format_by_slug(game=game, slug=slug),
                before=options["before"],
                after=options["after"],
                today=timezone.localdate(),
            )
        except DomainError as error:
            raise CommandError(error.message) from error
        changes = changes_between(before=before, after=after)
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(changes), ensure_ascii=False, indent=2))
        else:
            self._tell(changes)

    def _tell(self, changes: Changes) -> None:
        self.stdout.write(
            f"{changes.after.format.name}: version {changes.before.version} on {changes.before_day}, "
            f"version {changes.after.version} on {changes.after_day}"
        )
        for row in changes.rows:
            self.stdout.write(f"  {row.label}: {row.before or 'nothing'} -> {row.after or 'nothing'} ({row.cite})")
        for listed in changes.lists:
            self.stdout.write(f"  {listed.card.name}: {listed.before} -> {listed.after} ({listed.source})")
        if not changes.rows and not changes.lists:
            self.stdout.write("  Nothing is different.")


def _as_json(changes: Changes) -> dict[str, Any]:
    return {
        "format": f"{changes.after.format.game.slug}/{changes.after.format.slug}",
        "before": {"version": changes.before.version, "day": changes.before_day.isoformat()},
        "after": {"version": changes.after.version, "day": changes.after_day.isoformat()},
        "rules": [
            {"label": row.label, "before": row.before, "after": row.after, "cite": row.cite} for row in changes.rows
        ],
        "lists": [
            {"card": one.card.name, "before": one.before, "after": one.after, "source": one.source, "cite": one.cite}
            for one in changes.lists
        ],
    }
