"""What counts of a decklist's verdicts: the newest one, which a publication may have brought, and what it is today."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models.functions import Coalesce

from config.errors import NotFound
from decks.models import Decklist
from decks.queries import judged
from rules.queries import format_version_on


def standing_outcome(decklist: str) -> Coalesce:
    """The outcome that counts, of the decklist at the end of a path such as "submission__decklist". For annotations."""
    return Coalesce(f"{decklist}__later_verdict__outcome", f"{decklist}__verdict__outcome")


@dataclass(frozen=True)
class Today:
    """What a decklist would be on ``day``. ``outcome`` is "" where no version of its format is in force then."""

    day: date
    outcome: str
    violations: int


def judged_today(*, decklist: Decklist, day: date) -> Today:
    """By the format's version and lists of ``day``, whatever day the decklist is for. Those of ``judged``, and one.

    Select ``verdict`` and ``format_version__format__game`` with the decklist.
    """
    try:
        version = format_version_on(format=decklist.format_version.format, day=day)
    except NotFound:
        return Today(day, "", 0)
    verdict = judged(decklist=decklist, format_version=version, day=day).verdict
    return Today(day, verdict.outcome, len(verdict.violations))
