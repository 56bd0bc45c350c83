#!/usr/bin/env python3
"""Django's command line, on the servers that the environment names or else on the embedded ones."""

from __future__ import annotations

import os
import sys

from config.embedded.layout import EmbeddedError
from config.embedded.processes import leave_on_signals
from config.embedded.servers import Services, default, named


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        if named(os.environ):
            return run()
        leave_on_signals()
        default()
        with Services() as services:
            os.environ.update(services.environ)
            return run()
    except EmbeddedError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


def run() -> None:
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
