"""The JSON Schema of a checked deck: what ``POST /check`` and ``check_deck --json`` answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from decks.engine.meters import Meter
from decks.engine.parser import Notice, ProblemLine
from rules.engine.verdict import Outcome, Violation
from rules.schemas import schema_of


@dataclass(frozen=True)
class ToldViolation(Violation):
    """A violation with a sentence for people, which may be reworded at any time."""

    sentence: str = ""


@dataclass(frozen=True)
class ToldMeter(Meter):
    is_met: bool = False


@dataclass(frozen=True)
class CardRow:
    """``lines`` are the numbers of the lines of the list that name the card."""

    count: int
    card: int
    name: str
    lines: tuple[int, ...]


@dataclass(frozen=True)
class ZoneRow:
    zone: str
    name: str
    count: int
    cards: tuple[CardRow, ...]


@dataclass(frozen=True)
class CheckedList:
    """A decklist, judged by the version of the format that is in force on the day.

    ``digests`` name every input of the verdict: the same digests and the same list give the same verdict.
    """

    outcome: Outcome
    game: str
    format: str
    format_version: str
    on: date
    fingerprint: str
    violations: tuple[ToldViolation, ...]
    problems: tuple[ProblemLine, ...]
    notices: tuple[Notice, ...]
    counts: tuple[ToldMeter, ...]
    zones: tuple[ZoneRow, ...]
    digests: dict[str, str]


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by name."""
    return {"check": schema_of("check", CheckedList, mode="serialization")}
