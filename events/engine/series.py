"""A series of events: points for places and match points, the best so many of them, total standings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from config.errors import DomainError
from events.engine.listing import counted, listed

LAST_PLACE = 10_000
MOST_POINTS = 1_000
MOST_ROWS = 200
MOST_EVENTS = 100
_LINE = re.compile(r"(\d{1,6})\.?(?:\s*[-–—]\s*(\d{1,6})\.?)?\s*:\s*(\d{1,6})", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class PlacePoints:
    """Points for each place from ``first`` to ``last``."""

    first: int
    last: int
    points: int

    @property
    def line(self) -> str:
        """As ``read_points`` reads it."""
        return f"{self.first if self.first == self.last else f'{self.first}-{self.last}'}: {self.points}"


@dataclass(frozen=True, slots=True)
class SeriesRules:
    """What an event is worth to a player: by place, for each match point, and for taking part. Of all their events the
    ``best`` so many count, 0 for all."""

    places: tuple[PlacePoints, ...] = ()
    per_match_point: int = 0
    taking_part: int = 0
    best: int = 0

    def as_json(self) -> dict[str, Any]:
        return {
            "places": [[row.first, row.last, row.points] for row in self.places],
            "per_match_point": self.per_match_point,
            "taking_part": self.taking_part,
            "best": self.best,
        }

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> SeriesRules:
        places = tuple(PlacePoints(*row) for row in stored["places"])
        return cls(places, stored["per_match_point"], stored["taking_part"], stored["best"])

    def points(self, place: int, match_points: int) -> int:
        """Of one event."""
        for_place = next((row.points for row in self.places if row.first <= place <= row.last), 0)
        return for_place + self.per_match_point * match_points + self.taking_part

    @property
    def sentences(self) -> list[str]:
        """How points are counted, for readers."""
        said = []
        if self.places:
            said.append(f"Points by final place: {listed([row.line for row in self.places])}.")
        if self.per_match_point:
            said.append(f"{counted(self.per_match_point, 'point')} for each match point of the standings.")
        if self.taking_part:
            said.append(f"{counted(self.taking_part, 'point')} for taking part.")
        said.append(f"Each player's best {self.best} events count." if self.best else "All events count.")
        said.append("Players with the same total share a place.")
        return said


def read_points(text: str) -> tuple[PlacePoints, ...]:
    """One row a line, "1: 10" or "5-8: 2"; empty lines are skipped. Raises DomainError "series.line"."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            read = _LINE.fullmatch(line.strip())
            if read is None:
                raise DomainError(
                    "series.line",
                    f"Line {number} is no place with its points: write it as “1: 10” or “5-8: 2”.",
                    {"line": number},
                )
            found.append(PlacePoints(int(read[1]), int(read[2] or read[1]), int(read[3])))
    return tuple(found)


def check_rules(rules: SeriesRules) -> SeriesRules:
    """With its places in order. Raises DomainError "series.places", "series.points", "series.best" and
    "series.nothing"."""
    places = tuple(sorted(rules.places))
    if len(places) > MOST_ROWS:
        raise DomainError("series.places", f"A points table has at most {MOST_ROWS} rows.", {"rows": len(places)})
    for row in places:
        if not 1 <= row.first <= row.last <= LAST_PLACE:
            raise DomainError(
                "series.places", f"“{row.line}” names no places: they count from 1, the better one first.", {}
            )
    for before, row in zip(places, places[1:], strict=False):
        if row.first <= before.last:
            raise DomainError("series.places", f"Place {row.first} has points twice: say them once.", {})
    for points in (*(row.points for row in places), rules.per_match_point, rules.taking_part):
        if not 0 <= points <= MOST_POINTS:
            raise DomainError("series.points", f"Points are from 0 to {MOST_POINTS:,}.", {"points": points})
    if not 0 <= rules.best <= MOST_EVENTS:
        raise DomainError("series.best", f"Let the best 1 to {MOST_EVENTS} events count, or 0 for all.", {})
    if not (any(row.points for row in places) or rules.per_match_point or rules.taking_part):
        raise DomainError("series.nothing", "Nothing gives a point: fill in the table, or points for matches.")
    return SeriesRules(places, rules.per_match_point, rules.taking_part, rules.best)


@dataclass(frozen=True, slots=True)
class Entry:
    """One player in one event that is over. ``person`` is the same in every event that is to count together."""

    person: Hashable
    name: str
    event: str
    place: int
    match_points: int
    player: int


@dataclass(frozen=True, slots=True)
class Scored:
    """What an event was worth to somebody, and whether it is among those that count."""

    event: str
    player: int
    place: int
    points: int
    counts: bool


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """``results`` in the order of the events."""

    place: int
    name: str
    total: int
    results: tuple[Scored, ...]


def series_table(rules: SeriesRules, entries: Sequence[Entry]) -> tuple[SeriesRow, ...]:
    """Total standings, best first; who has the same total shares the place, by name. ``entries`` in the order of their
    events: of two events that are worth the same, the earlier one counts. A person goes by the name of the last one.
    """
    by_person: dict[Hashable, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_person[entry.person].append(entry)
    totals = []
    for person_entries in by_person.values():
        worth = [rules.points(entry.place, entry.match_points) for entry in person_entries]
        best = sorted(range(len(worth)), key=lambda index: (-worth[index], index))[: rules.best or None]
        results = tuple(
            Scored(entry.event, entry.player, entry.place, points, index in best)
            for index, (entry, points) in enumerate(zip(person_entries, worth, strict=True))
        )
        totals.append((sum(worth[index] for index in best), person_entries[-1].name, results))
    totals.sort(key=lambda row: (-row[0], row[1], row[2][0].player))
    rows: list[SeriesRow] = []
    for number, (total, name, results) in enumerate(totals, 1):
        place = rows[-1].place if rows and rows[-1].total == total else number
        rows.append(SeriesRow(place, name, total, results))
    return tuple(rows)
