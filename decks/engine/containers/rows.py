"""What every kind of file comes to: rows that the reader of plain lists understands."""

from __future__ import annotations

from typing import NamedTuple

MAIN_WORDS = frozenset({"", "main", "maindeck", "main deck", "mainboard", "main board", "deck", "cards"})
SIDE_WORDS = frozenset({"side", "sideboard", "side board", "sidedeck", "side deck", "sb"})
ASIDE_WORDS = frozenset(
    {"maybe", "maybeboard", "maybe board", "considering", "token", "tokens", "wishlist", "acquireboard", "stickers"}
)


class Row(NamedTuple):
    """``text`` is a line of a plain list that says what line ``number`` of the file, ``raw``, says."""

    number: int
    raw: str
    text: str


def remark(number: int, raw: str) -> Row:
    """A row of which nothing is a card."""
    words = raw.strip()
    return Row(number, raw, words if words.startswith("//") else f"// {words}")


def card_row(number: int, raw: str, *, count: object, name: str, zone: str = "", printing: str = "") -> Row:
    """``zone`` in the file's own word: nothing and "main" are where cards go anyway, tokens are no part of a deck.

    ``printing`` as "(SET) 12" stands behind the name.
    """
    text = f"{count}x {' '.join(f'{name} {printing}'.split())}"
    words = " ".join(zone.casefold().split())
    if words in ASIDE_WORDS:
        return Row(number, raw, f"// {words}: {text}")
    if words in MAIN_WORDS:
        return Row(number, raw, text)
    return Row(number, raw, f"{'Sideboard' if words in SIDE_WORDS else zone.strip()}: {text}")


def with_remarks(lines: list[str], rows: list[Row]) -> list[Row]:
    """``rows`` and, in order, a remark for each line that is not blank and has none: no line is lost."""
    told = {row.number for row in rows}
    rest = [remark(number, raw) for number, raw in enumerate(lines, 1) if raw.strip() and number not in told]
    return sorted([*rows, *rest], key=lambda row: row.number)
