"""The benchmark of decklists runs and prints what it promises. Nobody asks here how fast anything is."""

from __future__ import annotations

import io
import json

from django.core.management import call_command

from config.bench.peers import right_answers


def test_bench_decklists_prints_one_json_object() -> None:
    out = io.StringIO()
    sizes = ("--names", "300", "--lists", "3", "--unknown", "5", "--sheets", "2", "--rounds", "1")
    call_command("bench", "decklists", *sizes, "--json", stdout=out)
    figures = json.loads(out.getvalue())
    assert {name: type(value) for name, value in figures.items()} == {
        "names": int,
        "lists_per_s": int,
        "lists_over_floor": float,
        "suggestions_1000_s": float,
        "sheets_500_s": float,
        "peers": dict,
    }
    assert figures["names"] == 300


def test_our_own_parser_reads_every_golden_line() -> None:
    said = right_answers()["tiltyard"].split(" of ")
    assert said[0] == said[1]
