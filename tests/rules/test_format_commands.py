from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from rules.packreader import read_pack
from rules.services.loading import load_pack
from tests.rules.test_changes import ENGARDE_2025


@pytest.fixture
def _engarde(db: None) -> None:
    load_pack(pack=read_pack(Path(settings.BASE_DIR) / "rules/packs/engarde"))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    call_command(*arguments)
    out, err = capsys.readouterr()
    assert err == ""
    return out


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(run(capsys, *arguments, "--json"))


NOTE = "Only the year 2024 is known; the days are set to its first and last."


@pytest.mark.usefixtures("_engarde")
def test_formats_tells_the_version_in_force_its_days_and_its_document(capsys: pytest.CaptureFixture[str]):
    found = answer(capsys, "formats", "--game", "engarde", "--on", "2024-06-01")
    standard = next(row for row in found["formats"] if row["format"] == "engarde/standard")

    assert found["on"] == "2024-06-01"
    assert standard == {
        "format": "engarde/standard",
        "name": "Standard",
        "version": "2024",
        "since": "2024-01-01",
        "until": "2025-01-01",
        "document": "rulebook@2024",
        "date_note": NOTE,
    }
    assert (
        f"engarde/standard: version 2024, from 2024-01-01 until 2025-01-01, by rulebook@2024 ({NOTE})"
        in run(capsys, "formats", "--on", "2024-06-01").splitlines()
    )


@pytest.mark.usefixtures("_engarde")
def test_formats_says_where_nothing_is_in_force(capsys: pytest.CaptureFixture[str]):
    assert "engarde/standard: no version in force" in run(capsys, "formats", "--on", "1999-06-01").splitlines()
    assert {row["version"] for row in answer(capsys, "formats", "--on", "1999-06-01")["formats"]} == {None}


@pytest.mark.django_db
def test_formats_of_an_empty_database_says_what_to_do(capsys: pytest.CaptureFixture[str]):
    assert run(capsys, "formats") == ("No game is loaded. manage.py load_packs loads those that Tiltyard comes with.\n")


@pytest.mark.usefixtures("_engarde")
def test_a_diff_has_the_eight_changes_of_2025(capsys: pytest.CaptureFixture[str]):
    found = answer(capsys, "format_diff", "engarde/standard", "2024", "2025")

    assert (found["format"], found["before"], found["after"]) == (
        "engarde/standard",
        {"version": "2024", "day": "2024-12-31"},
        {"version": "2025", "day": "2025-01-01"},
    )
    assert [tuple(row.values()) for row in found["rules"]] == ENGARDE_2025
    assert [(row["card"], row["before"], row["after"]) for row in found["lists"]][-2:] == [
        ("The Long Bell", "not on the list", "banned"),
        ("Tideturn: Reflux", "not on the list", "restricted to 1 copy"),
    ]
    lines = run(capsys, "format_diff", "engarde/standard", "2024", "2025").splitlines()
    assert lines[0] == "Standard: version 2024 on 2024-12-31, version 2025 on 2025-01-01"
    assert "  Round clock: 55 minutes -> 50 minutes (ENGARDE 10.2)" in lines


@pytest.mark.usefixtures("_engarde")
def test_a_diff_of_nothing_says_so(capsys: pytest.CaptureFixture[str]):
    assert run(capsys, "format_diff", "engarde/standard", "2025", "2025").splitlines()[1:] == [
        "  Nothing is different."
    ]


@pytest.mark.usefixtures("_engarde")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("formats", "--game", "chess"), "chess"),
        (("formats", "--on", "20250601"), "is no day"),
        (("formats", "--on", "2025-W10-1"), "is no day"),
        (("format_diff", "engarde/none", "2024", "2025"), "no format 'none' of 'engarde'"),
        (("format_diff", "engarde", "2024", "2025"), "no format '' of 'engarde'"),
        (("format_diff", "engarde/standard", "2019", "2025"), "no version '2019'"),
        (("format_diff", "engarde/standard", "2019-06-01", "2025"), "in force on 2019-06-01"),
    ],
)
def test_what_can_not_be_told_is_refused_in_a_sentence(arguments: tuple[str, ...], said: str):
    with pytest.raises(CommandError, match=said) as refused:
        call_command(*arguments)
    assert refused.value.returncode == 1
