"""Two lists beside each other: for anybody by pasting them, for an owner by picking decks and their versions."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from cards.models import Game
from decks.models import Deck
from decks.services.decks import create_deck, save_deck
from rules.models import Format

ADDRESS = "/decks/compare"


def post(client: Client, first: str, second: str, game: str = "engarde"):
    return client.post(ADDRESS, {"game": game, "first_text": first, "second_text": second})


def test_a_guest_compares_two_pasted_lists(client: Client, fifty: list[str]) -> None:
    a, b, c = fifty[:3]
    response = post(client, f"3 {a}\n1 {b}", f"1 {c}\n2 {a}\nSideboard\n1 {b}")
    compared = response.context["compared"]
    main, side = compared.zones
    assert [(card.name, card.first) for card in main.only_first] == [(b, 1)]
    assert [(card.name, card.second) for card in main.only_second] == [(c, 1)]
    assert [(card.name, card.first, card.second) for card in main.both] == [(a, 3, 2)]
    assert [(card.name, card.second) for card in side.only_second] == [(b, 1)]
    assert not compared.is_same
    assert all(mark in response.text for mark in compared.fingerprints)
    assert Deck.objects.count() == 0


def test_the_same_deck_written_otherwise_is_said_to_be_the_same(client: Client, fifty: list[str]) -> None:
    response = post(client, f"2 {fifty[0]}\n1 {fifty[1]}", f"{fifty[1].upper()}\n1x {fifty[0]}\n{fifty[0]}")
    assert "The same deck." in response.text


def test_a_line_that_is_not_understood_is_told_and_may_be_anything(client: Client, fifty: list[str]) -> None:
    response = post(client, f"2 {fifty[0]}\n1 Nobody", f"2 {fifty[0]}")
    assert "The same deck." not in response.text
    assert "the first, line 2: <code>1 Nobody</code>" in response.text
    assert not response.context["compared"].is_same


@pytest.mark.usefixtures("engarde")
@pytest.mark.parametrize(
    ("first", "second", "game"),
    [
        ("1 A", "1 B", "nothing"),
        ("1 A", "\n" * 2_001, "engarde"),
        ("<cockatrice_deck>", "", "engarde"),
        ("https://decks.example/1", "", "engarde"),
    ],
)
def test_what_can_not_be_compared_is_refused_and_kept(client: Client, first: str, second: str, game: str) -> None:
    response = post(client, first, second, game)
    assert (response.status_code, response.context["form"]["first_text"].value()) == (400, first)


def test_an_owner_compares_a_deck_with_another_and_with_what_it_was(
    client: Client, player: User, standard: Format, fifty: list[str]
) -> None:
    client.force_login(player)
    one = create_deck(owner=player, format=standard, name="One", text=f"3 {fifty[0]}")
    two = create_deck(owner=player, format=standard, name="Two", text=f"3 {fifty[1]}")
    response = client.get(ADDRESS, {"first": one.pk, "second": two.pk})
    assert response.context["names"] == ("One", "Two")
    assert "Only in Two" in response.text
    save_deck(owner=player, deck_id=one.pk, text=f"2 {fifty[0]}")
    response = client.get(ADDRESS, {"first": f"{one.pk}.1", "second": one.pk})
    assert response.context["names"] == ("One, version 1", "One")
    [zone] = response.context["compared"].zones
    assert [(card.first, card.second) for card in zone.both] == [(3, 2)]
    assert client.get(ADDRESS, {"first": one.pk}).context["form"]["first_text"].value() == f"2 {fifty[0]}"
    for wrong in ("x", "1.x", f"{one.pk}.9", "9" * 30, f"{one.pk}.{'9' * 17}", "٣"):
        assert client.get(ADDRESS, {"first": one.pk, "second": wrong}).status_code == 404


def test_decks_of_two_games_are_not_compared(client: Client, player: User, standard: Format) -> None:
    client.force_login(player)
    other = Format.objects.get(game__slug="epic", slug="designed-deck")
    decks = [create_deck(owner=player, format=each, name=each.slug) for each in (standard, other)]
    assert client.get(ADDRESS, {"first": decks[0].pk, "second": decks[1].pk}).status_code == 400


def test_comparing_asks_as_much_of_one_card_as_of_three(client: Client, fifty: list[str]) -> None:
    counts = []
    for number in (1, 3, 17):
        text = "\n".join(f"3 {name}" for name in fifty[:number])
        with CaptureQueriesContext(connection) as captured:
            assert post(client, text, "").status_code == 200
        counts.append(len(captured))
    assert counts == [3, 3, 3]


def test_programs_compare_and_count(client: Client, player: User, standard: Format, fifty: list[str]) -> None:
    body = {"game": "engarde", "first": f"3 {fifty[0]}", "second": f"1 {fifty[0]}\nNobody"}
    answer = client.post("/api/v1/decks/compare", json.dumps(body), content_type="application/json").json()
    [zone] = answer["zones"]
    assert [(card["name"], card["first"], card["second"]) for card in zone["cards"]] == [(fifty[0], 3, 1)]
    assert (answer["is_same"], answer["first_problems"]) == (False, [])
    assert answer["second_problems"] == [{"number": 2, "raw": "Nobody"}]
    wrong = client.post("/api/v1/decks/compare", json.dumps({**body, "x": 1}), content_type="application/json")
    assert wrong.status_code == 400
    client.force_login(player)
    deck = create_deck(owner=player, format=standard, name="One", text=f"3 {fifty[0]}\n1 Nobody")
    [counted] = client.get(f"/api/v1/decks/{deck.pk}/statistics").json()["zones"]
    assert (counted["zone"], counted["count"]) == ("main", 3)
    assert all(sum(bar["count"] for bar in chart["bars"]) + chart["unknown"] == 3 for chart in counted["charts"])
    in_the_pack = ["type", "discipline", "cost", "rarity", "attack", "defence", "wounds"]
    told = [chart["fact"] for chart in counted["charts"]]
    assert {"type", "cost"} <= set(told)
    assert told == [fact for fact in in_the_pack if fact in told]
    assert list(Game.objects.get(slug="engarde").facts) == in_the_pack


def test_the_checker_lays_the_deck_out_with_what_is_wrong_beside_its_cards(client: Client, fifty: list[str]) -> None:
    text = f"4 {fifty[0]}\n1 {fifty[1]}\nNobody\nSideboard\n1 {fifty[2]}\n2 Nothing"
    response = client.post("/check/", {"format": "engarde/standard", "on": "2026-11-30", "text": text})
    details = response.context["details"]
    assert [(column.label, column.count) for column in details.columns] == [("Main deck", 5), ("Sideboard", 1)]
    assert [(row.entry.name, row.is_broken) for row in details.columns[0].rows] == sorted(
        [(fifty[0], True), (fifty[1], False)]
    )
    assert [[line.number for line in column.problems] for column in details.columns] == [[3], [6]]
    assert [zone.zone for zone in details.statistics] == ["main"]
    assert "Main deck in numbers" in response.text
