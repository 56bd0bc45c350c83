"""A decklist whose verdict a new list has changed, as its player, staff and programs see it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from cards.models import Card
from decks.services.revalidation import run_revalidation
from tests.events.factories import Made
from tests.events.lists import ban, decklists, start
from tests.events.pages.test_public import words

CHANGED = "Legal when it was handed in. Since “Winter list” of 5 March 2027: illegal."


@pytest.fixture
def made(make_event) -> Made:
    """Two legal decklists for 5 March 2027, both made illegal."""
    made = make_event(players=2, decklists=True, decklist_publication="open")
    ban(made)
    assert run_revalidation(revalidation_id=start(made).pk)
    return made


def test_the_player_reads_what_it_was_and_what_it_is(made: Made, as_user) -> None:
    client, address = as_user(made.players[0]), f"/e/{made.event.code}/me"
    banned = Card.objects.get(status_entries__isnull=False, game=made.event.game)
    before, own = words(client.get(f"{address}/")), words(client.get(f"{address}/decklist"))
    assert CHANGED in before
    assert CHANGED in own
    assert "You are ready" not in before
    assert "Counts now: illegal" in own
    assert f"{banned.name} is banned" in own


def test_everybody_who_may_read_the_decklist_reads_its_newest_verdict(made: Made, as_user) -> None:
    shown = words(Client().get(f"/e/{made.event.code}/decklists/{made.players[0].pk}/"))
    desk = words(as_user(made.organiser).get(f"/e/{made.event.code}/desk/players/{made.players[0].pk}/decklist"))
    assert (CHANGED in shown, "Illegal: 1 thing" in shown) == (True, True)
    assert (CHANGED in desk, "Illegal: 1 thing" in desk) == (True, True)


def test_a_program_reads_both_outcomes_and_what_came_between(made: Made, as_user) -> None:
    path = f"/api/v1/events/{made.event.code}/players/{made.players[0].pk}/decklist"
    told = as_user(made.players[0]).get(path).json()
    assert (told["outcome"], told["outcome_at_submission"]) == ("illegal", "legal")
    assert told["changed_by"] == {"title": "Winter list", "effective_on": "2027-03-05"}
    assert [violation["code"] for violation in told["violations"]] == ["status.banned"]
    staff = as_user(made.judge).get(path).json()
    assert staff["digests"] == decklists(made)[0].later_verdict.digests


def test_a_verdict_that_nothing_changed_says_so(make_event, as_user) -> None:
    made = make_event(players=1, decklists=True)
    path = f"events/{made.event.code}/players/{made.players[0].pk}/decklist"
    told = as_user(made.players[0]).get(f"/api/v1/{path}").json()
    assert (told["outcome"], told["outcome_at_submission"], told["changed_by"]) == ("legal", "legal", None)
    assert "when it was handed in" not in words(as_user(made.players[0]).get(f"/e/{made.event.code}/me/decklist"))


def test_a_decklist_tells_what_it_would_be_today_beside_what_it_is_at_its_event(make_event, as_user) -> None:
    made = make_event(players=2, started=True, decklist_publication="open")
    address = f"/e/{made.event.code}/decklists/{made.players[0].pk}/"
    today = timezone.localdate()
    said = f"Today, {today.day} {today:%B %Y}, it would be"
    assert f"{said} legal." in words(Client().get(address))
    entry = ban(made)
    entry.during = (None, None)
    entry.save()
    page = words(Client().get(address))
    assert f"{said} illegal (1 thing)." in page
    assert "Legal Epic Trading Card Game: Designed Deck on 5 March 2027" in page
    assert f"{said} illegal (1 thing)." in words(as_user(made.players[0]).get(f"/e/{made.event.code}/me/decklist"))
