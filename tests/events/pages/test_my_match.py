"""The part of a player's page that is their match: the same as in the page, and for them alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.queries import outlook
from events.services import administration, registration
from tests.events.factories import Made, make_user
from tests.events.pages.test_outlook import going_on

pytestmark = pytest.mark.django_db
ANEW = re.compile(r'(name="(?:csrfmiddlewaretoken|idempotency_key)" value|data-server-now|data-deadline)="[^"]*"')
PART = re.compile(r"<!--match-->(.*)<!--/match-->", re.DOTALL)
MakeEvent = Callable[..., Made]
AsUser = Callable[..., Client]


def address(made: Made) -> str:
    return f"/e/{made.event.code}/me/"


def match_in(answer: Any) -> str:
    """The match of a page without what every page has anew."""
    found = PART.search(answer.content.decode())
    assert found is not None
    return ANEW.sub(r"\1", found[1])


def is_told_to_ask_for_all(answer: Any) -> bool:
    return (answer.status_code, answer.headers.get("HX-Trigger"), answer.content) == (204, "refresh", b"")


@pytest.mark.parametrize("said", [(), ("mine",), ("theirs",), ("mine", "theirs")], ids=lambda said: "+".join(said))
def test_it_shows_what_the_page_shows_of_the_match(make_event: MakeEvent, as_user: AsUser, said: tuple[str]) -> None:
    made = make_event(players=4, started=True)
    made.play_round()
    round_ = made.post_round()
    ada = made.players[0]
    if "mine" in said:
        made.report(ada, round_, 2, 1)
    if "theirs" in said:
        made.report(made.opponent_of(ada, round_), round_, 1, 2)
    client = as_user(ada)
    part = client.get(address(made) + "match")
    assert match_in(part) == match_in(client.get(address(made)))
    assert made.opponent_of(ada, round_).shown_name in match_in(part)
    assert (part["Cache-Control"], part["Tiltyard-Keep"]) == ("no-store", "me")
    assert f'data-version="{made.refresh().version}"' in part.content.decode()


def test_who_has_the_bye_is_shown_it(make_event: MakeEvent, as_user: AsUser) -> None:
    made = make_event(players=3, started=True)
    round_ = made.post_round()
    [lucky] = [player for player in made.players if made.match_of(player, round_).table is None]
    client = as_user(lucky)
    assert "you have the bye" in match_in(client.get(address(made) + "match"))
    assert match_in(client.get(address(made) + "match")) == match_in(client.get(address(made)))


def test_who_is_in_no_match_is_told_to_ask_for_the_whole_page(make_event: MakeEvent, as_user: AsUser) -> None:
    made = make_event(players=4, started=True)
    ada, dropped, *_ = made.players
    assert is_told_to_ask_for_all(as_user(ada).get(address(made) + "match"))  # no round was posted
    made.draft_round()
    assert is_told_to_ask_for_all(as_user(ada).get(address(made) + "match"))  # nor is this one
    assert is_told_to_ask_for_all(as_user(made.organiser).get(address(made) + "match"))
    assert is_told_to_ask_for_all(as_user(make_user("Xenia Roth")).get(address(made) + "match"))


def test_a_complete_round_and_a_cancelled_event_have_no_match(make_event: MakeEvent, as_user: AsUser) -> None:
    made = make_event(players=4, started=True)
    made.play_round()
    ada, dropped, *_ = made.players
    assert is_told_to_ask_for_all(as_user(ada).get(address(made) + "match"))
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=dropped.pk)
    made.post_round()
    assert is_told_to_ask_for_all(as_user(dropped).get(address(made) + "match"))
    assert as_user(ada).get(address(made) + "match").status_code == 200
    administration.cancel_event(event_id=made.event.pk, actor=made.by_organiser, reason="No more light.")
    assert is_told_to_ask_for_all(as_user(ada).get(address(made) + "match"))


def test_nobody_logs_in_first_and_an_unknown_event_has_none(make_event: MakeEvent, as_user: AsUser) -> None:
    made = make_event(players=2, started=True)
    answer = Client().get(address(made) + "match")
    assert (answer.status_code, answer["Location"]) == (302, f"/account/login/?next={address(made)}match")
    assert as_user(made.players[0]).get("/e/nowhere/me/match").status_code == 404
    assert as_user(made.players[0]).post(address(made) + "match").status_code == 405


@pytest.mark.parametrize("players", [2, 6])
def test_its_queries_do_not_grow_with_the_hall(make_event: MakeEvent, as_user: AsUser, players: int) -> None:
    """Session, account, entry with event, seat, table, clock, points, decklist and its format; one more for each kind
    that there is of what is written down of a match, here reports, and for what the result came about by."""
    made = make_event(players=players, started=True)
    round_ = made.post_round()
    ada = made.players[0]
    client = as_user(ada)
    with CaptureQueriesContext(connection) as fresh:
        client.get(address(made) + "match")
    made.report(ada, round_, 2, 0)
    made.report(made.opponent_of(ada, round_), round_, 0, 2)
    with CaptureQueriesContext(connection) as confirmed:
        client.get(address(made) + "match")
    assert (len(fresh), len(confirmed)) == (9, 11)


@pytest.mark.parametrize(("large", "alone"), [(4, True), (512, False)], ids=["large", "small"])
def test_the_page_renews_the_match_alone_unless_results_change_what_stands_beside_it(
    make_event: MakeEvent, as_user: AsUser, monkeypatch: pytest.MonkeyPatch, large: int, alone: bool
) -> None:
    """In a small field every result counts for the way to the cut."""
    monkeypatch.setattr(outlook, "LARGE", large)
    made = going_on(make_event, 8, played=1, planned=3)
    made.post_round()
    page = as_user(made.players[0]).get(address(made)).content.decode()
    assert "the top 4" in page
    assert (f'hx-get="{address(made)}match"' in page) == alone


def test_without_a_cut_the_match_is_renewed_alone(make_event: MakeEvent, as_user: AsUser) -> None:
    made = make_event(players=4, started=True)
    made.post_round()
    assert f'hx-get="{address(made)}match"' in as_user(made.players[0]).get(address(made)).content.decode()
