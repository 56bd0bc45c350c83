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

from config.live import LATE_SECONDS, PAGES_A_SECOND, QUEUE, SALT, TICKET_SECONDS, Hub, LiveFeed, Page
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

    def __init__(self, site: Site, code: str, player: int | None = None, own: bool = False) -> None:
        self.told: list[dict[str, Any]] = []
        self._socket = socket.create_connection(("127.0.0.1", site.port))
        path = path_for(ticket_for(code, player)) + ("&own=1" if own else "")
        self._socket.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
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
def follow(site: Site) -> Iterator[Callable[..., Follower]]:
    followers: list[Follower] = []

    def begin(code: str, player: int | None = None, own: bool = False) -> Follower:
        follower = Follower(site, code, player, own)
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


def publish(server: redis.Redis, code: str, version: int, **more: Any) -> None:
    server.publish(f"tiltyard:live:{code}", json.dumps({"event": code, "version": version, **more}))


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
    not_a_code = signing.dumps("hollowmere", salt=SALT)
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
    follow: Callable[..., Follower], monkeypatch: pytest.MonkeyPatch
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


def test_twenty_pages_share_one_subscription(follow: Callable[..., Follower], server: redis.Redis) -> None:
    pages = [follow("hollowmere") for _ in range(20)]
    assert subscribers(server, "hollowmere") == 1
    assert connected(server, "hollowmere") == 1
    publish(server, "hollowmere", 7)
    wait_until(lambda: all(page.versions == [7] for page in pages), SECONDS)


def test_a_page_of_another_event_hears_nothing(follow: Callable[..., Follower], server: redis.Redis) -> None:
    one, other = follow("hollowmere"), follow("elsewhere")
    for version in (1, 2, 3):
        publish(server, "hollowmere", version)
    publish(server, "elsewhere", 9)
    wait_until(lambda: other.versions == [9] and one.versions == [1, 2, 3])


def test_a_page_that_comes_later_is_asked_to_compare_too(follow: Callable[..., Follower]) -> None:
    """It may have missed a version between its rendering and now, and the subscription of the first says nothing."""
    follow("hollowmere")
    assert follow("hollowmere").told == [{}]


def test_a_lost_subscription_is_taken_up_again_and_pages_are_told_to_compare(
    follow: Callable[..., Follower], server: redis.Redis
) -> None:
    page = follow("hollowmere")
    server.client_kill_filter(_type="pubsub")
    wait_until(lambda: page.told == [{}, {}])
    publish(server, "hollowmere", 8)
    wait_until(lambda: page.versions == [8])


def test_what_concerns_two_players_is_told_to_them_at_once_and_to_the_others_together(
    follow: Callable[..., Follower], server: redis.Redis
) -> None:
    mine, guest = follow("hollowmere", player=7, own=True), follow("hollowmere")
    other, looking_on = follow("hollowmere", player=8, own=True), follow("hollowmere", player=8)
    for version in (1, 2, 3):
        publish(server, "hollowmere", version, players=[7, 9])
    wait_until(lambda: mine.versions == [1, 2, 3], LATE_SECONDS[0])
    assert (guest.versions, looking_on.versions) == ([], [])
    wait_until(lambda: guest.versions == looking_on.versions == [3])
    assert [said.get("own") for said in mine.told if "version" in said] == [True, True, True]
    publish(server, "hollowmere", 4)
    wait_until(lambda: all(page.versions[-1:] == [4] for page in (mine, guest, other, looking_on)))
    assert other.versions == [4]
    assert not any("own" in said for page in (guest, other, looking_on) for said in page.told)
    assert "own" not in mine.told[-1]


def test_what_concerns_everybody_takes_with_it_what_others_had_not_heard_yet(
    follow: Callable[..., Follower], server: redis.Redis
) -> None:
    guest = follow("hollowmere")
    publish(server, "hollowmere", 1, players=[7])
    publish(server, "hollowmere", 2)
    wait_until(lambda: guest.versions == [2], LATE_SECONDS[0])
    time.sleep(LATE_SECONDS[0] + 0.2)
    assert guest.versions == [2]


def test_nobody_says_that_a_page_is_its_own_without_a_player(
    follow: Callable[..., Follower], server: redis.Redis
) -> None:
    guest = follow("hollowmere", own=True)
    publish(server, "hollowmere", 1, players=[7])
    wait_until(lambda: guest.versions == [1])


def test_news_are_told_to_whom_they_are_for_and_to_nobody_else(
    follow: Callable[..., Follower], server: redis.Redis
) -> None:
    mine, other = follow("hollowmere", player=7), follow("hollowmere", player=8)
    publish(server, "hollowmere", 1, news={"7": "Round 3: table 12"})
    wait_until(lambda: mine.versions == other.versions == [1])
    assert mine.told[-1] == {"event": "hollowmere", "version": 1, "news": "Round 3: table 12"}
    assert other.told[-1] == {"event": "hollowmere", "version": 1}


def test_the_pages_of_a_large_hall_are_told_within_which_time_to_ask() -> None:
    async def told() -> list[dict[str, Any]]:
        hub = Hub()
        pages = [Page() for _ in range(PAGES_A_SECOND * 2)]
        hub._pages["hollowmere"] = set(pages)
        hub._put("hollowmere", {"event": "hollowmere", "version": 1})
        return [json.loads(page.queue.get_nowait()) for page in pages]

    assert asyncio.run(told()) == [{"event": "hollowmere", "version": 1, "within": 2000}] * (PAGES_A_SECOND * 2)


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


def test_a_page_that_does_not_read_is_told_to_look_anew_and_keeps_the_newest() -> None:
    async def told() -> list[dict[str, int]]:
        hub = Hub()
        deaf, reader = Page(), Page()
        async with hub.follow("hollowmere", deaf), hub.follow("hollowmere", reader):
            await asyncio.wait_for(deaf.queue.get(), 5)  # subscribed
            for version in range(1000):
                hub._put("hollowmere", {"version": version})
                while not reader.queue.empty():
                    reader.queue.get_nowait()
            return [json.loads(deaf.queue.get_nowait()) for _ in range(deaf.queue.qsize())]

    lost = 1000 - 1000 % QUEUE
    assert asyncio.run(told()) == [{}, *({"version": version} for version in range(lost + 1, 1000))]


def test_a_page_that_does_not_read_holds_up_nobody(
    site: Site, follow: Callable[..., Follower], server: redis.Redis
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
        assert max(page.queue.qsize() for page in site.feed.hub._pages["hollowmere"]) <= QUEUE
