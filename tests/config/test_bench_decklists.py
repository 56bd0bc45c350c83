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


def test_our_own_parser_reads_every_golden_line_and_the_others_the_same_ones() -> None:
    found = right_answers()
    assert {"tiltyard", "april/decklist-style"} <= set(found)
    totals = {name: {key: said.split(" of ")[1] for key, said in scores.items()} for name, scores in found.items()}
    assert {tuple(total.items()) for total in totals.values()} == {
        (("reported", "46"), ("all", totals["tiltyard"]["all"]))
    }
    assert all(len(set(said.split(" of "))) == 1 for said in found["tiltyard"].values())


def test_a_reader_by_line_patterns_is_no_straw_man() -> None:
    right, of = map(int, right_answers()["april/decklist-style"]["reported"].split(" of "))
    assert of / 3 < right < of
