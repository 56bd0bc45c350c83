"""What the service worker does with a notice, as the push service of a browser hands it over."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.events.factories import make_event, user_of
from tests.journeys.conftest import Cast, session_of

pytestmark = pytest.mark.browser
SHOWN = """navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
  .then((all) => all.map((one) => [one.title, one.body, one.tag]))"""


@pytest.fixture
def ada(site: str) -> str:
    made = make_event(code="open", players=2)
    return session_of(user_of(made.players[0]))


@pytest.fixture
def cast(cast: Cast) -> Iterator[Cast]:
    """Some versions of Chromium say in the console that a private window has no push service."""
    yield cast
    cast.faults[:] = [fault for fault in cast.faults if "does not support the Push API in incognito" not in fault]


def push(page: Page, message: dict[str, str]) -> None:
    """As the browser's push service would, to the worker of the site."""
    session = page.context.new_cdp_session(page)
    registrations: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda found: registrations.extend(one["registrationId"] for one in found["registrations"]),
    )
    session.send("ServiceWorker.enable")
    for _ in range(50):
        if registrations:
            break
        page.wait_for_timeout(100)
    origin = page.evaluate("location.origin")
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": registrations[0], "data": json.dumps(message)},
    )
    page.wait_for_timeout(300)


def test_a_notice_is_shown_once_and_the_button_says_why_it_cannot_subscribe(ada: str, cast: Cast) -> None:
    page = cast.sign_in(cast.person(), ada)
    page.context.grant_permissions(["notifications"])
    page.goto("/account/notifications/")
    button = page.get_by_role("button", name="Show notices in this browser")
    expect(button).to_be_visible()
    notice = {"title": "The Open", "body": "Round 1: table 1 against Bela Quist", "path": "/e/open/me/", "tag": "k"}
    push(page, notice)
    push(page, notice)

    assert page.evaluate(SHOWN) == [["The Open", "Round 1: table 1 against Bela Quist", "k"]]
    button.click()
    expect(page.locator("[data-push-said]")).to_have_text(
        "This browser could not reach the service that brings its notices, or does not allow it here."
    )
    expect(button).to_be_enabled()
