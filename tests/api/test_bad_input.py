"""Bad addresses, as three people: never a 500, and nothing changed."""

from __future__ import annotations

import pytest

from tests.api.addresses import filled, parameters, routes
from tests.api.bad_input import BAD_VALUES, Row, send, some, state_of_everything, stay_awake
from tests.api.conftest import Site


@pytest.mark.parametrize("who", ["nobody", "player", "organiser"])
def test_no_bad_address_is_an_error_of_ours_or_changes_anything(who: str, site: Site) -> None:
    client = site.clients[who]
    before = state_of_everything()
    errors = []
    for route in routes():
        stay_awake()
        for name in set(parameters(route)):
            for bad in some(BAD_VALUES, route, who):
                address = filled(route, {**site.values, name: bad})
                for method in ("GET", "POST"):
                    if (status := send(client, address, Row(bad, method, b"idempotency_key=KEY"))) >= 500:
                        errors.append((status, method, route, name, bad[:20]))
    assert errors == []
    assert {name for name, digest in state_of_everything().items() if before[name] != digest} == set()


def test_the_digest_sees_one_changed_letter(site: Site) -> None:
    before = state_of_everything()
    site.made.players[0].name += "!"
    site.made.players[0].save()
    assert {name for name, digest in state_of_everything().items() if before[name] != digest} == {"events_player"}
