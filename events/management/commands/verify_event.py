from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.errors import DomainError
from events.engine.event_file import read_event_file
from events.engine.event_proof import prove
from events.models import Event
from events.queries.verification import verify_event

UNREADABLE = 2


class Command(BaseCommand):
    help = "Recompute an event from its log, its secret and its results; exit 1 when anything does not hold."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", nargs="?", help="the event's number or its code")
        parser.add_argument(
            "--file", metavar="FILE", help="prove a downloaded event instead, without a database; - for standard input"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["event"] is None) == (options["file"] is None):
            raise CommandError("Name an event, or a file with --file.", returncode=UNREADABLE)
        if options["file"] is not None:
            self._prove(options["file"], as_json=options["json"])
            return
        wanted = options["event"]
        lookup = {"pk": int(wanted)} if wanted.isascii() and wanted.isdigit() and len(wanted) < 19 else {"code": wanted}
        event = Event.objects.filter(**lookup).first() or Event.objects.filter(code=wanted).first()
        if event is None:
            raise CommandError(f"There is no event {wanted!r}.", returncode=UNREADABLE)
        found = verify_event(event)
        self._tell(event.name, event.code, found.checked, found.faults, (), as_json=options["json"])

    def _prove(self, name: str, *, as_json: bool) -> None:
        try:
            file = read_event_file(sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes())
        except OSError as error:
            raise CommandError(f"{name}: {error.strerror}", returncode=UNREADABLE) from None
        except DomainError as error:
            raise CommandError(error.message, returncode=UNREADABLE) from None
        proof = prove(file)
        self._tell(file.event.name, file.event.code, proof.checked, proof.faults, proof.unchecked, as_json=as_json)

    def _tell(
        self,
        name: str,
        code: str,
        checked: Mapping[str, int],
        faults: Sequence[str],
        unchecked: Sequence[str],
        *,
        as_json: bool,
    ) -> None:
        if as_json:
            facts = {"event": code, "holds": not faults, "checked": dict(checked), "faults": list(faults)}
            self.stdout.write(json.dumps({**facts, "unchecked": list(unchecked)}))
        else:
            self.stdout.write(f"{name} ({code}): checked {', '.join(f'{n} {what}' for what, n in checked.items())}.")
            for words in unchecked:
                self.stdout.write(f"  Not checked: {words}")
            for fault in faults:
                self.stderr.write(f"  {fault}")
        if faults:
            raise CommandError(f"{len(faults)} things do not hold.", returncode=1)
        if not as_json:
            self.stdout.write("Everything holds." if not unchecked else "All that could be checked holds.")
