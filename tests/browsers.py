"""A real Chromium, and the whole site as one ASGI process for it to look at."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from playwright.sync_api import Browser, sync_playwright

QUIET = [  # keeps it off the network, and working as root in a container
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Skips the test where there is no Chromium, and fails it where REQUIRE_BROWSER says that there has to be one."""
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    path = os.environ.get("CHROMIUM") or next((path for path in found if path), None)
    if path is None:
        say = pytest.fail if os.environ.get("REQUIRE_BROWSER") else pytest.skip
        say("There is no Chromium on this machine, so nothing was tried in a browser: apt-get install chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, sync_playwright() as playwright:
        environment: dict[str, str | float | bool] = {**os.environ, "HOME": home}  # it writes into its user's
        browser = playwright.chromium.launch(executable_path=path, args=QUIET, env=environment)
        yield browser
        browser.close()


@contextlib.contextmanager
def site() -> Iterator[str]:
    """Pages, API and live feed on a free port, on the test's own database; its address."""
    from config.asgi import application

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(application, log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
