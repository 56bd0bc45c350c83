"""The live feed: a bare ASGI application that tells pages "event X is at version N" and touches no database.

A page gets a ticket, signed and good for a minute, from Django (which checks that it may see the event) and opens
/live/?ticket=...; it then refetches what it shows through the ordinary permission check. One Redis subscription
serves every page of the process that looks at the same event. Inside Django each open stream would hold a thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

import redis.asyncio
from django.conf import settings
from django.core import signing

from events.feed import SALT

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

PATH = "/live/"
TICKET_SECONDS = 60
KEEPALIVE_SECONDS = 15
LONGEST_SECONDS = 3600  # then the page asks for a new ticket, and its rights are looked at again
QUEUE = 16
COMPARE = b"{}"  # no version: something may have been missed, so the page asks for the version itself


def _code_of(ticket: str) -> str | None:
    try:
        code = signing.loads(ticket, salt=SALT, max_age=TICKET_SECONDS)
    except signing.BadSignature:
        return None
    return code if isinstance(code, str) else None


class Hub:
    """Fans out what Redis says of an event to every page of this process that follows it."""

    def __init__(self) -> None:
        self._pages: dict[str, set[asyncio.Queue[bytes]]] = defaultdict(set)
        self._readers: dict[str, asyncio.Task[None]] = {}

    @contextlib.asynccontextmanager
    async def follow(self, code: str) -> Any:
        queue: asyncio.Queue[bytes] = asyncio.Queue(QUEUE)
        self._pages[code].add(queue)
        reader = self._readers.get(code)
        if reader is None or reader.done():
            self._readers[code] = asyncio.create_task(self._read(code))
        else:  # the subscription of the pages before says nothing of what this one missed while it was loading
            queue.put_nowait(COMPARE)
        try:
            yield queue
        finally:
            self._pages[code].discard(queue)
            if not self._pages[code]:
                del self._pages[code]
                self._readers.pop(code).cancel()

    async def _read(self, code: str) -> None:
        """Subscribe, and subscribe again whenever Redis goes away; pages poll in between."""
        while True:
            try:
                async with (
                    redis.asyncio.from_url(settings.REDIS_URL, client_name=f"tiltyard-live-{code}") as client,
                    client.pubsub() as subscription,
                ):
                    await subscription.subscribe(f"tiltyard:live:{code}")
                    async for message in subscription.listen():
                        if message["type"] == "subscribe":
                            self._put(code, COMPARE)
                        elif message["type"] == "message":
                            self._put(code, message["data"])
            except (redis.RedisError, OSError):
                await asyncio.sleep(0.5 + random.random())  # noqa: S311 - spreads reconnections, guards nothing

    def _put(self, code: str, data: bytes) -> None:
        for queue in self._pages.get(code, ()):
            if queue.full():  # a page that does not read: only the newest version matters
                queue.get_nowait()
            queue.put_nowait(data)


class LiveFeed:
    def __init__(self, otherwise: Application | None = None) -> None:
        self.otherwise = otherwise
        self.hub = Hub()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await _lifespan(receive, send)
        if scope["type"] != "http":
            return None
        if scope["path"] != PATH:
            if self.otherwise is None:
                return await _answer(send, 404)
            return await self.otherwise(scope, receive, send)
        if scope["method"] != "GET":
            return await _answer(send, 405)
        query = parse_qs(scope.get("query_string", b"").decode("ascii", "replace"))
        code = _code_of(query.get("ticket", [""])[0])
        if code is None:
            return await _answer(send, 403)
        return await self._stream(code, receive, send)

    async def _stream(self, code: str, receive: Receive, send: Send) -> None:
        headers = [
            (b"content-type", b"text/event-stream"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        writer = asyncio.create_task(self._write(code, send))
        leaver = asyncio.create_task(_wait_until_gone(receive))
        try:
            await asyncio.wait({writer, leaver}, return_when=asyncio.FIRST_COMPLETED, timeout=LONGEST_SECONDS)
        finally:
            for task in (writer, leaver):
                task.cancel()
            await asyncio.gather(writer, leaver, return_exceptions=True)
        with contextlib.suppress(Exception):
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _write(self, code: str, send: Send) -> None:
        async with self.hub.follow(code) as queue:
            while True:
                try:
                    async with asyncio.timeout(KEEPALIVE_SECONDS):  # wait_for of Python 3.11 can lose a cancellation
                        data = await queue.get()
                    body = b"data: " + data + b"\n\n"
                except TimeoutError:
                    body = b": still here\n\n"
                await send({"type": "http.response.body", "body": body, "more_body": True})


async def _wait_until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _answer(send: Send, status: int) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": b""})


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
