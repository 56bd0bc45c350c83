"""What an event can be made from."""

from __future__ import annotations

from datetime import date

from django.db.models import Q, QuerySet

from cards.models import Product
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
        Stage.Kind.ROUND_ROBIN,
        Stage.Kind.TABLES,
        Stage.Kind.TEAMS,
    }
)

# Kinds of stage that a pack may describe and no event can play yet, and how they are called.
UNPLAYABLE = {
    "double_elimination": "double elimination",
    "pools": "pools",
}


def templates_on(*, day: date) -> QuerySet[Policy]:
    """The policies in force on the day all of whose stages can be played. One query."""
    unplayable = Q()
    for kind in UNPLAYABLE:
        unplayable |= Q(definition__stages__contains=[{"kind": kind}])
    return policies_on(day=day).exclude(unplayable)


def products_of(policy: Policy) -> list[Product]:
    """What events of the policy's game can open, each once, in its newest version. One query."""
    found = Product.objects.filter(game=policy.game_id).order_by("slug", "-version").distinct("slug")
    return sorted(found, key=lambda product: product.name)
