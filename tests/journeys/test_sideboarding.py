"""Cards change places between games by a thumb on + and −, and the sizes follow."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from cards.engine.streams import Stream
from config.demo.deckbuilding import deck_text, designed_deck
from tests.events.factories import SECRET, make_event, user_of
from tests.journeys.conftest import Cast, session_of

pytestmark = pytest.mark.browser


@dataclass(frozen=True)
class Table:
    """``main`` and ``side`` name a card of each part."""

    address: str
    session: str
    main: str
    side: str


@pytest.fixture
def table(site: str) -> Table:
    made = make_event(code="open", players=2, started=True)
    text = deck_text(designed_deck(Stream(SECRET, "deck"), made.event.game, sideboard=True))
    for player in made.players:
        assert made.submit(player, text) == "legal"
    player = made.players[0]
    match = made.match_of(player, made.post_round())
    entries = player.submissions.get(replaced_at=None).decklist.entries
    main, side = (next(entry for entry in entries if entry["zone"] == zone) for zone in ("main", "side"))
    names = (f"{entry['count']} × {entry['name']}" for entry in (main, side))
    return Table(f"/e/open/me/match/{match.pk}/game/2/", session_of(user_of(player)), *names)


def test_a_swap_by_plus_and_minus_is_judged_at_once_recorded_and_gone_on_from(table: Table, cast: Cast) -> None:
    page = cast.sign_in(cast.person(), table.session)
    page.goto(table.address)
    main, side = page.get_by_label(table.main, exact=True), page.get_by_label(table.side, exact=True)
    more_main = page.get_by_role("button", name=f"One more: {table.main}")
    more_side = page.get_by_role("button", name=f"One more: {table.side}")
    less_main = page.get_by_role("button", name=f"One fewer: {table.main}")
    sizes = page.locator("#sizes")

    less_main.click()
    expect(main).to_have_value("0")
    more_side.click()
    expect(sizes).to_contain_text("Main deck 61 of 60 registered")
    expect(sizes).to_contain_text("Sideboard 14 of 15 registered")
    more_main.click()
    expect(sizes).to_contain_text("Main deck 60 of 60 registered")
    expect(sizes).to_contain_text("This may be played.")
    for _ in range(int(table.main.split()[0]) + 2):
        more_main.click()
    expect(main).to_have_value(table.main.split()[0])
    for _ in range(int(table.main.split()[0]) - 1):
        less_main.focus()
        page.keyboard.press("Enter")
    expect(main).to_have_value("1")
    expect(sizes).to_contain_text("This may be played.")
    box = more_main.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 24

    page.get_by_role("button", name="Play game 2 with this").click()
    expect(page.get_by_text("Game 2: 2 cards changed places.")).to_be_visible()
    page.get_by_role("link", name="Game 3").click()
    expect(page.get_by_text("The numbers are those of game 2")).to_be_visible()
    expect(main).to_have_value("1")
    expect(side).to_have_value("1")
    expect(sizes).to_contain_text("Main deck 60 of 60 registered")
