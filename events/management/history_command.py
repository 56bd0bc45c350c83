"""What the commands over a history file share: reading it, answering, and the exit code."""

from __future__ import annotations

import dataclasses
import json
import sys
from abc import abstractmethod
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.errors import DomainError
from events.engine.history_file import HistoryFile, read_history

UNREADABLE = 2
MOST_BYTES = 64 * 1024 * 1024


class HistoryCommand(BaseCommand):
    """Exit code 2 with a sentence on stderr when the file can't be read or answered."""

    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--input", required=True, metavar="FILE", help="as docs/schemas/history.json has it; - for standard input"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            file = read_history(_read(options["input"]))
            answer = self.answer(file, options)
        except DomainError as error:
            raise CommandError(error.message, returncode=UNREADABLE) from None
        except OSError as error:
            raise CommandError(f"{options['input']}: {error.strerror}", returncode=UNREADABLE) from None
        if options["json"]:
            self.stdout.write(json.dumps(dataclasses.asdict(answer), ensure_ascii=False))
        else:
            self.tell(file, answer)

    @abstractmethod
    def answer(self, file: HistoryFile, options: dict[str, Any]) -> Any:
        """A dataclass. Raises DomainError for what can't be answered."""

    @abstractmethod
    def tell(self, file: HistoryFile, answer: Any) -> None:
        """Print the answer for people."""


def _read(name: str) -> bytes:
    if name == "-":
        content = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        with Path(name).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise CommandError(f"{name} is longer than {MOST_BYTES} bytes.", returncode=UNREADABLE)
    return content
