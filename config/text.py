"""Text that PostgreSQL can't hold. Standard library only."""

from __future__ import annotations

import re

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def unstorable_character(text: str) -> str | None:
    """The first character of ``text`` that no text column can hold, in words; None when there is none."""
    found = _UNSTORABLE.search(text)
    if found is None:
        return None
    return "a NUL character" if found[0] == "\x00" else "half of a surrogate pair"
