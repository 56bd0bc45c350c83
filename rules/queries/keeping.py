"""Reads of kept rules: the lists and card facts of the moment from which something is judged by nothing newer."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection
from pydantic_core import from_json

from rules.engine.keeping import card_read, status_read
from rules.engine.selectors import CardFacts
from rules.engine.verdict import StatusFact
from rules.models import KeptRules

# Few cards of what may be thousands: they are picked out where they are stored.
_CARDS = """
SELECT one.key::bigint, one.value::text
FROM rules_keptrules AS kept, jsonb_each(kept.cards) AS one
WHERE kept.id = %s AND one.key = ANY(%s)
"""


def kept_lists(kept: int) -> tuple[str, list[StatusFact]]:
    """The digest of the pack of that moment, and the entries of the lists. One query."""
    row = KeptRules.objects.only("pack", "statuses").get(pk=kept)
    return row.pack, [status_read(status) for status in row.statuses]


def kept_facts(kept: int, card_ids: Iterable[int]) -> dict[int, CardFacts]:
    """What was known of the cards; those that weren't known are left out. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_CARDS, [kept, [str(id_) for id_ in card_ids]])
        return {id_: card_read(id_, from_json(said)) for id_, said in cursor.fetchall()}
