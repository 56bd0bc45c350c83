"""Which printing of a card a list asks for, as it stands around the card's name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from decks.engine.exports import Printed
from decks.engine.parser import CardLine

# One for each way of writing it: (ABC) 12, [ABC:12], [ABC], |ABC|1 and ABC 12.
_WAYS = (
    re.compile(r"\((?P<set>[^()]{1,40})\) (?P<number>[^\s()]{1,12})"),
    re.compile(r"\[(?P<set>[A-Z0-9]{2,7}):(?P<number>[^\]\s]{1,12})\]"),
    re.compile(r"\[(?P<set>[A-Z0-9]{2,7})\]"),
    re.compile(r"\|(?P<set>[A-Z0-9]{2,7})\+?(?= |$)"),
    re.compile(r"^(?P<set>[A-Z0-9-]{2,7}) (?P<number>[A-Z]{0,3}[0-9]{1,4}[a-z]?)(?= |$)"),
)


def printed_in(note: str) -> Printed | None:
    """The set, and the number in it, that a card line's note names; None where it names no set."""
    for way in _WAYS:
        if found := way.search(note):
            return Printed(found["set"], found.groupdict().get("number") or "")
    return None


def printed_as_written(cards: Iterable[CardLine]) -> dict[int, Printed]:
    """By card, the printing that its first line with one names."""
    found: dict[int, Printed] = {}
    for line in cards:
        if line.note and line.card not in found and (printed := printed_in(line.note)) is not None:
            found[line.card] = printed
    return found
