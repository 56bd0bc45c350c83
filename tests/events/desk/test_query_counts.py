"""How often the pages of the desk ask the database, with few rows and with more."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.services import registration

pytestmark = pytest.mark.django_db
SIGNED_IN = 2  # the session and its user


def queries(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


@pytest.mark.parametrize("players", [1, 3])
def test_players(make_event: Callable, as_user: Callable, players: int) -> None:
    made = make_event(players=players, decklists=True)
    registration.add_player(event_id=made.event.pk, actor=made.by_organiser, name="Guest")

    assert queries(as_user(made.organiser), f"/e/{made.event.code}/desk/players/") == SIGNED_IN + 3 + 3


@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize(("drafted", "count"), [(True, SIGNED_IN + 3 + 14), (False, SIGNED_IN + 3 + 14)])
def test_a_round(make_event: Callable, as_user: Callable, players: int, drafted: bool, count: int) -> None:
    made = make_event(players=players, started=True)
    round_ = made.draft_round() if drafted else made.post_round()
    if not drafted:
        for player in made.players[:3]:
            made.report(player, round_, 2, 0)

    assert queries(as_user(made.organiser), f"/e/{made.event.code}/desk/round/1/") == count


@pytest.mark.parametrize("players", [2, 6])
def test_the_floor(make_event: Callable, as_user: Callable, players: int) -> None:
    made = make_event(players=players, started=True)
    made.post_round()

    assert queries(as_user(made.judge), f"/e/{made.event.code}/floor/") == SIGNED_IN + 3 + 10


@pytest.mark.parametrize("players", [2, 6])
def test_the_desk(make_event: Callable, as_user: Callable, players: int) -> None:
    made = make_event(players=players, started=True)
    made.post_round()

    assert queries(as_user(made.organiser), f"/e/{made.event.code}/desk/") == SIGNED_IN + 3 + 8
