from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from cards.models import Card
from rules.packreader import read_pack
from rules.queries import card_facts_for, standings_of_card
from rules.services.loading import load_pack
from rules.standing import standing_text

pytestmark = pytest.mark.django_db
TODAY = date(2026, 11, 30)


@pytest.fixture(autouse=True)
def _packs(db: None) -> None:
    for slug in ("epic", "engarde"):
        load_pack(pack=read_pack(Path(settings.BASE_DIR) / "rules/packs" / slug))


def standings(name: str, day: date = TODAY) -> dict[str, tuple[str, int | None, str, str]]:
    """By format: the standing, copies, citation and sentence."""
    card = Card.objects.get(name=name)
    found = standings_of_card(card=card, facts=card_facts_for([card.pk], day=day)[card.pk], day=day)
    return {one.format.slug: (one.standing, one.copies, one.cite, standing_text(one, card.game)) for one in found}


def card_with(**facts: str) -> str:
    legal = Card.objects.filter(game__slug="engarde", facts__contains=facts, printings__card_set__code="EF")
    return legal.order_by("name")[0].name


def test_a_banned_card_is_banned_where_the_list_holds_and_nowhere_else():
    assert standings("The Long Bell") == {
        "eternal": ("undetermined", 0, "ENGARDE 2.3", "This depends on what is not stored: type. Ask a judge."),
        "standard": ("banned", 0, "ENGARDE 2.6", "Banned since 1 January 2025."),
    }


def test_a_restricted_card_has_fewer_copies_than_the_rest():
    standing, copies, cite, _ = standings("Tideturn: Reflux")["standard"]

    assert (standing, copies, cite) == ("restricted", 1, "ENGARDE 2.6")


def test_copies_follow_the_rarity():
    common, mythic = card_with(rarity="common", type="unit"), card_with(rarity="mythic", type="unit")

    assert standings(common)["standard"] == ("legal", 3, "ENGARDE 2.2", "Main deck or Sideboard: at most 3 copies.")
    assert standings(mythic)["standard"] == ("legal", 1, "ENGARDE 2.2", "Main deck or Sideboard: at most 1 copy.")


def test_a_realm_stands_in_its_own_zone():
    assert standings(card_with(type="realm"))["standard"] == ("legal", None, "", "Realm.")


def test_a_card_that_is_too_old_or_not_out_says_since_when():
    old = Card.objects.filter(game__slug="engarde", facts__type="unit").exclude(
        printings__card_set__code__in=["EB", "EF"]
    )[0]
    new = card_with(type="unit")

    assert standings(old.name)["standard"] == (
        "illegal",
        0,
        "ENGARDE 2.5",
        "Its newest printing became legal on 15 January 2023, too long ago for this format.",
    )
    assert standings(new, date(2026, 1, 1))["standard"] == ("illegal", 0, "ENGARDE 2.5", "It comes out on 1 June 2026.")


def test_limited_formats_take_what_was_opened():
    found = standings("At Any Price")

    assert found["designed-deck"] == ("legal", 3, "EPIC 12.2", "Main deck or Sideboard: at most 3 copies.")
    assert found["draft-3"][:3] == ("own pool", None, "EPIC 11.4")
    assert found["draft-3"][3].endswith("as many as you opened or drafted in the event.")


def test_the_standings_cost_three_queries(django_assert_num_queries):
    card = Card.objects.select_related("game").get(name="The Long Bell")
    facts = card_facts_for([card.pk], day=TODAY)[card.pk]

    with django_assert_num_queries(3):
        found = standings_of_card(card=card, facts=facts, day=TODAY)
    assert [one.section is not None for one in found] == [True, True]


def test_the_page_of_a_card_says_it_all(client: Client):
    page = client.get(f"/cards/engarde/the-long-bell?on={TODAY}").content.decode()

    assert "Banned since 1 January 2025." in page
    assert "/rules/engarde/rulebook@2025/2.6" in page
    assert "sample card" in page


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", 160),
        ("f-type=realm", Ellipsis),
        ("f-type=realm&f-rarity=common&q=zzzz", 0),
    ],
)
def test_a_list_is_narrowed_by_facts_and_set(client: Client, query: str, count: int):
    page = client.get(f"/cards/engarde/?{query}")
    if count is Ellipsis:
        count = Card.objects.filter(game__slug="engarde", facts__type="realm").count()
        assert 0 < count < 160

    assert page.context["page"].paginator.count == count


def test_a_set_has_its_own_cards_and_the_live_list_is_a_part(client: Client):
    page = client.get("/cards/engarde/?set=EF", headers={"hx-request": "true"})

    assert page.context["page"].paginator.count == Card.objects.filter(printings__card_set__code="EF").count()
    assert "<!DOCTYPE html>" not in page.content.decode()
