"""What pages and the API say of a full event, and of when one may enter."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from events.models import Event, Player
from events.services import registration
from tests.events.factories import actor_of, make_user
from tests.events.pages.test_player import send
from tests.events.pages.test_public import words


@pytest.fixture
def full(make_event):
    """Two places, both taken, and a waitlist."""
    made = make_event(players=2, capacity=2)
    Event.objects.filter(pk=made.event.pk).update(waitlist=True)
    made.refresh()
    return made


def enter(made, name: str):
    person = make_user(name)
    registration.register(event_id=made.event.pk, actor=actor_of(person), user_id=person.pk)
    return person


def test_somebody_joins_the_waitlist_checks_in_and_gets_the_place_of_who_drops(full, as_user):
    enter(full, "Wim Toth")
    address, client = f"/e/{full.event.code}", as_user(make_user("Xenia Roth"))

    before = words(client.get(f"{address}/"))
    anonymous = words(Client().get(f"{address}/"))
    joined = words(client.get(send(client, f"{address}/register")["Location"]))
    send(client, f"{address}/me/check-in")
    there = words(client.get(f"{address}/me/"))
    listed = words(Client().get(f"{address}/players/"))
    for player in full.players:
        send(as_user(player), f"{address}/me/drop")
    now_in = words(client.get(f"{address}/me/"))

    assert "You would be the 2nd on the waitlist." in before
    assert "Join the waitlist as Xenia Roth" in before
    assert "You would be the 2nd on the waitlist. Log in to register" in anonymous
    assert "You are 2nd on the waitlist" in joined
    assert "Wait for a place" in joined
    assert "go to those on the waitlist who are here, in order" in there
    assert "2 players of at most 2, 2 on the waitlist" in listed
    assert "Wim Toth 1st on the waitlist Xenia Roth 2nd on the waitlist here" in listed
    assert "on the waitlist" not in now_in
    assert Player.objects.get(event=full.event, name="Xenia Roth").state == "checked_in"


def test_who_got_no_place_is_told_so(full, as_user):
    person = enter(full, "Wim Toth")
    Event.objects.filter(pk=full.event.pk).update(state="running")

    assert "You did not get a place" in words(as_user(person).get(f"/e/{full.event.code}/me/"))


def test_the_desk_shows_the_order_and_who_of_the_waiting_is_here(full, as_user):
    enter(full, "Wim Toth")
    entry = Player.objects.get(event=full.event, name="Wim Toth")
    client, desk = as_user(full.organiser), f"/e/{full.event.code}/desk/players/"

    added = send(client, f"{desk}add", name="Guest")
    page = client.get(added["Location"])
    shown = words(page)
    send(client, f"{desk}{entry.pk}/check-in")
    checked = words(client.get(desk))

    assert "Guest is on the waitlist." in page.content.decode()
    assert "0 checked in2 expected2 on the waitlist" in shown
    assert re.search(r"1st on the waitlist Decklist of Wim Toth: none yet Check in: Wim Toth", shown)
    assert re.search(r"1st on the waitlist here Decklist of Wim Toth: none yet Undo check-in: Wim Toth", checked)


def test_a_page_says_when_registration_opens_and_that_it_has_closed(make_event, as_user):
    made = make_event(players=1, time_zone="Europe/Vienna")
    client, address = as_user(make_user("Xenia Roth")), f"/e/{made.event.code}/"

    Event.objects.filter(pk=made.event.pk).update(registration_opens_at=datetime(2199, 12, 1, 8, 0, tzinfo=UTC))
    early = client.get(address)
    Event.objects.filter(pk=made.event.pk).update(
        registration_opens_at=None, registration_closes_at=datetime(2020, 12, 1, 8, 0, tzinfo=UTC)
    )
    late = client.get(address)

    assert "Registration opens on 1 December 2199, 09:00." in words(early)
    assert "Registration is closed. Ask the organiser" in words(late)
    assert all("/register" not in page.content.decode() for page in (early, late))
    assert send(client, f"{address}register").status_code == 409


def test_the_api_tells_the_place_on_the_waitlist(full):
    for name in ("Wim Toth", "Xenia Roth"):
        enter(full, name)
    api, address = APIClient(), f"/api/v1/events/{full.event.code}/players"
    api.force_authenticate(make_user("Yara Sen"))

    joined = api.post(f"{address}/register", {}, format="json", headers={"Idempotency-Key": "join-the-list"}).json()
    rows = api.get(address).json()["results"]
    one = api.get(f"{address}/{joined['player']}").json()

    assert (joined["name"], joined["state"]) == ("Yara Sen", "waitlisted")
    assert {row["name"]: (row["state"], row["waitlist_place"]) for row in rows} == {
        "Ada Brook": ("registered", None),
        "Bela Quist": ("registered", None),
        "Wim Toth": ("waitlisted", 1),
        "Xenia Roth": ("waitlisted", 2),
        "Yara Sen": ("waitlisted", 3),
    }
    assert one["waitlist_place"] == 3


@pytest.mark.parametrize("waiting", [1, 3])
def test_a_list_asks_the_database_as_often_for_one_who_waits_as_for_three(full, waiting):
    for name in ("Wim Toth", "Xenia Roth", "Yara Sen")[:waiting]:
        enter(full, name)

    counts = []
    for address in (f"/e/{full.event.code}/players/", f"/api/v1/events/{full.event.code}/players"):
        with CaptureQueriesContext(connection) as captured:
            assert Client().get(address).status_code == 200
        counts.append(len(captured))

    assert counts == [6, 3]
