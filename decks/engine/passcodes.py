"""A list of numbers, as a .ydk is one, with the names that the numbers stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from decks.engine.containers.rows import Row

NUMBERS = ".ydk"


def numbers_in(rows: Iterable[Row]) -> set[str]:
    return {row.text for row in rows if row.text.isdecimal()}


def named_rows(rows: Sequence[Row], resolve: Callable[[str], tuple[int, str] | None]) -> str:
    """The rows as a plain list: "3x Name" for each run of one known number, every other row as it stands.

    A number that ``resolve`` does not know stays, so that its line can be told as a problem.
    """
    lines: list[str] = []
    run = ("", 0)
    for row in rows:
        hit = resolve(row.text) if row.text.isdecimal() else None
        if hit is None:
            run = ("", 0)
            lines.append(row.text)
            continue
        name = hit[1]
        if run[0] == name:
            lines.pop()
        run = (name, run[1] + 1 if run[0] == name else 1)
        lines.append(f"{run[1]}x {name}")
    return "\n".join(lines)
