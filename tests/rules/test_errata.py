"""A card changed by its publisher is changed from a day on, for every printing, and not before."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from cards.models import Card, Erratum
from cards.queries import card_text_on, errata_of
from cards.services.errata import ErratumRow, save_errata
from rules.engine.legality import DeckFacts, DeckLine, check
from rules.packreader import read_pack
from rules.queries import card_facts_for, compiled_format, format_by_slug, format_version_on
from rules.services.loading import load_pack
from tests.rules.packs import MORE, edited, write_pack

pytestmark = pytest.mark.django_db
BEFORE, AFTER, LAST = date(2026, 2, 28), date(2026, 3, 1), date(2026, 5, 1)


@pytest.fixture
def lance(tmp_path: Path) -> Card:
    load_pack(pack=read_pack(write_pack(tmp_path, MORE)))
    return Card.objects.get(slug="lance")


def test_facts_change_on_the_day_from_which_the_erratum_holds(lance: Card, django_assert_num_queries):
    facts = []
    for day in (BEFORE, AFTER, LAST - timedelta(1), LAST):
        with django_assert_num_queries(3):
            facts.append(card_facts_for([lance.pk], day=day)[lance.pk].facts)
    assert facts == [
        {"cost": "free", "power": 3},
        {"cost": "free", "power": 2},
        {"cost": "free", "power": 2},
        {"cost": "action", "power": 2},
    ]
    assert lance.facts == {"cost": "free", "power": 3}


def test_of_two_errata_of_a_fact_the_later_one_counts(lance: Card):
    rows = [ErratumRow("Lance", day, {"power": power}, "", "x") for day, power in ((LAST, 5), (AFTER, 4))]
    save_errata(game=lance.game, errata=rows)
    found = [card_facts_for([lance.pk], day=day)[lance.pk].facts["power"] for day in (BEFORE, AFTER, LAST)]
    assert found == [3, 4, 5]


def test_as_many_queries_for_three_cards_as_for_one(lance: Card, django_assert_num_queries):
    ids = list(Card.objects.values_list("pk", flat=True))
    with django_assert_num_queries(3):
        found = card_facts_for(ids, day=AFTER)
    assert len(found) == 3


def test_the_sets_stand_in_the_order_of_the_days(lance: Card):
    found = card_facts_for([lance.pk], day=AFTER)[lance.pk]
    assert (found.legal_dates, found.sets) == ((date(2025, 1, 1), date(2026, 1, 1)), ("J1", "J2"))


def test_the_text_is_that_of_the_day(lance: Card, django_assert_num_queries):
    days = (LAST - timedelta(1), LAST)
    with django_assert_num_queries(2):
        assert [card_text_on(card=lance, day=day) for day in days] == ["", "Unhorse one rider."]
    with django_assert_num_queries(1):
        assert [(e.starts_on, e.source, e.announced_on) for e in errata_of(card=lance)] == [
            (AFTER, "Heralds' errata of February", date(2026, 2, 20)),
            (LAST, "Heralds' errata of April", None),
        ]


def test_a_deck_is_judged_by_the_facts_of_its_day(tmp_path: Path):
    """The limit of a card is a fact of it: an old deck that keeps to the old limit stays legal on its own day."""
    game = edited("game.toml", "[[zones]]", '[facts.most]\nlabel = "Copies"\ntype = "number"\n[[zones]]')
    cards = {
        "cards.csv": "set,number,name,aliases,faces,text,cost,power,most\nJ1,1,Lance,Spear,,,free,3,3\n"
        "J1,2,Shield,,,,,,\nJ2,1,Lance,,,,free,3,3\nJ2,2,Herald Sworn,,,,,,\n"
    }
    products = edited("products.toml", "Herald, Sworn", "Herald Sworn")
    rule = (
        '[[constraint]]\nid = "copies"\nkind = "copies"\nzones = ["main"]\nmax = 1\nmax_from = "most"\n'
        'cite = "JOUST 2.1"\n'
    )
    formats = edited("formats/open.1.toml", "[[constraint]]", f"{rule}[[constraint]]")
    lists = '[[erratum]]\ncard = "Lance"\nfrom = 2026-03-01\nfacts = { most = 2 }\nsource = "x"\n'
    tags = '[[tag]]\ntag = "gift"\ncards = ["Shield"]\nsource = "JOUST 2"\n'
    changes = {**game, **cards, **products, **formats, "lists.toml": lists + tags}
    load_pack(pack=read_pack(write_pack(tmp_path, changes)))
    lance = Card.objects.get(slug="lance")
    format_ = format_by_slug(game="joust", slug="open")
    found = []
    for day in (BEFORE, AFTER):
        compiled = compiled_format(format_version=format_version_on(format=format_, day=day), day=day)
        deck = DeckFacts((DeckLine("main", 3, card_facts_for([lance.pk], day=day)[lance.pk]),))
        found.append([(v.code, v.limit, v.actual) for v in check(deck, compiled).violations])
    assert found == [[], [("copies.too_many", 2, 3)]]


def test_errata_become_those_that_are_given(lance: Card, django_assert_num_queries):
    kept = Erratum.objects.get(starts_on=AFTER)
    rows = [
        ErratumRow("Lance", AFTER, {"power": 2}, "", "Heralds' errata of February", date(2026, 2, 20)),
        ErratumRow("spear", LAST, {"cost": "action"}, "Unhorse one rider.", "Heralds' errata of May"),
    ]
    game = lance.game
    with django_assert_num_queries(6):  # two for the savepoint
        save_errata(game=game, errata=rows)
    assert [(e.pk == kept.pk, e.starts_on, e.source) for e in errata_of(card=lance)] == [
        (True, AFTER, "Heralds' errata of February"),
        (False, LAST, "Heralds' errata of May"),
    ]
    save_errata(game=game, errata=[])
    assert errata_of(card=lance) == []
