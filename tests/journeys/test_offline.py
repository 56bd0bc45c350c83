"""A phone whose network goes: what it still shows, what it sends later, and what is gone after a farewell."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import Page, expect

from config import installed
from events.models import ClockInterval, Match, Result, ResultReport, StaffRole
from events.queries import player_pages
from events.services import results
from tests.events.factories import actor_of, make_event, user_of
from tests.journeys.conftest import Cast, breaches, session_of

pytestmark = pytest.mark.browser
KEPT = "caches.open('kept').then((kept) => kept.keys()).then((all) => all.map((one) => new URL(one.url).pathname))"

# The device's own clock is not turned on here, so what was learnt of it has to be forgotten.
TEN_MINUTES_PASS = """localStorage.removeItem("tiltyard-clock-wrong-by"); caches.open("kept").then(async (kept) => {
  const page = await kept.match("/e/open/me/");
  const headers = new Headers(page.headers);
  headers.set("Tiltyard-Kept-At", String(Number(headers.get("Tiltyard-Kept-At")) - 600000));
  await kept.put("/e/open/me/", new Response(await page.text(), { headers })); })"""
STORED = """new Promise((resolve) => { indexedDB.open("tiltyard").onsuccess = (event) => {
  const all = ["facts", "queue"].map((name) => new Promise((found) => {
    event.target.result.transaction(name).objectStore(name).getAll().onsuccess = (one) => found(one.target.result); }));
  Promise.all(all).then(resolve); }; })"""


@dataclass(frozen=True)
class Table:
    """Round 1 is played, its clock shows about 40 minutes. ``opponent`` of Ada, and the name of a card of hers."""

    ada: str
    bela: str
    opponent: str
    card: str


@pytest.fixture
def table(site: str) -> Table:
    made = make_event(code="open", players=2, started=True)
    ada, bela = made.players
    made.post_round()
    for interval in ClockInterval.objects.all():
        interval.started_at -= timedelta(minutes=10)
        interval.save()
    entry = ada.submissions.get(replaced_at=None).decklist.entries[0]
    return Table(session_of(user_of(ada)), session_of(user_of(bela)), bela.name, entry["name"])


@pytest.fixture
def cast(cast: Cast) -> Iterator[Cast]:
    """The console says what could not be loaded: here that is the point."""
    yield cast
    away = ("Failed to load resource", "htmx:afterRequest", "htmx:sendError")
    cast.faults[:] = [fault for fault in cast.faults if not fault.startswith(away)]


def until(page: Page, question: str, enough: Callable[[Any], bool]) -> None:
    """Asks the page until the answer is enough."""
    for _ in range(100):
        if enough(page.evaluate(question)):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{question} is {page.evaluate(question)}")


def publish_another_version(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """One file that the worker keeps has changed on the server."""
    found, sheet = installed._file, folder / "offline.css"
    sheet.write_bytes(found("css/offline.css").read_bytes() + b"\n")
    monkeypatch.setattr(installed, "_file", lambda name: sheet if name == "css/offline.css" else found(name))


def arrive(page: Page, path: str) -> None:
    """Visits for the first time, and waits until the worker has come and keeps what a player needs."""
    page.goto(path)
    until(page, KEPT, lambda paths: len(paths) == 3)


def test_what_a_phone_shows_without_a_network_and_that_nothing_is_left_after_a_farewell(
    table: Table, cast: Cast, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = cast.sign_in(cast.person(), table.ada)
    arrive(page, "/e/open/me/")
    publish_another_version(monkeypatch, tmp_path)
    before = page.evaluate("caches.keys()")
    page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => null)")
    until(page, "caches.keys()", lambda names: len(names) == 2 and set(names) & set(before) == {"kept"})
    assert sorted(page.evaluate(KEPT)) == ["/e/open/me/", "/e/open/me/decklist", "/e/open/pairings/"]

    quick = player_pages.submissions_of
    monkeypatch.setattr(player_pages, "submissions_of", lambda player: time.sleep(6) or quick(player))
    page.goto("/e/open/me/decklist")
    expect(page.get_by_text(table.card)).to_be_visible()
    expect(page.get_by_text("The network was slow, so this page is as it was kept.")).to_be_visible()
    monkeypatch.setattr(player_pages, "submissions_of", quick)
    page.goto("/e/open/me/")

    bela = cast.sign_in(cast.person(), table.bela)
    bela.goto("/e/open/me/")
    expect(page.locator("[data-live-state]")).to_have_text("live")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(cast.site)))
    bela.get_by_role("button", name="I won 2-1").click()
    expect(page.get_by_text("Is it right?")).to_be_visible()
    until(page, "caches.match('/e/open/me/').then((one) => one.text())", lambda kept: "Is it right?" in kept)
    assert {path for path in asked if path.startswith("/e/open/me/")} == {"/e/open/me/match"}

    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_text("Is it right?")).to_be_visible()
    expect(page.locator("[data-live-state]")).to_have_text(re.compile(r"^offline, as of \d\d:\d\d$"))
    expect(page.get_by_text(table.opponent).first).to_be_visible()
    expect(page.locator("time[data-clock]")).to_have_text(re.compile(r"^(39|40):\d\d$"))
    page.evaluate(TEN_MINUTES_PASS)
    page.reload()
    expect(page.locator("time[data-clock]")).to_have_text(re.compile(r"^(29|30):\d\d$"))
    page.get_by_role("link", name="Pairings").click()
    expect(page.get_by_role("rowheader", name=table.opponent)).to_be_visible()
    page.goto("/e/open/me/decklist")
    expect(page.get_by_text(table.card)).to_be_visible()
    page.goto("/e/open/standings/")
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("My decklist"))).to_be_visible()
    assert breaches(page) == []

    page.context.set_offline(False)
    cast.sign_in(page, table.bela)
    page.goto("/e/open/pairings/")
    until(page, KEPT, lambda paths: paths == ["/e/open/pairings/"])
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    until(page, KEPT, lambda paths: paths == [])
    assert page.evaluate(STORED) == [[], []]


@dataclass(frozen=True)
class Hall:
    """Round 1 of ten players is played. ``players`` are by table, the first seat first."""

    ada: str
    organiser: str
    players: list[tuple[str, str]]
    match: int


@pytest.fixture
def hall(site: str) -> Hall:
    made = make_event(code="open", players=10, started=True)
    round_ = made.post_round()
    matches = Match.objects.filter(round=round_).order_by("table")
    seats = [tuple(seat.player for seat in match.seats.order_by("index")) for match in matches]
    return Hall(
        ada=session_of(user_of(seats[3][0])),
        organiser=session_of(made.organiser),
        players=[(first.name, second.name) for first, second in seats],
        match=matches[3].pk,
    )


def in_thread(work: Callable[[], Any]) -> Any:
    """In a thread of its own, because a browser's thread may not ask the database."""

    def alone() -> Any:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(alone).result()


