"""From an organiser with an idea to standings that change by themselves, in real browsers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from cards.engine.streams import Stream
from cards.models import Game
from config.demo.deckbuilding import deck_text, designed_deck
from tests.events.factories import too_many_copies
from tests.journeys.conftest import Cast

pytestmark = pytest.mark.browser


@pytest.fixture
def legal(site: str) -> str:
    """Written before the browser starts."""
    return deck_text(designed_deck(Stream(bytes(32), "journey"), Game.objects.get(slug="epic"), sideboard=False))


def hand_in(page: Page, event: str, text: str) -> None:
    page.goto(f"{event}me/decklist")
    page.get_by_label("Decklist").fill(text)
    page.get_by_role("button", name="Hand in").click()


def enter(page: Page, event: str, name: str) -> None:
    page.goto(event)
    page.get_by_role("button", name=f"Register as {name}").click()
    expect(page.get_by_role("heading", name="Before round 1")).to_be_visible()


def press(page: Page, name: str | re.Pattern[str]) -> None:
    """A desk button, and the dialog that names its consequence."""
    page.get_by_role("button", name=name).first.click()
    dialog = page.get_by_role("dialog")
    if dialog.count() and dialog.is_visible():
        dialog.get_by_role("button").last.click()
    page.wait_for_load_state()


def test_two_players_go_from_sign_up_to_standings_that_change_by_themselves(legal: str, cast: Cast) -> None:
    organiser = cast.signed_up("Odile Marchetti", width=1280, height=900)
    organiser.goto("/e/new")
    organiser.get_by_label("Template").select_option(label="Epic Designed Deck")
    organiser.get_by_label("Name", exact=True).fill("First Tilt")
    organiser.get_by_label("Starts at").fill("2027-03-05T10:00")
    organiser.get_by_role("button", name="Make the event").click()
    organiser.wait_for_url(re.compile(r"/e/[^/]+/desk/$"))
    desk = organiser.url
    event = desk.removesuffix("desk/")

    ada, bram = cast.signed_up("Ada Lindqvist"), cast.signed_up("Bram Okafor")
    enter(ada, event, "Ada Lindqvist")
    enter(bram, event, "Bram Okafor")

    hand_in(ada, event, too_many_copies(legal) + "1 Quill of Nobody\n")
    verdict = ada.get_by_label("Verdict")
    expect(verdict).to_contain_text("Illegal")
    expect(verdict.locator(".violation-lines").first).to_have_text("line 2")
    last = len((too_many_copies(legal) + "1 Quill of Nobody\n").splitlines())
    expect(verdict.locator(".problem-line").first).to_have_text(f"line {last}")
    expect(verdict.get_by_role("link", name=re.compile("EPIC 12.2")).first).to_be_visible()
    hand_in(ada, event, legal)
    expect(ada.get_by_text(re.compile("legal", re.I)).first).to_be_visible()
    hand_in(bram, event, legal)
    for player in (ada, bram):
        player.goto(f"{event}me/")
        player.get_by_role("button", name="Check in").click()
        expect(player.get_by_role("heading", name="You are ready")).to_be_visible()

    hall = cast.person()
    hall.goto(f"{event}standings/")
    expect(hall.get_by_text("No standings yet")).to_be_visible()

    organiser.goto(desk)
    press(organiser, re.compile("Start the event"))
    press(organiser, re.compile("Draft round 1|Pair round 1"))
    assert "Bram Okafor" not in hall_pairings(cast, event)
    press(organiser, re.compile("Post"))

    expect(ada.get_by_text("Table 1").first).to_be_visible(timeout=2_000)  # posted, and not reloaded
    organiser.goto(desk)
    press(organiser, re.compile("Start the clock"))
    ada.get_by_role("button", name="I won 2-1").click()
    expect(ada.get_by_text("Waiting for Bram Okafor to confirm")).to_be_visible()
    bram.get_by_role("button", name=re.compile("^Yes: ")).click()
    expect(bram.get_by_text(re.compile("Confirmed: 1-2"))).to_be_visible()

    organiser.goto(desk)
    press(organiser, re.compile("Complete round 1"))
    row = hall.get_by_role("row", name=re.compile("Ada Lindqvist"))
    expect(row).to_be_visible(timeout=2_000)  # the third page was never reloaded
    expect(row).to_contain_text("3")


def hall_pairings(cast: Cast, event: str) -> str:
    """What a stranger sees of the pairings now."""
    stranger = cast.person()
    stranger.goto(f"{event}pairings/")
    text = stranger.get_by_role("main").inner_text()
    stranger.context.close()
    return text
