"""A phone whose network goes: what it still shows, what it sends later, and what is gone after a farewell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from events.models import ClockInterval
from tests.events.factories import make_event, user_of
from tests.journeys.conftest import Cast, session_of

pytestmark = pytest.mark.browser
KEPT = "caches.open('kept').then((kept) => kept.keys()).then((all) => all.map((one) => new URL(one.url).pathname))"

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
    """A browser writes into its console what it could not load: here that is the point."""
    yield cast
    cast.faults[:] = [fault for fault in cast.faults if "Failed to load resource" not in fault]


def until(page: Page, question: str, enough: Callable[[Any], bool]) -> None:
    """Asks the page until the answer is enough."""
    for _ in range(100):
        if enough(page.evaluate(question)):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{question} is {page.evaluate(question)}")


def arrive(page: Page, path: str) -> None:
    """Visits as somebody whose device has the worker, and waits until what the page needs is kept."""
    page.goto(path)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.reload()
    until(page, KEPT, lambda paths: len(paths) == 3)


def test_what_a_phone_shows_without_a_network_and_that_nothing_is_left_after_a_farewell(
    table: Table, cast: Cast
) -> None:
    page = cast.sign_in(cast.person(), table.ada)
    arrive(page, "/e/open/me/")
    assert sorted(page.evaluate(KEPT)) == ["/e/open/me/", "/e/open/me/decklist", "/e/open/pairings/"]

    bela = cast.sign_in(cast.person(), table.bela)
    bela.goto("/e/open/me/")
    bela.get_by_role("button", name="I won 2-1").click()
    expect(page.get_by_text("Is it right?")).to_be_visible()
    until(page, "caches.match('/e/open/me/').then((one) => one.text())", lambda kept: "Is it right?" in kept)

    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_text("Is it right?")).to_be_visible()
    expect(page.locator("[data-live-state]")).to_have_text(re.compile(r"^offline, as of \d\d:\d\d$"))
    expect(page.get_by_text(table.opponent).first).to_be_visible()
    expect(page.locator("time[data-clock]")).to_have_text(re.compile(r"^(39|40):\d\d$"))
    page.get_by_role("link", name="Pairings").click()
    expect(page.get_by_role("rowheader", name=table.opponent)).to_be_visible()
    page.goto("/e/open/me/decklist")
    expect(page.get_by_text(table.card)).to_be_visible()
    page.goto("/e/open/standings/")
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("My decklist"))).to_be_visible()

    page.context.set_offline(False)
    cast.sign_in(page, table.bela)
    page.goto("/e/open/pairings/")
    until(page, KEPT, lambda paths: paths == ["/e/open/pairings/"])
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    until(page, KEPT, lambda paths: paths == [])
    assert page.evaluate(STORED) == [[], []]
