from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from rules.packreader import read_pack
from rules.services.loading import load_pack
from tests.rules.packs import FILES, write_pack

V1 = "/api/v1/"
OPEN = "games/joust/formats/open"
BANNED_LANCE = {
    "card": "Lance",
    "card_slug": "lance",
    "status": "banned",
    "max_copies": 0,
    "points": None,
    "zone": "",
    "since": "2026-02-01",
    "until": None,
    "announced_on": None,
    "source": "Heralds' list",
    "section": "JOUST 2.1",
}
RULEBOOK = {"slug": "rulebook", "version": "1", "title": "Rules of the joust", "date_note": ""}


@pytest.fixture(autouse=True)
def _pack(db: None, tmp_path: Path) -> None:
    load_pack(pack=read_pack(write_pack(tmp_path)))


def got(client: Client, address: str, status: int = 200) -> Any:
    response = client.get(V1 + address)
    assert response.status_code == status, response.content[:500]
    return response.json()


def test_games_and_cards_are_listed(client: Client):
    assert [game["slug"] for game in got(client, "games")] == ["joust"]
    assert got(client, "games/joust")["zones"][1]["key"] == "side"
    assert got(client, "games/joust/cards?limit=1&offset=1") == {
        "count": 3,
        "results": [
            {
                "slug": "lance",
                "name": "Lance",
                "text": "",
                "facts": {"cost": "free", "power": 3},
                "is_sample": False,
            }
        ],
        "undetermined": 0,
        "did_you_mean": [],
    }
    assert got(client, "games/joust/cards?q=spear")["count"] == 1
    assert got(client, "games/joust/cards/lance")["printings"] == [
        {"set": "J1", "set_name": "First list (sample)", "number": "1", "released_on": None, "legal_on": "2025-01-01"},
        {"set": "J2", "set_name": "Second list", "number": "1", "released_on": None, "legal_on": "2026-01-01"},
    ]


def test_a_format_is_that_of_the_day(client: Client):
    assert got(client, "formats")["results"] == [{"game": "joust", "slug": "open", "name": "Open"}]
    before, after = (got(client, f"games/joust/formats/open?on={day}") for day in ("2026-01-31", "2026-02-01"))
    assert (before["version"], before["lists"]) == ("1", [])
    assert after["lists"] == [BANNED_LANCE]
    assert (before["since"], before["until"], before["document"]) == (None, None, RULEBOOK)
    assert [version["version"] for version in before["versions"]] == ["1"]
    banned = {"kind": "status", "subject": "Lance", "before": "not on the list", "after": "banned", "cite": "JOUST 2.1"}
    assert before["next_changes"] == [
        {"day": "2026-02-01", "source": "Heralds' list", "announced_on": None, "events": [banned]}
    ]
    assert after["next_changes"] == []
    assert after["definition"]["constraint"][0]["min"] == 2


def test_a_games_formats_are_listed_with_what_is_in_force(client: Client):
    listed = got(client, "games/joust/formats?on=2026-01-31")
    [one] = listed.pop("formats")
    assert listed == {"game": "joust", "on": "2026-01-31"}
    digest = one["in_force"].pop("digest")
    assert len(digest) == 64
    version = {"version": "1", "since": None, "until": None, "document": RULEBOOK}
    assert one == {"slug": "open", "name": "Open", "in_force": version}


def test_the_lists_of_a_day_have_statuses_and_tags(client: Client):
    gift = {
        "card": "Shield",
        "card_slug": "shield",
        "since": None,
        "until": None,
        "announced_on": None,
        "source": "JOUST 2",
    }
    assert got(client, f"{OPEN}/lists?on=2026-02-01") == {
        "game": "joust",
        "slug": "open",
        "name": "Open",
        "on": "2026-02-01",
        "version": "1",
        "statuses": [BANNED_LANCE],
        "tags": [{"tag": "gift", "cards": [gift]}],
    }
    assert got(client, f"{OPEN}/lists?on=2026-01-31")["statuses"] == []


def test_two_days_are_compared(client: Client):
    assert got(client, f"{OPEN}/changes?from=2026-01-31&to=2026-02-01") == {
        "game": "joust",
        "slug": "open",
        "name": "Open",
        "before": {"version": "1", "day": "2026-01-31"},
        "after": {"version": "1", "day": "2026-02-01"},
        "rules": [],
        "lists": [
            {
                "card": "Lance",
                "card_slug": "lance",
                "before": "not on the list",
                "after": "banned",
                "source": "Heralds' list",
                "cite": "JOUST 2.1",
            }
        ],
    }


