"""The page of who is not there, the buttons of a table, and the word of a player; the same through the API."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.models import Absence, Event, Player
from events.queries.clocks import database_now
from events.services import attendance
from tests.events.api.conftest import Program
from tests.events.clocking import clocked, minutes
from tests.events.factories import user_of

from .conftest import said, version_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall(make_event):
    made = make_event(players=4, started=True)
    made.round_ = made.post_round()
    clocked(made.round_, since=minutes(11), runs=[(minutes(0), None)])
    attendance.set_no_show_rule(event_id=made.event.pk, actor=made.by_organiser, minutes=10)
    made.match = made.round_.matches.get(table=1)
    made.one, made.other = (seat.player for seat in made.match.seats.order_by("index"))
    return made


def test_a_player_says_that_nobody_sits_opposite_and_the_desk_gives_the_loss(hall, send, as_user):
    here = f"/e/{hall.event.code}"
    assert "My opponent is not here" in said(as_user(user_of(hall.one)).get(f"{here}/me/"))

    answer = send(user_of(hall.one), f"{here}/me/not-here", {"match": hall.match.pk, "player": hall.other.pk})

    assert answer.url == f"{here}/me/"
    assert f"that {hall.other.name} is not here" in said(as_user(user_of(hall.one)).get(f"{here}/me/"))
    assert "You are missed at table 1" in said(as_user(user_of(hall.other)).get(f"{here}/me/"))
    assert "Missed at 1 table" in said(as_user(hall.organiser).get(f"{here}/desk/round/1/"))
    page = said(as_user(hall.organiser).get(f"{here}/desk/absent/"))
    assert f"{hall.other.name} missed since" in page
    assert "Give the losses: 1 table" in page

    answer = send(hall.organiser, f"{here}/desk/absent/round/1", event=hall.event)

    assert answer.url == f"{here}/desk/absent/"
    page = said(as_user(hall.organiser).get(answer.url))
    assert "Decided because somebody was not there Table 1" in page
    assert "Nobody is missed at a table." in page
    log = said(as_user(hall.one).get(f"{here}/log/"))
    assert f"Table 1: {hall.other.name} was not there after 10 minutes" in log

    send(hall.judge, f"{here}/desk/absent/{hall.match.pk}/back", event=hall.event)

    hall.match.refresh_from_db()
    assert hall.match.state == "open"


def test_who_is_missed_says_that_they_have_come(hall, send):
    here = f"/e/{hall.event.code}"
    send(hall.judge, f"{here}/floor/{hall.match.pk}/absent", {"player": hall.other.pk})
    assert Absence.objects.get().player == hall.other

    send(user_of(hall.other), f"{here}/me/not-here", {"match": hall.match.pk, "player": hall.other.pk, "came": "1"})

    assert not Absence.objects.exists()


def test_a_judge_marks_a_seat_and_unmarks_it_at_the_table(hall, send, as_user):
    floor = f"/e/{hall.event.code}/floor/{hall.match.pk}/"
    assert f"{hall.one.name} is not here" in said(as_user(hall.judge).get(floor))

    send(hall.judge, f"{floor}absent", {"player": hall.one.pk})
    assert f"{hall.one.name} has come" in said(as_user(hall.judge).get(floor))
    send(hall.judge, f"{floor}absent", {"player": hall.one.pk, "came": "1"})

    assert not Absence.objects.exists()


def test_the_organiser_sets_how_long_a_table_waits(hall, send, as_user):
    here = f"/e/{hall.event.code}/desk/absent/"

    answer = send(hall.organiser, f"{here}rule", {"minutes": "15", "drops": "on"}, event=hall.event)

    assert answer.url == here
    assert "15 minutes of the clock, then who is not there loses the match and is dropped." in said(
        as_user(hall.organiser).get(here)
    )
    wrong = send(hall.organiser, f"{here}rule", {"minutes": "0"}, event=hall.event)
    assert (wrong.status_code, Event.objects.get(pk=hall.event.pk).no_show_minutes) == (400, 15)


def test_the_door_is_swept_on_the_page(make_event, send, as_user):
    made = make_event(players=2)
    here = f"/e/{made.event.code}/desk/absent/"
    page = said(as_user(made.organiser).get(here))
    assert "2 registered and not checked in." in page
    assert "Drop these 2" not in page
    assert send(made.organiser, f"{here}door", event=made.event).status_code == 409
    Event.objects.filter(pk=made.event.pk).update(starts_at=database_now() - timedelta(minutes=1))

    assert "Drop these 2" in said(as_user(made.organiser).get(here))
    assert send(made.organiser, f"{here}door", event=made.event).url == here

    assert set(Player.objects.filter(event=made.event).values_list("state", flat=True)) == {"dropped"}


def test_programs_do_the_same(hall, as_user):
    organiser, judge = Program(as_user(hall.organiser)), Program(as_user(hall.judge))
    player, here = Program(as_user(hall.one)), f"events/{hall.event.code}"
    miss = f"{here}/matches/{hall.match.pk}/absences"

    assert player.post(miss, {"player": hall.other.pk}).json() == {
        "version": version_of(hall.event),
        "match": hall.match.pk,
        "player": hall.other.pk,
        "absent": True,
    }
    [found] = judge.get(f"{here}/attendance").json()["missed"]
    assert (found["table"], found["is_due"]) == (1, True)
    assert [row["player"]["name"] for row in found["absences"]] == [hall.other.name]
    swept = organiser.post(f"{here}/rounds/1/sweep-no-shows", version=version_of(hall.event))
    assert swept.json()["tables"] == [1]
    again = organiser.post(f"{here}/rounds/1/sweep-no-shows", version=version_of(hall.event))
    assert (again.status_code, again.json()["code"]) == (409, "no_show.nobody")
    back = judge.post(f"{here}/matches/{hall.match.pk}/take-no-show-back", version=version_of(hall.event))
    assert back.json()["state"] == "open"
    rule = organiser.post(f"{here}/no-show-rule", {"minutes": 5, "drops": True}, version=version_of(hall.event))
    assert (rule.json()["minutes"], rule.json()["drops"]) == (5, True)
    door = organiser.post(f"{here}/sweep-door", version=version_of(hall.event))
    assert (door.status_code, door.json()["code"]) == (409, "event.not_open")
    refused = [
        player.post(f"{here}/rounds/1/sweep-no-shows", version=1),
        player.post(miss, {"player": hall.one.pk}),
        player.post(f"{here}/no-show-rule", {"minutes": 5}, version=1),
        judge.post(f"{here}/rounds/1/sweep-no-shows", version=1),
    ]
    assert [answer.status_code for answer in refused] == [403] * 4


@pytest.mark.parametrize("players", [2, 6])
def test_its_queries_do_not_grow_with_the_players(make_event, as_user, players):
    made = make_event(players=players, started=True)
    round_ = made.post_round()
    for match in round_.matches.all():
        attendance.say_absent(
            event_id=made.event.pk,
            actor=made.by_organiser,
            match_id=match.pk,
            player_id=match.seats.all()[0].player_id,
        )
    client = as_user(made.organiser)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(f"/e/{made.event.code}/desk/absent/").status_code == 200
    assert len(captured) == 2 + 3 + 8
