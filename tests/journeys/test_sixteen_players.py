"""Sixteen players, five rounds and a top four of EnGarde, with twenty pages open: the organiser's, a scorekeeper's, a
judge's, the wall, and a phone for every player. One of the phones is without a network for a round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from playwright.sync_api import Locator, Page, expect

from events.models import Event, Match, Player, Result, Round, StaffRole
from events.services import setup
from tests.events.factories import make_event, make_user, user_of
from tests.journeys.conftest import Cast, session_of

pytestmark = pytest.mark.browser
SWISS, CUT = 5, 4
OFFLINE_ROUND, OFFLINE = 3, "Kira Dahl"
BY_HAND = {2: (1, 2, 3), 4: (7, 8)}
"""Tables by round whose results the scorekeeper types; the others are reported by phones."""


@dataclass(frozen=True)
class Sessions:
    organiser: str
    scorekeeper: str
    judge: str
    players: dict[str, str]


@pytest.fixture
def sessions(site: str) -> Sessions:
    """Everybody is registered, has a legal decklist and is here; the event has not begun."""
    made = make_event(
        policy="standard",
        code="open",
        players=16,
        checked_in=True,
        decklists=True,
        own_rules={
            "stages": [
                {"kind": "swiss", "rounds": SWISS, "within_pods": False},
                {"kind": "single_elimination", "cut": CUT},
            ]
        },
    )
    scorekeeper = make_user("Sela Ito")
    setup.add_staff(
        event_id=made.event.pk, actor=made.by_organiser, email=scorekeeper.email, role=StaffRole.Role.SCOREKEEPER
    )
    return Sessions(
        session_of(made.organiser),
        session_of(scorekeeper),
        session_of(made.judge),
        {player.name: session_of(user_of(player)) for player in made.players},
    )


@pytest.fixture
def cast(cast: Cast) -> Iterator[Cast]:
    """The console says what could not be loaded: for the phone without a network that is the point."""
    yield cast
    away = ("Failed to load resource: net::ERR_INTERNET_DISCONNECTED", "htmx:afterRequest", "htmx:sendError")
    cast.faults[:] = [fault for fault in cast.faults if not fault.startswith(away)]


def in_thread(work: Any) -> Any:
    """In a thread of its own, because a browser's thread may not ask the database."""

    def alone() -> Any:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(alone).result()


def tables() -> dict[int, tuple[str, str]]:
    """Names by table of the newest round."""
    round_ = Round.objects.filter(event__code="open").latest("sequence")
    matches = Match.objects.filter(round=round_).exclude(table=None)
    return {
        match.table or 0: tuple(match.seats.order_by("index").values_list("player__name", flat=True))  # type: ignore[misc]
        for match in matches
    }


class Hall:
    """The twenty pages, and what people do on them."""

    def __init__(self, cast: Cast, sessions: Sessions) -> None:
        self.organiser = cast.sign_in(cast.person(1280, 900, keeps_pages=False), sessions.organiser)
        self.scorekeeper = cast.sign_in(cast.person(1280, 900, keeps_pages=False), sessions.scorekeeper)
        self.judge = cast.sign_in(cast.person(820, 1180, keeps_pages=False), sessions.judge)
        self.wall = cast.person(1440, 900)
        self.phones = {
            name: cast.sign_in(cast.person(keeps_pages=name == OFFLINE), session)
            for name, session in sessions.players.items()
        }

    @property
    def pages(self) -> list[Page]:
        return [self.organiser, self.scorekeeper, self.judge, self.wall, *self.phones.values()]

    def enter(self) -> None:
        self.organiser.goto("/e/open/desk/")
        self.scorekeeper.goto("/e/open/desk/")
        self.judge.goto("/e/open/floor/")
        self.wall.goto("/e/open/wall/")
        for phone in self.phones.values():
            phone.goto("/e/open/me/")

    def press(self, words: str) -> None:
        """A button of the organiser's desk, and the dialog that names its consequence."""
        self.organiser.goto("/e/open/desk/")
        self.organiser.get_by_role("button", name=re.compile(words)).first.click()
        dialog = self.organiser.get_by_role("dialog")
        if dialog.count() and dialog.is_visible():
            dialog.get_by_role("button").last.click()
        self.organiser.wait_for_load_state()

    def post(self, name: str) -> dict[int, tuple[str, str]]:
        """Everybody's phone shows their table by itself, the wall the round."""
        self.press(f"(Draft|Pair) {name}")
        self.press("Post")
        self.press("Start the clock")
        seated = in_thread(tables)
        for table, players in seated.items():
            for player in players:
                if self.is_online(player):
                    expect(self.table_on(player)).to_have_text(re.compile(rf"^Table {table}$"))
        expect(self.wall.get_by_role("main")).to_contain_text(seated[1][0].split()[0])
        return seated

    def is_online(self, player: str) -> bool:
        return self.phones[player].evaluate("navigator.onLine")

    def table_on(self, player: str) -> Locator:
        return self.phones[player].locator(".match-head .strong")

    def both_report(self, winner: str, loser: str) -> None:
        self.phones[winner].get_by_role("button", name="I won 2-1").click()
        yes = self.phones[loser].get_by_role("button", name=re.compile("^Yes: "))
        yes.click()
        expect(self.phones[winner].get_by_text(re.compile("Confirmed: 2-1"))).to_be_visible()

    def type_in(self, number: int, lines: list[str]) -> None:
        self.scorekeeper.goto(f"/e/open/desk/round/{number}/")
        box = self.scorekeeper.get_by_label("Enter a result")
        for line in lines:
            box.fill(line)
            self.scorekeeper.keyboard.press("Enter")
            expect(self.scorekeeper.get_by_text(f"Table {line.split()[0]}: ")).to_be_visible()
            expect(box).to_have_value("")


