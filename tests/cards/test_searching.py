from __future__ import annotations

from datetime import date

import pytest

from cards.engine.facts import fact_specs
from cards.engine.files import read_files
from cards.engine.filters import CardFilters, read_filters
from cards.models import Card, CardTag, Game
from cards.queries import near_cards, search_cards
from cards.services import import_cards
from config.errors import DomainError

DAY = date(2026, 6, 1)
FACTS = {
    "cost": {"label": "Cost", "type": "choice", "values": ["action", "free"]},
    "power": {"label": "Power", "type": "number"},
    "unique": {"label": "Unique", "type": "flag"},
    "house": {"label": "House", "type": "text"},
}
SPECS = fact_specs(FACTS)
CARDS = """set,number,name,aliases,former,text,cost,power,unique,house
J1,1,Lance,Spear,,Charge.,free,3,yes,House of Ash
J1,2,Lancer,,Rider,"Charge, then block.",action,5,no,House of Oak
J1,3,Long Lance,,,Block.,free,-2,,
J1,4,Tideturn: Reflux,,,,action,,yes,
J1,5,Thrust,,,,,10,,
J1,6,Ambush Onset,,,,,,,
J1,7,Onset Blade,,,,,,,
J1,8,Zeal,Onset,,,,,,
"""


@pytest.fixture
def game(db: None) -> Game:
    game = Game.objects.create(slug="joust", name="Joust", digest="0", facts=FACTS)
    file = read_files(CARDS.encode(), SPECS, b"code,name\nJ1,First\n")
    import_cards(game=game, rows=file.rows, sets=file.sets)
    return game


def found(game: Game, filters: CardFilters, day: date = DAY) -> list[str]:
    return [card.name for card in search_cards(game=game, filters=filters, day=day)]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (
            "",
            ["Ambush Onset", "Lance", "Lancer", "Long Lance", "Onset Blade", "Thrust", "Tideturn: Reflux", "Zeal"],
        ),
        ("lance", ["Lance", "Lancer", "Long Lance"]),
        ("onset", ["Zeal", "Onset Blade", "Ambush Onset"]),  # what is called so, what begins so, the rest
        ("LANCE long", ["Long Lance"]),
        ("spear", ["Lance"]),
        ("rider", ["Lancer"]),
        ("flux tide", ["Tideturn: Reflux"]),
        ("%", []),
        ("refluks", []),
    ],
)
def test_a_name_is_found_by_its_words_the_nearest_first(game: Game, query: str, names: list[str]):
    assert found(game, CardFilters(name=query)) == names


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        (CardFilters(text="charge"), ["Lance", "Lancer"]),
        (CardFilters(text="block charge"), ["Lancer"]),
        (CardFilters(one_of={"cost": ("free",)}), ["Lance", "Long Lance"]),
        (CardFilters(one_of={"cost": ("free", "action")}), ["Lance", "Lancer", "Long Lance", "Tideturn: Reflux"]),
        (CardFilters(one_of={"unique": (True,)}), ["Lance", "Tideturn: Reflux"]),
        (CardFilters(one_of={"unique": (False,)}), ["Lancer"]),
        (CardFilters(one_of={"power": (3,)}), ["Lance"]),
        (CardFilters(at_least={"power": 5}), ["Lancer", "Thrust"]),
        (CardFilters(at_most={"power": 3}), ["Lance", "Long Lance"]),
        (CardFilters(at_least={"power": 0}, at_most={"power": 9}), ["Lance", "Lancer"]),
        (CardFilters(says={"house": "oak house"}), ["Lancer"]),
        (CardFilters(name="lance", one_of={"cost": ("free",)}), ["Lance", "Long Lance"]),
        (CardFilters(card_set="J1", text="block"), ["Lancer", "Long Lance"]),
        (CardFilters(card_set="J2"), []),
    ],
)
def test_facts_texts_and_sets_narrow_what_is_found_and_an_unknown_fact_is_no_match(
    game: Game, filters: CardFilters, names: list[str]
):
    assert found(game, filters) == names


def test_a_tag_holds_from_its_first_day_up_to_its_last_without_it(game: Game):
    lance = Card.objects.get(name="Lance")
    CardTag.objects.create(game=game, card=lance, tag="gift", during=("2026-03-01", "2026-05-01"), source="A list")
    days = [date(2026, 2, 28), date(2026, 3, 1), date(2026, 4, 30), date(2026, 5, 1)]
    assert [found(game, CardFilters(tag="gift"), day) for day in days] == [[], ["Lance"], ["Lance"], []]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("Tideturn Refluks", "Tideturn: Reflux"),
        ("refluks", "Tideturn: Reflux"),
        ("thrsut", "Thrust"),
        ("Lanze", "Lance"),
        ("ridr", "Lancer"),
        ("longlance", "Long Lance"),
    ],
)
def test_a_misspelt_name_is_asked_about(game: Game, typed: str, first: str):
    assert found(game, CardFilters(name=typed)) == []
    assert near_cards(game=game, query=typed)[0].name == first


@pytest.mark.parametrize("typed", ["", "zzzzqqq", "\u0301", "%%%"])
def test_what_is_like_nothing_is_not_asked_about(game: Game, typed: str):
    assert near_cards(game=game, query=typed) == []


def test_a_search_costs_one_query_and_a_suggestion_two(game: Game, django_assert_num_queries):
    everything = CardFilters("lance", "charge", {"cost": ("free",)}, {"power": 1}, {"power": 9}, {}, "J1", "")
    with django_assert_num_queries(1):
        assert found(game, everything) == ["Lance"]
    for typed in ("Tideturn Refluks", "thrsut", "refluks"):
        with django_assert_num_queries(2):
            assert near_cards(game=game, query=typed)


def test_an_address_is_read_into_conditions():
    pairs = [
        ("q", " lance "),
        ("text", "charge"),
        ("f-cost", "free"),
        ("f-cost", "action"),
        ("f-power-min", "2"),
        ("f-power-max", "-1"),
        ("f-unique", "yes"),
        ("f-house", "Ash"),
        ("set", "J1"),
        ("tag", "gift"),
        ("page", "3"),
        ("f-power", ""),
    ]
    assert read_filters(pairs, SPECS, ["J1"], ["gift"]) == CardFilters(
        name="lance",
        text="charge",
        one_of={"cost": ("free", "action"), "unique": (True,)},
        at_least={"power": 2},
        at_most={"power": -1},
        says={"house": "Ash"},
        card_set="J1",
        tag="gift",
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("f-colour", "red"),
        ("f-cost", "cheap"),
        ("f-cost-min", "1"),
        ("f-power", "three"),
        ("f-power-min", "1.5"),
        ("f-unique", "perhaps"),
        ("set", "J9"),
        ("tag", "banned"),
    ],
)
def test_a_condition_that_the_game_does_not_have_is_refused(name: str, value: str):
    with pytest.raises(DomainError) as refused:
        read_filters([(name, value)], SPECS, ["J1"], ["gift"])
    assert (refused.value.code, refused.value.context) == ("cards.filter", {"parameter": name})
