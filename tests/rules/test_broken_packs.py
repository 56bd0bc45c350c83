"""Whatever is wrong with a pack, it is refused whole, with file and line, and nothing of it is stored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.errors import DomainError
from rules.packreader import read_pack
from rules.services.loading import load_pack
from tests.rules.packs import FILES, MORE, write_pack
from tests.rules.test_loading import everything

EVERY_KIND = """\
slug = "every"
name = "Every kind of rule"
version = "1"
document = { slug = "rulebook", version = "1" }
unresolved = { cite = "JOUST 2.2" }
[pool]
kind = "sets"
sets = ["J1"]
include = ["Lance"]
exclude = ["Shield"]
cite = "JOUST 2.1"
[[constraint]]
id = "size"
kind = "zone_count"
zones = ["main"]
one_of = [20, 30]
cite = "JOUST 2.1"
[[constraint]]
id = "copies"
kind = "copies"
zones = ["main"]
max = 3
per = "cost"
max_from = "power"
cite = "JOUST 2.1"
[[constraint]]
id = "strength"
kind = "sum"
zones = ["main"]
select = { all = [{ fact = "cost", in_zone = "side" }, { not = { tag = "gift" } }] }
of = "power"
max = 9
cite = "JOUST 2.1"
[[constraint]]
id = "one-each"
kind = "sum"
zones = ["main"]
select = { fact = "power", gte = 3 }
per = "cost"
max = 2
cite = "JOUST 2.1"
[[constraint]]
id = "leader"
kind = "require"
zones = ["side"]
select = { names = ["Lance"] }
min = 1
cite = "JOUST 2.1"
[[constraint]]
id = "pairs"
kind = "group"
zones = ["main"]
select = { names = ["Lance", "Shield"] }
trigger = { tag = "gift" }
max = 1
cite = "JOUST 2.1"
[[constraint]]
id = "by-size"
kind = "bound"
zones = ["main"]
of = "power"
max = { base = 2, times = 2, over = 5, measure = { zones = ["main"], of = "power" } }
cite = "JOUST 2.1"
[[constraint]]
id = "companion"
kind = "when"
zones = ["side"]
select = { names = ["Shield"] }
instead_of = ["copies"]
cite = "JOUST 2.1"
[[constraint.then]]
id = "singleton"
kind = "copies"
zones = ["main"]
max = 1
cite = "JOUST 2.2"
[[constraint]]
id = "sold-as"
kind = "fixed"
zones = ["side"]
cite = "JOUST 2.1"
[[constraint.decks]]
name = "Starter"
size = 3
cards = { Lance = 2 }
of_unknown_count = ["Shield"]
[[play]]
id = "hand"
label = "cards in the first hand"
value = "5"
cite = "JOUST 2.2"
"""
KINDS = {**MORE, "formats/every.1.toml": EVERY_KIND}
WHOLE = {**FILES, **KINDS}
TOML = [file for file in WHOLE if file.endswith(".toml")]
VALUES = ("true", "-1", '""', '"\\u0000"', "[]", "{}", "1.5", "9" * 30, "2026-01-01", '["x"]', f'"{"y" * 400}"')


def faults(folder: Path, file: str, text: str) -> list[tuple[str, int | None]]:
    """Where the pack with that text in one of its files is told to be wrong; nowhere if it is sound."""
    (folder / file).write_text(text)
    try:
        read_pack(folder)
    except DomainError as error:
        return [(fault["file"], fault["line"]) for fault in error.context["faults"]]
    finally:
        (folder / file).write_text(WHOLE[file])
    return []


def with_line(file: str, number: int, *instead: str) -> str:
    """The file with other lines in place of one; lines are counted from 1."""
    lines = WHOLE[file].splitlines()
    return "\n".join([*lines[: number - 1], *instead, *lines[number:]]) + "\n"


def lines_of(file: str) -> Iterator[tuple[int, str]]:
    return enumerate(WHOLE[file].splitlines(), start=1)


def test_the_pack_with_every_kind_of_file_and_rule_is_sound(tmp_path: Path):
    pack = read_pack(write_pack(tmp_path, KINDS))
    every = next(definition for definition in pack.formats if definition.slug == "every")
    assert len({rule.kind for rule in every.constraints}) == 8


@pytest.mark.parametrize("file", TOML)
def test_a_key_that_is_none_is_told_on_whatever_line_it_stands(tmp_path: Path, file: str):
    write_pack(tmp_path, KINDS)
    missed = []
    for number, line in lines_of(file):
        found = faults(tmp_path, file, with_line(file, number, line, "no_such_key = 1"))
        if (file, number + 1) not in found:
            missed.append((number + 1, found))
    assert missed == []


@pytest.mark.parametrize("file", TOML)
def test_a_line_that_is_no_toml_is_told(tmp_path: Path, file: str):
    write_pack(tmp_path, KINDS)
    missed = []
    for number, line in lines_of(file):
        found = faults(tmp_path, file, with_line(file, number, line, "= ="))
        if (file, number + 1) not in found:
            missed.append((number + 1, found))
    assert missed == []


@pytest.mark.parametrize("file", TOML)
def test_any_value_may_be_nonsense_and_nothing_crashes(tmp_path: Path, file: str):
    """What comes of a value that is still sound is stored below; here it is only read."""
    write_pack(tmp_path, KINDS)
    for number, line in lines_of(file):
        if key := re.match(r'("?[\w ]+"? = )', line):
            for value in VALUES[number % 3 :: 3]:
                for name, at in faults(tmp_path, file, with_line(file, number, key[1] + value)):
                    assert name in WHOLE, (number, value)
                    assert at is None or at <= WHOLE[name].count("\n"), (number, value)


@pytest.mark.parametrize("file", ["cards.csv", "documents/rulebook.1.md"])
@pytest.mark.parametrize(
    "instead", [(), ("{0}", "{0}"), ("{0}", "= ="), ("{0},",), ('"{0}',), ("{0}", "## 9"), ("{0}", "+++"), ("<b>{0}",)]
)
def test_a_broken_line_of_cards_or_rules_is_told_or_does_no_harm(tmp_path: Path, file: str, instead: tuple[str, ...]):
    write_pack(tmp_path, KINDS)
    for number, line in lines_of(file):
        text = with_line(file, number, *(one.format(line) for one in instead))
        for name, at in faults(tmp_path, file, text):
            assert name in WHOLE, number
            assert at is None or at <= max(text.count("\n"), WHOLE[name].count("\n")), number


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ('unresolved = { cite = "JOUST 2.2" }', 'unresolved = { cite = "JOUST 8" }', 5, "no such section"),
        ('sets = ["J1"]', 'sets = ["J8"]', 8, "no such set in game.toml: J8"),
        ('include = ["Lance"]', 'include = ["Lanze"]', 9, "no such card in cards.csv: Lanze"),
        ('exclude = ["Shield"]', 'exclude = ["Shild"]', 10, "no such card in cards.csv: Shild"),
        ('per = "cost"\nmax_from', 'per = "price"\nmax_from', 23, "no such fact in game.toml: price"),
        ('max_from = "power"', 'max_from = "cost"', 24, "cost is no number"),
        ('in_zone = "side"', 'in_zone = "sight"', 30, "no such zone in game.toml: sight"),
        ('{ not = { tag = "gift" } }', '{ not = { tag = "gist" } }', 30, "no such tag in lists.toml: gist"),
        ('of = "power"\nmax = 9', 'of = "cost"\nmax = 9', 31, "cost is no number"),
        ('of = "power"\nmax = 9', 'of = "power"\ndistinct = true\nmax = 9', 26, "it can't be distinct"),
        ("min = 1\ncite", "cite", 42, "leader: give min, max or both"),
        ('trigger = { tag = "gift" }', 'trigger = { tag = "gist" }', 54, "no such tag in lists.toml: gist"),
        ("over = 5", "over = 0", 62, "greater than or equal to 1"),
        ('measure = { zones = ["main"]', 'measure = { zones = ["mane"]', 62, "no such zone in game.toml: mane"),
        ('instead_of = ["copies"]', 'instead_of = ["copy"]', 69, "no such rule to replace: copy"),
        ('max = 1\ncite = "JOUST 2.2"', 'max = 0\ncite = "JOUST 2.2"', 75, "greater than or equal to 1"),
        ('max = 1\ncite = "JOUST 2.2"', 'max = 1\ncite = "JOUST 8"', 76, "no such section in rulebook 1: JOUST 8"),
        ("{ Lance = 2 }", "{ Lanze = 2 }", 85, "no such card in cards.csv: Lanze"),
        ('of_unknown_count = ["Shield"]', 'of_unknown_count = ["Shild"]', 86, "no such card in cards.csv: Shild"),
        ('value = "5"\ncite = "JOUST 2.2"', 'value = "5"\ncite = "JOUST 8"', 91, "no such section"),
    ],
)
def test_a_fault_in_any_kind_of_rule_is_told(tmp_path: Path, old: str, new: str, line: int, says: str):
    assert old in EVERY_KIND
    write_pack(tmp_path, {**KINDS, "formats/every.1.toml": EVERY_KIND.replace(old, new, 1)})
    with pytest.raises(DomainError) as refused:
        read_pack(tmp_path)
    found = [(fault["file"], fault["line"], fault["message"]) for fault in refused.value.context["faults"]]
    assert [(name, at) for name, at, message in found if says in message] == [("formats/every.1.toml", line)], found


@pytest.mark.django_db
@pytest.mark.parametrize("file", WHOLE)
def test_a_pack_with_a_fault_in_any_file_changes_nothing(tmp_path: Path, file: str):
    folder = write_pack(tmp_path, KINDS)
    load_pack(pack=read_pack(folder))
    before = everything()
    (folder / "documents/rulebook.1.md").write_text(WHOLE["documents/rulebook.1.md"].replace("Two riders", "Both"))
    (folder / file).write_text((folder / file).read_text() + "\n## \n= =\n")
    with pytest.raises(CommandError):
        call_command("load_packs", folder)
    assert everything() == before


@pytest.mark.django_db
def test_a_pack_with_every_kind_of_file_and_rule_is_loaded_once(tmp_path: Path):
    pack = read_pack(write_pack(tmp_path, KINDS))
    load_pack(pack=pack)
    before = everything()
    assert not load_pack(pack=pack).changed
    load_pack(pack=read_pack(write_pack(tmp_path, {**KINDS, "products.toml": FILES["products.toml"] + "\n"})))
    after = everything()
    assert {name for name, rows in after.items() if rows != before[name]} == {"Game"}


@pytest.mark.parametrize("file", WHOLE)
def test_a_file_that_can_not_be_read_is_the_only_one_that_is_told(tmp_path: Path, file: str):
    """What it would have defined isn't missed in the others: one mended line would mend all of that."""
    write_pack(tmp_path, KINDS)
    broken = '"' if file.endswith(".csv") else "\n## \n= =\n"
    found = faults(tmp_path, file, broken + WHOLE[file])
    assert found
    assert {name for name, _ in found} == {file}
