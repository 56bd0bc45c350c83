from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from cards.models import Game
from rules.engine.search import numbers_in, snippet, stem, terms_of, words_of
from rules.models import RulesDocument
from rules.packreader import read_pack
from rules.queries import search, search_sections, section_by_citation, section_in_context
from rules.services.loading import load_pack
from tests.rules.packs import edited, write_pack

DAY = date(2026, 6, 1)


@pytest.fixture
def game(db: None, tmp_path: Path) -> Game:
    return load_pack(pack=read_pack(write_pack(tmp_path))).game


def found(query: str, **more: object) -> list[str]:
    return [hit.section.number for hit in search_sections(query=query, day=DAY, **more)]  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["2.1", "JOUST 2.1", "joust 2.1", "rule 2.1", "what does 2.1 say?"])
def test_a_rule_comes_first_by_its_number(game: Game, query: str):
    [first, *_] = search_sections(query=query, day=DAY)
    assert (first.section.number, first.because) == ("2.1", "number")


def test_a_reading_and_a_chapter_are_found_by_number(game: Game):
    assert found("R1")[0] == "R1"
    assert found("2")[0] == "2"
    assert found("702.50a") == []


@pytest.mark.parametrize("query", ["lance", "LANCE", "spear", "may a spear break?"])
def test_a_card_is_found_with_the_sections_that_name_it(game: Game, query: str):
    result = search(query=query, day=DAY)
    assert [card.name for card in result.cards] == ["Lance"]
    assert (result.hits[0].section.number, result.hits[0].because) == ("2.1", "card")


def test_one_word_of_many_is_enough(game: Game):
    assert found("mulligan zzzz qqqq")[0] == "2.2"


def test_another_form_of_a_word_is_found(game: Game):
    assert found("drawing a card")[0] == "2.2"


def test_a_slip_is_mended(game: Game):
    result = search(query="muligan", day=DAY)
    assert (result.hits[0].section.number, result.repairs) == ("2.2", {"muligan": "mulligan"})


def test_what_people_say_is_found_under_the_games_own_word(game: Game):
    assert found("when is a rider killed")[0] == "1"
    Game.objects.update(synonyms={})
    assert "1" not in found("killed")


def test_only_what_is_in_force_is_searched(game: Game, tmp_path: Path):
    changes = edited("documents/rulebook.1.md", 'prefix = "JOUST"', 'prefix = "JOUST"\nuntil = 2026-06-01')
    load_pack(pack=read_pack(write_pack(tmp_path, changes)))
    assert found("mulligan") == []
    assert [hit.section.number for hit in search_sections(query="mulligan", day=date(2026, 5, 31))] == ["2.2"]


def test_another_games_rules_are_left_out(game: Game):
    other = Game.objects.create(slug="chess", name="Chess", digest="x")
    assert found("mulligan", game=other) == []
    assert found("mulligan", game=game) == ["2.2"]


@pytest.mark.parametrize(
    "query",
    ["", "   ", "%%%", "'; DROP TABLE", "a\0b", "\ud800", "the", "x" * 10_000, "a & b | !c:*", "\\", "{day}"],
)
def test_no_query_is_too_odd(game: Game, query: str):
    search(query=query, day=DAY)


def test_a_search_takes_few_queries(game: Game, django_assert_max_num_queries):
    with django_assert_max_num_queries(9):
        search(query="2.1 lance muligan and what else may a rider kill with fifty free cards", day=DAY)


def test_a_section_stands_between_its_neighbours(game: Game):
    document = RulesDocument.objects.get()
    here = section_in_context(document=document, number="2.1")
    assert here.previous is not None
    assert here.next is not None
    assert (here.previous.number, here.next.number) == ("2", "2.2")
    assert [section.number for section in here.within] == ["2"]
    chapter = section_in_context(document=document, number="2")
    assert [section.number for section in chapter.parts] == ["2.1", "2.2"]
    assert section_in_context(document=document, number="1").previous is None


@pytest.mark.parametrize("citation", ["JOUST 2.1", " joust  2.1 ", "JOUST R1"])
def test_a_citation_names_one_section(game: Game, citation: str):
    section = section_by_citation(citation=citation)
    assert section is not None
    assert section.number == citation.split()[-1]


@pytest.mark.parametrize("citation", ["JOUST", "JOUST 9", "2.1", "", "JOUST 2.1; x"])
def test_a_text_that_is_no_citation_names_none(game: Game, citation: str):
    assert section_by_citation(citation=citation) is None


def test_numbers_are_told_from_words():
    assert numbers_in("EPIC 5.3 or 702.50a") == [("epic", "5.3"), ("or", "702.50a")]
    assert numbers_in("can I play 4 copies") == []
    assert numbers_in("rule 4") == [("rule", "4")]
    assert numbers_in("r2") == [(None, "r2")]


def test_synonyms_count_in_their_own_game_only():
    terms = terms_of(words_of("it kills"), {7: {"unhorse": ["kill"]}, 8: {"smash": ["ruin"]}})
    assert [(term.text, term.only_in) for term in terms] == [
        ("it", None),
        ("kills", None),
        ("it kills", None),
        ("unhorse", 7),
    ]


@pytest.mark.parametrize(("one", "other"), [("kill", "killed"), ("copy", "copies"), ("draws", "drawing")])
def test_forms_of_a_word_have_one_stem(one: str, other: str):
    assert stem(one) == stem(other)


def test_a_snippet_marks_what_was_looked_for_as_plain_parts():
    assert snippet("At least *two* cards, <b>two</b>.", ["two"]) == (
        ("At least ", False),
        ("two", True),
        (" cards, <b>", False),
        ("two", True),
        ("</b>.", False),
    )


def test_a_long_body_is_cut_around_the_match():
    body = "word " * 200 + "mulligan here " + "word " * 200
    parts = snippet(body, ["mulligans"])
    assert ("mulligan", True) in parts
    assert (parts[0], parts[-1]) == (("… ", False), (" …", False))
    assert sum(len(text) for text, _ in parts) <= 260
