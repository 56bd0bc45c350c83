from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from rules.packreader import read_pack
from rules.services.loading import load_pack
from tests.rules.packs import FILES, write_pack

pytestmark = pytest.mark.django_db

OPEN = "/formats/joust/open"
ENTRY = """\
[[status]]
format = "open"
card = "{card}"
status = "banned"
max_copies = 0
from = 2026-02-01
announced_on = 2026-01-20
source = "Heralds' list"
section = "JOUST 2.1"
"""
GIFT = '[[tag]]\ntag = "gift"\ncards = ["Shield"]\nsource = "JOUST 2"\n'


def page(client: Client, address: str, status: int = 200) -> str:
    """The words of a page, each run of blanks made one."""
    response = client.get(address)
    assert response.status_code == status, response.content[:500]
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def load(tmp_path: Path, changes: dict[str, str] | None = None) -> None:
    load_pack(pack=read_pack(write_pack(tmp_path, changes or {})))


def two_versions() -> dict[str, str]:
    first = FILES["formats/open.1.toml"]
    return {
        "formats/open.1.toml": first.replace(
            'version = "1"\n', 'version = "1"\nfrom = 2025-01-01\nuntil = 2026-01-01\n', 1
        ),
        "formats/open.2.toml": first.replace('version = "1"\n', 'version = "2"\nfrom = 2026-01-01\n', 1).replace(
            "min = 2", "min = 3"
        ),
    }


@pytest.fixture
def engarde(db: None) -> None:
    load_pack(pack=read_pack(Path(settings.BASE_DIR) / "rules/packs/engarde"))


def test_the_day_decides_which_rules_and_lists_are_shown(client: Client, tmp_path: Path):
    load(tmp_path, two_versions())
    before, after = page(client, f"{OPEN}?on=2025-12-31"), page(client, f"{OPEN}?on=2026-02-01")

    assert "at least 2 cards." in before
    assert "No card is banned or restricted on this day." in before
    assert "at least 3 cards." in after
    assert "Lance banned 1 Feb 2026 Heralds&#x27; list, JOUST 2.1" in after


def test_what_is_banned_stands_before_what_is_restricted_and_points_last(client: Client, tmp_path: Path):
    entries = [
        ENTRY.format(card="Lance").replace('"banned"\nmax_copies = 0', '"points"\npoints = 3'),
        ENTRY.format(card="Herald, Sworn").replace('"banned"\nmax_copies = 0', '"restricted"\nmax_copies = 1'),
        ENTRY.format(card="Shield"),
    ]
    budget = '[[constraint]]\nid = "b"\nkind = "points"\nzones = ["main"]\nbudget = 9\ncite = "JOUST 2.1"\n'
    load(
        tmp_path,
        {"lists.toml": "".join(entries) + GIFT, "formats/open.1.toml": FILES["formats/open.1.toml"] + budget},
    )
    text = page(client, f"{OPEN}?on=2026-02-01").partition("Lists of the day")[2]
    places = [text.index(words) for words in ("Shield sample banned", "Sworn restricted to 1 copy", "Lance 3 points")]

    assert places == sorted(places)


def test_the_page_says_when_the_format_changes_next(client: Client, tmp_path: Path):
    load(tmp_path)

    assert "Next change: on 1 February 2026 . Lance: banned." in page(client, f"{OPEN}?on=2026-01-31")
    assert "After this day no change is announced." in page(client, f"{OPEN}?on=2026-02-01")


def test_what_nobody_knows_is_said_to_be_unknown(client: Client, tmp_path: Path):
    play = '[[play]]\nid = "hand"\nlabel = "Hand"\ncite = "JOUST 2.2"\n'
    entry = ENTRY.format(card="Lance").replace("from = 2026-02-01\n", "")
    load(tmp_path, {"formats/open.1.toml": FILES["formats/open.1.toml"] + play, "lists.toml": entry + GIFT})
    text = page(client, OPEN)

    assert "in force since a day that is not known" in text
    assert "Hand not known JOUST 2.2" in text
    assert "Lance banned not known Heralds&#x27; list, JOUST 2.1 , announced 20 Jan 2026" in text
    assert "1 gift card JOUST 2, since when is not known Shield" in text
    assert "Day not known" in text


