"""A player chooses the name that others read."""

from __future__ import annotations

from django.test import Client

from events.models import Player
from tests.events.factories import make_user
from tests.events.pages.test_player import send
from tests.events.pages.test_public import words


def test_a_minor_registers_with_the_surname_hidden(make_event, as_user):
    made = make_event(players=1)
    client, address = as_user(make_user("Tim Youngster")), f"/e/{made.event.code}/"

    asked = words(client.get(address))
    send(client, f"{address}register", hides_surname="1")
    mine = words(client.get(f"{address}me/"))

    assert "Show only my first name and initial to others" in asked
    assert "as Tim Youngster (others read “Tim Y.”)" in mine
    assert "Tim Y." in words(Client().get(f"{address}players/"))


def test_a_player_chooses_a_name_and_is_refused_one_that_is_taken(make_event, as_user):
    made = make_event(players=2)
    client, address = as_user(made.players[0]), f"/e/{made.event.code}/me/"

    chosen = send(client, f"{address}name", style="own", own="Red Fox")
    taken = send(client, f"{address}name", style="own", own="Bela Quist")

    assert (chosen["Location"], taken.status_code) == (address, 409)
    assert "Others read “Red Fox”" in words(client.get(address))
    assert Player.objects.get(pk=made.players[0].pk).public_name == "Red Fox"
    assert send(as_user(make_user("Out Sider")), f"{address}name", style="full").status_code == 403


def test_staff_choose_it_for_a_player(make_event, as_user):
    made = make_event(players=1)
    page = f"/e/{made.event.code}/desk/players/{made.players[0].pk}/"

    answer = send(as_user(made.organiser), f"{page}set/name", style="initial")

    assert answer["Location"] == page
    assert "others read “Ada B.”" in words(as_user(made.organiser).get(page))
