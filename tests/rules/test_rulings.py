from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path

import pytest
from django.test import Client

from cards.models import Card, Game
from config.errors import NotFound
from rules.models import RulesDocument, Ruling, Section
from rules.packreader import read_pack
from rules.queries import search
from rules.queries.rulings import ruling_by_number, rulings_citing, rulings_of_card, rulings_of_game, sections_of
from rules.services.loading import load_pack
from tests.rules.packs import FILES, MORE, write_pack

pytestmark = pytest.mark.django_db


def load(folder: Path, rulings: str = MORE["rulings.toml"]) -> None:
    load_pack(pack=read_pack(write_pack(folder, {**MORE, "rulings.toml": rulings})))


def test_rulings_of_a_pack_are_stored(tmp_path: Path):
    load(tmp_path)
    one, other = Ruling.objects.all()
    assert (one.number, one.kind, one.status, one.authority) == ("J-1", "ruling", "published", "The head herald")
    assert (one.citations, one.during.lower, one.during.upper) == (["JOUST 2.1", "JOUST R1"], date(2026, 2, 1), None)
    assert [card.name for card in one.cards.all()] == ["Shield"]
    assert (other.kind, other.source, other.date_note) == ("reminder", "", "date unknown")
    assert [card.name for card in other.cards.all()] == ["Lance", "Shield"]


def test_a_ruling_that_the_pack_has_no_more_is_withdrawn_and_comes_back_with_it(tmp_path: Path):
    load(tmp_path)
    before = sorted(Ruling.objects.values_list(), key=str)
    load(tmp_path, "[[ruling]]" + MORE["rulings.toml"].split("[[ruling]]")[1])
    assert list(Ruling.objects.values_list("number", "status")) == [("J-1", "published"), ("J-2", "withdrawn")]
    assert Ruling.objects.get(number="J-2").cards.count() == 2
    load(tmp_path)
    assert sorted(Ruling.objects.values_list(), key=str) == before


def test_a_ruling_becomes_that_of_the_pack(tmp_path: Path):
    load(tmp_path)
    text = (
        MORE["rulings.toml"].replace("Yes. Nothing", "No. Something").replace('cards = ["Shield"]', 'cards = ["Spear"]')
    )
    load(tmp_path, text.replace('kind = "reminder"', 'kind = "reminder"\nstatus = "superseded"'))
    assert list(Ruling.objects.values_list("answer", "status")) == [
        ("No. Something bounds the shields of a deck.", "published"),
        ("Yes: both names mean one card.", "superseded"),
    ]
    assert [card.name for card in Ruling.objects.get(number="J-1").cards.all()] == ["Lance"]


DAY = date(2026, 2, 1)


def numbers(found: Iterable[Ruling]) -> list[str]:
    return [ruling.number for ruling in found]


def test_a_card_has_the_rulings_that_hold_on_the_day(tmp_path: Path, django_assert_num_queries):
    load(tmp_path)
    shield = Card.objects.get(slug="shield")
    with django_assert_num_queries(2):
        found = [numbers(rulings_of_card(card=shield, day=day)) for day in (date(2026, 1, 31), DAY)]
    assert found == [["J-2"], ["J-1", "J-2"]]
    Ruling.objects.filter(number="J-2").update(status="superseded")
    assert numbers(rulings_of_card(card=shield, day=DAY)) == ["J-1"]


def test_a_section_has_the_rulings_that_cite_it(tmp_path: Path, django_assert_num_queries):
    load(tmp_path)
    document = RulesDocument.objects.get()
    sections = {section.number: section for section in Section.objects.all()}
    with django_assert_num_queries(3):
        found = [numbers(rulings_citing(section=sections[n], document=document)) for n in ("2.1", "R1", "2")]
    assert found == [["J-1"], ["J-1"], []]
    Ruling.objects.update(status="withdrawn")
    assert numbers(rulings_citing(section=sections["2.1"], document=document)) == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", ["J-1", "J-2"]),
        ("shields", ["J-1"]),
        ("YES names", ["J-2"]),
        ("yes shields names", []),
        ("j-2", ["J-2"]),
        ("joust 2.1", ["J-1"]),
        ("lance", ["J-2"]),
        ("herald", ["J-1"]),
        ("100%", []),
        ("a\0b", []),
    ],
)
def test_rulings_of_a_game_are_filtered_by_words(tmp_path: Path, words: str, expected: list[str]):
    load(tmp_path)
    assert numbers(rulings_of_game(game=Game.objects.get(), words=words)) == expected


def test_a_card_is_found_by_any_of_its_names(tmp_path: Path):
    text = MORE["rulings.toml"].replace("Is a spear a lance?", "Is it?").replace("both names mean one card", "it is")
    load(tmp_path, text)
    assert numbers(rulings_of_game(game=Game.objects.get(), words="spear")) == ["J-2"]


def test_a_ruling_is_found_by_its_number(tmp_path: Path, django_assert_num_queries):
    load(tmp_path)
    game = Game.objects.get()
    with django_assert_num_queries(2):
        assert ruling_by_number(game=game, number="j-1").question == "May a rider bring a second shield?"
    with pytest.raises(NotFound):
        ruling_by_number(game=game, number="J-9")


