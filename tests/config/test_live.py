"""The live feed as it is served: real ASGI, real sockets, real Redis, and no database."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
import uvicorn
from django.conf import settings
from django.core import signing
from django.db.backends.base.base import BaseDatabaseWrapper

from config.live import QUEUE, SALT, TICKET_SECONDS, Hub, LiveFeed
from events.feed import ticket_for
from events.services import registration
from tests.events.factories import Made, make_event

SECONDS = 2.0  # how fast a change has to be there


class Site:
    """The feed under uvicorn in a thread of its own."""

    def __init__(self) -> None:
        self.feed = LiveFeed()
        config = uvicorn.Config(self.feed, port=0, log_level="warning", timeout_graceful_shutdown=1)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, name="live-feed", daemon=True)

    def __enter__(self) -> Site:
        self.thread.start()
        wait_until(lambda: self.server.started)
        return self

    def __exit__(self, *error: object) -> None:
        self.server.should_exit = True
        self.thread.join(10)
        assert not self.thread.is_alive()

    @property
    def port(self) -> int:
        port: int = self.server.servers[0].sockets[0].getsockname()[1]
        return port

    def ask(self, path: str, method: str = "GET") -> http.client.HTTPResponse:
        """An answer whose body is not read yet."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, headers={"Connection": "close"})
        return connection.getresponse()

    def status(self, path: str, method: str = "GET") -> int:
        answer = self.ask(path, method)
        answer.close()
        return answer.status


def path_for(ticket: str) -> str:
    return f"/live/?ticket={ticket}"


