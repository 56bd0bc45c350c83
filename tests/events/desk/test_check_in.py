"""The door: a player's QR, and staff who scan it."""

from __future__ import annotations

import re

import pytest
import segno
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from events.models import Event, Player
from events.services import registration
from tests.events.factories import actor_of, make_user
from tests.events.pages.test_player import send as post

from .conftest import said

pytestmark = pytest.mark.django_db


def door(made, token: str = "") -> str:
    return f"/e/{made.event.code}/desk/check-in/" + (f"{token}/" if token else "")


def state_of(player: Player) -> str:
    player.refresh_from_db()
    return player.state


def test_codes_are_long_and_no_two_are_alike(make_event):
    codes = list(make_event(players=4).event.players.values_list("check_in_code", flat=True))

    assert len(set(codes)) == 4
    assert min(len(code) for code in codes) >= 16


@pytest.mark.parametrize("as_scanned", ["{code}", "  {code} ", "http://testserver/e/x/desk/check-in/{code}/"])
def test_a_scanned_code_checks_its_player_in_and_can_be_undone(make_event, as_user, as_scanned):
    made = make_event(players=2)
    player, client = made.players[0], as_user(made.organiser)
    scan = as_scanned.format(code=player.check_in_code)

    answer = post(client, door(made), code=scan)
    page = said(client.get(answer.url))
    inside = state_of(player)
    again = said(client.get(post(client, door(made), code=scan).url))
    undo = f"/e/{made.event.code}/desk/players/{player.pk}/undo-check-in"
    back = post(client, undo, **{"from": "check-in"})

    assert (answer.url, inside, back.url, state_of(player)) == (door(made), "checked_in", door(made), "registered")
    assert "Ada Brook is checked in." in page
    assert "Ada Brook was checked in already." in again
    assert 'id="code" name="code"' in client.get(door(made)).content.decode()
    assert " autofocus>" in client.get(door(made)).content.decode()
    assert re.search(r"Ada Brook \d\d:\d\d undone", said(client.get(door(made))))


def test_what_is_nobodys_code_is_said_beside_the_box(make_event, send):
    made, other = make_event(players=1), make_event(players=1, name="Another Open")

    for code in ("nothing", "/", other.players[0].check_in_code):
        answer = send(made.organiser, door(made), {"code": code})
        assert (answer.status_code, "Nobody in this event has this code." in said(answer)) == (422, True)
    assert send(made.organiser, door(made), {"code": ""}).status_code == 400
    assert Player.objects.filter(state="checked_in").count() == 0


def test_who_waits_is_told_to_be_on_the_waitlist(make_event, as_user):
    made = make_event(players=2, capacity=2)
    Event.objects.filter(pk=made.event.pk).update(waitlist=True)
    person = make_user("Wim Toth")
    registration.register(event_id=made.event.pk, actor=actor_of(person), user_id=person.pk)
    entry, client = Player.objects.get(name="Wim Toth"), as_user(made.organiser)

    answer = post(client, door(made), code=entry.check_in_code)

    assert "Wim Toth is here, and on the waitlist." in said(client.get(answer.url))
    assert (state_of(entry), entry.is_present) == ("waitlisted", True)


def test_the_address_in_the_qr_has_one_button_for_staff_and_is_nothing_for_others(make_event, as_user, send):
    made = make_event(players=2)
    player, address = made.players[0], door(made, made.players[0].check_in_code)

    page = as_user(made.organiser).get(address)
    opened = state_of(player)
    code = re.search(r'name="code" value="([^"]+)"', page.content.decode())
    send(made.organiser, door(made), {"code": code[1]})

    assert (opened, state_of(player)) == ("registered", "checked_in")
    assert "Ada Brook Expected. Check in : Ada Brook" in said(page)
    assert "Checked in already." in said(as_user(made.organiser).get(address))
    for stranger in (player, made.players[1], make_user("Out Sider")):
        assert as_user(stranger).get(address).status_code == 404
    assert Client().get(address).url.startswith("/account/login/")
    assert as_user(made.organiser).get(door(made, "nothing")).status_code == 404


