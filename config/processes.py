"""The processes of a running site, started together and stopped together."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from config.embedded.processes import end_with_parent

GRACE_SECONDS = 15


def site(host: str, port: int, beat_schedule: Path) -> list[list[str]]:
    """Web and live feed in one process, a worker, and beat."""
    python = sys.executable
    return [
        [
            *(python, "-m", "uvicorn", "config.asgi:application", "--host", host, "--port", str(port)),
            *("--log-level", "warning", "--timeout-graceful-shutdown", "2"),
        ],
        [python, "-m", "celery", "-A", "config", "worker", "--concurrency", "2", "--loglevel", "WARNING"],
        [python, "-m", "celery", "-A", "config", "beat", "--loglevel", "WARNING", "--schedule", str(beat_schedule)],
    ]


def serving(host: str, web: int, feed: int) -> list[list[str]]:
    """As a site is deployed (docs/deploy.md): pages by WSGI in four processes, the live feed by ASGI, a worker."""
    python = sys.executable
    return [
        [
            *(python, "-m", "granian", "config.wsgi:application", "--interface", "wsgi", "--no-ws"),
            *("--host", host, "--port", str(web), "--log-level", "warning"),
            *("--workers", "4", "--blocking-threads", "2"),
        ],
        [
            *(python, "-m", "uvicorn", "config.asgi:feed", "--host", host, "--port", str(feed)),
            *("--log-level", "warning", "--timeout-graceful-shutdown", "2"),
        ],
        [python, "-m", "celery", "-A", "config", "worker", "--concurrency", "2", "--loglevel", "WARNING"],
    ]


@contextlib.contextmanager
def running(commands: Sequence[Sequence[str]], *, stdout: int | None = None) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Every command as a child in a session of its own, so that Ctrl-C reaches us first and we stop them in order.
    ``stdout`` is the file descriptor for what they say, ours unless given."""
    children: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            children.append(
                subprocess.Popen(
                    command, start_new_session=True, stdout=stdout, preexec_fn=end_with_parent(signal.SIGTERM)
                )
            )
        yield children
    finally:
        try:
            _stop(children)
        finally:  # out of patience, or interrupted once more: leave nobody behind
            for child in children:
                if child.poll() is None:
                    os.killpg(child.pid, signal.SIGKILL)
                    child.wait()


def _stop(children: Sequence[subprocess.Popen[bytes]]) -> None:
    """Ask every child to end, and wait for them together."""
    for child in children:
        if child.poll() is None:
            child.send_signal(signal.SIGTERM)
    until = time.monotonic() + GRACE_SECONDS
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(max(0.1, until - time.monotonic()))
