"""A deck that comes as another program's file is mended, saved, changed, shown by a link and brought back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Cast

pytestmark = pytest.mark.browser

XML = """<?xml version="1.0"?><cockatrice_deck version="1"><zone name="main">
<card number="3" name="Barnacled Spyglass"/>
<card number="2" name="Carve Out the Nam"/>
</zone></cockatrice_deck>"""
DROP = """(box) => {
  const carried = new DataTransfer();
  carried.items.add(new File(["2 Carve Out the Name"], "deck.txt", {type: "text/plain"}));
  box.dispatchEvent(new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true}));
}"""
SELECTED = "(box) => box.value.slice(box.selectionStart, box.selectionEnd)"


def test_a_deck_comes_as_a_file_and_goes_by_a_link(cast: Cast) -> None:
    page = cast.signed_up("Odile Vance")
    page.goto("/decks/new")
    page.get_by_label("Name").fill("Bells")
    page.get_by_label("Format").select_option("engarde/standard")
    box = page.get_by_label("Decklist")
    box.fill(XML)
    expect(page.locator("#verdict")).to_contain_text("Read as Cockatrice .cod")
    expect(page.locator("#details")).to_contain_text("Barnacled Spyglass")
    page.get_by_role("button", name="Turn it into a plain list").click()
    expect(box).not_to_contain_text("<card")
    page.get_by_role("button", name="Go to line").click()
    assert box.evaluate(SELECTED) == "2x Carve Out the Nam"
    page.get_by_role("button", name="It is Carve Out the Name").click()
    expect(page.locator("#verdict")).not_to_contain_text("not understood")
    box.press("Control+s")
    expect(page.get_by_text("Bells is saved.")).to_be_visible()

    box.evaluate(DROP)
    expect(page.get_by_text("The file is in the box.")).to_be_visible()
    expect(box).to_have_value("2 Carve Out the Name")
    page.get_by_role("button", name="Save the deck").click()
    expect(page.get_by_text("Bells is saved.")).to_be_visible()

    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_role("link", name="/decks/shared/").get_attribute("href")
    assert link is not None
    friend = cast.person()
    friend.goto(link)
    expect(friend.locator(".deck-column")).to_contain_text("Carve Out the Name")
    expect(friend.get_by_role("button", name="Save the deck")).to_have_count(0)

    page.get_by_role("link", name="History").click()
    page.get_by_role("link", name="Version 1").click()
    page.get_by_role("button", name="Make it the deck again").click()
    expect(page.locator(".deck-column")).to_contain_text("Barnacled Spyglass")
    friend.reload()
    expect(friend.locator(".deck-column")).to_contain_text("Barnacled Spyglass")
