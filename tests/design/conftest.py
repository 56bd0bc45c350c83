"""A real browser on a small real server: what the scripts do, without an event behind them."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path

import pytest
from django.conf import settings

from tests import browsers

STATIC = Path(settings.BASE_DIR) / "static"
HTMX = Path(str(files("django_htmx"))) / "static/django_htmx/htmx-2.min.js"
HEAD = """<!DOCTYPE html><html lang="en"><head><title>x</title><meta name="htmx-config" content='{"allowEval": false}'>
<script src="/htmx.js" defer></script><script src="/js/app.js" defer></script><script src="/js/clock.js" defer></script>
<script src="/js/alarm.js" defer></script><script src="/js/live.js" defer></script></head>"""


class Hall(ThreadingHTTPServer):
    """Serves one page, its scripts, a version that can grow, and a feed that can go away."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.body = ""
        self.version = 1
        self.has_feed = True
        self.slowness = 0.0
        self.part = "now version {}"
        self.feeds: list[queue.Queue[str | None]] = []
        self.asked: Counter[str] = Counter()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    def publish(self) -> None:
        self.version += 1
        for feed in list(self.feeds):
            feed.put(json.dumps({"event": "spring", "version": self.version}))

    def take_feed_away(self) -> None:
        self.has_feed = False
        for feed in list(self.feeds):
            feed.put(None)


class Handler(BaseHTTPRequestHandler):
    server: Hall

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        self.server.asked[path] += 1
        if path == "/":
            self.answer(HEAD + self.server.body, "text/html")
        elif path == "/fragment":
            text = self.server.part.format(self.server.version)
            time.sleep(self.server.slowness)
            self.answer(text, "text/html")
        elif path == "/version":
            self.answer(json.dumps({"version": self.server.version}), "application/json")
        elif path == "/ticket" and self.server.has_feed:
            self.answer(json.dumps({"ticket": "t", "url": "/feed?ticket=t"}), "application/json")
        elif path == "/feed" and self.server.has_feed:
            self.feed()
        elif path.endswith(".js"):
            file = HTMX if path == "/htmx.js" else STATIC / path.lstrip("/")
            self.answer(file.read_text(), "text/javascript")
        else:
            self.send_error(503)

    def do_POST(self) -> None:
        self.server.asked["POST " + self.path] += 1
        self.answer(HEAD + "<body>done</body>", "text/html")

    def answer(self, text: str, kind: str) -> None:
        tag = f'"{self.server.version}"'
        if self.path == "/version" and self.headers.get("If-None-Match") == tag:
            self.server.asked["not modified"] += 1
            self.send_response(304)
            self.end_headers()
            return
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", "default-src 'none'; script-src 'self'; connect-src 'self'")
        self.send_header("ETag", tag)
        self.end_headers()
        self.wfile.write(data)

    def feed(self) -> None:
        lines: queue.Queue[str | None] = queue.Queue()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(b": hello\n\n")
        self.wfile.flush()
        self.server.feeds.append(lines)
        while (line := lines.get()) is not None:
            self.wfile.write(f"data: {line}\n\n".encode())
            self.wfile.flush()
        self.server.feeds.remove(lines)

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def hall() -> Iterator[Hall]:
    server = Hall()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.take_feed_away()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def chromium():
    with browsers.chromium() as browser:
        yield browser


@pytest.fixture
def page(chromium):
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.set_default_timeout(5000)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert faults == []
