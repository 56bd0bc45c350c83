"""A prizes table: what each place gets, read from lines, and who gets what."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from config.errors import DomainError

LAST_PLACE = 10_000
MOST_PRIZES = 100
LONGEST_WORDS = 120
_LINE = re.compile(r"(\d{1,6})(?:st|nd|rd|th)?\.?(?:\s*[-–—]\s*(\d{1,6})(?:st|nd|rd|th)?\.?)?\s*:\s*(.*)", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Prize:
    """For every place from ``first`` to ``last``, in words. Ranges may overlap: a place gets all that name it."""

    first: int
    last: int
    words: str

    @property
    def places(self) -> str:
        """ "1", "5-8"."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    @property
    def line(self) -> str:
        """As ``read_prizes`` reads it."""
        return f"{self.places}: {self.words}"


@dataclass(frozen=True, slots=True)
class Award:
    """What a player gets. With ``shared_by`` above 1, as many have the place together and share all of ``words``."""

    words: tuple[str, ...]
    shared_by: int = 1

    @property
    def told(self) -> str:
        """ "trophy and 2 packs", "shared by 2: trophy and 2 packs"."""
        said = " and ".join([", ".join(self.words[:-1]), self.words[-1]] if len(self.words) > 1 else self.words)
        return said if self.shared_by == 1 else f"shared by {self.shared_by}: {said}"


def read_prizes(text: str) -> tuple[Prize, ...]:
    """One prize a line, "1st: a trophy" or "5-8: 2 packs"; empty lines are skipped.

    Raises DomainError "prizes.line" with the number of the line, and what ``check_prizes`` raises.
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        read = _LINE.fullmatch(line.strip())
        if read is None:
            raise DomainError(
                "prizes.line",
                f"Line {number} names no place: write it as “1: a trophy” or “5-8: 2 packs”.",
                {"line": number},
            )
        first, last = int(read[1]), int(read[2] or read[1])
        found.append(Prize(first, last, " ".join(read[3].split())))
    return check_prizes(found)


def check_prizes(prizes: Sequence[Prize]) -> tuple[Prize, ...]:
    """In the order of places. Raises DomainError "prizes.too_many", "prizes.places", "prizes.words", "prizes.twice"."""
    if len(prizes) > MOST_PRIZES:
        raise DomainError("prizes.too_many", f"A table has at most {MOST_PRIZES} prizes.", {"prizes": len(prizes)})
    for prize in prizes:
        if not 1 <= prize.first <= prize.last <= LAST_PLACE:
            raise DomainError(
                "prizes.places",
                f"“{prize.places}” are no places: they count from 1 to {LAST_PLACE:,}, the better one first.",
                {"first": prize.first, "last": prize.last},
            )
        if not prize.words or len(prize.words) > LONGEST_WORDS:
            raise DomainError(
                "prizes.words",
                f"Say in 1 to {LONGEST_WORDS} characters what place {prize.places} gets.",
                {"first": prize.first, "last": prize.last},
            )
    ordered = sorted(prizes)
    for one, other in zip(ordered, ordered[1:], strict=False):
        if one == other:
            raise DomainError(
                "prizes.twice", f"“{one.line}” stands there twice. Take one out, or say it in one line.", {}
            )
    return tuple(ordered)


def awards_of(places: Sequence[tuple[int, int]], prizes: Sequence[Prize]) -> dict[int, Award]:
    """(place, player) of everybody, and who gets what, by player. Players with one place fill the places after it, too,
    and share what all of these get. Whoever left the event keeps the place and what it gets."""
    together: dict[int, list[int]] = defaultdict(list)
    for place, player in places:
        together[place].append(player)
    awards = {}
    for place, players in together.items():
        through = place + len(players) - 1
        words = [
            prize.words
            for prize in prizes
            for filled in range(max(place, prize.first), min(through, prize.last) + 1)
            if filled
        ]
        if words:
            for player in players:
                awards[player] = Award(tuple(words), len(players))
    return awards
