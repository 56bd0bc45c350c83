"""The live feed: a bare ASGI application that tells pages "event X is at version N" and touches no database.

A page gets a ticket, signed and good for a minute, from Django (which checks that it may see the event) and opens
/live/?ticket=...; it then refetches what it shows through the ordinary permission check. One Redis subscription
serves every page of the process that looks at the same event. Inside Django each open stream would hold a thread.

At the end of a round a hall of 2,000 makes some thirty changes a second that concern two people each. Those two hear
of it at once, and that it is their ``own``, so that their pages ask for the match alone; a page of a player that shows
no more than their own (``own=1``) hears nothing of the others', and the other pages hear of all of it together, the
later the more they are. What concerns everybody is told at once, with the time ``within`` which to ask, so that they
don't all ask in the same moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

import redis.asyncio
from django.conf import settings
from django.core import signing

from events.feed import SALT, Ticket

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
PAGES_A_SECOND = 150  # that a process can make anew: the more pages are told, the wider they are spread
LATE_SECONDS = (0.5, 5.0)  # what concerns others is told this much later, by the number of pages
LATE_PAGES_A_SECOND = 400
LEAST_SPREAD_MS = 300


def _ticket(text: str) -> Ticket | None:
    try:
        code, player = signing.loads(text, salt=SALT, max_age=TICKET_SECONDS)
    except (signing.BadSignature, TypeError, ValueError):
        return None
    return Ticket(code, player)


@dataclass(eq=False, slots=True)
class Page:
    """One open stream. ``is_own``: it shows nothing but what concerns its player."""

    player: int | None = None
    is_own: bool = False
    queue: asyncio.Queue[bytes] = field(default_factory=lambda: asyncio.Queue(QUEUE))

    def tell(self, data: bytes) -> None:
        if self.queue.full():  # a page that does not read: let it look at everything anew
            while not self.queue.empty():
                self.queue.get_nowait()
            data = COMPARE
        self.queue.put_nowait(data)


class Hub:
    """Fans out what Redis says of an event to every page of this process that follows it."""

    def __init__(self) -> None:
        self._pages: dict[str, set[Page]] = defaultdict(set)
        self._readers: dict[str, asyncio.Task[None]] = {}
        self._late: dict[str, dict[str, Any]] = {}  # the newest change of each event that not everybody knows

    @contextlib.asynccontextmanager
    async def follow(self, code: str, page: Page) -> Any:
        self._pages[code].add(page)
        reader = self._readers.get(code)
        if reader is None or reader.done():
            self._readers[code] = asyncio.create_task(self._read(code))
        else:  # the subscription of the pages before says nothing of what this one missed while it was loading
            page.tell(COMPARE)
        try:
            yield
        finally:
            self._pages[code].discard(page)
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
                            for page in self._pages.get(code, ()):
                                page.tell(COMPARE)
                        elif message["type"] == "message":
                            self._put(code, json.loads(message["data"]))
            except (redis.RedisError, OSError):
                await asyncio.sleep(0.5 + random.random())  # noqa: S311 - spreads reconnections, guards nothing

    def _put(self, code: str, said: dict[str, Any]) -> None:
        """``said`` has the event and its version; whom it concerns, if not everybody; and news for some of them."""
        concerned, news = said.pop("players", None), said.pop("news", {})
        pages = self._pages.get(code, ())
        if concerned is None:
            self._late.pop(code, None)
            self._tell(pages, said, news)
            return
        self._tell([page for page in pages if page.player in concerned], {**said, "own": True}, news)
        if code not in self._late:
            least, most = LATE_SECONDS
            seconds = min(most, max(least, len(pages) / LATE_PAGES_A_SECOND))
            asyncio.get_running_loop().call_later(seconds, self._tell_late, code)
        self._late[code] = said

    def _tell_late(self, code: str) -> None:
        if (said := self._late.pop(code, None)) is not None:
            self._tell([page for page in self._pages.get(code, ()) if not page.is_own], said, {})

    def _tell(self, pages: Collection[Page], said: dict[str, Any], news: Mapping[str, str]) -> None:
        within = len(pages) * 1000 // PAGES_A_SECOND
        if within >= LEAST_SPREAD_MS:
            said = {**said, "within": within}
        plain = json.dumps(said).encode()
        for page in pages:
            mine = news.get(str(page.player)) if news else None
            page.tell(plain if mine is None else json.dumps({**said, "news": mine}).encode())


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
        ticket = _ticket(query.get("ticket", [""])[0])
        if ticket is None:
            return await _answer(send, 403)
        page = Page(ticket.player, is_own=ticket.player is not None and query.get("own") == ["1"])
        return await self._stream(ticket.code, page, receive, send)

    async def _stream(self, code: str, page: Page, receive: Receive, send: Send) -> None:
        headers = [
            (b"content-type", b"text/event-stream"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        writer = asyncio.create_task(self._write(code, page, send))
        leaver = asyncio.create_task(_wait_until_gone(receive))
        try:
            await asyncio.wait({writer, leaver}, return_when=asyncio.FIRST_COMPLETED, timeout=LONGEST_SECONDS)
        finally:
            for task in (writer, leaver):
                task.cancel()
            await asyncio.gather(writer, leaver, return_exceptions=True)
        with contextlib.suppress(Exception):
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _write(self, code: str, page: Page, send: Send) -> None:
        async with self.hub.follow(code, page):
            while True:
                try:
                    async with asyncio.timeout(KEEPALIVE_SECONDS):  # wait_for of Python 3.11 can lose a cancellation
                        data = await page.queue.get()
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
