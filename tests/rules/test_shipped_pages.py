"""Every page of the packs that Tiltyard comes with opens, and holds what it is about."""

from __future__ import annotations

from collections import Counter
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from cards.models import Card, Game
from rules.models import FormatVersion, RulesDocument, Ruling

GAMES = ("engarde", "epic", "epic-duels", "epic-melee", "magic-epic")
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped_packs")]


def lacking(client: Client, pages: dict[str, str]) -> list[str]:
    """The addresses that don't answer with a page that holds their words."""
    bad = []
    for address, words in pages.items():
        response = client.get(address)
        if response.status_code != 200 or words not in unescape(response.content.decode()):
            bad.append(f"{response.status_code} {address}: {words}")
    return bad


def test_every_game_is_in_the_lists_of_games_cards_and_rules(client: Client):
    names = list(Game.objects.order_by("slug").values_list("name", flat=True))
    cards, rules = (unescape(client.get(reverse(name)).content.decode()) for name in ("cards:games", "rules:documents"))

    assert tuple(Game.objects.order_by("slug").values_list("slug", flat=True)) == GAMES
    assert [name for name in names if name not in cards] == []
    assert [name for name in names if name not in rules] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_document_and_section_has_its_page(client: Client, game: str):
    documents = RulesDocument.objects.filter(game__slug=game).prefetch_related("sections")
    pages = {reverse("rules:document", args=(game, d.slug, d.version)): d.title for d in documents} | {
        reverse("rules:section", args=(game, d.slug, d.version, section.number)): section.heading
        for d in documents
        for section in d.sections.all()
    }

    assert len(pages) > len(documents)
    assert lacking(client, pages) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_version_of_every_format_has_its_page(client: Client, game: str):
    versions = FormatVersion.objects.filter(format__game__slug=game).select_related("format")
    days = {version: version.during.lower or (version.during.upper and "2000-01-01") for version in versions}
    pages = {
        reverse("rules:format", args=(game, v.format.slug)) + (f"?on={day}" if day else ""): v.format.name
        for v, day in days.items()
    }

    assert lacking(client, pages) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_card_has_its_page(client: Client, game: str):
    pages = {reverse("rules:card", args=(game, c.slug)): c.name for c in Card.objects.filter(game__slug=game)}

    assert lacking(client, pages | {reverse("rules:cards", args=(game,)): ""}) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_has_its_page(client: Client, game: str):
    rulings = Ruling.objects.filter(game__slug=game)
    pages = {reverse("rules:ruling", args=(game, ruling.number)): ruling.question for ruling in rulings}

    assert lacking(client, pages | {reverse("rules:rulings", args=(game,)): ""}) == []


def test_the_packs_have_so_many_cards_and_versions_of_formats():
    cards = Counter(Card.objects.values_list("game__slug", flat=True))
    versions = Counter(FormatVersion.objects.values_list("format__game__slug", flat=True))
    rulings = Counter(Ruling.objects.values_list("game__slug", flat=True))

    assert rulings == {"epic": 11, "epic-duels": 11, "epic-melee": 10, "magic-epic": 11}
    assert cards == {"engarde": 160, "epic": 183, "epic-duels": 10, "epic-melee": 9, "magic-epic": 5}
    assert versions == {"engarde": 4, "epic": 12, "epic-duels": 1, "epic-melee": 1, "magic-epic": 1}


EMPTY_LISTS = {
    "/formats/magic-epic/epic-cards": "The source does not say which cards are banned or restricted",
    "/formats/epic/pack-war": "name no list of banned or restricted cards",
    "/formats/epic/designed-deck": "No card is banned or restricted on this day.",
}


@pytest.mark.parametrize("address", EMPTY_LISTS)
def test_an_empty_list_says_what_it_means(client: Client, address: str):
    text = unescape(client.get(address).content.decode())

    assert [words for words in EMPTY_LISTS.values() if words in text] == [EMPTY_LISTS[address]]
