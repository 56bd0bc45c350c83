"""What the page of a card says, on the day that it is asked about."""

from __future__ import annotations

import re
from datetime import date
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from cards.models import Card, CardTag, Erratum, Game, Printing
from rules.models import Format, FormatVersion, Policy, Ruling, Section, StatusEntry
from rules.packreader import read_pack
from rules.services.loading import load_pack
from tests.rules.packs import MORE, write_pack

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def game(db: None, tmp_path: Path) -> Game:
    return load_pack(pack=read_pack(write_pack(tmp_path, MORE))).game


def text_of(client: Client, card: str, day: str) -> str:
    """The words of the page, in order, with single spaces."""
    page = client.get(f"/cards/joust/{card}?on={day}")
    assert page.status_code == 200
    main = page.content.decode().partition("<main")[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())


@pytest.mark.parametrize(
    ("day", "says"),
    [
        ("2026-02-28", "Its text is not known here. Cost free Power 3 "),
        ("2026-03-01", "Its text is not known here. Cost free Power (changed) 2 "),
        ("2026-05-01", "Unhorse one rider. Cost (changed) action Power (changed) 2 "),
    ],
)
def test_text_and_facts_are_those_of_the_day(client: Client, day: str, says: str):
    assert says in text_of(client, "lance", day)


def test_errata_stand_with_their_days_and_those_to_come_are_marked(client: Client):
    words = text_of(client, "lance", "2026-04-01")
    assert "From 1 March 2026 Power 2 Heralds' errata of February, announced 20 February 2026" in words
    assert "From 1 May 2026 not yet Cost action Unhorse one rider. Heralds' errata of April" in words


def test_the_printed_text_stays_to_be_read(client: Client):
    Card.objects.filter(slug="lance").update(text="Charge.")
    assert "Unhorse one rider. Cost" in text_of(client, "lance", "2026-05-01")
    assert "Printed text Charge." in text_of(client, "lance", "2026-05-01")
    assert "Printed text" not in text_of(client, "lance", "2026-04-30")


def test_an_unknown_fact_is_said_to_be_unknown(client: Client):
    assert "Cost, Power: not known here." in text_of(client, "herald-sworn", "2026-03-01")


def test_printings_have_set_number_release_and_legality(client: Client):
    printing = Printing.objects.get(card__slug="lance", card_set__code="J2")
    printing.card_set.released_on = date(2026, 1, 8)
    printing.card_set.save()
    words = text_of(client, "lance", "2026-03-01")
    assert "Second list J2 1 8 Jan 2026 1 Jan 2026" in words
    assert "First list (sample) J1 1 not known 1 Jan 2025" in words


def test_names_stand_by_kind(client: Client):
    card = Card.objects.get(slug="lance")
    for text, kind in (("Pike", "alias"), ("Butt", "face"), ("Pole", "former")):
        card.names.create(game=card.game, text=text, key=text.casefold(), kind=kind)
    words = text_of(client, "lance", "2026-03-01")
    assert "also called Pike, Spear faces Butt formerly Pole" in words


def test_the_standing_of_the_day_and_of_today_stand_side_by_side(client: Client):
    words = text_of(client, "lance", "2026-01-31")
    assert "May it be played on 31 January 2026? Open legal Main deck" in words
    assert "Today: banned Banned since 1 February 2026. JOUST 2.1" in words
    after = client.get("/cards/joust/lance").content.decode()
    assert "May it be played today?" in after
    assert "Today:" not in after


def test_a_format_that_was_not_in_force_says_so(client: Client):
    FormatVersion.objects.filter(format__slug="open").update(during=("2026-02-15", None))
    words = text_of(client, "shield", "2026-02-14")
    assert "Open not in force No version of this format is in force on the day." in words


def test_formats_of_what_one_opens_are_folded_away(client: Client):
    words = text_of(client, "shield", "2026-03-01")
    assert "2 formats played with what one opens or drafts Sealed, 2 packs from your pool" in words


def test_lists_have_their_history_with_days_source_and_rule(client: Client):
    card = Card.objects.get(slug="lance")
    StatusEntry.objects.filter(card=card).update(during=("2026-02-01", "2026-04-01"), announced_on="2026-01-15")
    StatusEntry.objects.create(
        format=Format.objects.get(slug="open"),
        card=card,
        status="restricted",
        max_copies=1,
        during=("2026-04-01", None),
        source="The heralds",
        section="JOUST 9.9",
    )
    words = text_of(client, "lance", "2026-03-01")
    assert words.index(
        "Restricted to 1 copy in Open not on this day From 1 April 2026. The heralds JOUST 9.9"
    ) < words.index(
        "Banned in Open From 1 February 2026 until 1 April 2026, that day left out, announced 15 January 2026. "
        "Heralds' list JOUST 2.1"
    )
    page = client.get("/cards/joust/lance?on=2026-03-01").content.decode()
    assert 'href="/rules/joust/rulebook@1/2.1">JOUST 2.1</a>' in page


def test_tags_are_shown_with_their_days_and_lead_to_the_list_of_the_day(client: Client):
    CardTag.objects.filter(card__slug="shield").update(during=("2026-03-01", "2026-05-01"), announced_on="2026-02-01")
    on, off = "2026-03-01", "2026-05-01"
    days = "From 1 March 2026 until 1 May 2026, that day left out, announced 1 February 2026. All gift cards JOUST 2"
    assert f"Gift card {days}" in text_of(client, "shield", on)
    assert f"Gift card not on this day {days}" in text_of(client, "shield", off)
    page = client.get(f"/cards/joust/shield?on={on}").content.decode()
    assert f'href="/cards/joust/?tag=gift&amp;on={on}"' in page
    for day, count in ((on, 1), (off, 0)):
        assert client.get(f"/cards/joust/?tag=gift&on={day}").context["page"].paginator.count == count