def test_a_day_before_the_first_version_leads_to_it(client: Client, tmp_path: Path):
    load(tmp_path, two_versions())
    text = page(client, f"{OPEN}?on=2024-06-01", 404)

    assert "Open: no rules for 1 June 2024" in text
    assert "Version 1 the next, from 1 January 2025" in text
    assert 'href="?on=2025-01-01"' in client.get(f"{OPEN}?on=2024-06-01").content.decode()


def test_a_day_after_the_last_version_leads_back_to_it(client: Client, tmp_path: Path):
    files = {"formats/open.1.toml": two_versions()["formats/open.1.toml"]}
    load(tmp_path, files)

    assert "Version 1 the last before that day, until 1 January 2026" in page(client, f"{OPEN}?on=2026-06-01", 404)


def test_two_versions_are_compared_by_name_and_by_day(client: Client, tmp_path: Path):
    load(tmp_path, two_versions())
    rows = "Main deck at least 2 cards at least 3 cards JOUST 2.1"

    assert rows in page(client, f"{OPEN}/changes")
    assert rows in page(client, f"{OPEN}/changes?from=1&to=2")
    by_day = page(client, f"{OPEN}/changes?from=2025-06-01&to=2026-02-01")
    assert rows in by_day
    assert "Lance not on the list banned Heralds&#x27; list, JOUST 2.1" in by_day
    assert "Main deck at least 3 cards at least 2 cards JOUST 2.1" in page(client, f"{OPEN}/changes?from=2&to=1")
    assert "Nothing is different: the same rules, the same lists." in page(client, f"{OPEN}/changes?from=1&to=1")


@pytest.mark.parametrize(
    "query", ["from=3&to=1", "from=1&to=soon", "from=2024-01-01&to=1", "from=1&to=2026-02-30", "from=" + "9" * 3000]
)
def test_what_can_not_be_compared_is_no_page(client: Client, tmp_path: Path, query: str):
    load(tmp_path, two_versions())
    page(client, f"{OPEN}/changes?{query}", 404)


def test_a_judge_settles_2024_against_2025_on_one_page(client: Client, engarde: None):
    text = page(client, "/formats/engarde/standard/changes?from=2024&to=2025")

    for row in (
        "Sideboard no cards or 15 cards no cards or 10 cards ENGARDE 2.4",
        "Aether cap 8 10 ENGARDE 5.1",
        "Active Oaths at most 3 at most 2 ENGARDE 4.8",
        "Hand at the end of the turn 8 cards 7 cards ENGARDE 6.5",
        "Mulligan not known free to 7 cards, then one card fewer each time, no scry ENGARDE 11.4",
        "Hollowed a sub-rule called Hollow Cast a keyword ENGARDE 11.5",
        "Banned and restricted list not known kept by the Trust Centre, reviewed every quarter ENGARDE 11.8",
        "Round clock 55 minutes 50 minutes ENGARDE 10.2",
    ):
        assert row in text


def test_many_changes_of_one_moment_are_folded(client: Client, db: None):
    load_pack(pack=read_pack(Path(settings.BASE_DIR) / "rules/packs/epic"))

    assert "<summary>31 changes</summary>" in client.get("/formats/epic/designed-deck").content.decode()


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize(("address", "queries"), [(OPEN, 18), (f"{OPEN}/changes", 9), (f"{OPEN}?on=2024-01-01", 7)])
def test_a_page_of_a_format_takes_as_many_queries_for_three_rows_as_for_one(
    client: Client,
    tmp_path: Path,
    address: str,
    queries: int,
    rows: int,
    django_assert_num_queries: DjangoAssertNumQueries,
):
    cards = ["Lance", "Shield", "Herald, Sworn"][:rows]
    load(tmp_path, {**two_versions(), "lists.toml": "".join(ENTRY.format(card=card) for card in cards) + GIFT})

    with django_assert_num_queries(queries):
        client.get(address)
