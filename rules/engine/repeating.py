"""One file for a family of definitions: ``for_each = [2, 3]`` makes one for each number, which stands for ``{n}``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEY = "for_each"
MARK = "{n}"
_MOST, _LARGEST = 100, 1000


def repeated(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The definitions that the file stands for: itself, or one for each number of ``for_each``.

    In every text ``{n}`` becomes the number; a text that is ``{n}`` and nothing else becomes a whole number.
    ValueError: ``for_each`` is no list of different numbers, or the slug is the same for all of them.
    """
    if KEY not in data:
        return [dict(data)]
    numbers = data[KEY]
    if not isinstance(numbers, list) or not 1 <= len(numbers) <= _MOST or not all(_is_number(n) for n in numbers):
        raise ValueError(f"{KEY}: a list of 1 to {_MOST} whole numbers from 1 to {_LARGEST}")
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"{KEY}: a number stands there twice")
    if MARK not in str(data.get("slug", MARK)):
        raise ValueError(f"{KEY}: the slug must have {MARK} in it, to tell the definitions apart")
    rest = {key: value for key, value in data.items() if key != KEY}
    return [_with(rest, number) for number in numbers]


def file_slug(data: Mapping[str, Any]) -> str:
    """The slug as the name of its file has it: ``n`` in place of the number."""
    return str(data.get("slug", "")).replace(MARK, "n")


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _LARGEST


def _with(value: Any, number: int) -> Any:
    if isinstance(value, str):
        return number if value == MARK else value.replace(MARK, str(number))
    if isinstance(value, list):
        return [_with(one, number) for one in value]
    if isinstance(value, dict):
        return {key: _with(one, number) for key, one in value.items()}
    return value
