"""The admin shows events and changes nothing."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.test import Client

from accounts.models import User
from events.models import Event, Match, Player
from events.services import registration

pytestmark = pytest.mark.django_db
SHOWN = ["event", "staffrole", "stage", "player", "round", "result", "logentry", "outboxmessage"]


@pytest.fixture
def superuser(db) -> Client:
    client = Client()
    root = User.objects.create_superuser("root@example.org", "a lance of ash wood", display_name="Root")
    client.force_login(root, backend="accounts.backends.AccountBackend")
    return client


def test_every_list_opens(make_event, superuser):
    make_event(players=2, started=True).play_round()

    for model in SHOWN:
        assert (model, superuser.get(f"/admin/events/{model}/?q=x").status_code) == (model, 200)
        assert superuser.get(f"/admin/events/{model}/").context["cl"].result_count > 0
        assert superuser.get(f"/admin/events/{model}/add/").status_code == 403


def test_an_event_is_shown_without_its_secret_and_cannot_be_changed(make_event, superuser):
    made = make_event(players=0)
    address = f"/admin/events/event/{made.event.pk}/"

    page = superuser.get(f"{address}change/").content.decode()

    assert made.event.commitment in page
    assert "Secret" not in page
    assert "00010203" not in page
    assert superuser.post(f"{address}change/", {"name": "Mine"}).status_code == 403
    assert superuser.post(f"{address}delete/", {"post": "yes"}).status_code == 403
    assert Event.objects.get().name == made.event.name


def test_a_claim_token_is_not_shown(make_event, superuser):
    made = make_event(players=0)
    registration.add_player(event_id=made.event.pk, actor=made.by_organiser, name="Guest")
    guest = Player.objects.get(event=made.event)

    page = superuser.get(f"/admin/events/player/{guest.pk}/change/").content.decode()

    assert "Guest" in page
    assert guest.claim_token not in page


def test_matches_have_no_page_of_their_own():
    assert not admin.site.is_registered(Match)
