"""The packs restate every rule of their sources, and each number in the data stands in the section it cites."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rules.engine.repeating import repeated

ROOT = Path(__file__).resolve().parents[2]
PACKS = ROOT / "rules" / "packs"
SOURCES = json.loads((ROOT / "tests" / "data" / "source_items.json").read_text(encoding="utf-8"))
GAMES = ("engarde", "epic", "epic-duels", "epic-melee", "magic-epic")
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
REFERENCE = re.compile(r"\b(?:\d+\.\d+[a-z]?|R\d+|chapter \d+)\b")


@dataclass(frozen=True)
class Part:
    """A section or a reading as it stands in the file."""

    document: str
    version: str
    prefix: str
    number: str
    text: str
    covers: tuple[str, ...]

    @property
    def citation(self) -> str:
        return f"{self.prefix} {self.number}"


def numbers_in(text: str) -> set[int]:
    bare = REFERENCE.sub(" ", text)
    digits = {int(found) for found in re.findall(r"(?<![\w.])[-+]?(\d+)(?![\w.]*\d)", bare)}
    spelt = {WORDS.index(word) for word in re.findall(r"[a-z]+", bare.lower()) if word in WORDS}
    return digits | spelt


def documents(game: str) -> Iterator[tuple[dict[str, Any], str]]:
    for path in sorted((PACKS / game / "documents").glob("*.md")):
        _, front, body = re.split(r"^\+\+\+$", path.read_text(encoding="utf-8"), maxsplit=2, flags=re.MULTILINE)
        yield tomllib.loads(front), body


def sections(game: str) -> Iterator[Part]:
    for front, body in documents(game):
        for chunk in re.split(r"^## ", body, flags=re.MULTILINE)[1:]:
            heading, _, rest = chunk.partition("\n")
            covers = re.search(r"^covers: (.*)$", rest, re.MULTILINE)
            text = re.sub(r"^(covers|cards): .*$", "", rest, flags=re.MULTILINE)
            number, _, title = heading.partition(" ")
            ids = tuple(part.strip() for part in covers[1].split(",")) if covers else ()
            yield Part(front["slug"], front["version"], front["prefix"], number, f"{title}\n{text}", ids)


def readings(game: str) -> Iterator[Part]:
    prefixes = {(front["slug"], front["version"]): front["prefix"] for front, _ in documents(game)}
    for reading in tomllib.loads((PACKS / game / "readings.toml").read_text(encoding="utf-8"))["reading"]:
        document = reading["document"], reading["version"]
        yield Part(*document, prefixes[document], reading["number"], reading["body"], tuple(reading["covers"]))


PARTS = {game: [*sections(game), *readings(game)] for game in GAMES}
SECTIONS = {game: list(sections(game)) for game in GAMES}


def covering(game: str, item: str) -> str:
    return "\n".join(part.text for part in SECTIONS[game] if item in part.covers)


def part_cited(game: str, version: str, citation: str) -> Part:
    """The part of the version of its document that is named so; the only one, where no version has that name."""
    named = [part for part in PARTS[game] if part.citation == citation]
    found = [part for part in named if part.version == version] or named
    assert len(found) == 1, f"{game} {version} has {len(found)} parts named {citation}"
    return found[0]


def test_every_pack_is_held_against_its_source() -> None:
    assert {path.name for path in PACKS.iterdir()} == set(GAMES) == {item["game"] for item in SOURCES["items"]}
    assert {game: sum(item["game"] == game for item in SOURCES["items"]) for game in GAMES} == {
        "engarde": 70,
        "epic": 156,
        "epic-duels": 25,
        "epic-melee": 52,
        "magic-epic": 33,
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_document_has_a_day_or_says_that_it_has_none(game: str) -> None:
    assert [front["title"] for front, _ in documents(game) if not front.get("date_note")] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_of_the_source_is_covered_by_a_section(game: str) -> None:
    wanted = {item["id"] for item in SOURCES["items"] if item["game"] == game}
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


def defined(pattern: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each format or policy of the packs with its game, those that share a file one by one."""
    for path in sorted(PACKS.glob(pattern)):
        for definition in repeated(tomllib.loads(path.read_text(encoding="utf-8"))):
            yield path.parts[-3], definition


FORMATS = list(defined("*/formats/*.toml"))
POLICIES = list(defined("*/policy/*.toml"))
LIMITS = ("min", "max", "months", "budget", "one_of", "restricted_in_all")


def values_of(part: dict[str, Any]) -> set[int]:
    """The numbers that a rule of a format holds a deck to, or a rule of play a game."""
    found: set[int] = set()
    for key in LIMITS:
        value = part.get(key, [])
        found |= set(value) if isinstance(value, list) else {value}
    found |= {deck["size"] for deck in part.get("decks", []) if "size" in deck}
    return found | numbers_in(part.get("value", ""))


