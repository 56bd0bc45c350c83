"""Every main page on a phone and on a desk, by day and by night: rules of accessibility, width, weight, keyboard."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from cards.engine.streams import Stream
from cards.models import Game
from config.demo.deckbuilding import deck_text, designed_deck
from events.services.administration import cancel_event
from rules.engine.publication import publication_of
from rules.services.publishing import add_game_organiser, publish
from tests.events.factories import SECRET, load_packs, make_event, too_many_copies, user_of
from tests.journeys.conftest import Cast, session_of

pytestmark = pytest.mark.browser

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
OPTIONS = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
ONLY_CONTRAST = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}
AT_NIGHT_TOO = {"home", "rules search", "card", "illegal deck", "my match", "desk round", "draft seat"}
LIGHTEST_BUDGET = 60_000

EVERYBODY = {
    "home": "/",
    "rules": "/rules/",
    "rules search": "/rules/search?q=how+many+gift+cards",
    "nothing found": "/rules/search?q=zyzzyva",
    "document": "/rules/engarde/rulebook@2025/",
    "section": "/rules/engarde/rulebook@2025/10.2",
    "format": "/formats/engarde/standard?on=2026-11-30",
    "changes of a format": "/formats/engarde/standard/changes?from=2024&to=2025",
    "games": "/cards/",
    "cards": "/cards/engarde/",
    "card": "/cards/engarde/the-long-bell?on=2026-11-30",
    "published": "/games/epic/publications",
    "checker": "/check/",
    "compare lists": "/decks/compare",
    "login": "/account/login/",
    "signup": "/account/signup/",
    "events": "/e/",
    "overview": "/e/open/",
    "pairings": "/e/open/pairings/",
    "standings": "/e/open/standings/",
    "players": "/e/open/players/",
    "rules of the event": "/e/open/info/",
    "log": "/e/open/log/",
    "wall": "/e/open/wall/",
    "bracket": "/e/past/bracket/",
    "clocks": "/e/clocks",
    "series": "/series/",
    "finished": "/e/past/",
    "final placing": "/e/past/standings/",
    "called off": "/e/off/",
}
PLAYER = {"my match": "/e/open/me/", "my decklist": "/e/open/me/decklist", "my decks": "/decks/"}
ORGANISER = {
    "desk": "/e/open/desk/",
    "desk round": "/e/open/desk/round/2/",
    "desk players": "/e/open/desk/players/",
    "desk decklists": "/e/open/desk/decklists/",
    "settings": "/e/open/desk/settings/",
    "tie-breakers": "/e/open/desk/tie-breakers/",
    "staff": "/e/open/desk/staff/",
    "who is not there": "/e/open/desk/absent/",
    "papers": "/e/open/desk/papers/",
    "deliveries": "/e/open/desk/deliveries/",
    "closing": "/e/open/desk/closing/",
    "next round by hand": "/e/between/desk/pair-by-hand/",
    "check-in": "/e/coming/desk/check-in/",
    "floor": "/e/open/floor/",
    "new event": "/e/new",
    "publish": "/games/epic/publish",
}
DRAFTER = {"draft seat": "/e/draft/draft/"}
FIGHTER = {"my melee": "/e/melee/me/", "tables of a melee": "/e/melee/pairings/"}
MELEE_STAFF = {"melee round": "/e/melee/desk/round/1/", "melee floor": "/e/melee/floor/"}
WALKS = [
    (None, EVERYBODY),
    ("player", PLAYER),
    ("organiser", ORGANISER | MELEE_STAFF),
    ("drafter", DRAFTER),
    ("fighter", FIGHTER),
]


@dataclass(frozen=True)
class Hall:
    """Who is signed in, by session, and a deck that breaks a rule."""

    sessions: dict[str, str]
    illegal: str


@pytest.fixture
def illegal(site: str) -> str:
    game = Game.objects.get(slug="epic")
    return too_many_copies(deck_text(designed_deck(Stream(SECRET, "checker"), game, sideboard=False))) + "1 Quill\n"


@pytest.fixture
def hall(illegal: str) -> Hall:
    """An event in its second round, with a result that one player has told; a draft at its first pick; an event that
    was played to the end, and one that was called off."""
    made = make_event(code="open", started=True)
    made.play_round()
    round_ = made.post_round()
    teller = made.players[0]
    made.report(made.opponent_of(teller, round_), round_, 2, 1)
    draft = make_event(policy="draft-2", code="draft", name="Draft of Hollowmere", players=8, started=True)
    past = make_event(code="past", name="Spring Open", players=3, started=True)
    for _ in range(2):
        past.play_round()
    past.next_stage()
    for _ in range(2):
        past.play_round()
    past.finish()
    make_event(code="coming", name="Autumn Open", players=2)
    load_packs("epic-melee")
    melee = make_event(
        code="melee", name="Melee of Hollowmere", policy="melee", players=7, started=True, decklists=False
    )
    melee.post_round()
    between = make_event(code="between", name="Winter Open", players=4, started=True)
    between.play_round()
    off = make_event(code="off", name="Summer Open", players=2)
    cancel_event(event_id=off.event.pk, actor=off.by_organiser, reason="The hall is flooded.")
    add_game_organiser(game=made.event.game, user=made.organiser)
    ban = {"format": "designed-deck", "card": "Thrust", "status": "banned", "section": "EPIC 12.6"}
    day = (timezone.localdate() + timedelta(days=7)).isoformat()
    file = publication_of({"title": "Winter list", "source": "Letter", "effective_on": day, "changes": [ban]})
    publish(game=made.event.game, user=made.organiser, file=file)
    people = {"player": user_of(teller), "organiser": made.organiser, "drafter": user_of(draft.players[0])}
    people["fighter"] = user_of(melee.players[0])
    return Hall({name: session_of(user) for name, user in people.items()}, illegal)


@pytest.fixture
def inspector(hall: Hall, cast: Cast) -> Inspector:
    return Inspector(hall, cast)


class Inspector:
    """Opens pages as somebody and notes what is wrong with them, by name of page."""

    def __init__(self, hall: Hall, cast: Cast) -> None:
        self.hall, self.cast = hall, cast
        self.wrong: dict[str, list[str]] = {}

    def page_of(self, who: str | None) -> Page:
        page = self.cast.person(**PHONE)
        if who is not None:
            self.cast.sign_in(page, self.hall.sessions[who])
        return page

    def walk(self, who: str | None, addresses: dict[str, str]) -> None:
        page = self.page_of(who)
        for name, address in addresses.items():
            answer = page.goto(address)
            assert answer is not None
            assert (name, answer.status, page.url) == (name, 200, self.cast.site + address)
            self.look(page, name)
        page.context.close()

    def look(self, page: Page, name: str) -> None:
        found = self.wrong.setdefault(name, [])
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.evaluate(AXE_SCRIPT)
        if too_wide := page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"):
            found.append(f"phone: {too_wide} px too wide")
        found += [f"phone: {fault}" for fault in faults(page, OPTIONS)]
        if name in AT_NIGHT_TOO:
            page.emulate_media(color_scheme="dark")
            found += [f"phone at night: {fault}" for fault in faults(page, ONLY_CONTRAST)]
            page.set_viewport_size(DESK)  # type: ignore[arg-type]
            found += [f"desk at night: {fault}" for fault in faults(page, ONLY_CONTRAST)]
            page.emulate_media(color_scheme="light")
        page.set_viewport_size(DESK)  # type: ignore[arg-type]
        found += [f"desk: {fault}" for fault in faults(page, OPTIONS)]

    @property
    def verdict(self) -> dict[str, list[str]]:
        return {name: found for name, found in self.wrong.items() if found}


def faults(page: Page, options: dict[str, Any]) -> list[str]:
    """What axe holds against the page as it stands: rule, element, why."""
    violations = page.evaluate("options => axe.run(document, options).then(found => found.violations)", options)
    return [
        f"{violation['id']} at {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in violations
        for node in violation["nodes"]
    ]


def test_the_main_pages_are_accessible_and_no_wider_than_a_phone(inspector: Inspector) -> None:
    for who, addresses in WALKS:
        inspector.walk(who, addresses)
    page = inspector.page_of(None)
    page.goto("/check/")
    page.get_by_label("Format").select_option("epic/designed-deck")
    page.get_by_label("Decklist").fill(inspector.hall.illegal)
    page.get_by_role("button", name="Check the deck").click()
    expect(page.get_by_label("Verdict")).to_contain_text("Illegal")
    inspector.look(page, "illegal deck")

    assert inspector.verdict == {}
    assert len(inspector.wrong) == sum(len(addresses) for _, addresses in WALKS) + 1


def test_the_first_page_weighs_at_most_60_kb(site: str) -> None:
    page = Client().get("/").content.decode()
    parts = re.findall(r'<(?:link rel="stylesheet" href|script src)="/static/([^"]+)"', page)
    files = [finders.find(part) for part in parts]

    assert {part.rpartition(".")[2] for part in parts} == {"css", "js"}
    weights = [len(gzip.compress(page.encode()))]
    for file in files:
        assert isinstance(file, str)
        with open(file, "rb") as opened:
            weights.append(len(gzip.compress(opened.read())))
    assert sum(weights) <= LIGHTEST_BUDGET, dict(zip(["html", *parts], weights, strict=True))


def focused(page: Page) -> str:
    """What has the focus: its name, as it is read out or shown."""
    text: str = page.evaluate(
        "() => { const e = document.activeElement; return e.getAttribute('aria-label')"
        " || (e.labels && e.labels.length ? e.labels[0].textContent : e.textContent).trim(); }"
    )
    return " ".join(text.split())


def tab_to(page: Page, name: str) -> None:
    passed = []
    for _ in range(60):
        page.keyboard.press("Tab")
        passed.append(focused(page))
        if passed[-1] == name:
            return
    raise AssertionError(f"{name!r} is not reached with the Tab key: {passed}")


def test_the_first_tab_leads_past_the_header(cast: Cast) -> None:
    page = cast.person(**PHONE)
    for address in ("/", "/rules/engarde/rulebook@2025/", "/cards/epic/", "/check/", "/account/login/"):
        page.goto(address)

        page.keyboard.press("Tab")
        assert focused(page) == "Skip to the content"
        expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
        page.keyboard.press("Enter")

        assert page.evaluate("document.activeElement.id") == "content"


def test_a_deck_is_checked_and_mended_with_the_keyboard_alone(illegal: str, cast: Cast) -> None:
    page = cast.person(**DESK)
    page.goto("/")
    tab_to(page, "Deck checker")
    page.keyboard.press("Enter")
    page.wait_for_url("**/check/")

    tab_to(page, "Format")
    page.keyboard.type("Designed")
    tab_to(page, "Decklist")
    page.keyboard.insert_text(illegal)
    expect(page.get_by_label("Verdict")).to_contain_text("14 copies")
    mend = page.get_by_role("button", name=re.compile("^Remove 11 ×")).inner_text()
    tab_to(page, mend)
    page.keyboard.press("Enter")

    expect(page.get_by_label("Verdict")).to_contain_text("1 line not understood")
    expect(page.get_by_label("Verdict")).not_to_contain_text("14 copies")
