"""The site as it is deployed, over a database for measuring: pages by WSGI, the feed by ASGI, a worker."""

from __future__ import annotations

import http.client
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.db import connection
from psycopg.conninfo import make_conninfo

from config.processes import running, serving

HOST = "127.0.0.1"
SCRATCH_REDIS = 9
READY_SECONDS = 60
STDERR = 2  # what a child says is not a figure


@dataclass(frozen=True)
class Hall:
    """Where its pages and its feed are."""

    web: int
    feed: int


@contextmanager
def open_hall() -> Iterator[Hall]:
    """The processes of the site over the database that this process is connected to. RuntimeError: it did not start."""
    hall = Hall(_free_port(), _free_port())
    before = dict(os.environ)
    os.environ["DATABASE_URL"] = make_conninfo(os.environ["DATABASE_URL"], dbname=connection.settings_dict["NAME"])
    os.environ["REDIS_URL"] = _redis()
    try:
        with running(serving(HOST, hall.web, hall.feed), stdout=STDERR) as children:
            for port in (hall.web, hall.feed):
                _wait(port)
            yield hall
            if any(child.poll() is not None for child in children):
                raise RuntimeError("A process of the site ended before its time.")
    finally:
        os.environ.clear()
        os.environ.update(before)


def _redis() -> str:
    """The same server, other numbers: nothing that is stored there for the site itself is touched."""
    url = settings.REDIS_URL
    if url.startswith("unix:"):
        return f"{url.partition('?')[0]}?db={SCRATCH_REDIS}"
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}/{SCRATCH_REDIS}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _wait(port: int) -> None:
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until:
        try:
            line = http.client.HTTPConnection(HOST, port, timeout=5)
            line.request("GET", "/healthz")
            line.getresponse().read()
            return
        except OSError:
            time.sleep(0.2)
    print(f"Nothing answers on port {port}.", file=sys.stderr)  # noqa: T201 - the numbers are on stdout
    raise RuntimeError("The site did not start.")