def test_a_whole_event_with_twenty_pages_open(sessions: Sessions, cast: Cast) -> None:
    expect.set_options(timeout=15_000)  # twenty browsers share a machine that may have two cores
    hall = Hall(cast, sessions)
    hall.enter()
    assert len(hall.pages) == 20
    hall.press("Start the event")

    for number in range(1, SWISS + 1):
        away = hall.phones[OFFLINE] if number == OFFLINE_ROUND else None
        seated = hall.post(f"round {number}")
        typed = BY_HAND.get(number, ())
        if away is not None:
            away.context.set_offline(True)
        for table, (first, second) in seated.items():
            if table in typed:
                continue
            if away is not None and OFFLINE in (first, second):
                report_without_network(hall, first if second == OFFLINE else second)
            else:
                hall.both_report(first, second)
        hall.type_in(number, [f"{table} 20" for table in typed])
        expect(hall.judge.get_by_role("main")).to_contain_text(f"Round {number}")
        hall.press(f"Complete round {number}")

    expect(hall.wall.get_by_role("main")).to_contain_text("Standings")
    hall.press("[Cc]ut")
    for number, players in ((SWISS + 1, 4), (SWISS + 2, 2)):
        seated = hall.post(f"round {number}")
        assert sum(len(pair) for pair in seated.values()) == players
        for first, second in seated.values():
            hall.both_report(first, second)
        hall.press(f"Complete round {number}")
        champion = first
    hall.press("Finish the event")
    expect(hall.phones[champion].get_by_role("heading", name="The event is over")).to_be_visible()
    expect(hall.phones[champion].get_by_text("1st of 16")).to_be_visible()
    assert in_thread(what_is_stored) == {
        "state": "finished",
        "rounds": SWISS + 2,
        "players": 16,
        "results": SWISS * 8 + 3,
        "by staff": sum(map(len, BY_HAND.values())),
        "verified": "Everything holds.",
    }


def report_without_network(hall: Hall, opponent: str) -> None:
    """The phone still shows its table, keeps the report, and sends it once the network is there again."""
    phone = hall.phones[OFFLINE]
    phone.reload()
    expect(phone.locator("[data-live-state]")).to_have_text(re.compile(r"^offline, as of \d\d:\d\d$"))
    expect(phone.get_by_text(opponent).first).to_be_visible()
    phone.get_by_role("button", name="I won 2-1").click()
    expect(phone.get_by_label("Waiting to be sent")).to_contain_text("I won 2-1")
    expect(hall.phones[opponent].get_by_role("button", name="I won 2-1")).to_be_visible()
    phone.context.set_offline(False)
    hall.phones[opponent].get_by_role("button", name=re.compile("^Yes: ")).click()
    expect(phone.get_by_text(re.compile("Confirmed: 2-1"))).to_be_visible()
    expect(phone.get_by_label("Waiting to be sent")).to_be_hidden()


def what_is_stored() -> dict[str, Any]:
    event = Event.objects.get(code="open")
    counted = Result.objects.filter(match__event=event, superseded_at=None).exclude(match__table=None)
    said = StringIO()
    call_command("verify_event", "open", stdout=said)
    return {
        "state": event.state,
        "rounds": event.rounds.count(),
        "players": Player.objects.filter(event=event, state=Player.State.CHECKED_IN).count(),
        "results": counted.count(),
        "by staff": counted.filter(source=Result.Source.STAFF).count(),
        "verified": said.getvalue().strip().splitlines()[-1],
    }
