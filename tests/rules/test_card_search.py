from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from cards.engine.filters import CardFilters
from cards.models import Card
from cards.queries import search_cards
from rules.packreader import read_pack
from rules.queries import format_by_slug, playable
from rules.services.loading import load_pack

pytestmark = pytest.mark.django_db
PAGE = "/cards/engarde/"
API = "/api/v1/games/engarde/cards"
DAY = "2026-11-30"


@pytest.fixture(autouse=True)
def _packs(db: None) -> None:
    load_pack(pack=read_pack(Path(settings.BASE_DIR) / "rules/packs/engarde"))


def names_on(client: Client, query: str) -> list[str]:
    return [card.name for card, *_ in client.get(f"{PAGE}?{query}").context["rows"]]


def cards_with(**facts: Any) -> set[str]:
    return set(Card.objects.filter(facts__contains=facts).values_list("name", flat=True))


def test_a_misspelt_name_is_asked_about_and_not_taken(client: Client):
    page = client.get(f"{PAGE}?q=Tideturn+Refluks")
    text = page.content.decode()
    assert page.context["rows"] == []
    assert "No card is called “Tideturn Refluks”." in " ".join(text.split()).replace("card  is", "card is")
    assert [card.name for card, *_ in page.context["near"]][0] == "Tideturn: Reflux"
    assert client.get(f"{PAGE}?q=Tideturn+Reflux").context["near"] == []

    answer = client.get(f"{API}?q=Tideturn+Refluks").json()
    assert (answer["count"], answer["results"]) == (0, [])
    assert answer["did_you_mean"][0] == {"slug": "tideturn-reflux", "name": "Tideturn: Reflux"}


def test_page_and_api_find_the_same(client: Client):
    query = "f-type=unit&f-rarity=common&f-rarity=rare"
    page = client.get(f"{PAGE}?{query}").context["page"]
    answer = client.get(f"{API}?{query}&limit=100").json()
    expected = cards_with(type="unit", rarity="common") | cards_with(type="unit", rarity="rare")
    assert 0 < len(expected) < Card.objects.count()
    assert page.paginator.count == answer["count"] == len(expected)
    assert {card["name"] for card in answer["results"]} == expected


def test_cards_that_a_format_takes_on_a_day(client: Client):
    everything = Card.objects.filter(game__slug="engarde")
    standard = format_by_slug(game="engarde", slug="standard")
    listed = search_cards(game=standard.game, filters=CardFilters(), day=date(2026, 11, 30))
    found = playable.playable_cards(cards=listed, format=standard, day=date(2026, 11, 30))
    names = set(everything.filter(pk__in=found.ids).values_list("name", flat=True))
    assert "The Long Bell" not in names  # banned
    assert "Tideturn: Reflux" in names  # restricted
    assert 0 < len(names) < everything.count()

    page = client.get(f"{PAGE}?format=standard&on={DAY}")
    assert page.context["page"].paginator.count == len(names)
    assert client.get(f"{API}?format=standard&on={DAY}").json()["count"] == len(names)
    before = client.get(f"{API}?format=standard&on=2026-01-01").json()
    assert before["count"] < len(names)  # the newest set was not out yet


def test_what_cannot_be_told_is_counted_and_not_listed(client: Client):
    Card.objects.filter(name="The Long Bell").update(facts={})
    answer = client.get(f"{API}?format=eternal&on={DAY}&q=The+Long+Bell").json()
    assert (answer["count"], answer["undetermined"]) == (0, 1)


def test_too_many_cards_for_a_format_are_refused(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(playable, "MOST", 3)
    assert client.get(f"{API}?format=standard").json()["code"] == "cards.too_many"
    assert client.get(f"{PAGE}?format=standard").status_code == 400


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("f-type=nonsense", 400, "cards.filter"),
        ("f-colour=red", 400, "cards.filter"),
        ("set=nonsense", 400, "cards.filter"),
        ("tag=nonsense", 400, "cards.filter"),
        ("on=yesterday", 400, "request.bad_day"),
        ("format=nonsense", 404, "format.unknown"),
        ("format=standard&on=1999-01-01", 404, "format.not_in_force"),
        ("q=a%00b", 400, "request.bad"),
    ],
)
def test_what_cannot_be_meant_is_refused(client: Client, query: str, status: int, code: str):
    assert client.get(f"{PAGE}?{query}").status_code == status
    answer = client.get(f"{API}?{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, "request.fields" if "bad_day" in code else code)


def test_programs_are_told_of_a_parameter_that_there_is_not(client: Client):
    assert client.get(f"{API}?name=lance").json()["fields"] == {"name": ["There is no such parameter."]}


def test_an_empty_game_says_what_to_do(client: Client):
    Card.objects.all().delete()
    assert "An organiser of the game can import them." in client.get(PAGE).content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_a_search_costs_the_same_for_one_card_and_three(client: Client, django_assert_num_queries, count: int):
    keep = Card.objects.filter(facts__type="unit", printings__card_set__code="EF").order_by("name")[:count]
    Card.objects.exclude(pk__in=[card.pk for card in keep]).delete()
    with django_assert_num_queries(6):  # game, sets, tags, formats, how many, those of the page
        assert len(names_on(client, "f-type=unit")) == count
    with django_assert_num_queries(12):  # and the version, the candidates, its lists, three for their facts
        client.get(f"{PAGE}?format=standard&on={DAY}")
    with django_assert_num_queries(5):  # game, sets, tags, how many, those of the page; near names are not asked for
        client.get(f"{API}?q={keep[0].name[:4]}")
