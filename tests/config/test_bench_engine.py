"""The bench of the engine as a whole, and that of rounds from rows to rows. Nobody asks here how fast anything is."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError


def bench(*words: str) -> str:
    out = io.StringIO()
    call_command("bench", *words, stdout=out)
    return out.getvalue()


def test_the_table_has_a_row_for_each_size_and_says_what_was_proved() -> None:
    lines = bench("engine", "--sizes", "8x3,12x2", "--peer-seconds", "0").splitlines()
    assert lines[0].startswith("| players x rounds | Tiltyard: median, worst | times the floor | not certified |")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:4]]
    assert [(row[0], row[3], row[4]) for row in rows] == [("8 x 3", "0", "0"), ("12 x 2", "0", "0")]
    assert lines[5].startswith("Standings, 10000 x 15: ")
    assert lines[6].startswith("Tables of 4, 1000 players, 7 rounds: 0 met twice, ")


@pytest.mark.parametrize("sizes", ["8", "8x0", "3x1", "axb", ""])
def test_sizes_that_cannot_be_played_are_refused(sizes: str) -> None:
    with pytest.raises(CommandError, match="sizes such as|at least 4 players"):
        bench("engine", "--sizes", sizes)


@pytest.mark.django_db(transaction=True)
def test_rounds_are_measured_from_rows_to_rows_in_a_database_of_their_own() -> None:
    figures: dict[str, Any] = json.loads(bench("rounds", "--players", "9", "--rounds", "3", "--json"))
    parts = ["read_ms", "pair_ms", "explain_ms", "check_ms", "store_ms"]
    assert list(figures) == [
        "players",
        "rounds",
        *("draft_median_ms", "draft_worst_ms", "complete_median_ms", "complete_worst_ms"),
        *parts,
    ]
    assert (figures["players"], figures["rounds"]) == (9, 3)
    assert all(figures[name] >= 0 for name in parts[:4])
