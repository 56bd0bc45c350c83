"""manage.py pair and manage.py standings as tools of their own: no database, JSON that follows the published schema."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from jsonschema import Draft202012Validator

from config.schemas import published

HISTORY = {
    "players": [{"id": "ada", "name": "Ada"}, {"id": "bela"}, {"id": "cleo"}, {"id": "dov"}, {"id": 5}],
    "results": [
        {"round": 1, "players": ["ada", "bela"], "outcome": "win", "games": [2, 1, 0]},
        {"round": 1, "players": ["cleo", "dov"], "outcome": "intentional_draw"},
        {"round": 1, "players": [5], "outcome": "bye"},
    ],
    "pairing": {"seed": "any", "avoid": [["ada", 5]]},
}


def run(*words: str, given: str = "", hash_seed: str = "0") -> subprocess.CompletedProcess[str]:
    """As on the command line, with a database that can't be reached."""
    env = {**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none", "PYTHONHASHSEED": hash_seed}
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        input=given,
        capture_output=True,
        text=True,
        cwd=settings.BASE_DIR,
        env=env,
        check=False,
        timeout=120,
    )


def faults(name: str, value: object) -> list[str]:
    return [error.message for error in Draft202012Validator(published()[name]).iter_errors(value)]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "history.json"
    path.write_text(json.dumps(HISTORY))
    return str(path)


def test_the_history_of_this_test_follows_the_published_schema() -> None:
    assert faults("history", HISTORY) == []
    assert faults("history", {**HISTORY, "players": []}) != []


def test_a_round_is_paired_the_same_in_every_process_and_says_what_is_proved(file: str) -> None:
    first, second = (run("pair", "--input", file, "--json", hash_seed=seed) for seed in ("1", "2"))
    assert (first.returncode, first.stderr) == (0, "")
    answer = json.loads(first.stdout)
    assert first.stdout == second.stdout
    assert faults("pairing", answer) == []
    assert answer["round"] == 2
    assert answer["proof"] == {"certified": True, "proved": answer["proof"]["proved"], "faults": []}
    assert sorted(str(player) for pair in answer["pairs"] for player in pair["players"]) + [
        answer["bye"]["player"]
    ] == ["5", "ada", "cleo", "dov", "bela"]
    assert ["ada", 5] not in [sorted(pair["players"], key=str)[::-1] for pair in answer["pairs"]]


def test_a_seed_of_ones_own_takes_the_place_of_the_files(file: str) -> None:
    drawn = {run("pair", "--input", file, "--json", "--seed", str(seed)).stdout for seed in range(2)}
    assert {json.loads(answer)["seed"] for answer in drawn} == {"0", "1"}


def test_standings_come_from_standard_input_too(file: str) -> None:
    answer = run("standings", "--input", "-", "--json", given=json.dumps(HISTORY))
    assert answer.returncode == 0
    assert answer.stdout == run("standings", "--input", file, "--json").stdout
    told = json.loads(answer.stdout)
    assert faults("standings", told) == []
    assert [(place["player"], place["values"]["match_points"]) for place in told["places"]] == [
        ("ada", "3"),
        (5, "3"),
        ("cleo", "1"),
        ("dov", "1"),
        ("bela", "0"),
    ]


@pytest.mark.parametrize("command", ["pair", "standings"])
def test_people_are_told_in_words(command: str, file: str) -> None:
    told = run(command, "--input", file)
    assert told.returncode == 0
    assert "Ada" in told.stdout
    assert ("has the bye" in told.stdout) == (command == "pair")


@pytest.mark.parametrize("command", ["pair", "standings"])
@pytest.mark.parametrize(
    ("content", "said"),
    [("{}", "players: Field required"), ("nonsense", "the file: Invalid JSON"), (None, "No such file")],
)
def test_what_cannot_be_read_exits_with_2_and_a_sentence(
    command: str, content: str | None, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "history.json"
    if content is not None:
        path.write_text(content)
    answer = run(command, "--input", str(path), "--json")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert said in answer.stderr
    assert "Traceback" not in answer.stderr
