"""A player whom staff entered takes the entry over with an account."""

from __future__ import annotations

import pytest
from django.test import Client

from events.models import Player
from events.services import registration
from tests.events.factories import make_user
from tests.events.pages.test_player import send
from tests.events.pages.test_public import words


@pytest.fixture
def guest(make_event):
    made = make_event(players=1)
    change = registration.add_player(event_id=made.event.pk, actor=made.by_organiser, name="Wanda Guest")
    return (
        made,
        Player.objects.get(pk=change.facts["player"]),
        f"/e/{made.event.code}/claim/{change.facts['claim_token']}/",
    )


def test_a_guest_claims_the_entry_once(guest, as_user):
    made, entry, link = guest
    user = make_user("Wanda G")
    client = as_user(user)

    asked = words(client.get(link))
    claimed = send(client, link)
    again = send(client, link)
    another = send(as_user(make_user("Xenia Roth")), link)

    assert "Is this you: Wanda Guest?" in asked
    assert (claimed["Location"], again["Location"]) == (f"/e/{made.event.code}/me/", f"/e/{made.event.code}/me/")
    assert another.status_code == 404
    entry.refresh_from_db()
    assert entry.user == user


def test_a_claim_without_an_account_leads_to_log_in_and_back(guest):
    _, entry, link = guest

    page = Client().get(link).content.decode()
    send(Client(), link)

    assert f"/account/login/?next={link.replace('/', '%2F')}" in page
    entry.refresh_from_db()
    assert entry.user is None


def test_who_plays_already_cannot_claim_a_second_entry(guest, as_user):
    made, entry, link = guest

    answer = send(as_user(made.players[0]), link)

    assert answer.status_code == 409
    entry.refresh_from_db()
    assert entry.user is None


@pytest.mark.parametrize("token", ["x", "a" * 40, "%2e%2e", "' OR 1=1"])
def test_a_link_that_nobody_made_is_not_found(guest, token):
    made, _, _ = guest

    assert Client().get(f"/e/{made.event.code}/claim/{token}/").status_code == 404
