"""The nearest mend of a list, line by line: the name that was meant, some copies fewer. The rest stays as it stood."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from decks.engine.containers.opening import split_lines
from decks.engine.parser import ParsedDecklist


def replace_lines(text: str, lines: Mapping[int, str | None]) -> str:
    """``text`` with whole lines replaced by number, None taking the line out. Numbers that don't exist do nothing."""
    mended = []
    for number, line in enumerate(split_lines(text), start=1):
        new = lines.get(number, line)
        if new is not None:
            mended.append(new)
    return "\n".join(mended)


def remove_copies(text: str, parsed: ParsedDecklist, *, card: int, zones: Collection[str], count: int) -> str:
    """``text`` with ``count`` copies of ``card`` fewer in ``zones``, taken from its last lines first."""
    changed: dict[int, str | None] = {}
    for line in reversed(parsed.cards):
        if line.card != card or line.zone not in zones or count <= 0:
            continue
        taken = min(line.count, count)
        count -= taken
        left = line.count - taken
        changed[line.number] = f"{line.prefix}{left}x {line.name}" if left else None
    return replace_lines(text, changed)
