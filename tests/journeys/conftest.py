from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.test import Client
from playwright.sync_api import Browser, Page

from accounts.models import User
from tests import browsers
from tests.events.factories import load_packs


@pytest.fixture
def site(transactional_db: None) -> Iterator[str]:
    load_packs()
    with browsers.site() as address:
        yield address


@pytest.fixture
def browser(site: str) -> Iterator[Browser]:
    """Started last: from here on this thread may not ask the database."""
    with browsers.chromium() as browser:
        yield browser


def session_of(user: User) -> str:
    """Asks the database, so it is made before the browser starts."""
    client = Client()
    client.force_login(user, backend="accounts.backends.AccountBackend")
    return client.cookies["sessionid"].value


def breaches(page: Page, within: str = "body") -> list[str]:
    """The rules of accessibility that a page breaks as it is now, with where."""
    page.evaluate(AXE_SCRIPT)
    options = "{resultTypes: ['violations'], rules: {'target-size': {enabled: true}}}"
    found = page.evaluate(f"(within) => axe.run(within, {options})", within)
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found["violations"]]


class Cast:
    """People, each with a browser of their own; what goes wrong in any page is kept."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.browser, self.site = browser, site
        self.faults: list[str] = []

    def person(self, width: int = 390, height: int = 844, *, keeps_pages: bool = True) -> Page:
        """A browser of its own. One that keeps no pages has no service worker, which is less work in a crowd."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            base_url=self.site,
            service_workers="allow" if keeps_pages else "block",
        )
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)
        return page

    def sign_in(self, page: Page, session: str) -> Page:
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": self.site}])
        return page

    def signed_up(self, name: str, *, width: int = 390, height: int = 844) -> Page:
        page = self.person(width, height)
        page.goto("/account/signup/")
        page.get_by_label(re.compile("e-?mail", re.I)).fill(f"{name.split()[0].casefold()}@example.org")
        page.get_by_label("Display name").fill(name)
        page.get_by_label("Password").fill("a lance of ash wood")
        page.get_by_role("button", name="Sign up").click()
        page.wait_for_url(self.site + "/")
        return page


@pytest.fixture
def cast(browser: Browser, site: str) -> Iterator[Cast]:
    people = Cast(browser, site)
    yield people
    assert people.faults == []