def limits() -> Iterator[tuple[str, str, str, int, tuple[str, ...]]]:
    """Game, document version, what, number and the citations of which one must name the number."""
    for game, definition in FORMATS:
        version, name = definition["document"]["version"], f"{definition['slug']}.{definition['version']}"
        for part in [definition["pool"], *definition["constraint"], *definition.get("play", [])]:
            cited = tuple(part[key] for key in ("cite", "reading") if key in part)
            for value in sorted({value for value in values_of(part) if value > 0}):
                yield game, version, f"{name} {part.get('id', 'pool')}", value, cited
    for game, policy in POLICIES:
        for table in [policy["match"], policy["points"], *policy["stages"]]:
            for key, citation in table.get("cite", {}).items():
                held = table[key] if isinstance(table[key], list) else [table[key]]
                for value in held:
                    if type(value) is int and value > 0:
                        yield game, policy["version"], f"{policy['slug']} {key}", value, (citation,)


@pytest.mark.parametrize("limit", list(limits()), ids=lambda limit: f"{limit[0]} {limit[2]} {limit[3]}")
def test_a_number_in_the_data_stands_in_what_it_cites(limit: tuple[str, str, str, int, tuple[str, ...]]) -> None:
    game, version, _, value, cited = limit
    # A restatement of 2024 leans on its only reading where a section is silent.
    texts = [part_cited(game, version, citation).text for citation in cited]
    assert any(value in numbers_in(text) for text in texts)


@pytest.mark.parametrize("policy", [p for _, p in POLICIES], ids=lambda p: f"{p['slug']}.{p['version']}")
def test_every_number_of_a_policy_is_cited(policy: dict[str, Any]) -> None:
    tables = [policy["match"], policy["points"], policy["decklist"], policy["standings"], *policy["stages"]]
    settled = {"kind", "product", "cite", "name"}
    uncited = [
        key
        for table in tables
        for key, value in table.items()
        if key not in settled and value is not False and value != 0 and key not in table.get("cite", {})
    ]
    assert uncited == []


@pytest.mark.parametrize(("game", "definition"), FORMATS, ids=[f"{g} {d['slug']}.{d['version']}" for g, d in FORMATS])
def test_a_reading_says_what_becomes_of_a_list_with_a_line_that_is_no_card(
    game: str, definition: dict[str, Any]
) -> None:
    reading = part_cited(game, definition["document"]["version"], definition["unresolved"]["cite"])
    assert reading.number.startswith("R")
    assert "undetermined until" in " ".join(reading.text.split())


RULINGS = [
    (game, ruling)
    for game in GAMES
    if (PACKS / game / "rulings.toml").exists()
    for ruling in tomllib.loads((PACKS / game / "rulings.toml").read_text(encoding="utf-8"))["ruling"]
]


@pytest.mark.parametrize(("game", "ruling"), RULINGS, ids=[f"{game} {ruling['number']}" for game, ruling in RULINGS])
def test_a_ruling_has_no_number_but_those_of_the_sections_that_it_cites(game: str, ruling: dict[str, Any]) -> None:
    cited = [part for citation in ruling["citations"] for part in PARTS[game] if part.citation == citation]
    assert [part.citation for part in cited] == ruling["citations"]
    assert numbers_in(ruling["answer"]) - {n for part in cited for n in numbers_in(part.text)} == set()


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


def test_the_nine_cards_of_melee_have_the_values_of_their_sections() -> None:
    text = (PACKS / "epic-melee" / "cards.csv").read_text(encoding="utf-8")
    cards = {row["name"]: row for row in csv.DictReader(text.splitlines())}
    told = {name: re.search(r"Combat value: (a question mark|\d)", section(name)) for name in cards}
    values = {name: found and found[1].replace("a question mark", "") for name, found in told.items()}
    assert {name: row["combat_value"] for name, row in cards.items()} == values
    assert len(cards) == 9


def section(heading: str) -> str:
    return next(part.text for part in SECTIONS["epic-melee"] if part.text.startswith(f"{heading}\n"))


@pytest.mark.parametrize(
    "path", sorted(PACKS.glob("*/formats/*.toml")), ids=lambda path: f"{path.parts[-3]} {path.stem}"
)
def test_whatever_a_verdict_says_of_cards_cites_a_section(path: Path) -> None:
    definition = tomllib.loads(path.read_text(encoding="utf-8"))
    assert [key for key in ("pool", "unresolved") if not definition[key].get("cite")] == []
