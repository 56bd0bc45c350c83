from __future__ import annotations

import json

import pytest
from django.test import Client

from decks.models import Deck
from rules.models import Format

CHECK = "/api/v1/check"
DECKS = "/api/v1/decks"


def send(client: Client, address: str, body: object, method: str = "post"):
    return getattr(client, method)(address, json.dumps(body), content_type="application/json")


def test_a_verdict_has_violations_with_sections_problems_counts_and_zones(
    client: Client, legal_text: str, fifty: list[str]
) -> None:
    text = legal_text.replace(f"3 {fifty[0]}", f"4 {fifty[0]}") + "\nNobody"
    response = send(client, CHECK, {"game": "engarde", "format": "standard", "on": "2026-11-30", "text": text})
    assert response.status_code == 200
    verdict = response.json()
    assert (verdict["outcome"], verdict["format_version"], verdict["on"]) == ("illegal", "2025", "2026-11-30")
    assert [(found["code"], found["cite"]) for found in verdict["violations"]] == [
        ("zone_count.too_many", "ENGARDE 2.1"),
        ("copies.too_many", "ENGARDE 2.2"),
    ]
    assert all(found["sentence"] for found in verdict["violations"])
    assert [problem["number"] for problem in verdict["problems"]] == [19]
    [size] = [count for count in verdict["counts"] if count["constraint"] == "deck-size"]
    assert (size["actual"], size["max"], size["is_met"]) == (51, 50, False)
    assert [(zone["zone"], zone["count"]) for zone in verdict["zones"]] == [("main", 51), ("side", 0), ("realm", 1)]
    assert verdict["zones"][0]["cards"][0]["lines"] == [1]


@pytest.mark.usefixtures("engarde")
def test_the_day_is_today_when_none_is_given(client: Client) -> None:
    from django.utils import timezone

    verdict = send(client, CHECK, {"game": "engarde", "format": "standard", "text": ""}).json()
    assert verdict["on"] == timezone.localdate().isoformat()
    assert verdict["outcome"] == "illegal"


@pytest.mark.usefixtures("engarde")
@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"formt": "standard"}, 400),
        ({"format": 3}, 400),
        ({"text": ["3 Nobody"]}, 400),
        ({"text": None}, 400),
        ({"text": "3 \x00"}, 400),
        ({"text": "3 \ud800"}, 400),
        ({"text": "\n" * 2_001}, 400),
        ({"text": "x" * 10_000_000}, 413),
        ({"on": "2025-02-30"}, 400),
        ({"on": 20250601}, 400),
        ({"format": "nothing"}, 404),
        ({"game": "nothing"}, 404),
        ({"on": "1999-01-01"}, 404),
    ],
)
def test_bad_input_is_refused_as_a_problem(client: Client, change: dict[str, object], status: int) -> None:
    body = {"game": "engarde", "format": "standard", "on": "2026-11-30", "text": "3 Nobody", **change}
    response = send(client, CHECK, body)
    assert response.status_code == status
    assert response["Content-Type"].startswith("application/problem+json")


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["get", "post"])
def test_decks_need_a_login(client: Client, method: str) -> None:
    assert getattr(client, method)(DECKS, content_type="application/json").status_code == 401


def test_a_deck_is_made_read_changed_and_deleted(client: Client, player, standard: Format) -> None:
    client.force_login(player)
    made = send(client, DECKS, {"name": "Bells", "game": "engarde", "format": "standard", "text": "3 Nobody"})
    assert made.status_code == 201
    address = f"{DECKS}/{made.json()['id']}"
    assert client.get(address).json() == made.json()
    assert made.json()["version"] == 1
    assert client.get(DECKS).json() == [{key: value for key, value in made.json().items() if key != "version"}]
    changed = send(client, address, {"text": "2 Nobody"}, "patch")
    assert {key: changed.json()[key] for key in ("name", "game", "format", "text")} == {
        "name": "Bells",
        "game": "engarde",
        "format": "standard",
        "text": "2 Nobody",
    }
    assert client.delete(address).status_code == 204
    assert Deck.objects.count() == 0


@pytest.mark.parametrize("change", [{"name": ""}, {"name": 1}, {"owner": 1}, {"format": "eternal"}, {"text": "\x00"}])
def test_a_change_that_can_not_be_made_is_refused(client: Client, player, standard: Format, change: dict) -> None:
    deck = Deck.objects.create(owner=player, game=standard.game, format=standard, name="Mine", text="3 Nobody")
    client.force_login(player)
    assert send(client, f"{DECKS}/{deck.pk}", change, "patch").status_code == 400
    deck.refresh_from_db()
    assert (deck.name, deck.text, deck.format) == ("Mine", "3 Nobody", standard)


def test_an_outsider_learns_nothing_of_a_deck(client: Client, player, outsider, standard: Format) -> None:
    deck = Deck.objects.create(owner=player, game=standard.game, format=standard, name="Mine")
    client.force_login(outsider)
    address = f"{DECKS}/{deck.pk}"
    answers = [client.get(address), send(client, address, {"name": "Yours"}, "patch"), client.delete(address)]
    answers.append(send(client, address, {"wrong": 1}, "patch"))
    missing = client.get(f"{DECKS}/{deck.pk + 1}")
    assert [(answer.status_code, answer.json()) for answer in answers] == [(404, missing.json())] * 4
    assert client.get(DECKS).json() == []
    assert Deck.objects.get().name == "Mine"