def decide(code: str, table: int, wins_a: int, wins_b: int) -> None:
    """Another member of staff, at another screen."""
    match = Match.objects.get(event__code=code, table=table)
    role = StaffRole.objects.select_related("user").get(event=match.event_id, role="judge")
    results.decide_result(
        event_id=match.event_id, actor=actor_of(role.user), match_id=match.pk, wins_a=wins_a, wins_b=wins_b
    )


def enter(page: Page, line: str) -> None:
    page.get_by_label("Enter a result").fill(line)
    page.keyboard.press("Enter")


def stored() -> list[tuple[int, str]]:
    """What counts and what is claimed, by table."""
    counts = Result.objects.filter(superseded_at=None).order_by("match__table")
    claims = ResultReport.objects.order_by("pk")
    return [
        *((one.match.table or 0, f"{one.scores[0]['wins']}-{one.scores[0]['losses']}") for one in counts),
        *((one.match.table or 0, f"says {one.wins}-{one.losses}") for one in claims),
    ]


def test_what_is_written_without_a_network_is_sent_later_once_and_only_conflicts_ask_somebody(
    hall: Hall, cast: Cast
) -> None:
    ada = cast.sign_in(cast.person(), hall.ada)
    desk = cast.sign_in(cast.person(1280, 900), hall.organiser)
    arrive(ada, "/e/open/me/")
    desk.goto("/e/open/desk/round/1/")
    until(desk, KEPT, lambda paths: paths == ["/e/open/desk/round/1/"])
    for page in (ada, desk):
        page.context.set_offline(True)
        page.reload()

    ada.get_by_role("button", name="I won 2-0").click()
    expect(ada.get_by_label("Waiting to be sent")).to_contain_text("I won 2-0")
    ada.get_by_role("button", name="Undo", exact=True).click()
    expect(ada.get_by_label("Waiting to be sent")).to_be_hidden()
    ada.get_by_role("button", name="I won 2-1").click()
    for line in ("1 20", "2 02", "3 21"):
        enter(desk, line)
    waiting = desk.get_by_label("Waiting to be sent")
    expect(waiting.get_by_role("listitem")).to_have_count(3)
    for page in (ada, desk):
        page.reload()
    expect(ada.get_by_label("Waiting to be sent")).to_contain_text("I won 2-1")
    expect(waiting.get_by_role("listitem")).to_have_count(3)
    assert breaches(ada) == []
    assert in_thread(stored) == []
    in_thread(lambda: decide("open", 2, 2, 0))

    for page in (ada, desk):
        page.context.set_offline(False)
    expect(ada.get_by_text("You said 2-1")).to_be_visible()
    expect(ada.get_by_label("Waiting to be sent")).to_be_hidden()
    expect(waiting.get_by_role("listitem")).to_have_count(1)
    assert breaches(desk, "#waiting") == []
    expect(waiting).to_contain_text(f"{hall.players[1][0]} 2-0 {hall.players[1][1]}, confirmed")
    assert in_thread(stored) == [(1, "2-0"), (2, "2-0"), (3, "2-1"), (4, "says 2-1")]
    waiting.get_by_label("Why").fill("The slip says 0-2.")
    waiting.get_by_role("button", name="Send as correction").click()
    expect(waiting).to_be_hidden()
    assert in_thread(stored) == [(1, "2-0"), (2, "0-2"), (3, "2-1"), (4, "says 2-1")]

    enter(desk, "77 20")
    expect(desk.get_by_text("Round 1 has no table 77.")).to_be_visible()
    expect(desk.get_by_label("Enter a result")).to_have_value("77 20")
    enter(desk, "5 20")
    expect(desk.get_by_text("Table 5: 2-0.")).to_be_visible()
    expect(desk.get_by_label("Enter a result")).to_have_value("")
    assert in_thread(stored)[-2:] == [(5, "2-0"), (4, "says 2-1")]