def test_rulings_and_rules_of_the_day_that_name_it(client: Client):
    words = text_of(client, "shield", "2026-02-01")
    assert "May a rider bring a second shield?" in words
    assert "Is a spear a lance?" in words
    assert "May a rider bring a second shield?" not in text_of(client, "shield", "2026-01-31")
    assert "Rules that name it Size of a deck JOUST 2.1" in text_of(client, "lance", "2026-02-01")


def test_a_card_of_which_nothing_is_known_says_so_everywhere(client: Client, game: Game):
    Card.objects.create(game=game, slug="bare", name="Bare")
    Policy.objects.all().delete()
    Format.objects.all().delete()
    words = text_of(client, "bare", "2026-02-01")
    for sentence in (
        "Its text is not known here.",
        "No printing is known, and so no day from which it is legal.",
        "The game has no format here.",
        "It is on no list, and never was.",
        "Nobody has ruled on this card by then.",
        "No rule in force on the day names it.",
    ):
        assert sentence in words


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_costs_the_same_for_one_row_and_three(
    client: Client, game: Game, django_assert_num_queries, count: int
):
    card = Card.objects.get(slug="lance")
    for model in (Erratum, Ruling, Section, StatusEntry, CardTag, Printing):
        model.objects.all().delete()
    document = FormatVersion.objects.filter(format__slug="open")[0].document
    card_set = game.sets.get(code="J1")
    for number in range(count):
        day = date(2026, 1, 1 + number)
        Erratum.objects.create(card=card, starts_on=day, facts={"power": number}, source="x")
        ruling = Ruling.objects.create(
            game=game, number=f"T-{number}", question="Why?", answer="So.", during=(None, None)
        )
        ruling.cards.add(card)
        section = Section.objects.create(document=document, number=f"8.{number}", heading="H", body="B", order=number)
        section.cards.add(card)
        CardTag.objects.create(game=game, card=card, tag=f"tag-{number}", during=(None, None), source="x")
        Printing.objects.create(card=card, card_set=card_set, number=f"p{number}")
        StatusEntry.objects.create(
            format=Format.objects.get(slug="open"),
            card=card,
            status="banned",
            max_copies=0,
            during=(day, date(2026, 1, 2 + number)),
            source="x",
            section=f"JOUST 8.{number}",
        )
    # game; card with printings, their sets, names and tags; facts 3; lists; their sections; text; errata; standings 3;
    # formats; sections; rulings. On another day the facts and standings of today as well.
    with django_assert_num_queries(19):
        client.get("/cards/joust/lance")
    with django_assert_num_queries(25):
        client.get("/cards/joust/lance?on=2026-01-01")


def test_programs_get_the_card_of_the_day(client: Client, django_assert_num_queries):
    with django_assert_num_queries(17):
        answer = client.get("/api/v1/games/joust/cards/lance?on=2026-03-01").json()
    printing = {"number": "1", "released_on": None}
    heralds = "Heralds' errata of "
    assert answer == {
        "slug": "lance",
        "name": "Lance",
        "text": "",
        "facts": {"cost": "free", "power": 2},
        "is_sample": False,
        "on": "2026-03-01",
        "names": [{"text": "Lance", "kind": "canonical"}, {"text": "Spear", "kind": "alias"}],
        "printings": [
            {"set": "J1", "set_name": "First list (sample)", **printing, "legal_on": "2025-01-01"},
            {"set": "J2", "set_name": "Second list", **printing, "legal_on": "2026-01-01"},
        ],
        "legality": [
            {
                "format": "open",
                "version": "1",
                "standing": "banned",
                "zones": [],
                "copies": 0,
                "cite": "JOUST 2.1",
                "why": "Banned since 1 February 2026.",
            },
            *(
                {
                    "format": f"sealed-{packs}",
                    "version": "1",
                    "standing": "own pool",
                    "zones": ["main"],
                    "copies": None,
                    "cite": "JOUST 2.1",
                    "why": "Main deck: as many as you opened or drafted in the event.",
                }
                for packs in (2, 3)
            ),
        ],
        "tags": [],
        "lists": [
            {
                "since": "2026-02-01",
                "until": None,
                "announced_on": None,
                "source": "Heralds' list",
                "format": "open",
                "status": "banned",
                "max_copies": 0,
                "points": None,
                "zone": "",
                "section": "JOUST 2.1",
            }
        ],
        "errata": [
            {
                "starts_on": "2026-03-01",
                "facts": {"power": 2},
                "text": "",
                "announced_on": "2026-02-20",
                "source": f"{heralds}February",
            },
            {
                "starts_on": "2026-05-01",
                "facts": {"cost": "action"},
                "text": "Unhorse one rider.",
                "announced_on": None,
                "source": f"{heralds}April",
            },
        ],
        "rulings": ["J-2"],
        "sections": ["JOUST 2.1"],
    }
    assert client.get("/api/v1/games/joust/cards/lance?on=soon").status_code == 400
    assert client.get("/api/v1/games/joust/cards/none").status_code == 404
