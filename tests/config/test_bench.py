"""The benchmarks run and print what they promise. Nobody asks here how fast anything is."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

LEGALITY = [
    "mix",
    "epic_designed_decks_per_s",
    "epic_legal_decks_per_s",
    "epic_illegal_decks_per_s",
    "epic_full_check_decks_per_s",
    "epic_floor_decks_per_s",
    "epic_first_pass_decks_per_s",
    "epic_over_floor",
    "epic_legal_over_floor",
    "epic_rows_per_deck",
    "epic_share_legal",
    "epic_share_split",
    "engarde_standard_decks_per_s",
    "engarde_legal_decks_per_s",
    "engarde_illegal_decks_per_s",
    "engarde_full_check_decks_per_s",
    "engarde_floor_decks_per_s",
    "engarde_first_pass_decks_per_s",
    "engarde_over_floor",
    "engarde_legal_over_floor",
    "engarde_rows_per_deck",
    "engarde_share_legal",
    "engarde_share_split",
    "floor_decks_per_s",
]


def printed(*words: str) -> str:
    out = io.StringIO()
    call_command("bench", "legality", "--decks", "20", "--rounds", "1", "--seed", "a test", *words, stdout=out)
    return out.getvalue()


def test_bench_legality_prints_one_json_object_and_needs_no_database() -> None:
    figures = json.loads(printed("--json", "--without-bulk"))
    assert list(figures) == LEGALITY
    assert figures["mix"] == {"decks": 20, "illegal_in_ten": 1, "seed": "a test", "rounds": 1}
    assert (figures["epic_share_legal"], figures["engarde_share_legal"]) == (0.9, 0.9)
    assert min(value for name, value in figures.items() if name.endswith("_per_s")) > 0


def test_without_json_it_prints_a_line_for_each_figure() -> None:
    lines = printed("--without-bulk").splitlines()
    assert [line.split()[0] for line in lines] == LEGALITY


@pytest.mark.parametrize("words", [("--decks", "9"), ("--rounds", "0"), ("--illegal-in-ten", "10"), ("--decks", "x")])
def test_a_number_that_nothing_can_be_measured_with_is_refused(words: tuple[str, str]) -> None:
    with pytest.raises(CommandError, match=words[0]):
        call_command("bench", "legality", "--without-bulk", *words)


def test_with_the_bulk_it_prints_those_figures_too() -> None:
    """As a person runs it, with the servers of the test run."""
    command = [sys.executable, "manage.py", "bench", "legality", "--json", "--decks", "10", "--rounds", "1"]
    done = subprocess.run([*command, "--bulk-decks", "30"], cwd=settings.BASE_DIR, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert list(figures)[: len(LEGALITY)] == LEGALITY
    assert {name: figures[name] for name in ("bulk_decks", "bulk_read", "bulk_changed")} == {
        "bulk_decks": 30,
        "bulk_read": 30,
        "bulk_changed": 3,
    }
    assert min(figures["bulk_s"], figures["bulk_peak_mib"]) >= 0
