from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from rules.engine.formatschema import FormatDefinition
from rules.packreader import read_pack
from rules.queries import changes_of_format, format_by_slug, format_version_on
from rules.services.loading import load_pack
from tests.rules.packs import FILES, edited, write_pack

pytestmark = pytest.mark.django_db


def load(tmp_path: Path, changes: dict[str, str] | None = None) -> None:
    load_pack(pack=read_pack(write_pack(tmp_path, changes or {})))


def second_version(**replaced: str) -> dict[str, str]:
    """Open in a second version from 2026 on, with words of its file replaced."""
    first = FILES["formats/open.1.toml"].replace('version = "1"\n', 'version = "1"\nuntil = 2026-01-01\n', 1)
    second = FILES["formats/open.1.toml"].replace('version = "1"\n', 'version = "2"\nfrom = 2026-01-01\n', 1)
    for old, new in replaced.items():
        second = second.replace(old.replace("_", " "), new)
    return {"formats/open.1.toml": first, "formats/open.2.toml": second}


def rows(day: date) -> list[tuple[str, str, str, str]]:
    found = changes_of_format(version=format_version_on(format=format_by_slug(game="joust", slug="open"), day=day))
    assert found is not None
    return [(row.label, row.before, row.after, row.cite) for row in found.rows]


def test_a_first_version_has_changed_nothing(tmp_path: Path):
    load(tmp_path)
    version = format_version_on(format=format_by_slug(game="joust", slug="open"), day=date(2026, 3, 1))

    assert changes_of_format(version=version) is None


def test_a_number_that_differs_is_told_from_both_sides(tmp_path: Path):
    load(tmp_path, second_version(**{"min_=_2": "min = 3"}))

    assert rows(date(2026, 3, 1)) == [("Main deck", "at least 2 cards", "at least 3 cards", "JOUST 2.1")]


def test_a_rule_that_went_is_told_as_it_was(tmp_path: Path):
    files = second_version()
    start = files["formats/open.2.toml"].index('[[constraint]]\nid = "gifts"')
    stop = files["formats/open.2.toml"].index('[[constraint]]\nid = "lists"')
    files["formats/open.2.toml"] = files["formats/open.2.toml"][:start] + files["formats/open.2.toml"][stop:]
    load(tmp_path, files)

    assert rows(date(2026, 3, 1)) == [("Main deck", "at most 1 gift card", "", "JOUST 2.1")]


def test_the_policy_of_the_day_before_is_compared_as_well(tmp_path: Path):
    policy = FILES["policy/open.1.toml"]
    later = policy.replace('version = "1"\n', 'version = "2"\nfrom = 2026-01-01\n', 1).replace(
        "best_of = 3\n", "best_of = 5\n"
    )
    files = second_version()
    files["policy/open.1.toml"] = policy.replace('version = "1"\n', 'version = "1"\nuntil = 2026-01-01\n', 1)
    files["policy/open.2.toml"] = later
    load(tmp_path, files)

    assert rows(date(2026, 3, 1)) == [("Match", "best of 3", "best of 5", "JOUST 1")]


def test_a_policy_that_is_new_is_no_change(tmp_path: Path):
    files = second_version()
    files |= edited("policy/open.1.toml", 'version = "1"\n', 'version = "1"\nfrom = 2026-01-01\n')
    load(tmp_path, files)

    assert rows(date(2026, 3, 1)) == []


def test_what_engarde_changed_in_2025_stands_on_its_page(client: Client):
    load_pack(pack=read_pack(Path(settings.BASE_DIR) / "rules/packs/engarde"))
    version = format_version_on(format=format_by_slug(game="engarde", slug="standard"), day=date(2026, 11, 30))
    found = changes_of_format(version=version)
    assert found is not None

    assert [(row.label, row.before, row.after, row.cite) for row in found.rows] == [
        ("Sideboard", "no cards or 15 cards", "no cards or 10 cards", "ENGARDE 2.4"),
        ("Round clock", "55 minutes", "50 minutes", "ENGARDE 10.2"),
    ]
    assert [str(row.section and row.section.number) for row in found.rows] == ["2.4", "10.2"]
    page = client.get("/formats/engarde/standard?on=2026-11-30").content.decode()
    assert "What version 2025 changed" in page
    assert "What version" not in client.get("/formats/engarde/standard?on=2024-11-30").content.decode()
    assert FormatDefinition.model_validate(found.before.definition).version == "2024"
