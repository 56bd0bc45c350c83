"""A whole round written down by a person: read line by line, looked over, and set beside the engine's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz import fuzz, process

from events.engine.pairing import Entrants, History, Pair, PairingCost, PairingOptions, grade

BYE = "bye"
SEPARATOR = re.compile(r"\s+(?:-+|–|—|vs?\.?|against)\s+|\t+|\s*;\s*", re.IGNORECASE)
NUMBERED = re.compile(r"#(\d{1,15})\s*$")
LIKENESS = 70
"""Of 100, from which a name is worth suggesting."""


class Slip(StrEnum):
    UNREADABLE = "unreadable"
    UNKNOWN = "unknown"
    AMBIGUOUS = "ambiguous"
    TWICE = "twice"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Problem:
    """``line`` counts from 1; 0 is the round as a whole. ``text`` is what was written, or the player's name;
    ``nearest`` a name that may have been meant, "" where none is near."""

    line: int
    slip: Slip
    text: str
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """Pairs and byes of the lines that could be read, by id, and everything else as a problem: no line is lost."""

    pairs: tuple[Pair, ...]
    byes: tuple[int, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Amiss:
    """Ids of who is in a round more than once, not at all though there, and though not there."""

    twice: tuple[int, ...]
    missing: tuple[int, ...]
    strangers: tuple[int, ...]

    def __bool__(self) -> bool:
        return bool(self.twice or self.missing or self.strangers)


def amiss(pairs: Iterable[Pair], byes: Iterable[int], there: AbstractSet[int]) -> Amiss:
    """Whether everybody who is ``there`` is in the round exactly once."""
    times = Counter(player for pair in pairs for player in pair)
    times.update(byes)
    return Amiss(
        tuple(sorted(player for player, count in times.items() if count > 1)),
        tuple(sorted(there - times.keys())),
        tuple(sorted(times.keys() - there)),
    )


def written(pairs: Iterable[Pair], byes: Iterable[int], names: Mapping[int, str]) -> str:
    """A round as ``read`` reads it: "Ada - Bela" and "Cleo - bye", a line each; a name that two have gets a number."""
    shared = Counter(_key(name) for name in names.values())

    def called(player: int) -> str:
        name = names[player]
        plain = shared[_key(name)] == 1 and not NUMBERED.search(name) and _key(name) != BYE
        return name if plain else f"{name} #{player}"

    lines = [f"{called(a)} - {called(b)}" for a, b in pairs]
    return "\n".join([*lines, *(f"{called(player)} - {BYE}" for player in byes)])


def read(text: str, names: Mapping[int, str]) -> Written:
    """A pair or a bye for each line that is not blank; ``names`` are of everybody who is to be in the round.

    Between the two stands " - ", " v ", " vs ", " against ", a semicolon or a tab. "#17" at the end of a name is the
    player's id, and decides. Case and spaces are of no account; a name that is near is only suggested.
    """
    return _Reader(names).read(text)


class _Reader:
    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = names
        self.by_key: dict[str, list[int]] = {}
        for player, name in names.items():
            self.by_key.setdefault(_key(name), []).append(player)
        self.keys = list(self.by_key)

    def read(self, text: str) -> Written:
        pairs: list[Pair] = []
        byes: list[int] = []
        problems: list[Problem] = []
        seen: set[int] = set()
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            seats = self._seats(line.strip())
            players = [seat for seat in seats if isinstance(seat, int)]
            problems += [Problem(number, Slip.TWICE, self.names[one]) for one in sorted(_again(players, seen))]
            seen.update(players)
            slips = [seat for seat in seats if isinstance(seat, Problem)]
            problems += [Problem(number, slip.slip, slip.text, slip.nearest) for slip in slips]
            if not slips and len(players) == 2:
                pairs.append((players[0], players[1]))
            elif not slips and len(players) == 1 and len(seats) == 2:
                byes.append(players[0])
            elif not slips:
                problems.append(Problem(number, Slip.UNREADABLE, line.strip()))
        missing = sorted((self.names[player] for player in self.names.keys() - seen), key=_key)
        problems += [Problem(0, Slip.MISSING, name) for name in missing]
        return Written(tuple(pairs), tuple(byes), tuple(problems))

    def _seats(self, line: str) -> list[int | str | Problem]:
        """Players, "bye", and what is neither. A name may hold what separates: a division that can be read wins."""
        cuts = list(SEPARATOR.finditer(line))
        divided = [[self._seat(line[: cut.start()]), self._seat(line[cut.end() :])] for cut in cuts]
        readable = [seats for seats in divided if not any(isinstance(seat, Problem) for seat in seats)]
        return (readable or divided or [[Problem(0, Slip.UNREADABLE, line)]])[0]

    def _seat(self, text: str) -> int | str | Problem:
        text = text.strip()
        numbered = NUMBERED.search(text)
        if numbered is not None and int(numbered[1]) in self.names:
            return int(numbered[1])
        key = _key(text)
        if key == BYE:
            return BYE
        found = self.by_key.get(key, [])
        if len(found) == 1:
            return found[0]
        if found:
            return Problem(0, Slip.AMBIGUOUS, text, f"{self.names[found[0]]} #{found[0]}")
        near = process.extractOne(key, self.keys, scorer=fuzz.WRatio, score_cutoff=LIKENESS)
        return Problem(0, Slip.UNKNOWN, text, self.names[self.by_key[near[0]][0]] if near else "")


def _again(players: Sequence[int], seen: AbstractSet[int]) -> Iterator[int]:
    """Who was seen before, or stands on both sides of the line."""
    yield from {player for player in players if player in seen or players.count(player) > 1}


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


def grade_by_hand(
    entrants: Entrants, history: History, options: PairingOptions, pairs: Sequence[Pair], byes: Sequence[int]
) -> PairingCost:
    """What the engine would say of pairs and byes by hand among ``entrants``. One bye is weighed as the bye of an odd
    field; of several none is: no measure of the engine's knows them. Players are in the round once.

    Raises ``ValueError`` as ``grade``.
    """
    seated = [player for pair in pairs for player in pair] + (list(byes) if len(byes) == 1 else [])
    return grade(entrants.only(seated), history, options, pairs)
