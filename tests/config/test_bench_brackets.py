"""The bench runs and prints what it promises. Nobody asks here how fast anything is."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import call_command

from config.errors import DomainError

FUNCTIONS = [
    "single",
    "reseeded",
    "double_drawn",
    "double_replayed",
    "round_robin",
    "pools",
    "cut",
    "pods",
    "floor",
    "round_robin_floor",
]


def printed(*words: str) -> str:
    out = io.StringIO()
    call_command("bench", "brackets", *words, stdout=out)
    return out.getvalue()


def test_bench_brackets_prints_the_time_of_every_function_by_size() -> None:
    figures = json.loads(printed("--json", "--players", "8", "13", "--rounds", "1"))
    assert list(figures) == ["unit", "rounds", "8", "13"]
    assert (figures["unit"], list(figures["8"]), list(figures["13"])) == ("ms", FUNCTIONS, FUNCTIONS)
    assert len(printed("--players", "8", "--rounds", "1").splitlines()) == 3


@pytest.mark.parametrize("words", [("--players", "7"), ("--players", "129"), ("--rounds", "0")])
def test_sizes_that_nothing_can_be_measured_with_are_refused(words: tuple[str, str]) -> None:
    with pytest.raises(DomainError):
        printed(*words)
