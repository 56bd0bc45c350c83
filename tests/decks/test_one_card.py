"""Every printing and every spelling of a card is that one card; and a card is legal from its set's day, not before."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from cards.engine.files import SetRow
from cards.engine.rows import CardRow
from cards.models import Card, Game
from cards.services import import_cards
from decks.queries import CheckedDeck, check_text
from rules.models import StatusEntry
from rules.packreader import read_pack
from rules.queries import format_by_slug, format_version_on
from rules.services.loading import load_pack
from tests.rules.packs import FILES, edited, write_pack

pytestmark = pytest.mark.django_db
DAY = date(2026, 6, 15)
CARDS = """set,number,name,aliases,faces,former,text,cost,power
J1,1,Mira’s Lédger — Greater,Big Ledger,Front // Back|Front|Back,Mira's Book,,free,3
J2,1,Mira’s Lédger — Greater,,,,,free,3
J1,2,Shield,,,,,action,
"""
SPELLINGS = [
    "Mira’s Lédger — Greater",
    "Mira's Ledger - Greater",
    "MIRA’S LEDGER -- GREATER",
    "mira`s  le\u0301dger \u2013 greater",
    "Big Ledger",
    "Mira’s Book",
    "MIRA'S BOOK",
    "Front // Back",
    "Front",
    "back",
]
OPEN = """slug = "open"
name = "Open"
version = "1"
document = { slug = "rulebook", version = "1" }
[pool]
kind = "window"
months = 60
inclusive = true
cite = "JOUST 2.1"
[[constraint]]
id = "size"
kind = "zone_count"
zones = ["main"]
min = 1
cite = "JOUST 2.1"
[[constraint]]
id = "copies"
kind = "copies"
zones = ["main", "side"]
max = 3
cite = "JOUST 2.1"
[[constraint]]
id = "lists"
kind = "status"
zones = ["main", "side"]
cite = "JOUST 2.1"
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    lists = FILES["lists.toml"].replace('"Spear"', '"Big Ledger"').replace("2026-02-01", "2026-07-01")
    changes: dict[str, str | None] = {
        "cards.csv": CARDS,
        "formats/open.1.toml": OPEN,
        "lists.toml": lists,
        **edited("documents/rulebook.1.md", "cards: Lance\n", ""),
        **edited("products.toml", "Herald, Sworn", "Shield"),
    }
    return load_pack(pack=read_pack(write_pack(tmp_path, changes))).game


def checked(game: Game, text: str, day: date = DAY) -> CheckedDeck:
    format = format_by_slug(game=game.slug, slug="open")
    return check_text(text=text, game=game, format_version=format_version_on(format=format, day=day), day=day)


def faults(deck: CheckedDeck) -> list[tuple[str, int | None, object]]:
    return [(one.code, one.actual, one.limit) for one in deck.verdict.violations]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_each_spelling_is_the_one_card(game: Game, spelling: str):
    deck = checked(game, f"Main\n2 {spelling}\n")
    ledger = Card.objects.get(game=game, slug__startswith="mira")
    assert [(entry.card, entry.name, entry.count) for entry in deck.entries] == [(ledger.pk, ledger.name, 2)]
    assert deck.verdict.outcome == "legal"


def test_copies_add_up_over_printings(game: Game):
    two_and_one = checked(game, "Main\n2 Mira's Ledger - Greater (J1) 1\n1 Mira's Ledger - Greater (J2) 1\n")
    assert (two_and_one.verdict.outcome, faults(two_and_one)) == ("legal", [])
    three_and_two = checked(game, "Main\n3 Mira's Ledger - Greater (J1) 1\nSide\n2 Mira's Ledger - Greater (J2) 1\n")
    assert faults(three_and_two) == [("copies.too_many", 5, 3)]
    assert three_and_two.verdict.violations[0].lines == (2, 4)


def test_printings_are_shown_apart_and_counted_as_one(game: Game):
    deck = checked(game, "Main\n1 Mira's Ledger - Greater (J1) 1\n2 Mira's Ledger - Greater (J2) 1\n")
    assert [(line.count, line.note) for line in deck.parsed.cards] == [(1, "(J1) 1"), (2, "(J2) 1")]
    assert [(entry.count, entry.lines) for entry in deck.entries] == [(3, (2, 3))]


def test_copies_add_up_over_spellings(game: Game):
    deck = checked(game, "Main\n" + "".join(f"1 {spelling}\n" for spelling in SPELLINGS[3:8]))
    assert faults(deck) == [("copies.too_many", 5, 3)]
    assert deck.verdict.violations[0].lines == (2, 3, 4, 5, 6)


@pytest.mark.parametrize("spelling", [*SPELLINGS, "Mira's Ledger - Greater (J2) 1"])
def test_a_ban_of_one_spelling_is_a_ban_of_all(game: Game, spelling: str):
    ledger = Card.objects.get(game=game, slug__startswith="mira")
    assert StatusEntry.objects.get(card__game=game).card == ledger
    assert faults(checked(game, f"Main\n1 {spelling}\n", date(2026, 7, 1))) == [("status.banned", 1, 0)]
    assert faults(checked(game, f"Main\n1 {spelling}\n", date(2026, 6, 30))) == []


def test_a_deck_that_names_what_a_card_was_called_before_still_means_it(game: Game):
    text = "Main\n2 Shield\n2 Ward\n"
    before = checked(game, text)
    assert before.parsed.problems[0].number == 3
    import_cards(game=game, rows=[CardRow(1, "J1", "2", "Ward", former=("Shield",), facts={"cost": "action"})])
    after = checked(game, text)
    assert [(entry.name, entry.count) for entry in after.entries] == [("Ward", 4)]
    assert faults(after) == [("copies.too_many", 4, 3)]


@pytest.mark.parametrize(
    ("released", "legal", "day", "code"),
    [
        # legal a week before it is sold
        (date(2026, 6, 8), date(2026, 6, 1), date(2026, 5, 31), "pool.not_out_yet"),
        (date(2026, 6, 8), date(2026, 6, 1), date(2026, 6, 1), None),
        (date(2026, 6, 8), date(2026, 6, 1), date(2026, 6, 7), None),
        # legal a month after it is sold
        (date(2026, 6, 1), date(2026, 7, 1), date(2026, 6, 1), "pool.not_out_yet"),
        (date(2026, 6, 1), date(2026, 7, 1), date(2026, 6, 30), "pool.not_out_yet"),
        (date(2026, 6, 1), date(2026, 7, 1), date(2026, 7, 1), None),
        # the day of its release alone makes it neither legal nor illegal
        (date(2026, 6, 1), None, date(2026, 6, 1), "pool.unknown"),
    ],
)
def test_a_card_is_legal_from_the_legal_day_of_its_set_whenever_that_was_released(
    game: Game, released: date, legal: date | None, day: date, code: str | None
):
    sets = [SetRow("J3", "Third list", released, legal)]
    import_cards(game=game, rows=[CardRow(1, "J3", "1", "Crest")], sets=sets)
    deck = checked(game, "Main\n1 Crest\n", day)
    assert [one.code for one in deck.verdict.violations] == ([] if code is None else [code])
    assert deck.verdict.outcome == {None: "legal", "pool.unknown": "undetermined"}.get(code, "illegal")
