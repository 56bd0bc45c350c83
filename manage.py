#!/usr/bin/env python3
"""Django's command line, on the servers that the environment names or else on the embedded ones."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        return execute_from_command_line(sys.argv)
    from config.embedded.servers import Services

    with Services() as services:
        os.environ.update(services.environ)
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
