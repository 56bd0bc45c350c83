from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

LIVE = """
<body data-live-event="spring" data-live-version="1" data-live-ticket-url="/ticket" data-live-version-url="/version">
  <p data-live-state role="status"></p>
  <div id="part" hx-get="/fragment" hx-trigger="refresh from:body">as loaded</div>
</body>"""


def opened(hall, page, inside: str) -> None:
    """The live page with this in place of its part, once it follows the feed."""
    hall.body = LIVE[: LIVE.index("<div")] + inside + "</body>"
    page.goto(hall.url)
    expect(page.locator("[data-live-state]")).to_have_text("live")


def renewed(hall, page, more: str = "") -> None:
    """The live page with a part that each answer takes the place of."""
    part = f'<div hx-get="/fragment" hx-trigger="refresh from:body" hx-swap="outerHTML"{more}>{{}}</div>'
    hall.part = part.replace("{}", "now version {}")
    opened(hall, page, part.format("as loaded"))


def test_a_published_version_renews_the_fragment_without_a_reload(hall, page):
    hall.body = LIVE
    page.goto(hall.url)
    expect(page.locator("[data-live-state]")).to_have_text("live")

    hall.publish()

    expect(page.locator("#part")).to_have_text("now version 2", timeout=2000)
    assert (hall.asked["/"], hall.asked["/fragment"]) == (1, 1)


def test_what_is_published_while_an_older_fragment_is_on_its_way_is_not_lost(hall, page):
    hall.slowness = 0.6
    renewed(hall, page)

    hall.publish()
    while not hall.asked["/fragment"]:
        page.wait_for_timeout(20)
    hall.publish()

    expect(page.get_by_text("now version 3")).to_be_visible()


def test_a_long_part_rests_before_it_is_asked_for_again(hall, page):
    renewed(hall, page, ' data-rest="2000"')

    hall.publish()
    expect(page.get_by_text("now version 2")).to_be_visible()
    hall.publish()
    hall.publish()
    page.wait_for_timeout(700)
    assert hall.asked["/fragment"] == 1

    expect(page.get_by_text("now version 4")).to_be_visible()
    assert hall.asked["/fragment"] == 2


def test_only_the_own_match_is_renewed_where_nothing_else_has_changed(hall, page):
    whole = '<div id="part" hx-get="/fragment" hx-trigger="refresh from:body" hx-swap="outerHTML">{}</div>'
    own = '<div id="my-match" hx-get="/own" hx-trigger="refresh-own from:body">my match</div>'
    opened(hall, page, whole.format(own))

    for feed in hall.feeds:
        feed.put('{"event": "spring", "version": 2, "own": true}')
    page.wait_for_timeout(500)
    assert (hall.asked["/own"], hall.asked["/fragment"]) == (1, 0)

    hall.version = 2
    hall.publish()
    expect(page.get_by_text("now version 3")).to_be_visible()
    assert (hall.asked["/own"], hall.asked["/fragment"]) == (1, 1)


def test_a_whole_page_that_came_before_an_own_change_is_asked_for_again(hall, page):
    """Where others' results stand beside the match, the page has no part of its own, and renews itself whole."""
    part = '<div data-version="{}" hx-get="/fragment" hx-trigger="refresh from:body" hx-swap="outerHTML">{}</div>'
    hall.part = part.replace("{}</div>", "version {0}</div>").replace('"{}"', '"{0}"')
    opened(hall, page, part.format(1, "as loaded"))

    for feed in hall.feeds:
        feed.put('{"event": "spring", "version": 3, "own": true}')
    expect(page.get_by_text("version 1")).to_be_visible()
    hall.version = 3

    expect(page.get_by_text("version 3")).to_be_visible(timeout=8000)


def test_what_comes_while_a_new_part_does_not_listen_yet_is_not_lost(hall, page):
    renewed(hall, page)
    page.evaluate(
        """() => document.addEventListener("htmx:afterRequest", () => {
            document.dispatchEvent(new Event("tiltyard:changed"));
        }, { once: true })"""
    )

    hall.publish()
    page.wait_for_timeout(1000)

    assert hall.asked["/fragment"] == 2


def test_an_old_version_and_another_event_renew_nothing(hall, page):
    hall.body = LIVE
    page.goto(hall.url)
    expect(page.locator("[data-live-state]")).to_have_text("live")

    for feed in hall.feeds:
        feed.put('{"event": "spring", "version": 1}')
        feed.put('{"event": "autumn", "version": 9}')
    page.wait_for_timeout(800)

    assert hall.asked["/fragment"] == 0
    expect(page.locator("#part")).to_have_text("as loaded")


def test_what_happened_while_the_page_was_on_its_way_is_fetched(hall, page):
    hall.body = LIVE
    hall.version = 5

    page.goto(hall.url)

    expect(page.locator("#part")).to_have_text("now version 5")


def test_the_page_asks_for_itself_while_the_feed_is_away_and_says_so(hall, page):
    hall.body = LIVE
    page.goto(hall.url)
    expect(page.locator("[data-live-state]")).to_have_text("live")

    hall.take_feed_away()
    expect(page.locator("[data-live-state]")).to_have_text("updating every few seconds")
    hall.publish()

    expect(page.locator("#part")).to_have_text("now version 2", timeout=4000)
    page.wait_for_timeout(3000)
    assert hall.asked["not modified"] >= 1
    assert hall.asked["/fragment"] == 1


