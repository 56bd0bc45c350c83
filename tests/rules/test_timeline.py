from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from pytest_django import DjangoAssertNumQueries

from rules.packreader import read_pack
from rules.queries import format_by_slug, next_moments, timeline_of
from rules.services.loading import load_pack
from tests.rules.packs import FILES, write_pack

pytestmark = pytest.mark.django_db

LISTS = """\
[[status]]
format = "open"
card = "Lance"
status = "restricted"
max_copies = 1
from = 2026-02-01
until = 2026-03-01
announced_on = 2026-01-15
source = "First list"
section = "JOUST 2.1"
[[status]]
format = "open"
card = "Lance"
status = "banned"
max_copies = 0
from = 2026-03-01
until = 2026-04-01
source = "Second list"
section = "JOUST 2.2"
[[status]]
format = "open"
card = "Shield"
status = "banned"
max_copies = 0
source = "An old list"
section = "JOUST 2.1"
[[tag]]
tag = "gift"
cards = ["Shield"]
source = "Gifts"
from = 2026-03-01
until = 2026-05-01
"""


def load(tmp_path: Path, changes: dict[str, str] | None = None) -> None:
    load_pack(pack=read_pack(write_pack(tmp_path, changes or {"lists.toml": LISTS})))


Told = tuple[date | None, str, date | None, list[tuple[str, str, str, str]]]


def told() -> list[Told]:
    moments = timeline_of(format=format_by_slug(game="joust", slug="open"))
    return [
        (m.day, m.source, m.announced_on, [(e.kind, e.subject, e.before, e.after) for e in m.events]) for m in moments
    ]


def versions(*days: tuple[str, str | None, str | None]) -> dict[str, str]:
    """Files of versions of Open: (version, from, until)."""
    files = {}
    for name, start, stop in days:
        lines = [f'version = "{name}"']
        lines += [f"{key} = {day}" for key, day in (("from", start), ("until", stop)) if day]
        files[f"formats/open.{name}.toml"] = FILES["formats/open.1.toml"].replace(
            'version = "1"\n', "\n".join(lines) + "\n", 1
        )
    return files


def test_every_change_stands_under_its_day_and_source_the_newest_first(tmp_path: Path):
    load(tmp_path)

    assert told() == [
        (date(2026, 5, 1), "Gifts", None, [("tag", "Shield", "gift card", "no gift card")]),
        (date(2026, 4, 1), "Second list", None, [("status", "Lance", "banned", "not on the list")]),
        (date(2026, 3, 1), "Second list", None, [("status", "Lance", "restricted to 1 copy", "banned")]),
        (date(2026, 3, 1), "Gifts", None, [("tag", "Shield", "no gift card", "gift card")]),
        (
            date(2026, 2, 1),
            "First list",
            date(2026, 1, 15),
            [("status", "Lance", "not on the list", "restricted to 1 copy")],
        ),
        (date(2026, 1, 1), "Card pool", None, [("pool", "Second list (J2)", "", "comes in")]),
        (date(2025, 1, 1), "Card pool", None, [("pool", "First list (sample) (J1)", "", "comes in")]),
        (None, "Rules of the joust", None, [("version", "Version 1", "", "in force")]),
        (None, "An old list", None, [("status", "Shield", "", "banned")]),
    ]


def test_versions_follow_each_other_and_may_leave_a_gap(tmp_path: Path):
    days = (("1", None, "2025-01-01"), ("2", "2025-01-01", "2025-03-01"), ("3", "2025-06-01", None))
    load(tmp_path, versions(*days))

    assert [(day, events) for day, _, _, events in told() if events[0][0] == "version"] == [
        (date(2025, 6, 1), [("version", "Version 3", "", "in force")]),
        (date(2025, 3, 1), [("version", "Version 2", "", "ends")]),
        (date(2025, 1, 1), [("version", "Version 2", "version 1", "in force")]),
        (None, [("version", "Version 1", "", "in force")]),
    ]


