"""Words in a row."""

from __future__ import annotations

from collections.abc import Sequence


def listed(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def counted(number: int, word: str, plural: str = "") -> str:
    """ "1 player", "2 players"."""
    return f"{number} {word if number == 1 else plural or f'{word}s'}"
