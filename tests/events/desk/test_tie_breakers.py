"""Another order of tie-breakers: tried on made-up events, chosen before the event begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from config.errors import Conflict, DomainError
from events.queries.tie_breakers import order_of, preview
from events.queries.verification import verify_event
from events.services import setup
from events.services.tie_breakers import choose_tie_breakers
from tests.events.factories import Made, load_packs
from tests.events.services.watching import one_change, refused

from .conftest import Send, key, said, version_of
from .test_query_counts import SIGNED_IN, queries

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db
OWN = ["match_points", "gw", "omw"]


def choose(made: Made, metrics: list[str]) -> None:
    choose_tie_breakers(event_id=made.event.pk, actor=made.by_organiser, metrics=metrics)


def test_orders_are_tried_on_events_as_large_as_this_one(make_event: Make) -> None:
    made = make_event(players=2, capacity=16)

    found = preview(made.event, OWN)

    assert (found.players, found.rounds, found.cut, found.examples) == (16, 4, 8, 10)
    assert found.metrics == ("match_points", "omw", "gw", "ogw")
    assert [change.name for change in found.changes] == [
        "Your order",
        "Pokémon",
        "Yu-Gi-Oh!",
        "Chess",
        "Points, then lots",
    ]
    assert all(0 < change.moved <= 100 and change.farthest for change in found.changes)
    assert preview(made.event, OWN) == found


def test_an_order_that_changes_nothing_says_so(make_event: Make) -> None:
    made = make_event(players=2, capacity=16)
    again = ["match_points", "omw", "gw", "ogw", "match_wins"]

    own = preview(made.event, again).changes[0]

    assert (own.name, own.cuts) == ("Your order", 0)
    assert own.moved < preview(made.event, ["match_points"]).changes[0].moved


@pytest.mark.parametrize(
    ("metrics", "code"),
    [
        ([], "standings.no_metrics"),
        (["omw", "omw"], "standings.duplicate_metric"),
        (["shoe_size"], "standings.unknown_metric"),
        (["victory_points"], "standings.only_of_tables"),
        (["match_points", "omw", "gw", "ogw", "mw", "sos", "esos"], "standings.too_many_metrics"),
    ],
)
def test_an_order_that_cannot_be_is_refused(metrics: list[str], code: str) -> None:
    with pytest.raises(DomainError) as refusal:
        order_of(metrics)

    assert refusal.value.code == code


def test_the_chosen_order_is_the_one_of_the_standings(make_event: Make) -> None:
    made = make_event(players=4, checked_in=True, decklists=True)
    with one_change(made.event, "event.tie_breakers"):
        choose(made, OWN)
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    made.refresh()
    assert "metrics" not in made.event.rules["standings"]["cite"]

    round_ = made.play_round()

    first = round_.standings.select_related("player").get(rank=1)
    assert set(OWN) <= first.values.keys()
    page = said(Client().get(f"/e/{made.event.code}/standings/{first.player_id}/"))
    assert "with an order of tie-breakers that the organiser chose before the event began" in page
    assert Client().get(f"/api/v1/events/{made.event.code}/rounds/1/standings/{first.player_id}").json()["own_order"]
    assert verify_event(made.refresh()).faults == []


def test_the_templates_order_comes_back_with_its_citation(make_event: Make) -> None:
    made = make_event(players=2)
    before = made.event.rules["standings"]
    choose(made, OWN)
    choose(made, list(before["metrics"]))

    assert made.refresh().rules["standings"] == before


def test_after_the_beginning_and_without_swiss_rounds_it_is_refused(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    with refused(Conflict, "event.begun", 409):
        choose(made, OWN)


def test_the_page_tries_and_chooses(make_event: Make, as_user: Callable[..., Client], send: Send) -> None:
    made = make_event(players=3, checked_in=True, decklists=True)
    page = f"/e/{made.event.code}/desk/tie-breakers/"
    assert f'href="{page}"' in as_user(made.organiser).get(f"/e/{made.event.code}/desk/settings/").content.decode()

    tried = as_user(made.organiser).get(page, {"order": [*OWN, ""]})
    words = said(tried)
    assert "In this order: MP , OMW% , GW% , OGW% , then lots." in words
    assert "in 10 made-up events of 8 players and 3 rounds" in words
    assert "Your order MP , GW% , OMW%" in words
    wrong = as_user(made.organiser).get(page, {"order": ["omw", "omw"]})
    assert (wrong.status_code, "can decide only once" in said(wrong)) == (400, True)
    chosen = send(made.organiser, page, {"order": OWN}, made.event)

    assert (chosen.url, made.refresh().rules["standings"]["metrics"]) == (page, OWN)
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    late = send(made.organiser, page, {"order": ["match_points"]}, made.event)
    assert (late.status_code, "Use this" in said(late)) == (409, False)


def test_the_api_tries_and_chooses(make_event: Make, as_user: Any) -> None:
    made = make_event(players=3)
    client, address = as_user(made.organiser), f"/api/v1/events/{made.event.code}/tie-breakers"

    def sent(body: dict[str, Any]) -> HttpResponse:
        return client.post(address, body, "application/json", headers={"Idempotency-Key": key()})

    tried = client.get(address, {"order": OWN}).json()
    assert (tried["changes"][0]["name"], tried["changes"][0]["metrics"]) == ("Your order", OWN)
    assert client.get(address, {"order": "shoe_size"}).json()["code"] == "standings.unknown_metric"
    assert sent({"metrics": OWN}).status_code == 428
    assert sent({"metrics": OWN, "version": version_of(made.event)}).json()["metrics"] == OWN
    assert sent({"metrics": [], "version": version_of(made.event)}).status_code == 400


def test_an_event_of_tables_has_nothing_to_try(make_event: Make, packs: None) -> None:
    load_packs("epic-melee")
    made = make_event(policy="melee", players=3)

    with refused(Conflict, "standings.not_swiss", 409):
        choose(made, ["match_points"])
    with pytest.raises(Conflict) as refusal:
        preview(made.event)
    assert refusal.value.code == "standings.not_swiss"


@pytest.mark.parametrize("players", [1, 3])
def test_the_page_asks_no_more_often_for_more_players(make_event: Make, as_user: Any, players: int) -> None:
    made = make_event(players=players)

    assert queries(as_user(made.organiser), f"/e/{made.event.code}/desk/tie-breakers/") == SIGNED_IN + 3 + 2