def test_a_queue_outlives_its_session_and_ends_with_a_farewell(table: Table, cast: Cast) -> None:
    page = cast.sign_in(cast.person(), table.ada)
    arrive(page, "/e/open/me/")
    waiting = page.get_by_label("Waiting to be sent")
    page.context.set_offline(True)
    page.get_by_role("button", name="I won 2-1").click()
    expect(waiting).to_contain_text("I won 2-1")
    page.context.clear_cookies()
    page.context.set_offline(False)
    expect(waiting).to_contain_text("Log in again to send it.")
    assert in_thread(stored) == []

    cast.sign_in(page, table.ada)
    page.reload()
    expect(waiting).to_be_hidden()
    expect(page.get_by_text("You said 2-1")).to_be_visible()
    assert in_thread(stored) == [(1, "says 2-1")]

    page.context.set_offline(True)
    page.get_by_role("button", name="Undo my report").click()
    expect(waiting).to_contain_text("Undo my report")
    page.get_by_role("button", name="Log out").click()
    dialog = page.get_by_role("dialog", name="Log out and throw away what waits?")
    expect(dialog).to_contain_text("One entry was not sent yet.")
    dialog.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    expect(page.get_by_text("Log out once more when the network is back")).to_be_visible()
    assert page.evaluate(STORED) == [[], []]
    assert page.evaluate(KEPT) == []
