"""What an event can be made from."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import Q, QuerySet

from events.models import Stage
from rules.models import Policy
from rules.queries import policies_on

PLAYABLE = frozenset(
    {
        Stage.Kind.DRAFT,
        Stage.Kind.SEALED,
        Stage.Kind.DECK_BUILDING,
        Stage.Kind.SWISS,
        Stage.Kind.SINGLE_ELIMINATION,
    }
)

# What a pack may describe and no event can play yet, and how it is called: kinds of stage, and options of a kind.
UNPLAYABLE = {
    "tables": "tables of several players",
    "teams": "games of teams",
    "double_elimination": "double elimination",
    "round_robin": "a round robin",
    "pools": "pools",
    "single_elimination.reseed": "a bracket that is seeded anew after each round",
    "single_elimination.third_place": "a bracket with a match for third place",
    "single_elimination.points": "a cut by points",
    "single_elimination.clean_break": "a cut where points fall",
    "single_elimination.full_bracket": "a cut that fills the bracket",
}
_OPTIONS = {
    "reseed": {"reseed": True},
    "third_place": {"third_place": True},
    "points": {"cut_by": "points"},
    "clean_break": {"cut_by": "clean_break"},
    "full_bracket": {"cut_by": "full_bracket"},
}


def templates_on(*, day: date) -> QuerySet[Policy]:
    """The policies in force on the day all of whose stages can be played. One query."""
    unplayable = Q()
    for key in UNPLAYABLE:
        unplayable |= Q(definition__stages__contains=[_described(key)])
    return policies_on(day=day).exclude(unplayable)


def unplayable_stages(policy: Policy) -> list[str]:
    """What of its stages can't be played yet, as keys of ``UNPLAYABLE``, in order. No query."""
    return [
        key
        for stage in policy.definition["stages"]
        for key in UNPLAYABLE
        if all(stage.get(name) == value for name, value in _described(key).items())
    ]


def _described(key: str) -> dict[str, Any]:
    """The part of a stage's definition that ``key`` of ``UNPLAYABLE`` stands for."""
    kind, _, option = key.partition(".")
    return {"kind": kind, **_OPTIONS.get(option, {})}
