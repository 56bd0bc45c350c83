"""Where in a TOML text a value stands: the parser of the standard library doesn't say, and an author needs to know."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_HEADING = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r'^\s*("[^"]*"|\'[^\']*\'|[A-Za-z0-9_.-]+)\s*=')

SELECTORS = ("fact", "tag", "names", "all", "any", "not")
Path = tuple[str | int, ...]


def toml_line(text: str, path: Sequence[str | int]) -> int | None:
    """The line, from 1, of the deepest part of the path that has a line of its own; None if no part has.

    A path is as pydantic gives it: ``("constraint", 3, "zones")`` is ``zones`` of the fourth ``[[constraint]]``.
    """
    wanted = tuple(path)
    best: tuple[int, int] | None = None
    table: Path = ()
    counts: dict[Path, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if heading := _HEADING.match(line):
            table = _table(heading[2], heading[1] == "[[", counts)
            here = table
        elif key := _KEY.match(line):
            here = (*table, *_parts(key[1]))
        else:
            continue
        if wanted[: len(here)] == here and (best is None or len(here) > best[0]):
            best = (len(here), number)
    return best[1] if best else None


def in_data(data: Any, loc: Sequence[str | int]) -> Path:
    """The part of a pydantic location that is in the data: without the tags of unions, with a key that is missing."""
    path: list[str | int] = []
    here, tag_seen = data, False
    for place, part in enumerate(loc):
        after = loc[place + 1] if place + 1 < len(loc) else None
        if not tag_seen and _is_tag(here, part, after):
            tag_seen = True
            continue
        is_index = isinstance(here, (list, tuple)) and isinstance(part, int) and part < len(here)
        if is_index or (isinstance(here, dict) and part in here):
            here, tag_seen = here[part], False
        elif after is not None or not isinstance(here, dict):
            continue
        path.append(part)
    return tuple(path)


def _is_tag(here: Any, part: str | int, after: str | int | None) -> bool:
    """Whether it says of which kind the table is, though the table may have a key of that name as well."""
    if not isinstance(here, dict):
        return False
    return here.get("kind") == part or (part in SELECTORS and part in here and isinstance(after, str))


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in re.findall(r'"[^"]*"|\'[^\']*\'|[^.]+', dotted))


def _table(dotted: str, is_array: bool, counts: dict[Path, int]) -> Path:
    """The table's own path; an array of tables that was opened before stands for its latest element."""
    parts = _parts(dotted)
    path: Path = ()
    for place, part in enumerate(parts):
        path = (*path, part)
        if place == len(parts) - 1 and is_array:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path
