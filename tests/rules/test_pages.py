from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from rules.packreader import read_pack
from rules.services.loading import load_pack
from tests.rules.packs import edited, write_pack

SECTION = "/rules/joust/rulebook@1/2.1"


@pytest.fixture(autouse=True)
def _pack(db: None, tmp_path: Path) -> None:
    load_pack(pack=read_pack(write_pack(tmp_path)))


def page(client: Client, address: str, status: int = 200, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == status, response.content[:500]
    return response.content.decode()


@pytest.mark.parametrize(
    ("address", "holds"),
    [
        ("/rules/", "Rules of the joust"),
        ("/rules/search", "Search the rules"),
        ("/rules/search?q=hand", "<mark>hand</mark>"),
        ("/rules/search?q=lance&game=joust", "/cards/joust/lance"),
        ("/rules/joust/rulebook@1/", "<em>two</em>"),
        (SECTION, "← 2 Decks"),
        ("/rules/joust/rulebook@1/R1", "interpretation"),
        ("/formats/joust/open", "at least 2 cards."),
        ("/formats/joust/open?on=2026-02-01", "banned"),
        ("/formats/joust/open?on=2026-01-31", "No card is banned or restricted on this day."),
        ("/cards/", "Joust"),
        ("/cards/joust/", "Herald, Sworn"),
        ("/cards/joust/?q=spear", "Lance"),
        ("/cards/joust/lance", "Heralds&#x27; list"),
        ("/cards/joust/herald-sworn", "not known"),
    ],
)
def test_a_page_answers(client: Client, address: str, holds: str):
    assert holds in page(client, address)


@pytest.mark.parametrize(
    "address", ["/cards/joust/", "/cards/joust/shield", "/formats/joust/open", "/rules/search?q=shield"]
)
def test_a_sample_card_is_marked_wherever_it_shows(client: Client, address: str):
    text = page(client, address)
    assert "Shield" in text
    assert "sample" in text


def test_a_publishers_card_is_not_marked(client: Client):
    assert "sample card" not in page(client, "/cards/joust/herald-sworn")


def test_the_live_search_gets_the_hits_alone(client: Client):
    whole, part = page(client, "/rules/search?q=hand"), page(client, "/rules/search?q=hand", hx_request="true")
    assert "<!DOCTYPE html>" in whole
    assert "<!DOCTYPE html>" not in part
    assert "<mark>hand</mark>" in part


@pytest.mark.parametrize(
    ("query", "holds"), [("what+is+a+tilt+yard", True), ("tilt+yards", True), ("yard", False), ("yard+tilt", False)]
)
def test_a_word_of_the_glossary_is_explained_where_it_is_asked_for(client: Client, query: str, holds: bool):
    assert ("Where they ride." in page(client, f"/rules/search?q={query}")) is holds


def test_rules_found_stand_under_their_game_with_number_and_words_marked(client: Client):
    by_number, by_words = page(client, "/rules/search?q=2.1"), page(client, "/rules/search?q=decks")

    assert '<mark class="citation" aria-hidden="true">JOUST 2.1</mark>' in by_number
    assert "<mark>Decks</mark>" in by_words
    assert by_words.count('<h2 id="hits-joust">Joust</h2>') == 1


def test_what_is_typed_is_shown_as_text(client: Client):
    assert "<script>x" not in page(client, "/rules/search?q=<script>x</script>")


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/formats/joust/open?on=yesterday", 400),
        ("/formats/joust/open?on=2026-02-30", 400),
        ("/formats/joust/open?on=20260201", 400),
        ("/formats/joust/open?on=" + "9" * 5000, 400),
        ("/cards/joust/lance?on=0000-01-01", 400),
        ("/rules/search?q=a%00b", 400),
        ("/rules/search?q=%ED%A0%80", 200),
        ("/rules/search?q=" + "x" * 7000, 200),
        ("/rules/search?q=" + "x" * 10_000, 400),
        ("/rules/search?q=a&game=chess", 404),
        ("/rules/search?q=a&game=" + "x" * 3000, 404),
        ("/rules/joust/rulebook@2/2.1", 404),
        ("/rules/joust/rulebook@1/9.9", 404),
        ("/rules/joust/rulebook@1/%27%3B--", 404),
        ("/rules/chess/rulebook@1/", 404),
        ("/formats/joust/none", 404),
        ("/cards/chess/", 404),
        ("/cards/joust/none", 404),
        ("/cards/joust/?page=x", 200),
        ("/cards/joust/?page=-1", 200),
        ("/cards/joust/?page=" + "9" * 300, 200),
        ("/cards/joust/?q=%25_%5C", 200),
    ],
)
def test_bad_input_gets_a_clear_answer(client: Client, address: str, status: int):
    page(client, address, status)


@pytest.mark.parametrize("address", ["/rules/", "/rules/search", SECTION, "/cards/joust/lance", "/formats/joust/open"])
def test_pages_are_only_read(client: Client, address: str):
    assert client.post(address).status_code == 405


def test_a_day_before_the_first_version_is_told(client: Client, tmp_path: Path):
    changes = edited("formats/open.1.toml", 'version = "1"\n', 'version = "1"\nfrom = 2026-01-01\n')
    load_pack(pack=read_pack(write_pack(tmp_path, changes)))
    assert "No version of Open is in force on 2025-12-31" in page(client, "/formats/joust/open?on=2025-12-31", 404)
