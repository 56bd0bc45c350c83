from __future__ import annotations

import signal
import socket
import time
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from config.demo.cast import LOGINS, PASSWORD
from config.demo.program import was_played
from config.processes import running, site


class Command(BaseCommand):
    help = "Serve the site: web and live feed, a Celery worker and beat. Plays the demo first if it was never played."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        _refuse_taken(options["host"], options["port"])
        call_command("migrate", verbosity=0)
        if not was_played():
            call_command("demo")
        connections.close_all()  # the children open their own
        schedule = Path(settings.BASE_DIR) / ".local" / f"celerybeat-schedule-{options['port']}"
        schedule.parent.mkdir(mode=0o700, exist_ok=True)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _stop)
        commands = site(options["host"], options["port"], schedule)
        with running(commands) as children:
            self.stdout.write(
                f"\nTiltyard is on http://{options['host']}:{options['port']}/ (Ctrl-C stops everything)\n"
            )
            for role, (email, name) in LOGINS.items():
                self.stdout.write(f"  {role:<11} {email:<24} {PASSWORD}   ({name})")
            self.stdout.flush()
            try:
                while all(child.poll() is None for child in children):
                    time.sleep(0.3)
            except KeyboardInterrupt:
                self.stdout.write("\nStopping.")
                return
            states = zip(commands, children, strict=True)
            ended = [" ".join(command) for command, child in states if child.poll() is not None]
        raise CommandError(f"This process ended by itself: {'; '.join(ended)}")


def _refuse_taken(host: str, port: int) -> None:
    """Before anything else is done: playing the demo takes a while."""
    try:
        with socket.create_server((host, port)):
            pass
    except OSError as error:
        raise CommandError(f"{host}:{port} can't be used ({error.strerror}). Name another: --port 8001") from error


def _stop(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
