"""Why somebody is ninth: the neighbours and every figure, for everybody to read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.models import Standing
from events.queries.places import place_in
from events.services import registration
from tests.events.desk.conftest import said
from tests.events.factories import Made

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def played(make_event: Make, rounds: int = 2, **options: Any) -> tuple[Made, list[Standing]]:
    """An event of five with its standings after so many rounds."""
    made = make_event(started=True, **{"players": 5, **options})
    for _ in range(rounds):
        last = made.play_round()
    return made, list(last.standings.select_related("player").order_by("rank"))


def address(made: Made, row: Standing) -> str:
    return f"/e/{made.event.code}/standings/{row.player_id}/"


def test_the_place_is_told_by_its_neighbours_and_its_figures(make_event: Make) -> None:
    made, rows = played(make_event)
    above, here, below = rows[1:4]

    page = said(Client().get(address(made, here)))

    assert f"Why {here.player.name} is 3rd" in page
    assert re.search(rf"Behind {above.player.name} by [^:]+: \S+( %)? against", page)
    assert re.search(rf"(Ahead of|Level with) {below.player.name}", page)
    assert f"Counted by {made.event.policy.name}, version {made.event.policy.version}." in page
    assert "The mean of these:" in page
    assert "Opponents' match-win percentage:" in page


def test_every_value_is_the_stored_one_and_made_of_its_parts(make_event: Make) -> None:
    made, rows = played(make_event)
    round_ = made.event.rounds.get(sequence=2)

    found = {row.player_id: place_in(made.event, round_, row.player_id).explanation for row in rows}

    assert {player: one.rank for player, one in found.items()} == {row.player_id: row.rank for row in rows}
    for row in rows:
        figures = found[row.player_id].figures
        assert {figure.key: str(figure.value) for figure in figures if figure.key in row.values} == row.values
        for figure in figures:
            parts = [part.value for part in figure.parts if part.counts]
            if figure.made == "mean" and parts:
                assert sum(parts) / len(parts) == figure.value
            if figure.made == "sum":
                assert sum(parts) == figure.value


def test_standings_and_the_players_page_lead_there(make_event: Make, as_user: Callable[..., Client]) -> None:
    made, rows = played(make_event, rounds=1)
    last = rows[-1]
    link = f'href="{address(made, last)}?round=1"'

    assert link in Client().get(f"/e/{made.event.code}/standings/").content.decode()
    mine = as_user(made.players[[player.pk for player in made.players].index(last.player_id)])
    assert link in mine.get(f"/e/{made.event.code}/me/").content.decode()
    assert f"Why I am {last.rank}th" in said(mine.get(address(made, last)))


def test_an_earlier_round_stays_as_it_was(make_event: Make) -> None:
    made, _ = played(make_event)
    first = made.event.rounds.get(sequence=1).standings.select_related("player").get(rank=1)
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=first.player_id)

    page = said(Client().get(f"{address(made, first)}?round=1"))

    assert f"Why {first.player.name} is 1st" in page
    assert "Standings after round 1" in page


def test_there_is_nothing_before_a_round_is_complete_and_for_nobody(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    made.post_round()
    player = made.players[0].pk
    before = f"/e/{made.event.code}/standings/{player}/"
    api = f"/api/v1/events/{made.event.code}/rounds/1/standings/{player}"
    assert [Client().get(path).status_code for path in (before, f"{before}?round=1", api)] == [404, 404, 404]

    played_, _ = played(make_event, rounds=1, name="Another")
    for path in (f"/e/{played_.event.code}/standings/{player}/", f"/e/{played_.event.code}/standings/0/"):
        assert Client().get(path).status_code == 404
    assert Client().get(f"/e/{played_.event.code}/standings/{player}/?round=x").status_code == 400


def test_the_api_tells_the_same(make_event: Make) -> None:
    made, rows = played(make_event, rounds=1)
    first, second = rows[:2]

    told = Client().get(f"/api/v1/events/{made.event.code}/rounds/1/standings/{first.player_id}").json()

    assert (told["rank"], told["round"], told["above"], told["below"]["below"]) == (1, 1, None, second.player_id)
    assert told["names"][str(first.player_id)] == first.player.name
    assert told["policy"] == {
        "template": made.event.policy.slug,
        "name": made.event.policy.name,
        "version": made.event.policy.version,
    }
    assert {
        figure["key"]: figure["value"] for figure in told["figures"] if figure["key"] in first.values
    } == first.values


def test_a_hidden_surname_stays_hidden(make_event: Make) -> None:
    made, rows = played(make_event, rounds=1)
    top = rows[0].player
    top.public_name = "Zed Z."
    top.save(update_fields=["public_name"])

    for row in rows:
        for path in (
            address(made, row),
            f"/api/v1/events/{made.event.code}/rounds/1/standings/{row.player_id}",
        ):
            assert top.name not in Client().get(path).content.decode()


@pytest.mark.parametrize("players", [3, 9])
def test_the_page_asks_no_more_often_for_more_players(make_event: Make, players: int) -> None:
    made, rows = played(make_event, rounds=1, players=players)
    Client().get(address(made, rows[0]))

    with CaptureQueriesContext(connection) as captured:
        assert Client().get(address(made, rows[0])).status_code == 200

    assert len(captured) == 9