class Follower:
    """A page that follows an event; what it was told, in order."""

    def __init__(self, site: Site, code: str) -> None:
        self.told: list[dict[str, Any]] = []
        self._socket = socket.create_connection(("127.0.0.1", site.port))
        self._socket.sendall(f"GET {path_for(ticket_for(code))} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError), self._socket.makefile("rb") as lines:
            for line in lines:
                if line.startswith(b"data: "):
                    self.told.append(json.loads(line[6:]))

    @property
    def versions(self) -> list[int]:
        return [said["version"] for said in self.told if "version" in said]

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(5)


def wait_until(true: Callable[[], bool], seconds: float = 10.0) -> float:
    """Seconds it took."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < seconds, "it did not happen in time"
        time.sleep(0.01)
    return time.monotonic() - began


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture
def follow(site: Site) -> Iterator[Callable[[str], Follower]]:
    followers: list[Follower] = []

    def begin(code: str) -> Follower:
        follower = Follower(site, code)
        followers.append(follower)
        wait_until(lambda: follower.told[:1] == [{}])  # subscribed, or beside somebody who is
        return follower

    yield begin
    for follower in followers:
        follower.close()
    wait_until(lambda: not site.feed.hub._pages)


@pytest.fixture
def server() -> Iterator[redis.Redis]:
    client = redis.Redis.from_url(settings.REDIS_URL)
    yield client
    client.close()


def publish(server: redis.Redis, code: str, version: int) -> None:
    server.publish(f"tiltyard:live:{code}", json.dumps({"event": code, "version": version}))


def connected(server: redis.Redis, code: str) -> int:
    """Connections to Redis that follow an event."""
    return sum(client["name"] == f"tiltyard-live-{code}" for client in server.client_list())


def subscribers(server: redis.Redis, code: str) -> int:
    ((_, number),) = server.pubsub_numsub(f"tiltyard:live:{code}")
    return int(number)


# -- who is let in ----------------------------------------------------------------------------------------------------


def test_a_ticket_opens_the_feed_for_a_minute(site: Site) -> None:
    answer = site.ask(path_for(ticket_for("hollowmere")))
    assert (answer.status, answer.headers["content-type"], answer.headers["cache-control"]) == (
        200,
        "text/event-stream",
        "no-store",
    )
    assert answer.readline() == b"data: {}\n"
    answer.close()
    wait_until(lambda: not site.feed.hub._pages)


def test_without_a_good_ticket_nothing_is_told(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    good = ticket_for("hollowmere")
    flipped = good[:-1] + ("A" if good[-1] != "A" else "B")
    other_event = signing.dumps("elsewhere", salt=SALT).split(":")[0] + ":" + good.split(":", 1)[1]
    other_use = signing.dumps("hollowmere", salt="sign-in")
    not_a_code = signing.dumps(["hollowmere"], salt=SALT)
    with monkeypatch.context() as past:
        past.setattr(time, "time", lambda now=time.time: now() - TICKET_SECONDS - 1)
        expired = ticket_for("hollowmere")
    answers = {
        name: site.status(path_for(ticket))
        for name, ticket in {
            "empty": "",
            "nonsense": "hollowmere",
            "flipped": flipped,
            "other event": other_event,
            "other use": other_use,
            "not a code": not_a_code,
            "expired": expired,
        }.items()
    }
    assert set(answers.values()) == {403}, answers
    assert site.status("/live/") == 403
    assert not site.feed.hub._pages


def test_only_get_and_only_its_own_path(site: Site) -> None:
    good = path_for(ticket_for("hollowmere"))
    assert [site.status(good, method) for method in ("POST", "PUT", "DELETE", "HEAD")] == [405] * 4
    assert site.status(good.replace("/live/", "/live/x/")) == 404
    assert site.status(good.replace("/live/", "/")) == 404


def test_everything_else_goes_to_the_application_behind() -> None:
    asked: list[str] = []

    async def behind(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope["path"])

    async def ask() -> None:
        feed = LiveFeed(otherwise=behind)
        for path in ("/", "/live", "/live/x", "/e/hollowmere/"):
            await feed({"type": "http", "method": "GET", "path": path}, None, None)  # type: ignore[arg-type]

    asyncio.run(ask())
    assert asked == ["/", "/live", "/live/x", "/e/hollowmere/"]


# -- what is told -----------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("packs")
def test_a_committed_change_is_there_in_two_seconds_and_the_feed_asks_no_database(
    follow: Callable[[str], Follower], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: Made = make_event(players=0)
    askers: set[str] = set()
    cursor = BaseDatabaseWrapper.cursor

    def watched(self: BaseDatabaseWrapper) -> Any:
        askers.add(threading.current_thread().name)
        return cursor(self)

    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", watched)
    page = follow(made.event.code)
    change = registration.add_player(event_id=made.event.pk, actor=made.by_organiser, name="Guest One")
    assert wait_until(lambda: page.versions == [change.version]) < SECONDS
    assert page.told[-1] == {"event": made.event.code, "version": change.version}
    assert askers == {"MainThread"}


def test_twenty_pages_share_one_subscription(follow: Callable[[str], Follower], server: redis.Redis) -> None:
    pages = [follow("hollowmere") for _ in range(20)]
    assert subscribers(server, "hollowmere") == 1
    assert connected(server, "hollowmere") == 1
    publish(server, "hollowmere", 7)
    wait_until(lambda: all(page.versions == [7] for page in pages), SECONDS)


def test_a_page_of_another_event_hears_nothing(follow: Callable[[str], Follower], server: redis.Redis) -> None:
    one, other = follow("hollowmere"), follow("elsewhere")
    for version in (1, 2, 3):
        publish(server, "hollowmere", version)
    publish(server, "elsewhere", 9)
    wait_until(lambda: other.versions == [9] and one.versions == [1, 2, 3])


def test_a_page_that_comes_later_is_asked_to_compare_too(follow: Callable[[str], Follower]) -> None:
    """It may have missed a version between its rendering and now, and the subscription of the first says nothing."""
    follow("hollowmere")
    assert follow("hollowmere").told == [{}]


def test_a_lost_subscription_is_taken_up_again_and_pages_are_told_to_compare(
    follow: Callable[[str], Follower], server: redis.Redis
) -> None:
    page = follow("hollowmere")
    server.client_kill_filter(_type="pubsub")
    wait_until(lambda: page.told == [{}, {}])
    publish(server, "hollowmere", 8)
    wait_until(lambda: page.versions == [8])


# -- who leaves, and who does not read --------------------------------------------------------------------------------


def test_who_leaves_leaves_nothing_behind(site: Site, server: redis.Redis) -> None:
    first, second = Follower(site, "hollowmere"), Follower(site, "hollowmere")
    wait_until(lambda: first.told[:1] == [{}] and second.told[:1] == [{}])
    assert connected(server, "hollowmere") == 1
    first.close()
    wait_until(lambda: len(site.feed.hub._pages.get("hollowmere", ())) == 1)
    publish(server, "hollowmere", 5)
    wait_until(lambda: second.versions == [5])
    second.close()
    wait_until(lambda: not site.feed.hub._pages and not site.feed.hub._readers)
    wait_until(lambda: subscribers(server, "hollowmere") == 0)
    wait_until(lambda: connected(server, "hollowmere") == 0)


def test_a_page_that_does_not_read_keeps_only_the_newest() -> None:
    async def told() -> list[bytes]:
        hub = Hub()
        async with hub.follow("hollowmere") as queue, hub.follow("hollowmere") as reader:
            await asyncio.wait_for(queue.get(), 5)  # subscribed
            for version in range(1000):
                hub._put("hollowmere", str(version).encode())
                while not reader.empty():
                    reader.get_nowait()
            return [queue.get_nowait() for _ in range(queue.qsize())]

    assert asyncio.run(told()) == [str(version).encode() for version in range(1000 - QUEUE, 1000)]


def test_a_page_that_does_not_read_holds_up_nobody(
    site: Site, follow: Callable[[str], Follower], server: redis.Redis
) -> None:
    with socket.create_connection(("127.0.0.1", site.port)) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        deaf.sendall(f"GET /live/?ticket={ticket_for('hollowmere')} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        wait_until(lambda: len(site.feed.hub._pages.get("hollowmere", ())) == 1)
        wait_until(lambda: subscribers(server, "hollowmere") == 1)
        page = follow("hollowmere")
        padding = "x" * 50_000
        for version in range(1, 101):
            server.publish("tiltyard:live:hollowmere", json.dumps({"version": version, "padding": padding}))
        wait_until(lambda: page.versions[-1:] == [100])
        assert max(queue.qsize() for queue in site.feed.hub._pages["hollowmere"]) <= QUEUE
