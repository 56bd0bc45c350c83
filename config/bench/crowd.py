"""The people of a hall, in processes of their own: they know the site by HTTP alone, and measure what they wait for.

Every request has its moment: one that waits because those before it were slow has waited all the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

TIMEOUT_SECONDS = 30
PIECE = 1 << 16


@dataclass(frozen=True)
class Ask:
    """One request. ``at`` is its moment in seconds after the start, None: as soon as a line is free."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    at: float | None = None


@dataclass(frozen=True)
class Told:
    """What came of an Ask: the status, 0 where no answer came, the seconds since its moment, and the JSON answer."""

    status: int
    seconds: float
    answer: Any = None


def signed_in(session: str, key: str = "") -> dict[str, str]:
    """The headers of a page that is signed in, and of a command with a key of its own."""
    token = "c" * 32
    headers = {"Cookie": f"sessionid={session}; csrftoken={token}", "X-CSRFToken": token}
    return headers if not key else {**headers, "Idempotency-Key": key, "Content-Type": "application/json"}


def send(host: str, port: int, asks: Sequence[Ask], lines: int, start: float, keep: bool = False) -> list[Told]:
    """Carry out ``asks`` over so many connections that stay open, from the moment ``start`` of time.time() on.

    Answers are read whole, and kept, as JSON, only with ``keep``. The order is that of ``asks``.
    """
    told: list[Told | None] = [None] * len(asks)
    turn, lock = iter(range(len(asks))), threading.Lock()

    def work() -> None:
        line = _Line(host, port)
        while True:
            with lock:
                place = next(turn, None)
            if place is None:
                line.close()
                return
            told[place] = _sent(line, asks[place], start, keep)

    threads = [threading.Thread(target=work) for _ in range(min(lines, len(asks)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [one for one in told if one is not None]


class _Line:
    """A connection that stays open. It reads no more of an answer's head than it needs: the clients share the machine
    with the site that they measure, and http.client takes a fifth of what a page does."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.socket: socket.socket | None = None

    def ask(self, ask: Ask, body: bytes) -> tuple[int, bytes]:
        """The status and the body. OSError: no answer; EOFError: the server has closed the line."""
        if self.socket is None:
            self.socket = socket.create_connection((self.host, self.port), TIMEOUT_SECONDS)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.answers = self.socket.makefile("rb")
        headers = "".join(f"{name}: {value}\r\n" for name, value in ask.headers.items())
        head = f"{ask.method} {ask.path} HTTP/1.1\r\nHost: {self.host}\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
        self.socket.sendall(head.encode() + body)
        status, length = self.answers.readline(), None
        if not status:
            raise EOFError
        while (line := self.answers.readline().lower()) not in (b"\r\n", b""):
            if line.startswith(b"content-length:"):
                length = int(line[15:])
        number = int(status.split()[1])
        if length is None and number not in (204, 304):
            raise OSError(f"An answer of unknown length to {ask.path}")
        return number, self.answers.read(length or 0)

    def close(self) -> None:
        if self.socket is not None:
            self.answers.close()
            self.socket.close()
            self.socket = None


def _sent(line: _Line, ask: Ask, start: float, keep: bool) -> Told:
    moment = time.time() if ask.at is None else start + ask.at
    time.sleep(max(0.0, moment - time.time()))
    body = b"" if ask.body is None else json.dumps(ask.body).encode()
    try:
        try:
            status, text = line.ask(ask, body)
        except (EOFError, ConnectionError):  # the server closed a line that had been idle
            line.close()
            status, text = line.ask(ask, body)
    except (OSError, EOFError):
        line.close()
        return Told(0, time.time() - moment)
    seconds = time.time() - moment
    answer = None
    if text and (keep or status >= 400):
        with contextlib.suppress(ValueError):  # a page in place of JSON
            answer = json.loads(text)
    return Told(status, seconds, answer)


class Subscribers:
    """Open pages that follow an event by the live feed."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.heard: dict[int, list[float]] = {}
        self.lost = 0

    async def follow(self, paths: Iterable[str], at_once: int = 100) -> None:
        """Open a stream for each path and go on reading them all."""
        doors = asyncio.Semaphore(at_once)
        self._tasks = [asyncio.create_task(self._read(path, doors)) for path in paths]
        while doors.locked() or not all(task.done() or task.get_name() == "open" for task in self._tasks):
            await asyncio.sleep(0.05)

    async def _read(self, path: str, doors: asyncio.Semaphore) -> None:
        task = asyncio.current_task()
        try:
            async with doors:
                reader, writer = await asyncio.open_connection(self.host, self.port)
                writer.write(f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode())
                status = await reader.readline()
                if b" 200 " not in status:
                    self.lost += 1
                    return
                if task is not None:
                    task.set_name("open")
            async for line in reader:
                if line.startswith(b"data:"):
                    version = json.loads(line[5:]).get("version")
                    if version is not None:
                        self.heard.setdefault(version, []).append(time.time())
            self.lost += 1
        except OSError:
            self.lost += 1


def follow_from(host: str, port: int, paths: Sequence[str], pipe: Any) -> None:
    """A process of subscribers. It says "open" once all follow, and answers each version with the moments at which it
    was heard; None ends it."""

    async def run() -> None:
        crowd = Subscribers(host, port)
        await crowd.follow(paths)
        pipe.send(("open", crowd.lost))
        loop = asyncio.get_running_loop()
        while True:
            asked = await loop.run_in_executor(None, pipe.recv)
            if asked is None:
                return
            pipe.send((crowd.heard.get(asked, []), crowd.lost))
            crowd.heard.clear()

    asyncio.run(run())
