from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from config.errors import NotFound
from rules.engine.formatschema import FormatDefinition
from rules.models import Format
from rules.packreader import read_pack
from rules.queries import changes_between, changes_of_format, format_by_slug, format_version_on, points_between
from rules.services.loading import load_pack
from tests.rules.packs import FILES, edited, write_pack

pytestmark = pytest.mark.django_db

ENGARDE_2025 = [
    ("Sideboard", "no cards or 15 cards", "no cards or 10 cards", "ENGARDE 2.4"),
    ("Aether cap", "8", "10", "ENGARDE 5.1"),
    ("Active Oaths", "at most 3", "at most 2", "ENGARDE 4.8"),
    ("Hand at the end of the turn", "8 cards", "7 cards", "ENGARDE 6.5"),
    ("Mulligan", "not known", "free to 7 cards, then one card fewer each time, no scry", "ENGARDE 11.4"),
    ("Hollowed", "a sub-rule called Hollow Cast", "a keyword", "ENGARDE 11.5"),
    ("Banned and restricted list", "not known", "kept by the Trust Centre, reviewed every quarter", "ENGARDE 11.8"),
    ("Round clock", "55 minutes", "50 minutes", "ENGARDE 10.2"),
]


@pytest.fixture
def engarde(db: None) -> Format:
    load_pack(pack=read_pack(Path(settings.BASE_DIR) / "rules/packs/engarde"))
    return format_by_slug(game="engarde", slug="standard")


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

    assert [(row.label, row.before, row.after, row.cite) for row in found.rows] == ENGARDE_2025
    assert [row.section and row.section.document.version for row in found.rows] == ["2025"] * 8
    page = client.get("/formats/engarde/standard?on=2026-11-30").content.decode()
    assert "What version 2025 changed" in page
    assert "What version" not in client.get("/formats/engarde/standard?on=2024-11-30").content.decode()
    assert FormatDefinition.model_validate(found.before.definition).version == "2024"


def test_the_lists_of_engarde_are_compared_card_by_card(engarde: Format):
    first, second = points_between(format=engarde, before="2024", after="2025", today=date(2026, 11, 30))
    found = changes_between(before=first, after=second)

    assert (first.day, second.day) == (date(2024, 12, 31), date(2025, 1, 1))
    assert [(row.card.name, row.before, row.after, row.cite) for row in found.lists] == [
        ("Bell-bronze Reliquary", "not on the list", "restricted to 1 copy", "ENGARDE 2.6"),
        ("Hollowing — Greater", "not on the list", "banned", "ENGARDE 2.6"),
        ("Mira's Final Ledger", "not on the list", "banned", "ENGARDE 2.6"),
        ("The Long Bell", "not on the list", "banned", "ENGARDE 2.6"),
        ("Tideturn: Reflux", "not on the list", "restricted to 1 copy", "ENGARDE 2.6"),
    ]


def test_backwards_every_change_is_told_the_other_way_round(engarde: Format):
    first, second = points_between(format=engarde, before="2025", after="2024", today=date(2026, 11, 30))
    found = changes_between(before=first, after=second)

    assert {(row.label, row.after, row.before) for row in found.rows} == {row[:3] for row in ENGARDE_2025}
    assert {(row.before, row.after) for row in found.lists} == {
        ("banned", "not on the list"),
        ("restricted to 1 copy", "not on the list"),
    }


def test_a_version_differs_from_itself_in_nothing(engarde: Format):
    first, second = points_between(format=engarde, before="2025", after="2025", today=date(2026, 11, 30))
    found = changes_between(before=first, after=second)

    assert (found.rows, found.lists) == ((), ())


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("2019", "2025", "format.no_such_version"),
        ("2025", "soon", "format.no_such_version"),
        ("2025", "2025-13-01", "format.no_such_version"),
        ("2025", "9" * 5000, "format.no_such_version"),
        ("2023-12-31", "2025", "format.not_in_force"),
    ],
)
def test_what_is_no_version_and_no_day_of_one_is_refused(engarde: Format, before: str, after: str, code: str):
    with pytest.raises(NotFound) as refused:
        points_between(format=engarde, before=before, after=after, today=date(2026, 11, 30))

    assert refused.value.code == code


def test_two_days_of_one_version_differ_in_its_lists(tmp_path: Path):
    load(
        tmp_path,
        {
            "lists.toml": """\
[[status]]
format = "open"
card = "Lance"
status = "restricted"
max_copies = 1
until = 2026-02-01
source = "First list"
section = "JOUST 2.1"
[[status]]
format = "open"
card = "Lance"
status = "banned"
max_copies = 0
from = 2026-02-01
source = "Second list"
section = "JOUST 2.2"
[[tag]]
tag = "gift"
cards = ["Shield"]
source = "JOUST 2"
until = 2026-02-01
[[tag]]
tag = "gift"
cards = ["Herald, Sworn"]
source = "Of old"
"""
        },
    )
    format = format_by_slug(game="joust", slug="open")
    first, second = points_between(format=format, before="2026-01-31", after="2026-02-01", today=date(2026, 11, 30))
    found = changes_between(before=first, after=second)

    assert [(c.card.name, c.before, c.after, c.source, c.cite) for c in found.lists] == [
        ("Lance", "restricted to 1 copy", "banned", "Second list", "JOUST 2.2"),
        ("Shield", "gift card", "no gift card", "JOUST 2", ""),
    ]
    assert found.rows == ()


def test_a_number_of_play_that_nobody_knows_is_told_as_unknown(tmp_path: Path):
    known = '[[play]]\nid = "hand"\nlabel = "Hand"\nvalue = "7 cards"\ncite = "JOUST 2.2"\n'
    files = second_version()
    files["formats/open.1.toml"] += known.replace('value = "7 cards"\n', "")
    files["formats/open.2.toml"] += known
    load(tmp_path, files)

    assert rows(date(2026, 3, 1)) == [("Hand", "not known", "7 cards", "JOUST 2.2")]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("2026-02-28", "2026-03-01", [("Power 3", "Power 4")]),
        ("2026-02-28", "2026-05-01", [("Cost free, Power 3, old wording", "Cost action, Power 5, new wording")]),
        ("2026-05-01", "2026-03-01", [("Cost action, Power 5, new wording", "Cost free, Power 4, old wording")]),
        ("2026-03-01", "2026-04-30", []),
    ],
)
def test_errata_between_two_days_are_told(tmp_path: Path, before: str, after: str, expected: list[tuple[str, str]]):
    erratum = '[[erratum]]\ncard = "Lance"\nfrom = {}\n{}source = "Errata"\n'
    errata = [
        erratum.format("2026-03-01", "facts = { power = 4 }\n"),
        erratum.format("2026-05-01", 'facts = { power = 5, cost = "action" }\ntext = "Longer."\n'),
    ]
    load(tmp_path, {"lists.toml": FILES["lists.toml"] + "".join(errata)})
    points = points_between(
        format=format_by_slug(game="joust", slug="open"), before=before, after=after, today=date(2026, 11, 30)
    )

    found = changes_between(before=points[0], after=points[1])
    assert [(one.before, one.after) for one in found.lists if one.source == "Errata"] == expected
