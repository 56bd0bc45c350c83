from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from events.models import Event
from events.queries.verification import verify_event


class Command(BaseCommand):
    help = "Recompute an event from its log, its secret and its results; exit 1 when anything does not hold."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", help="the event's number or its code")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = options["event"]
        lookup = {"pk": int(wanted)} if wanted.isascii() and wanted.isdigit() and len(wanted) < 19 else {"code": wanted}
        event = Event.objects.filter(**lookup).first() or Event.objects.filter(code=wanted).first()
        if event is None:
            raise CommandError(f"There is no event {wanted!r}.", returncode=2)
        found = verify_event(event)
        if options["json"]:
            facts = {"event": event.code, "holds": not found.faults, "checked": found.checked, "faults": found.faults}
            self.stdout.write(json.dumps(facts))
        else:
            checked = ", ".join(f"{number} {what}" for what, number in found.checked.items())
            self.stdout.write(f"{event.name} ({event.code}): checked {checked}.")
            for fault in found.faults:
                self.stderr.write(f"  {fault}")
        if found.faults:
            raise CommandError(f"{len(found.faults)} things do not hold.", returncode=1)
        if not options["json"]:
            self.stdout.write("Everything holds.")
