"""Who may read what, on every address of the site."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from events.models import Player, StaffRole
from tests.api.addresses import ADDRESSES, IN, filled, own, parameters, routes
from tests.api.conftest import AsUser, Site
from tests.events.factories import Made, make_user


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert {route for route in routes() if own(route)} == set(ADDRESSES)


def test_every_address_answers_each_person_as_the_table_says(site: Site) -> None:
    wrong = []
    for route, expected in ADDRESSES.items():
        gate = 401 if route.startswith("api/") else 302
        wanted = [gate if status == IN else status for status in expected]
        got = [client.get(filled(route, site.values)).status_code for client in site.clients.values()]
        if got != wanted:
            wrong.append((route, got, wanted))
    assert wrong == []


def test_an_organiser_of_another_event_is_a_stranger_here(site: Site, as_user: AsUser) -> None:
    client = as_user(make_user("Organiser Elsewhere"))
    seen = []
    for route, expected in ADDRESSES.items():
        if "<slug:code>" in route and expected[0] != 200:
            status = client.get(filled(route, site.values)).status_code
            if status == 200:
                seen.append(route)
    assert seen == []


def test_what_hangs_on_the_site_but_is_not_ours_needs_the_staff_of_the_site(site: Site) -> None:
    open_to = []
    for route in routes():
        if route.startswith("admin/") and not route.endswith(("login/", "logout/")):
            address = filled(route, site.values)
            for who, client in site.clients.items():
                if client.get(address).status_code == 200:
                    open_to.append((who, route))
    assert open_to == []


@pytest.mark.parametrize("child", ["player_id", "match_id", "role_id"])
def test_a_child_of_another_event_is_not_found_below_this_one(
    child: str, site: Site, make_event: Callable[..., Made]
) -> None:
    other = make_event(players=4, started=True, name="Elsewhere")
    match = other.match_of(other.players[0], other.post_round())
    foreign = {
        "player_id": other.players[0].pk,
        "match_id": match.pk,
        "role_id": StaffRole.objects.filter(event=other.event).order_by("pk")[0].pk,
    }
    values = {**site.values, child: foreign[child]}
    found = [route for route in routes() if own(route) and {"code", child} <= set(parameters(route))]
    assert found
    for route in found:
        address = filled(route, values)
        for client in site.clients.values():
            assert client.get(address).status_code in (302, 401, 404, 405), address
        key = {"idempotency_key": "elsewhere-key", "version": str(site.made.refresh().version)}
        answer = site.clients["organiser"].post(address, key)
        assert answer.status_code in (404, 403, 405, 409, 415, 400), (address, answer.status_code)
    assert other.players[0].state == Player.objects.get(pk=other.players[0].pk).state
