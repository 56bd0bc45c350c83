"""That docs/game-packs.md says what is so: its excerpts, its examples, its commands and its faults."""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from config.errors import DomainError
from rules.engine.formatschema import AnyConstraint
from rules.packreader import read_pack
from tests.packs.conftest import PACKS

PACK = PACKS / "lanternmoot"
PAGE = (Path(settings.BASE_DIR) / "docs" / "game-packs.md").read_text()
BLOCKS = re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", PAGE, re.M | re.S)
EXCERPTS = [(label, text) for language, label, text in BLOCKS if label and label != "constraint"]
EXAMPLES = [text for _, label, text in BLOCKS if label == "constraint"]
COMMANDS = [line for language, _, text in BLOCKS if language == "sh" for line in text.splitlines()]
FAULTS = re.findall(r"^\| `(\S+)` \| `([^`]+)` for `([^`]+)` \| `([^`]+)` \|$", PAGE, re.M)
HEAD = """\
slug = "example"
name = "Example"
version = "1"
document = { slug = "rulebook", version = "1" }
[pool]
kind = "all"
[[constraint]]
id = "size"
kind = "zone_count"
zones = ["main"]
min = 1
cite = "MOOT 2.1"
"""


def test_the_page_has_what_is_tested_here():
    assert (len(EXCERPTS), len(EXAMPLES), len(COMMANDS), len(FAULTS)) == (25, 4, 7, 8)


def _words(text: str) -> str:
    """Without the comments that a file has and the page does without."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("#") or line.startswith("##"))


@pytest.mark.parametrize(("file", "text"), EXCERPTS, ids=[label for label, _ in EXCERPTS])
def test_an_excerpt_stands_in_its_file(file: str, text: str):
    assert _words(text) in _words((PACK / file).read_text())


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_is_a_sound_rule_of_the_game(text: str, tmp_path: Path):
    folder = shutil.copytree(PACK, tmp_path / "lanternmoot")
    (folder / "formats" / "example.1.toml").write_text(f"{HEAD}{text}")

    assert "example" in {definition.slug for definition in read_pack(folder).formats}


def test_the_page_shows_every_kind_of_rule():
    kinds = {one.model_fields["kind"].annotation.__args__[0] for one in AnyConstraint.__origin__.__args__}

    assert {kind for kind in kinds if f"**`{kind}`**" in PAGE and f'\nkind = "{kind}"\n' in PAGE} == kinds


@pytest.mark.django_db
def test_every_command_has_an_answer_and_no_complaint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(settings.BASE_DIR)
    for line in COMMANDS:
        python, manage, *words = shlex.split(line, comments=True)
        assert (python, manage) == ("python", "manage.py")
        with contextlib.suppress(SystemExit):
            call_command(*words)
        out, err = capsys.readouterr()
        assert (out != "", err) == (True, ""), line


@pytest.mark.parametrize(("file", "new", "old", "said"), FAULTS)
def test_a_fault_is_told_as_the_page_says(file: str, new: str, old: str, said: str, tmp_path: Path):
    folder = shutil.copytree(PACK, tmp_path / "lanternmoot")
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))

    with pytest.raises(DomainError) as refused:
        read_pack(folder)
    assert said in refused.value.message