def test_two_versions_are_compared_rule_by_rule(client: Client, tmp_path: Path):
    first = FILES["formats/open.1.toml"]
    load_pack(
        pack=read_pack(
            write_pack(
                tmp_path,
                {
                    "formats/open.1.toml": first.replace('"1"\n', '"1"\nuntil = 2026-01-01\n', 1),
                    "formats/open.2.toml": first.replace('"1"\n', '"2"\nfrom = 2026-01-01\n', 1).replace(
                        "min = 2", "min = 3"
                    ),
                },
            )
        )
    )
    found = got(client, f"{OPEN}/changes")
    assert (found["before"], found["after"]) == (
        {"version": "1", "day": "2025-12-31"},
        {"version": "2", "day": "2026-01-01"},
    )
    assert found["rules"] == [
        {
            "label": "Main deck",
            "before": "at least 2 cards",
            "after": "at least 3 cards",
            "cite": "JOUST 2.1",
            "section": {"document": "rulebook", "version": "1", "number": "2.1"},
        }
    ]


def test_a_timeline_has_every_moment(client: Client):
    moments = got(client, f"{OPEN}/timeline")["moments"]
    assert [(moment["day"], moment["source"]) for moment in moments] == [
        ("2026-02-01", "Heralds' list"),
        ("2026-01-01", "Card pool"),
        ("2025-01-01", "Card pool"),
        (None, "Rules of the joust"),
        (None, "JOUST 2"),
    ]


def test_rules_are_searched_and_read(client: Client):
    found = got(client, "rules/search?q=muligan&on=2026-06-01")
    assert (found["hits"][0]["section"]["citation"], found["repairs"]) == ("JOUST 2.2", {"muligan": "mulligan"})
    assert {"text": "hand", "is_match": False} not in found["hits"][0]["snippet"]
    here = got(client, "rules/joust/rulebook@1/2.1")
    assert (here["section"]["citation"], here["previous"], here["next"]) == ("JOUST 2.1", "2", "2.2")
    assert got(client, "rules/joust/rulebook@1/1")["previous"] is None
    assert got(client, "rules/documents?game=joust")["results"][0]["prefix"] == "JOUST"


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("games/chess", 404),
        ("games/joust/cards/none", 404),
        ("games/joust/cards?limit=0", 400),
        ("games/joust/cards?limit=ten", 400),
        ("games/joust/cards?limit=99999", 200),
        ("games/joust/cards?offset=-1", 400),
        ("games/joust/cards?offset=999999999", 200),
        ("games/joust/cards?offset=9999999999999999999999", 400),
        ("games/joust/cards?colour=red", 400),
        ("games/joust/cards?q=%00", 400),
        ("formats?game=chess", 404),
        ("games/joust/formats/none", 404),
        ("games/joust/formats/open?on=2026-02-30", 400),
        ("games/joust/formats/open?on=today", 400),
        ("games/chess/formats", 404),
        ("games/joust/formats?on=soon", 400),
        (f"{OPEN}/lists?on=2026-02-30", 400),
        ("games/joust/formats/none/lists", 404),
        (f"{OPEN}/changes?from=2&to=1", 404),
        (f"{OPEN}/changes?from=1&to=2026-02-30", 404),
        (f"{OPEN}/changes?from=%00", 400),
        (f"{OPEN}/changes?from=1&until=1", 400),
        (f"{OPEN}/changes?from={'9' * 21}", 400),
        ("games/chess/formats/open/changes", 404),
        (f"{OPEN}/timeline?on=2026-01-01", 400),
        ("games/joust/formats/none/timeline", 404),
        ("rules/search", 400),
        ("rules/search?q=", 400),
        ("rules/search?q=" + "x" * 301, 400),
        ("rules/search?q=x&game=chess", 404),
        ("rules/joust/rulebook@1/9.9", 404),
        ("rules/joust/rulebook@9/1", 404),
    ],
)
def test_bad_input_is_refused_as_a_problem(client: Client, address: str, status: int):
    answer = got(client, address, status)
    if status >= 400:
        assert answer["status"] == status
        assert answer["code"]


def test_nothing_can_be_written(client: Client):
    assert client.post(V1 + "games", "{}", content_type="application/json").status_code in (403, 405)


def test_before_its_first_version_a_format_has_no_rules_and_no_lists(client: Client, tmp_path: Path):
    changes = {"formats/open.1.toml": FILES["formats/open.1.toml"].replace('"1"\n', '"1"\nfrom = 2026-01-01\n', 1)}
    load_pack(pack=read_pack(write_pack(tmp_path, changes)))

    assert got(client, "games/joust/formats?on=2025-12-31")["formats"][0]["in_force"] is None
    for address in (OPEN, f"{OPEN}/lists"):
        assert got(client, f"{address}?on=2025-12-31", 404)["code"] == "format.not_in_force"
