from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from rules.packreader import read_pack
from rules.services.loading import load_pack
from tests.rules.packs import write_pack

V1 = "/api/v1/"


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
    }
    assert got(client, "games/joust/cards?q=spear")["count"] == 1
    assert got(client, "games/joust/cards/lance")["printings"] == [
        {"set": "J1", "set_name": "First list (sample)", "number": "1", "legal_on": "2025-01-01"},
        {"set": "J2", "set_name": "Second list", "number": "1", "legal_on": "2026-01-01"},
    ]


def test_a_format_is_that_of_the_day(client: Client):
    assert got(client, "formats")["results"] == [{"game": "joust", "slug": "open", "name": "Open"}]
    before, after = (got(client, f"games/joust/formats/open?on={day}") for day in ("2026-01-31", "2026-02-01"))
    assert (before["version"], before["lists"]) == ("1", [])
    assert after["lists"] == [
        {
            "card": "Lance",
            "status": "banned",
            "max_copies": 0,
            "since": "2026-02-01",
            "until": None,
            "source": "Heralds' list",
            "section": "JOUST 2.1",
        }
    ]
    assert after["definition"]["constraint"][0]["min"] == 2


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
