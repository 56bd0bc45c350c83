"""Two players of a draft trade places by keyboard and by mouse."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.events.factories import make_event
from tests.journeys.conftest import Cast, breaches, session_of

pytestmark = pytest.mark.browser


@pytest.fixture
def organiser(site: str) -> str:
    made = make_event(code="open", players=6, started=True)
    made.draft_round()
    return session_of(made.organiser)


def names(page: Page) -> list[str]:
    return page.locator("[data-place]").evaluate_all("(all) => all.map((place) => place.dataset.name)")


def focused(page: Page) -> str:
    return page.evaluate("document.activeElement.dataset.name || ''")


def test_two_trade_places_by_arrows_and_enter_or_by_a_drag_and_each_step_is_told(organiser: str, cast: Cast) -> None:
    page = cast.sign_in(cast.person(1280, 900), organiser)
    page.goto("/e/open/desk/round/1/")
    before = names(page)
    said = page.locator("#places-said")
    assert page.locator("[data-place][tabindex='0']").count() == 1

    page.locator("[data-place][tabindex='0']").focus()
    page.keyboard.press("Enter")
    expect(said).to_contain_text(f"{before[0]} is picked up.")
    page.keyboard.press("ArrowDown")
    assert focused(page) == before[1]
    page.keyboard.press("Escape")
    expect(said).to_have_text("Put back. Nothing was changed.")
    expect(page.locator("[aria-pressed=true]")).to_have_count(0)

    page.keyboard.press("Space")
    assert breaches(page) == []
    page.evaluate("document.getElementById('round').dataset.before = ''; htmx.trigger(document.body, 'refresh')")
    expect(page.locator("#round:not([data-before])")).to_be_attached()
    expect(page.locator("[aria-pressed=true]")).to_have_attribute("data-name", before[1])
    page.keyboard.press("End")
    assert focused(page) == before[5]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"{before[1]} and {before[3]} take each other’s place.")).to_be_visible()
    expect(page.get_by_label("Why")).to_be_focused()
    page.keyboard.type("Brothers")
    page.keyboard.press("Enter")
    expect(page.get_by_text("They have traded places.")).to_be_visible()
    after = names(page)
    assert (set(after[:2]), set(after[2:4])) == ({before[0], before[3]}, {before[2], before[1]})

    page.get_by_role("button", name=re.compile(after[0])).hover()
    page.mouse.down()
    page.get_by_role("button", name=re.compile(after[5])).hover()
    page.mouse.up()
    expect(page.get_by_text(f"{after[0]} and {after[5]} take each other’s place.")).to_be_visible()
