"""docs/organiser.md names pages and buttons that there are."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.events.factories import Made

ROOT = Path(settings.BASE_DIR)
GUIDE = (ROOT / "docs/organiser.md").read_text()
ADDRESSES = sorted(set(re.findall(r"`(/[^`]*/|/[^`]*)`", GUIDE)))
BUTTONS = sorted(set(re.findall(r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)", GUIDE)))
NUMBER = re.compile(r"\d+")


@pytest.mark.django_db
def test_its_addresses_are_pages_of_the_organiser(
    make_event: Callable[..., Made], as_user: Callable[..., Client]
) -> None:
    made = make_event(players=4, started=True)
    made.post_round()
    client = as_user(made.organiser)

    found = {path: client.get(path.replace("CODE", made.event.code)).status_code for path in ADDRESSES}

    assert len(found) > 15
    assert {path: status for path, status in found.items() if status != 200} == {}


def test_its_buttons_are_on_a_page() -> None:
    sources = [*ROOT.glob("templates/events/**/*.html"), *ROOT.glob("events/engine/desk_steps.py")]
    words = "\n".join(source.read_text() for source in sources)
    known = [button for button in BUTTONS if all(part.strip() in words for part in NUMBER.split(button))]

    assert len(BUTTONS) > 15
    assert known == BUTTONS