def test_the_page_returns_to_the_feed_with_a_new_ticket(hall, page):
    hall.body = LIVE
    hall.has_feed = False
    page.goto(hall.url)
    expect(page.locator("[data-live-state]")).to_have_attribute("data-state", "polling")

    hall.has_feed = True

    expect(page.locator("[data-live-state]")).to_have_text("live", timeout=11_000)
    hall.publish()
    expect(page.locator("#part")).to_have_text("now version 2", timeout=2000)


def test_a_page_without_a_network_says_that_it_may_be_old(hall, page):
    hall.body = LIVE
    hall.has_feed = False
    page.goto(hall.url)
    expect(page.locator("[data-live-state]")).to_have_attribute("data-state", "polling")

    page.context.set_offline(True)

    expect(page.locator("[data-live-state]")).to_have_text(re.compile(r"^offline, as of \d\d:\d\d$"))


def clock(deadline: str, **more: str) -> str:
    extra = " ".join(f'data-{name.replace("_", "-")}="{value}"' for name, value in more.items())
    now = "2026-05-01T12:00:00+02:00"
    return f'<body><time data-clock data-deadline="{deadline}" data-server-now="{now}" {extra}>x</time></body>'


@pytest.mark.parametrize(
    ("deadline", "text", "state"),
    [
        ("2026-05-01T10:42:17Z", r"42:1[67]", "running"),
        ("2026-05-01T12:04:59+02:00", r"4:5[89]", "soon"),
        ("2026-05-01T11:58:30+02:00", r"\+1:3\d", "overtime"),
        ("2026-05-01T13:30:05+02:00", r"1:30:0[45]", "running"),
    ],
)
def test_a_clock_counts_from_what_the_server_said_whatever_the_phone_thinks(hall, page, deadline, text, state):
    page.clock.set_system_time("1999-12-31T23:59:00Z")
    hall.body = clock(deadline, running="1")

    page.goto(hall.url)

    expect(page.locator("time")).to_have_text(re.compile(f"^{text}$"))
    expect(page.locator("time")).to_have_attribute("data-state", state)


def test_a_clock_runs_on_and_a_stopped_one_stands(hall, page):
    hall.body = clock("2026-05-01T12:42:17+02:00", running="1") + clock("2026-05-01T12:02:05+02:00", running="0")
    page.goto(hall.url)

    expect(page.locator("time").first).to_have_text("42:15")
    expect(page.locator("time").last).to_have_text("2:05")
    expect(page.locator("time").last).to_have_attribute("data-state", "paused")


DROP = """
<body>
  <form method="post" action="/drop">
    <input name="why" required value="ill">
    <button class="button button-danger" data-confirm-title="Drop Mira?" data-confirm="She leaves after this round.">
      Drop
    </button>
  </form>
</body>"""


def test_a_grave_button_names_the_consequence_first(hall, page):
    hall.body = DROP
    page.goto(hall.url)
    page.get_by_role("button", name="Drop").click()
    dialog = page.get_by_role("dialog", name="Drop Mira?")
    expect(dialog).to_contain_text("She leaves after this round.")
    expect(dialog.get_by_role("button", name="Go back")).to_be_focused()

    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Drop")).to_be_focused()
    assert hall.asked["POST /drop"] == 0

    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Drop").click()
    expect(page.locator("body")).to_have_text("done")
    assert hall.asked["POST /drop"] == 1


def test_a_toast_stays_until_it_is_dismissed(hall, page):
    hall.body = (
        '<body><div id="toasts"><div class="toast" data-toast><span>Round 3 is posted.</span></div></div></body>'
    )
    page.goto(hall.url)
    page.wait_for_timeout(500)
    expect(page.locator(".toast")).to_contain_text("Round 3 is posted.")

    page.get_by_role("button", name="Dismiss").click()

    expect(page.locator(".toast")).to_have_count(0)


def test_ten_minutes_before_the_end_the_title_and_a_screen_reader_are_told(hall, page):
    hall.body = clock("2026-05-01T12:10:01.500+02:00", running="1") + clock(
        "2026-05-01T12:04:00+02:00", running="1", quiet=""
    )
    page.goto(hall.url)
    expect(page).to_have_title("x")

    expect(page).to_have_title("10 min left · x", timeout=3000)
    expect(page.locator("[data-clock-said]")).to_have_text("10 minutes left")


def test_a_device_that_slept_asks_the_server_for_its_time_again(hall, page):
    hall.body = '<body data-now-url="/now">' + clock("2026-05-01T12:42:17+02:00", running="1").removeprefix("<body>")
    server = {"now": "2026-05-01T10:00:00Z"}
    page.route("**/now", lambda route: route.fulfill(json=server))
    page.goto(hall.url)
    expect(page.locator("time")).to_have_text(re.compile("^42:1[567]$"))

    server["now"] = "2026-05-01T10:20:30Z"
    page.evaluate("() => { const now = Date.now.bind(Date); Date.now = () => now() + 1_200_000; }")

    expect(page.locator("time")).to_have_text(re.compile("^21:4[0-7]$"), timeout=4000)
