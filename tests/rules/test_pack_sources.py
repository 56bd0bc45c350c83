"""The packs restate every rule of their sources, and each number in the data stands in the section it cites."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKS = ROOT / "rules" / "packs"
SOURCES = json.loads((ROOT / "tests" / "data" / "source_items.json").read_text(encoding="utf-8"))
GAMES = ("engarde", "epic")
WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
# A reference to a section or a reading is not a number of the rule.
REFERENCE = re.compile(r"\b(?:\d+\.\d+|R\d+|chapter \d+)\b")


@dataclass(frozen=True)
class Part:
    """A section or a reading as it stands in the file."""

    version: str
    number: str
    text: str
    covers: tuple[str, ...]


def numbers_in(text: str) -> set[int]:
    bare = REFERENCE.sub(" ", text)
    digits = {int(found) for found in re.findall(r"(?<![\w.])[-+]?(\d+)(?![\w.]*\d)", bare)}
    spelt = {WORDS.index(word) for word in re.findall(r"[a-z]+", bare.lower()) if word in WORDS}
    return digits | spelt


def sections(game: str) -> Iterator[Part]:
    for path in sorted((PACKS / game / "documents").glob("*.md")):
        _, front, body = re.split(r"^\+\+\+$", path.read_text(encoding="utf-8"), maxsplit=2, flags=re.MULTILINE)
        version = tomllib.loads(front)["version"]
        for chunk in re.split(r"^## ", body, flags=re.MULTILINE)[1:]:
            heading, _, rest = chunk.partition("\n")
            covers = re.search(r"^covers: (.*)$", rest, re.MULTILINE)
            text = re.sub(r"^(covers|cards): .*$", "", rest, flags=re.MULTILINE)
            number, _, title = heading.partition(" ")
            ids = tuple(part.strip() for part in covers[1].split(",")) if covers else ()
            yield Part(version, number, f"{title}\n{text}", ids)


def readings(game: str) -> Iterator[Part]:
    for reading in tomllib.loads((PACKS / game / "readings.toml").read_text(encoding="utf-8"))["reading"]:
        yield Part(reading["version"], reading["number"], reading["body"], tuple(reading["covers"]))


PARTS = {game: [*sections(game), *readings(game)] for game in GAMES}
SECTIONS = {game: list(sections(game)) for game in GAMES}


def covering(game: str, item: str) -> str:
    return "\n".join(part.text for part in SECTIONS[game] if item in part.covers)


def part_cited(game: str, version: str, citation: str) -> Part:
    number = citation.split(" ")[1]
    found = [part for part in PARTS[game] if (part.version, part.number) == (version, number)]
    assert len(found) == 1, f"{game} {version} has {len(found)} parts named {citation}"
    return found[0]


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_of_the_source_is_covered_by_a_section(game: str) -> None:
    wanted = {item["id"] for item in SOURCES["items"] if item["game"] == game} - set(SOURCES["not_yet"])
    covered = {id_ for part in SECTIONS[game] for id_ in part.covers}
    assert covered == wanted


@pytest.mark.parametrize("game", GAMES)
def test_readings_point_at_rules_that_exist(game: str) -> None:
    known = {item["id"] for item in SOURCES["items"] if item["game"] == game}
    assert [id_ for part in readings(game) for id_ in part.covers if id_ not in known] == []


@pytest.mark.parametrize("item", [i for i in SOURCES["items"] if "numbers" in i], ids=lambda item: item["id"])
def test_the_numbers_of_a_rule_stand_in_its_sections(item: dict[str, Any]) -> None:
    assert set(item["numbers"]) - numbers_in(covering(item["game"], item["id"])) == set()


@pytest.mark.parametrize("item", [i for i in SOURCES["items"] if "names" in i], ids=lambda item: item["id"])
def test_the_names_of_a_rule_stand_in_its_sections(item: dict[str, Any]) -> None:
    text = " ".join(covering(item["game"], item["id"]).split()).lower()
    assert [n for n in item["names"] if not re.search(rf"(?<!\w){re.escape(n.lower())}(?!\w)", text)] == []


def limits() -> Iterator[tuple[str, str, str, int, tuple[str, ...]]]:
    """Game, document version, what, number and the citations of which one must name the number."""
    for path in sorted(PACKS.glob("*/formats/*.toml")):
        definition = tomllib.loads(path.read_text(encoding="utf-8"))
        game, version = path.parts[-3], definition["document"]["version"]
        for part in [definition["pool"], *definition["constraint"]]:
            cited = tuple(part[key] for key in ("cite", "reading") if key in part)
            values = [part[key] for key in ("min", "max", "months") if key in part] + part.get("one_of", [])
            for value in sorted({value for value in values if value > 0}):
                yield game, version, f"{path.stem} {part.get('id', 'pool')}", value, cited
    for path in sorted(PACKS.glob("*/policy/*.toml")):
        policy = tomllib.loads(path.read_text(encoding="utf-8"))
        game, version = path.parts[-3], policy["version"]
        for table in [policy["match"], policy["points"], *policy["stages"]]:
            for key, citation in table.get("cite", {}).items():
                value = table[key]
                if type(value) is int and value > 0:
                    yield game, version, f"{path.stem} {key}", value, (citation,)


@pytest.mark.parametrize("limit", list(limits()), ids=lambda limit: f"{limit[0]} {limit[2]} {limit[3]}")
def test_a_number_in_the_data_stands_in_what_it_cites(limit: tuple[str, str, str, int, tuple[str, ...]]) -> None:
    game, version, _, value, cited = limit
    # A restatement of 2024 leans on its only reading where a section is silent.
    texts = [part_cited(game, version, citation).text for citation in cited]
    assert any(value in numbers_in(text) for text in texts)


@pytest.mark.parametrize("path", sorted(PACKS.glob("*/policy/*.toml")), ids=lambda path: path.stem)
def test_every_number_of_a_policy_is_cited(path: Path) -> None:
    policy = tomllib.loads(path.read_text(encoding="utf-8"))
    tables = [policy["match"], policy["points"], policy["decklist"], policy["standings"], *policy["stages"]]
    settled = {"kind", "product", "cite", "name"}
    uncited = [
        key
        for table in tables
        for key, value in table.items()
        if key not in settled and value is not False and value != 0 and key not in table.get("cite", {})
    ]
    assert uncited == []


def test_the_gift_list_of_the_data_is_that_of_the_section() -> None:
    item = next(item for item in SOURCES["items"] if item["id"] == "EPIC.LIST.GIFT")
    tags = tomllib.loads((PACKS / "epic" / "lists.toml").read_text(encoding="utf-8"))["tag"]
    assert [(tag["tag"], tag["cards"]) for tag in tags] == [("gift", item["names"])]


def test_the_status_list_of_the_data_is_that_of_the_section() -> None:
    named = {item["id"]: item.get("names", []) for item in SOURCES["items"]}
    entries = tomllib.loads((PACKS / "engarde" / "lists.toml").read_text(encoding="utf-8"))["status"]
    assert [(entry["card"], entry["status"], entry["max_copies"]) for entry in entries] == [
        *((card, "banned", 0) for card in named["ENG.LIST.BANNED"]),
        *((card, "restricted", 1) for card in named["ENG.LIST.RESTRICTED"]),
    ]
