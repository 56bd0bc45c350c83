"""What a browser prints of pairings and standings: everybody, and nothing that is there to be pressed."""

from __future__ import annotations

import io

import pytest
from playwright.sync_api import Browser
from pypdf import PdfReader

from tests.events.factories import NAMES, Made, make_event

pytestmark = pytest.mark.browser


@pytest.fixture
def made(site: str) -> Made:
    made = make_event(code="open", players=16, started=True)
    made.play_round()
    made.post_round()
    return made


def test_the_lists_are_printed_whole_on_one_page_without_what_is_pressed(
    made: Made, site: str, browser: Browser
) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 720}, base_url=site).new_page()
    for address in ("pairings/", "pairings/?by=name", "standings/"):
        page.goto(f"/e/open/{address}")
        margin = dict.fromkeys(("top", "right", "bottom", "left"), "12mm")
        [sheet] = PdfReader(io.BytesIO(page.pdf(format="A4", margin=margin))).pages  # type: ignore[arg-type]
        text = " ".join(sheet.extract_text().split())
        assert [name for name in NAMES if name not in text] == []
        for pressed in ("By name", "Why", "same score", "Log in", "Skip to", "How ties"):
            assert pressed not in text, (address, pressed)
        assert "Open of Hollowmere" in text