@pytest.mark.parametrize(
    ("legal_on", "is_inclusive", "leaves"),
    [
        ("2024-03-15", "true", date(2025, 9, 16)),
        ("2024-03-15", "false", date(2025, 9, 15)),
        # Eighteen months before the last day of February is the 28th of August: the 31st is still inside.
        ("2024-08-31", "true", date(2026, 3, 1)),
        ("2024-08-28", "true", date(2026, 3, 1)),
        ("2024-08-28", "false", date(2026, 2, 28)),
        ("2024-08-27", "true", date(2026, 2, 28)),
    ],
)
def test_a_set_leaves_a_window_on_the_first_day_that_is_too_late_for_it(
    tmp_path: Path, legal_on: str, is_inclusive: str, leaves: date
):
    pool = f'kind = "window"\nmonths = 18\ninclusive = {is_inclusive}\ncite = "JOUST 2.1"\n'
    files = {
        "formats/open.1.toml": FILES["formats/open.1.toml"].replace('kind = "all"\n', pool, 1),
        "game.toml": FILES["game.toml"].replace("legal_on = 2025-01-01", f"legal_on = {legal_on}", 1),
    }
    load(tmp_path, files)

    left = [(day, events) for day, _, _, events in told() if events[0][3].startswith("leaves")]
    assert (leaves, [("pool", "First list (sample) (J1)", "in the card pool", "leaves, but for reprints")]) in left


def test_a_set_that_came_out_between_two_versions_is_no_change_of_either(tmp_path: Path):
    load(tmp_path, versions(("1", None, "2024-12-01"), ("2", "2025-06-01", None)))

    assert [day for day, _, _, events in told() if events[0][0] == "pool"] == [date(2026, 1, 1)]


def test_sets_outside_the_pool_are_no_change_of_the_format(tmp_path: Path):
    pool = 'kind = "sets"\nsets = ["J2"]\ncite = "JOUST 2.1"\n'
    load(tmp_path, {"formats/open.1.toml": FILES["formats/open.1.toml"].replace('kind = "all"\n', pool, 1)})

    assert [events for _, _, _, events in told() if events[0][0] == "pool"] == [
        [("pool", "Second list (J2)", "", "comes in")]
    ]


@pytest.mark.parametrize(
    ("day", "sources"),
    [
        (date(2026, 1, 31), ["First list"]),
        (date(2026, 2, 1), ["Second list", "Gifts"]),
        (date(2026, 4, 30), ["Gifts"]),
        (date(2026, 5, 1), []),
    ],
)
def test_the_next_change_is_all_of_the_first_day_after(tmp_path: Path, day: date, sources: list[str]):
    load(tmp_path)
    moments = timeline_of(format=format_by_slug(game="joust", slug="open"))

    assert [moment.source for moment in next_moments(moments, after=day)] == sources


@pytest.mark.parametrize("rows", [1, 3])
def test_a_timeline_takes_five_queries_however_long(
    tmp_path: Path, rows: int, django_assert_num_queries: DjangoAssertNumQueries
):
    *statuses, tag = [f"[[{table}" for table in LISTS.split("[[")[1:]]
    load(tmp_path, {"lists.toml": "".join([*statuses[:rows], tag])})
    format = format_by_slug(game="joust", slug="open")

    with django_assert_num_queries(5):
        timeline_of(format=format)


def test_errata_tell_the_facts_before_and_after_one_after_the_other(tmp_path: Path):
    erratum = '[[erratum]]\ncard = "Lance"\nfrom = {}\n{}source = "Errata"\n'
    errata = [
        erratum.format("2026-03-01", "facts = { power = 4 }\n"),
        erratum.format("2026-05-01", 'facts = { power = 5, cost = "action" }\ntext = "Longer."\n'),
    ]
    load(tmp_path, {"lists.toml": FILES["lists.toml"] + "".join(errata)})

    assert [(day, events) for day, _, _, events in told() if events[0][0] == "erratum"] == [
        (date(2026, 5, 1), [("erratum", "Lance", "Cost free, Power 4", "Cost action, Power 5, new wording")]),
        (date(2026, 3, 1), [("erratum", "Lance", "Power 3", "Power 4")]),
    ]
