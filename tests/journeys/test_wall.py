"""The board on the wall goes on by itself: it turns its pages, outlives its server, and shows the next round."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.db.models import F
from playwright.sync_api import Browser, Page, expect

from events.models import Event, Round
from tests.events.factories import Made, make_event
from tests.events.halls import hall

pytestmark = pytest.mark.browser
TURN = 8_000


@pytest.fixture
def made(site: str) -> Made:
    made = make_event(code="open", players=0)
    Event.objects.filter(code="open").update(state="running")
    return made


def elsewhere(work: object) -> None:
    """In a thread of its own, because a browser's thread may not ask the database."""

    def alone() -> None:
        try:
            work()  # type: ignore[operator]
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(alone).result()


def next_round(made: Made, number: int, players: int) -> None:
    Round.objects.filter(event=made.event).update(state="complete")
    hall(made, players, number=number)
    Event.objects.filter(pk=made.event.pk).update(version=F("version") + 1)


@pytest.fixture
def wall(made: Made, site: str, browser: Browser) -> Iterator[Page]:
    page = browser.new_context(viewport={"width": 1280, "height": 720}, base_url=site).new_page()
    page.set_default_timeout(15_000)
    page.clock.install()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    assert faults == []


def names(page: Page) -> list[str]:
    return page.locator(".wall-rows > li:visible .wall-name").all_inner_texts()


def overflow(page: Page) -> list[str]:
    """What is not wholly on the screen, and whether there is anything to scroll."""
    return page.evaluate(
        """() => {
          const cut = [...document.querySelectorAll(".wall-rows > li, .wall-side h1, .wall-clock .clock > *")]
            .filter((item) => item.getClientRects().length)
            .filter((item) => { const box = item.getBoundingClientRect();
              return box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < 0 || box.top < 0; })
            .map((item) => item.textContent);
          const root = document.scrollingElement;
          if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) cut.push("there is a scroll bar");
          return cut;
        }"""
    )


@pytest.mark.parametrize(
    ("players", "size"), [(60, (1280, 720)), (60, (1920, 1080)), (500, (1920, 1080)), (130, (1280, 720))]
)
def test_every_name_comes_by_in_order_eight_seconds_a_page_and_nothing_is_cut(
    players: int, size: tuple[int, int], made: Made, wall: Page
) -> None:
    elsewhere(lambda: next_round(made, 1, players))
    wall.set_viewport_size({"width": size[0], "height": size[1]})
    wall.goto("/e/open/wall/")
    seen = []
    pages = int(wall.locator("[data-wall-pages]").inner_text().split()[-1])
    assert 1 < pages <= 8
    for page in range(1, pages + 1):
        expect(wall.locator("[data-wall-pages]")).to_have_text(f"Page {page} of {pages}")
        seen += names(wall)
        assert overflow(wall) == []
        wall.clock.run_for(TURN)
    assert seen == [f"Family{n:04d}, Given{n}" for n in range(players)]
    expect(wall.locator("[data-wall-pages]")).to_have_text(f"Page 1 of {pages}")
    assert wall.evaluate("getComputedStyle(document.body).cursor") == "none"


def test_it_outlives_its_server_and_shows_the_next_round_without_a_touch(made: Made, wall: Page) -> None:
    elsewhere(lambda: next_round(made, 1, 60))
    wall.goto("/e/open/wall/")
    away = wall.locator(".wall-away")
    expect(wall.get_by_text("Round 1: find your table")).to_be_visible()

    wall.context.set_offline(True)
    for _ in range(12):
        before = names(wall)
        wall.clock.run_for(TURN)
        wall.wait_for_timeout(50)
    assert (names(wall) != before, len(names(wall)) > 0) == (True, True)
    expect(away).to_be_visible()
    assert overflow(wall) == []

    wall.context.set_offline(False)
    wall.route("**/wall/", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"))
    for _ in range(4):
        wall.clock.run_for(20_000)
        wall.wait_for_timeout(100)
    expect(away).to_be_visible()
    wall.unroute("**/wall/")
    wall.route("**/wall/", lambda route: route.fulfill(status=200, body="<h1>Log in to the hall's network</h1>"))
    wall.clock.run_for(20_000)
    expect(wall.get_by_text("Round 1: find your table")).to_be_visible()
    wall.unroute("**/wall/")

    elsewhere(lambda: next_round(made, 2, 20))
    for _ in range(50):  # a question that is on its way sets the next one only when it is back
        wall.clock.run_for(20_000)
        wall.wait_for_timeout(100)
        if wall.get_by_text("Round 2: find your table").is_visible():
            break
    expect(wall.get_by_text("Round 2: find your table")).to_be_visible()
    expect(away).to_be_hidden()
    expect(wall.locator(".wall-rows > li")).to_have_count(20)


def test_a_day_of_boards_leaves_nothing_behind(made: Made, wall: Page) -> None:
    elsewhere(lambda: next_round(made, 1, 60))
    wall.goto("/e/open/wall/")
    body = wall.evaluate("fetch(location.href, {headers: {'HX-Request': 'true'}}).then((answer) => answer.text())")
    asked = []

    def answer(route) -> None:  # type: ignore[no-untyped-def]
        asked.append(route)
        route.fulfill(status=200, body=body, headers={"ETag": f'"{len(asked)}"'})

    wall.route("**/wall/", answer)
    tools = wall.context.new_cdp_session(wall)
    tools.send("Performance.enable")

    def nodes() -> float:
        tools.send("HeapProfiler.collectGarbage")
        found = tools.send("Performance.getMetrics")["metrics"]
        return next(row["value"] for row in found if row["name"] == "Nodes")

    def pass_boards(count: int) -> None:
        while len(asked) < count:
            wall.clock.run_for(4_000)
            wall.wait_for_timeout(20)

    pass_boards(20)
    before = nodes()
    pass_boards(150)
    assert nodes() <= before * 1.1 + 100
    assert len(names(wall)) > 0
