"""What an event can be made from."""

from __future__ import annotations

from datetime import date

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
        Stage.Kind.TABLES,
        Stage.Kind.TEAMS,
    }
)

# Kinds of stage that a pack may describe and no event can play yet, and how they are called.
UNPLAYABLE = {
    "double_elimination": "double elimination",
    "round_robin": "a round robin",
    "pools": "pools",
}


def templates_on(*, day: date) -> QuerySet[Policy]:
    """The policies in force on the day all of whose stages can be played. One query."""
    unplayable = Q()
    for kind in UNPLAYABLE:
        unplayable |= Q(definition__stages__contains=[{"kind": kind}])
    return policies_on(day=day).exclude(unplayable)


def unplayable_stages(policy: Policy) -> list[str]:
    """The kinds of its stages that can't be played yet, in order. No query."""
    return [stage["kind"] for stage in policy.definition["stages"] if stage["kind"] in UNPLAYABLE]
