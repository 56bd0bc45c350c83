"""Cards, constraints and statuses that the tests of the engine share, and verdicts in short."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from rules.engine.formatschema import FormatDefinition
from rules.engine.legality import (
    CardFacts,
    DeckFacts,
    DeckLine,
    StatusFact,
    UnresolvedLine,
    VerdictResult,
    Violation,
    check,
    compile_format,
)

DAY = date(2026, 6, 15)
SIZE = {"id": "size", "kind": "zone_count", "zones": ["main"], "min": 3, "cite": "T 1"}
COPIES = {"id": "copies", "kind": "copies", "zones": ["main", "side"], "max": 3, "cite": "T 2"}
FREE = {
    "id": "free",
    "kind": "sum",
    "zones": ["main", "side"],
    "select": {"fact": "cost", "eq": "free"},
    "max": 2,
    "cite": "T 3",
}
LISTS = {"id": "lists", "kind": "status", "zones": ["main", "side"], "cite": "T 4"}
SWAPS = {"id": "swaps", "kind": "transition", "one_for_one": True, "cite": "T 5"}
WINDOW = {"kind": "window", "months": 18, "cite": "T 8"}
ALL = {"kind": "all"}

ACTION = CardFacts(1, "Anvil", {"cost": "action"}, legal_dates=(date(2025, 1, 1),))
OTHER = CardFacts(2, "Bellows", {"cost": "action"}, legal_dates=(date(2025, 1, 1),))
GRATIS = CardFacts(3, "Candle", {"cost": "free"}, legal_dates=(date(2025, 1, 1),))
UNKNOWN = CardFacts(4, "Dowel", {}, legal_dates=(date(2025, 1, 1),))

BANNED = StatusFact(1, "banned", 0, date(2026, 1, 1), "T 4.1", "list of January")
RESTRICTED = StatusFact(2, "restricted", 1, None, "", "list of January")
LEGAL = VerdictResult("legal", ())


def format_of(constraints: Iterable[Mapping[str, Any]], pool: Mapping[str, Any] = ALL) -> FormatDefinition:
    return FormatDefinition.model_validate(
        {
            "slug": "test",
            "name": "Test",
            "version": "1",
            "document": {"slug": "rulebook", "version": "1"},
            "pool": pool,
            "constraint": list(constraints),
        }
    )


def verdict(
    deck: Any,
    *rules: Mapping[str, Any],
    pool: Mapping[str, Any] = ALL,
    statuses: tuple[StatusFact, ...] = (),
    opened: Mapping[int, int] | None = None,
    unresolved: tuple[UnresolvedLine, ...] = (),
    day: date = DAY,
) -> VerdictResult:
    """The verdict on ``{zone: {card: copies}}``."""
    constraints = (
        rules if any(rule["kind"] == "zone_count" and rule["id"] == "size" for rule in rules) else (SIZE, *rules)
    )
    definition = format_of(constraints, pool)
    lines = [DeckLine(zone, count, card, (card.id,)) for zone, cards in deck.items() for card, count in cards]
    return check(DeckFacts(tuple(lines), unresolved), compile_format(definition, statuses, day, {}), opened)


def illegal(*violations: Violation) -> VerdictResult:
    return VerdictResult("illegal", violations)


def undetermined(*violations: Violation) -> VerdictResult:
    return VerdictResult("undetermined", violations)


def printed(*days: date | None) -> CardFacts:
    return CardFacts(9, "Escapement", {}, legal_dates=days)


ANY_SIZE = {**SIZE, "min": 1}
"""A size that no deck of these tests offends."""


def card(id_: int, name: str, *, tags: Iterable[str] = (), days: Iterable[date | None] = (date(2025, 1, 1),),
         sets: Iterable[str] = (), **facts: Any) -> CardFacts:  # fmt: skip
    return CardFacts(id_, name, facts, frozenset(tags), tuple(days), tuple(sets))


def on_list(
    of: CardFacts, status: Any, max_copies: int | None = None, *, points: int = 0, zone: str = ""
) -> StatusFact:
    return StatusFact(of.id, status, max_copies, None, "T 4.1", "the list", points=points, zone=zone)


def told(result: VerdictResult) -> list[tuple[Any, ...]]:
    """Code, limit, what is there, and the cards, of each violation in order."""
    return [(v.code, v.limit, v.actual, [(one.name, one.count) for one in v.cards]) for v in result.violations]
