"""Every text and name that a deck had is kept, told apart and can come back; two who save at once lose nothing."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from cards.models import Game
from config.errors import Conflict, NotFound
from decks.models import Deck, DeckRevision
from decks.queries.history import PER_PAGE, history_of, newest_number
from decks.services import decks as services
from decks.services.decks import MAX_REVISIONS, create_deck, restore_revision, save_deck
from rules.models import Format
from tests.threads import at_once


@pytest.fixture
def deck(player: User, standard: Format, fifty: list[str]) -> Deck:
    return create_deck(owner=player, format=standard, name="Bells", text=f"3 {fifty[0]}")


def texts_of(deck: Deck) -> list[tuple[int, str]]:
    return list(DeckRevision.objects.filter(deck=deck).order_by("number").values_list("number", "text"))


def test_a_text_that_another_takes_the_place_of_is_kept_with_its_time(deck: Deck, player: User) -> None:
    saved_at = deck.updated_at
    save_deck(owner=player, deck_id=deck.pk, text="2 Other", name="Renamed")
    [kept] = DeckRevision.objects.filter(deck=deck)
    assert (kept.number, kept.name, kept.text, kept.saved_at) == (1, "Bells", deck.text, saved_at)


def test_a_save_that_changes_nothing_keeps_nothing(deck: Deck, player: User) -> None:
    save_deck(owner=player, deck_id=deck.pk, text=deck.text, name=" Bells ", seen=7)
    assert texts_of(deck) == []
    assert newest_number(deck=deck) == 1


def test_a_name_that_another_takes_the_place_of_is_kept_told_and_comes_back(
    client: Client, deck: Deck, player: User
) -> None:
    save_deck(owner=player, deck_id=deck.pk, name="Chimes", seen=1)
    [kept] = DeckRevision.objects.filter(deck=deck)
    assert (kept.number, kept.name, kept.text) == (1, "Bells", deck.text)
    with pytest.raises(Conflict):
        save_deck(owner=player, deck_id=deck.pk, name="Gongs", seen=1)
    last, first = history_of(deck=Deck.objects.get()).changes
    assert (last.old_name, last.is_rewritten, last.changed) == ("Bells", False, [])
    assert (first.old_name, first.is_first) == ("", True)
    client.force_login(player)
    page = client.get(f"/decks/{deck.pk}/history").text
    assert "“Bells” became “Chimes”." in page
    assert "Written otherwise" not in page
    rows = client.get(f"/api/v1/decks/{deck.pk}/history").json()["versions"]
    assert [(row["number"], row["name"]) for row in rows] == [(2, "Chimes"), (1, "Bells")]
    assert restore_revision(owner=player, deck_id=deck.pk, number=1).name == "Bells"
    assert newest_number(deck=deck) == 3


def test_the_oldest_versions_make_room(deck: Deck, player: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_REVISIONS", 3)
    for number in range(5):
        save_deck(owner=player, deck_id=deck.pk, text=f"{number}")
    assert texts_of(deck) == [(3, "1"), (4, "2"), (5, "3")]
    assert newest_number(deck=deck) == 6
    assert MAX_REVISIONS == 200


def test_restoring_is_a_save_that_can_be_undone(deck: Deck, player: User) -> None:
    first = deck.text
    save_deck(owner=player, deck_id=deck.pk, text="2 Other")
    assert restore_revision(owner=player, deck_id=deck.pk, number=1).text == first
    assert texts_of(deck) == [(1, first), (2, "2 Other")]
    assert restore_revision(owner=player, deck_id=deck.pk, number=2).text == "2 Other"
    with pytest.raises(NotFound):
        restore_revision(owner=player, deck_id=deck.pk, number=9)


def test_a_save_from_an_older_version_is_refused_and_changes_nothing(deck: Deck, player: User) -> None:
    save_deck(owner=player, deck_id=deck.pk, text="2 Other", seen=1)
    with pytest.raises(Conflict) as refused:
        save_deck(owner=player, deck_id=deck.pk, text="1 Third", name="Third", seen=1)
    assert (refused.value.code, refused.value.context) == ("decks.stale", {"version": 2, "seen": 1})
    deck.refresh_from_db()
    assert (deck.name, deck.text) == ("Bells", "2 Other")
    save_deck(owner=player, deck_id=deck.pk, text="2 Other", seen=1)  # the same text is no conflict


def test_the_page_of_a_stale_save_keeps_both_texts_and_saving_again_means_it(
    client: Client, deck: Deck, player: User
) -> None:
    client.force_login(player)
    fields = {"name": "Bells", "format": "engarde/standard", "text": "1 Mine", "save": "1", "seen": "1"}
    assert 'name="seen" value="1"' in client.get(f"/decks/{deck.pk}/").text
    save_deck(owner=player, deck_id=deck.pk, text="2 Elsewhere")
    response = client.post(f"/decks/{deck.pk}/", fields)
    assert response.status_code == 409
    assert "saved elsewhere since you opened it" in response.text
    assert response.context["form"]["text"].value() == "1 Mine"
    assert f'href="/decks/{deck.pk}/history/2"' in response.text
    assert 'name="seen" value="2"' in response.text
    assert client.post(f"/decks/{deck.pk}/", {**fields, "seen": "2"}).status_code == 302
    deck.refresh_from_db()
    assert (deck.text, texts_of(deck)[-1]) == ("1 Mine", (2, "2 Elsewhere"))


def test_history_tells_what_came_and_went_by_zone(deck: Deck, player: User, fifty: list[str]) -> None:
    save_deck(owner=player, deck_id=deck.pk, text=f"1 {fifty[0]}\n2 {fifty[1]}\nNobody\nSideboard\n1 {fifty[2]}")
    save_deck(owner=player, deck_id=deck.pk, text=f"1 {fifty[0]}\n2 {fifty[1]}\nSideboard\n1 {fifty[2]}\n")
    last, second, first = history_of(deck=Deck.objects.get()).changes
    assert (last.version.number, last.version.is_now, last.changed, last.problems) == (3, True, [], 0)
    assert [(zone.zone, [(card.name, card.change) for card in zone.added]) for zone in second.changed] == [
        ("main", [(fifty[1], 2)]),
        ("side", [(fifty[2], 1)]),
    ]
    assert [(card.name, card.change) for card in second.changed[0].removed] == [(fifty[0], -2)]
    assert (second.count, second.problems, second.is_first) == (4, 1, False)
    assert (first.version.number, first.count, first.is_first) == (1, 3, True)


def test_a_long_history_has_pages(client: Client, deck: Deck, player: User) -> None:
    for number in range(PER_PAGE + 4):
        save_deck(owner=player, deck_id=deck.pk, text=f"{number}")
    deck.refresh_from_db()
    page = history_of(deck=deck)
    assert [change.version.number for change in page.changes] == list(range(25, 5, -1))
    assert page.older == 6
    older = history_of(deck=deck, before=page.older)
    assert [change.version.number for change in older.changes] == [5, 4, 3, 2, 1]
    assert (older.older, [change.is_first for change in older.changes]) == (None, [False] * 4 + [True])
    client.force_login(player)
    assert "?before=6" in client.get(f"/decks/{deck.pk}/history").text
    for before in ("x", "-1", "9" * 30, "0"):
        assert client.get(f"/decks/{deck.pk}/history?before={before}").status_code == 200


def test_the_pages_of_the_history_ask_as_much_of_one_version_as_of_three(
    client: Client, deck: Deck, player: User, fifty: list[str]
) -> None:
    client.force_login(player)

    def count(address: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    save_deck(owner=player, deck_id=deck.pk, text=f"2 {fifty[1]}")
    one = count(f"/decks/{deck.pk}/history"), count(f"/decks/{deck.pk}/history/1"), count(f"/decks/{deck.pk}/")
    save_deck(owner=player, deck_id=deck.pk, text=f"2 {fifty[2]}")
    save_deck(owner=player, deck_id=deck.pk, text="\n".join(f"3 {name}" for name in fifty))
    three = count(f"/decks/{deck.pk}/history"), count(f"/decks/{deck.pk}/history/1"), count(f"/decks/{deck.pk}/")
    assert one == three == (6, 6, 15)


def test_a_version_is_looked_at_and_restored(client: Client, deck: Deck, player: User, fifty: list[str]) -> None:
    client.force_login(player)
    save_deck(owner=player, deck_id=deck.pk, text=f"1 {fifty[1]}")
    page = client.get(f"/decks/{deck.pk}/history/1")
    assert f"3 {fifty[0]}" in page.text.replace("&#x27;", "'")
    assert "Make it the deck again" in page.text
    assert "This is the deck as it is now" in client.get(f"/decks/{deck.pk}/history/2").text
    assert client.get(f"/decks/{deck.pk}/history/3").status_code == 404
    assert client.get(f"/decks/{deck.pk}/history/{'9' * 30}").status_code == 404
    assert client.post(f"/decks/{deck.pk}/history/1/restore").url == f"/decks/{deck.pk}/"
    assert Deck.objects.get().text == f"3 {fifty[0]}"


def test_programs_read_the_history_and_restore(client: Client, deck: Deck, player: User, fifty: list[str]) -> None:
    client.force_login(player)
    address = f"/api/v1/decks/{deck.pk}"
    change = {"text": f"1 {fifty[0]}", "seen": 1}
    changed = client.patch(address, json.dumps(change), content_type="application/json")
    assert (changed.status_code, changed.json()["version"]) == (200, 2)
    stale = client.patch(address, json.dumps({"text": "", "seen": 1}), content_type="application/json")
    assert (stale.status_code, stale.json()["code"], stale.json()["context"]) == (
        409,
        "decks.stale",
        {"version": 2, "seen": 1},
    )
    answer = client.get(f"{address}/history").json()
    assert [(row["number"], row["is_now"], row["count"]) for row in answer["versions"]] == [(2, True, 1), (1, False, 3)]
    [zone] = answer["versions"][0]["changed"]
    assert (zone["zone"], [(card["name"], card["first"], card["second"]) for card in zone["cards"]]) == (
        "main",
        [(fifty[0], 3, 1)],
    )
    assert client.get(f"{address}/history?before=x").status_code == 400
    assert client.get(f"{address}/history/1").json()["text"] == f"3 {fifty[0]}"
    assert client.post(f"{address}/history/1/restore", content_type="application/json").json()["version"] == 3


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_of_two_saves_at_once_from_one_version_one_is_told_and_nothing_is_lost() -> None:
    owner = User.objects.create_user("racer@example.org", display_name="Racer")
    game = Game.objects.create(slug="tilt", name="Tilt", zones=[{"key": "main", "label": "Main deck"}])
    format_ = Format.objects.create(game=game, slug="open", name="Open")
    deck = create_deck(owner=owner, format=format_, name="Bells", text="0")
    Deck.objects.update(updated_at=deck.updated_at - timedelta(days=1))
    results = at_once(*(lambda text=text: save_deck(owner=owner, deck_id=deck.pk, text=text, seen=1) for text in "ab"))
    assert sorted(type(result).__name__ for result in results) == ["Conflict", "Deck"]
    results = at_once(*(lambda text=text: save_deck(owner=owner, deck_id=deck.pk, text=text) for text in "cdef"))
    assert [type(result).__name__ for result in results] == ["Deck"] * 4
    deck.refresh_from_db()
    texts = [text for _, text in texts_of(deck)] + [deck.text]
    assert sorted(texts) in (sorted("0acdef"), sorted("0bcdef"))
