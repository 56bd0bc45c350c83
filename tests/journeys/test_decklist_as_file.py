"""A player hands in a decklist that another program wrote, on a phone, by hand and without JavaScript."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.events.factories import Made, legal_text, make_event, user_of
from tests.journeys.conftest import Cast, session_of

pytestmark = pytest.mark.browser

DROP = """(box, text) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], "deck.json", {type: "application/json"}));
  for (const name of ["dragenter", "drop"])
    box.dispatchEvent(new DragEvent(name, {dataTransfer: carried, bubbles: true, cancelable: true}));
}"""


@pytest.fixture
def made(site: str) -> Made:
    return make_event(code="open", players=1)


@pytest.fixture
def file(made: Made) -> str:
    """A legal deck as JSON."""
    rows = (line.partition(" ")[::2] for line in legal_text(made.event).splitlines() if line[:1].isdigit())
    return json.dumps({"main": [{"name": name, "count": int(count)} for count, name in rows]})


@pytest.fixture
def session(made: Made, file: str) -> str:
    return session_of(user_of(made.players[0]))


def hand_in(page: Page) -> None:
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Handed in and legal.")).to_be_visible()


def test_a_file_is_chosen_or_dropped_judged_and_handed_in(session: str, file: str, cast: Cast) -> None:
    page = cast.sign_in(cast.person(), session)
    page.goto("/e/open/me/decklist")
    box = page.get_by_label("Decklist", exact=True)
    page.get_by_label("Or a file").set_input_files(
        {"name": "deck.json", "mimeType": "application/json", "buffer": file.encode()}
    )
    expect(page.locator("#verdict")).to_contain_text("Read as JSON")
    expect(page.get_by_label("Verdict")).to_contain_text("Legal")
    expect(box).not_to_have_value(re.compile('"count"'))

    box.fill("3 Quill of Nobody")
    expect(page.get_by_label("Verdict")).to_contain_text("not understood")
    page.get_by_role("button", name="Go to line 1").click()
    expect(box).to_be_focused()
    box.evaluate(DROP, file)
    expect(page.get_by_label("Verdict")).to_contain_text("Legal")

    box.fill(file)
    expect(page.get_by_role("button", name="Turn it into a plain list")).to_be_visible()
    hand_in(page)


def test_a_file_is_handed_in_by_keyboard_without_javascript(session: str, file: str, cast: Cast) -> None:
    context = cast.browser.new_context(
        viewport={"width": 390, "height": 844}, base_url=cast.site, java_script_enabled=False
    )
    page = cast.sign_in(context.new_page(), session)
    page.goto("/e/open/me/decklist")
    page.get_by_label("Decklist", exact=True).focus()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Or a file")).to_be_focused()
    page.get_by_label("Or a file").set_input_files(
        {"name": "deck.json", "mimeType": "application/json", "buffer": file.encode()}
    )
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Hand in")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Handed in and legal.")).to_be_visible()