def test_a_citation_means_the_section_in_force_on_the_day(tmp_path: Path, django_assert_num_queries):
    first = FILES["documents/rulebook.1.md"].replace('version = "1"', 'version = "1"\nuntil = 2026-06-01')
    second = first.replace('version = "1"\nuntil = 2026-06-01', 'version = "2"\nfrom = 2026-06-01')
    changes = {"documents/rulebook.1.md": first, "documents/rulebook.2.md": second}
    load_pack(pack=read_pack(write_pack(tmp_path, {**MORE, **changes})))
    game, [one, _] = Game.objects.get(), Ruling.objects.all()
    found = []
    for day in (date(2026, 5, 31), date(2026, 6, 1)):
        with django_assert_num_queries(1):
            sections = sections_of(rulings=[one], game=game, day=day)
        found.append({cite: section.document.version for cite, section in sections.items()})
    # The reading stands in version 1 alone.
    assert found == [{"JOUST 2.1": "1", "JOUST R1": "1"}, {"JOUST 2.1": "2", "JOUST R1": "1"}]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("J-2", [("J-2", "number")]),
        ("a second shield", [("J-1", "card"), ("J-2", "card")]),
        ("bounds", [("J-1", "words")]),
        ("mulligan", []),
        ("the", []),
    ],
)
def test_the_search_finds_rulings(tmp_path: Path, query: str, expected: list[tuple[str, str]]):
    load(tmp_path)
    found = search(query=query, day=DAY).rulings
    assert [(hit.ruling.number, hit.because) for hit in found] == expected


def test_a_bare_figure_is_the_number_of_a_ruling_only_within_a_game(tmp_path: Path):
    load(tmp_path, MORE["rulings.toml"].replace('"J-2"', '"2"'))
    found = [search(query="2", day=DAY, game=game).rulings for game in (None, Game.objects.get())]
    assert [[hit.ruling.number for hit in hits] for hits in found] == [[], ["2"]]


def test_the_search_finds_no_ruling_of_another_day_or_game_and_none_withdrawn(tmp_path: Path):
    load(tmp_path)
    other = Game.objects.create(slug="chess", name="Chess", digest="x")
    assert search(query="bounds", day=date(2026, 1, 31)).rulings == []
    assert search(query="bounds", day=DAY, game=other).rulings == []
    Ruling.objects.update(status="withdrawn")
    assert search(query="bounds", day=DAY).rulings == []


def page(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status, response.content[:500]
    return response.content.decode()


def test_the_pages_of_rulings_answer(tmp_path: Path, client: Client):
    load(tmp_path)
    assert "2 rulings" in page(client, "/rulings/joust/")
    assert "No such ruling" in page(client, "/rulings/joust/?q=mulligan")
    assert "a lance?" not in page(client, "/rulings/joust/?q=shields")
    one = page(client, "/rulings/joust/J-1")
    assert all(text in one for text in ("Nothing bounds", "The head herald", "At least <em>two</em>", "interpretation"))
    assert "1 February 2026" in one
    assert "date unknown" in page(client, "/rulings/joust/J-2")
    page(client, "/rulings/joust/J-9", 404)
    page(client, "/rulings/chess/", 404)
    assert "May a rider bring a second shield?" in page(client, "/rules/joust/rulebook@1/2.1")
    assert "Rulings on it" not in page(client, "/rules/joust/rulebook@1/2.2")
    assert "/rulings/joust/J-1" in page(client, "/rules/search?q=bounds")


def test_a_withdrawn_ruling_says_so(tmp_path: Path, client: Client):
    load(tmp_path)
    load(tmp_path, "")
    assert "was withdrawn" in page(client, "/rulings/joust/J-1")
    assert "withdrawn" in page(client, "/rulings/joust/")


@pytest.mark.parametrize("number", [1, 3])
def test_the_pages_ask_as_much_of_one_ruling_as_of_three(
    tmp_path: Path, client: Client, django_assert_num_queries, number: int
):
    one = "[[ruling]]" + MORE["rulings.toml"].split("[[ruling]]")[1]
    load(tmp_path, "".join(one.replace('"J-1"', f'"J-{n}"') for n in range(number)))
    with django_assert_num_queries(4):
        page(client, "/rulings/joust/")
    with django_assert_num_queries(4):
        page(client, "/rulings/joust/J-0")
    with django_assert_num_queries(7):
        page(client, "/rules/joust/rulebook@1/2.1")


def test_programs_get_rulings(tmp_path: Path, client: Client):
    load(tmp_path)
    answer = client.get("/api/v1/games/joust/rulings?q=shields").json()
    assert answer == {
        "count": 1,
        "results": [
            {
                "number": "J-1",
                "question": "May a rider bring a second shield?",
                "answer": "Yes. Nothing bounds the shields of a deck.",
                "kind": "ruling",
                "status": "published",
                "authority": "The head herald",
                "source": "Letter of the heralds",
                "since": "2026-02-01",
                "until": None,
                "date_note": "",
                "citations": ["JOUST 2.1", "JOUST R1"],
                "cards": ["shield"],
            }
        ],
    }
    assert client.get("/api/v1/games/joust/rulings/J-1").json() == answer["results"][0]
    assert client.get("/api/v1/games/joust/rulings/J-9").status_code == 404
    assert client.get("/api/v1/games/joust/rulings?limit=0").status_code == 400
    [hit] = client.get("/api/v1/rules/search?q=bounds&on=2026-02-01").json()["rulings"]
    assert (hit["ruling"]["number"], hit["because"]) == ("J-1", "words")