def test_check_in_is_over_once_the_event_runs(make_event, send, as_user):
    made = make_event(players=2, started=True)

    assert send(made.organiser, door(made), {"code": made.players[0].check_in_code}).status_code == 409
    assert "check-in is over" in said(as_user(made.organiser).get(door(made)))


def test_a_player_sees_their_own_code_and_nobody_elses(make_event, as_user):
    made = make_event(players=2)
    ada, bela = (as_user(player) for player in made.players)
    mine = f"/e/{made.event.code}/me/code.svg"

    drawn, other = ada.get(mine), bela.get(mine)
    page = ada.get(f"/e/{made.event.code}/me/").content.decode()

    assert (drawn["Content-Type"], drawn["Cache-Control"]) == ("image/svg+xml", "private, no-store")
    assert drawn.content != other.content
    assert b"style" not in drawn.content
    token = made.players[0].check_in_code
    told = segno.make(f"http://testserver{door(made, token)}", error="m", micro=False).matrix
    dots = re.findall(rb"M(\d+) (\d+)h1v1h-1z", drawn.content)
    assert {(int(x), int(y)) for x, y in dots} == {
        (x, y) for y, row in enumerate(told) for x, is_dark in enumerate(row) if is_dark
    }
    assert f'src="{mine}"' in page
    assert as_user(make_user("Out Sider")).get(mine).status_code == 403


def test_the_front_page_has_code_link_and_qr(make_event):
    made = make_event(players=1)

    page = Client().get(f"/e/{made.event.code}/").content.decode()
    drawn = Client().get(f"/e/{made.event.code}/qr.svg")

    assert f'<strong class="nowrap">{made.event.code}</strong>' in page
    assert f">http://testserver/e/{made.event.code}/</a>" in page
    assert f'src="/e/{made.event.code}/qr.svg"' in page
    assert (drawn.status_code, drawn["Content-Type"]) == (200, "image/svg+xml")
    assert Client().get("/e/nowhere/qr.svg").status_code == 404


def test_the_api_takes_a_code_from_staff_and_shows_it_to_its_player_only(make_event):
    made = make_event(players=2)
    player, address = made.players[0], f"/api/v1/events/{made.event.code}"
    clients = {}
    for word, user in (("player", player.user), ("other", made.players[1].user), ("staff", made.organiser)):
        clients[word] = APIClient()
        clients[word].force_authenticate(user)

    def scan(word: str, key: str):
        headers = {"Idempotency-Key": key}
        return clients[word].post(f"{address}/check-in", {"code": player.check_in_code}, format="json", headers=headers)

    seen = {word: client.get(f"{address}/players/{player.pk}").json() for word, client in clients.items()}
    first, second = scan("staff", "first-scan").json(), scan("staff", "second-scan").json()

    assert {word: body.get("check_in_code") for word, body in seen.items()} == {
        "player": player.check_in_code,
        "other": None,
        "staff": None,
    }
    assert clients["player"].get(address).json()["you"]["player"]["check_in_code"] == player.check_in_code
    assert scan("player", "not-by-players").status_code == 403
    facts = {"player": player.pk, "name": "Ada Brook", "state": "checked_in"}
    assert [{key: answer[key] for key in (*facts, "already")} for answer in (first, second)] == [
        {**facts, "already": False},
        {**facts, "already": True},
    ]


@pytest.mark.parametrize("players", [1, 3])
def test_the_door_asks_the_database_as_often_for_one_as_for_three(make_event, as_user, players):
    made = make_event(players=players, checked_in=True)
    client = as_user(made.organiser)

    with CaptureQueriesContext(connection) as captured:
        assert client.get(door(made)).status_code == 200

    assert len(captured) == 2 + 3 + 3
