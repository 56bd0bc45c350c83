"""An event in a calendar: for everybody by its address, for a player by one of their own."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.channels.tokens import CALENDAR, UNSUBSCRIBE, token_for
from events.services import administration, privacy
from tests.events.engine.test_icalendar import read
from tests.events.factories import STARTS

pytestmark = pytest.mark.django_db


def entries(response) -> list[dict[str, str]]:
    assert (response.status_code, response["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    found: list[dict[str, str]] = []
    for name, value in read(response.content.decode()):
        if (name, value) == ("BEGIN", "VEVENT"):
            found.append({})
        elif found:
            found[-1].setdefault(name, value)
    return found


def own(made, number: int) -> str:
    return f"/e/{made.event.code}/calendar/{token_for(CALENDAR, made.players[number].pk)}.ics"


def test_everybody_reads_the_event_its_deadlines_and_the_posted_rounds(make_event):
    made = make_event(started=True, decklist_deadline=STARTS, place="Town hall, room 2")
    round_ = made.post_round()
    rows = entries(Client().get(f"/e/{made.event.code}/event.ics"))

    assert [row["SUMMARY"] for row in rows] == [
        "Open of Hollowmere",
        "Open of Hollowmere: decklists are due",
        "Open of Hollowmere: Round 1",
    ]
    assert [row["DTSTART"] for row in rows[:2]] == ["20270305T090000Z"] * 2
    clock = round_.intervals.get()
    assert rows[2]["DTSTART"] == f"{clock.started_at:%Y%m%dT%H%M%SZ}"
    assert {row["LOCATION"] for row in rows} == {"Town hall, room 2"}
    assert {row["SEQUENCE"] for row in rows} == {str(made.refresh().version)}


def test_a_draft_is_in_no_calendar(make_event):
    made = make_event(started=True)
    made.draft_round()

    for path in (f"/e/{made.event.code}/event.ics", own(made, 0)):
        assert [row["SUMMARY"] for row in entries(Client().get(path))] == ["Open of Hollowmere"]


def test_a_player_reads_table_and_opponent_by_the_name_that_others_read(make_event):
    made = make_event(started=True)
    round_ = made.post_round()
    other = made.opponent_of(made.players[0], round_)
    privacy.choose_public_name(
        event_id=made.event.pk, actor=made.by_organiser, player_id=other.pk, style="own", own="The Fox"
    )
    response = Client().get(own(made, 0))

    table = made.match_of(made.players[0], round_).table
    assert entries(response)[1]["SUMMARY"] == f"Open of Hollowmere: Round 1: table {table} against The Fox"
    assert other.name not in response.content.decode()
    assert response["Cache-Control"] == "private, no-store"


def test_an_event_that_is_called_off_is_so_in_the_calendar(make_event):
    made = make_event()
    administration.cancel_event(event_id=made.event.pk, actor=made.by_organiser, reason="The hall is flooded.")

    assert [row["STATUS"] for row in entries(Client().get(f"/e/{made.event.code}/event.ics"))] == ["CANCELLED"]


def test_an_address_that_somebody_made_up_opens_nothing(make_event):
    made, other = make_event(), make_event(name="Another place")
    player = made.players[0].pk
    for token in (str(player), f"{player}:x", token_for(UNSUBSCRIBE, player), token_for(CALENDAR, other.players[0].pk)):
        assert Client().get(f"/e/{made.event.code}/calendar/{token}.ics").status_code == 404


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_calendar_asks_as_often_for_many_rounds_as_for_one(make_event, rounds):
    made = make_event(players=8, started=True)
    for _ in range(rounds):
        made.play_round()
    counts = []
    for path in (f"/e/{made.event.code}/event.ics", own(made, 0)):
        with CaptureQueriesContext(connection) as queries:
            Client().get(path)
        counts.append(len(queries))

    assert counts == [6, 9]


def test_the_pages_lead_to_the_calendars(make_event, as_user):
    made = make_event(started=True)
    client = as_user(made.players[0])

    assert own(made, 0) in client.get(f"/e/{made.event.code}/me/").content.decode()
    assert f"/e/{made.event.code}/event.ics" in client.get(f"/e/{made.event.code}/info/").content.decode()
