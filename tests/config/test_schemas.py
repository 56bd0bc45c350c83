from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from hypothesis import given
from hypothesis import settings as trying
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from config.schemas import published
from rules.engine.legality import CompiledFormat, DeckFacts, DeckLine, UnresolvedLine, VerdictResult, check
from rules.engine.repeating import repeated
from rules.engine.screening import Row
from tests.rules.generated import HALF_KNOWN, KNOWN, LEFT_OUT, RULES, decks, formats

PACKS = sorted((Path(settings.BASE_DIR) / "rules/packs").glob("*/game.toml"))
FILES = {"lists.toml": "lists", "products.toml": "products", "readings.toml": "readings", "rulings.toml": "rulings"}


def faults(name: str, value: Any) -> list[str]:
    """What the published schema has against a value of JSON types."""
    return [error.message for error in Draft202012Validator(published()[name]).iter_errors(value)]


def plain(value: Any) -> Any:
    """TOML as JSON has it: days are text."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value if isinstance(value, str | int | float | bool) else value.isoformat()


def read(file: Path) -> Any:
    return plain(tomllib.loads(file.read_text()))


def test_the_schemas_in_the_documentation_are_those_of_the_code(capsys: pytest.CaptureFixture[str]):
    call_command("export_schemas", "--check")

    assert capsys.readouterr().out == f"{len(published())} schemas are as the code has them.\n"


def test_a_stale_missing_or_needless_file_is_found_and_mended(tmp_path: Path):
    call_command("export_schemas", "--to", str(tmp_path))
    (tmp_path / "game.json").write_text("{}\n")
    (tmp_path / "lists.json").unlink()
    (tmp_path / "old.json").write_text("{}\n")

    with pytest.raises(CommandError, match=r"game\.json, lists\.json, old\.json"):
        call_command("export_schemas", "--check", "--to", str(tmp_path))
    call_command("export_schemas", "--to", str(tmp_path))
    call_command("export_schemas", "--check", "--to", str(tmp_path))


@pytest.mark.parametrize("name", sorted(published()))
def test_every_schema_is_one_of_2020_12_and_names_itself(name: str):
    schema = published()[name]

    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:tiltyard:schema:{name}"


@pytest.mark.parametrize("game", PACKS, ids=lambda path: path.parent.name)
def test_the_files_of_a_shipped_pack_follow_the_schemas(game: Path):
    assert faults("game", read(game)) == []
    for file, name in FILES.items():
        if (game.parent / file).is_file():
            assert faults(name, read(game.parent / file)) == []
    for folder, name in (("formats", "format"), ("policy", "policy")):
        for file_ in sorted((game.parent / folder).glob("*.toml")):
            for definition in repeated(read(file_)):
                assert faults(name, definition) == [], file_.name
    for document in (game.parent / "documents").glob("*.md"):
        front = document.read_text().split("+++")[1]
        assert faults("document", plain(tomllib.loads(front))) == []


@trying(max_examples=300, deadline=None, derandomize=True)
@given(formats((*RULES, *LEFT_OUT)), decks, st.sampled_from(["known", "half known"]))
def test_every_verdict_of_the_engine_follows_its_schema(
    format_: CompiledFormat, deck: tuple[Row, ...], cards: str
) -> None:
    facts = KNOWN if cards == "known" else HALF_KNOWN
    lines = tuple(DeckLine(zone, count, facts[card]) for zone, card, count in deck)
    verdict = check(DeckFacts(lines, (UnresolvedLine(7, "3 Nobody"),)), format_)
    told = {"outcome": verdict.outcome, "violations": [violation.as_json() for violation in verdict.violations]}

    assert faults("verdict", told) == []
    assert told == TypeAdapter(VerdictResult).dump_python(verdict, mode="json")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game", {"slug": "joust"}),
        ("verdict", {"outcome": "maybe", "violations": []}),
        ("verdict", {"outcome": "legal", "violations": [], "more": 1}),
        ("lists", {"status": [{"format": "open", "card": "Lance", "status": "exiled"}]}),
    ],
)
def test_what_is_wrong_does_not_pass(name: str, value: Any):
    assert faults(name, value) != []


def test_the_api_serves_them(client: Client):
    assert client.get("/api/v1/schemas").json() == {"schemas": sorted(published())}
    assert client.get("/api/v1/schemas/verdict").json() == published()["verdict"]
    refused = client.get("/api/v1/schemas/none")
    assert (refused.status_code, refused.json()["code"]) == (404, "schema.unknown")
    assert client.get("/api/v1/schemas?name=game").status_code == 400
