"""A card changed by its publisher is changed from a day on, for every printing, and not before."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from cards.models import Card, Erratum
from cards.queries import card_text_on, errata_of
from cards.services.errata import ErratumRow, save_errata
from rules.packreader import read_pack
from rules.queries import card_facts_for
from rules.services.loading import load_pack
from tests.rules.packs import MORE, write_pack

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
