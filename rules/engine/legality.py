"""Is this deck legal in this format on this day? Every reason at once, each with its rule; never legal by default."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from cards.engine.names import name_key
from rules.engine.checks.bounds import bound
from rules.engine.checks.cards import copies, eligible, group
from rules.engine.checks.conditions import conditions_of
from rules.engine.checks.counts import matching, zone_count
from rules.engine.checks.deck import DeckCheck
from rules.engine.checks.fixed import fixed
from rules.engine.checks.lists import points, status
from rules.engine.checks.pools import months_before, outside_pool
from rules.engine.compiled import Clause, CompiledFormat, compile_format
from rules.engine.counting import Counted
from rules.engine.selectors import CardFacts
from rules.engine.sideboarding import check_swap
from rules.engine.verdict import (
    CardCount,
    DeckFacts,
    DeckLine,
    MissingFact,
    StatusFact,
    UnresolvedLine,
    VerdictResult,
    Violation,
)

__all__ = [
    "CODES",
    "CardCount",
    "CardFacts",
    "CompiledFormat",
    "DeckFacts",
    "DeckLine",
    "MissingFact",
    "StatusFact",
    "UnresolvedLine",
    "VerdictResult",
    "Violation",
    "check",
    "check_swap",
    "compile_format",
    "months_before",
    "most_addable",
]

_CHECKS: Mapping[str, Callable[[DeckCheck, Any], Iterator[Violation]]] = {
    "zone_count": zone_count,
    "copies": copies,
    "sum": matching,
    "require": matching,
    "eligible": eligible,
    "status": status,
    "points": points,
    "group": group,
    "fixed": fixed,
    "bound": bound,
}
# By what a player mends first: structure, size, single cards, lists, then sums.
_ORDER = (
    *("line", "require", "fixed", "zone_count", "when", "eligible", "pool"),
    *("status", "copies", "group", "sum", "bound", "points"),
)

CODES = (
    *("line.unresolved", "when.either_way"),
    *("zone_count.too_few", "zone_count.too_many", "zone_count.not_one_of"),
    *(f"{kind}.{what}" for kind in ("sum", "require", "bound") for what in ("too_few", "too_many", "unknown")),
    *("eligible.not_eligible", "eligible.unknown", "copies.too_many", "copies.unknown"),
    *("status.banned", "status.restricted", "status.limit", "status.too_many_restricted", "points.too_many"),
    *("group.too_many", "group.unknown"),
    *("fixed.unknown", "fixed.not_in_deck", "fixed.wrong_count", "fixed.missing", "fixed.too_few", "fixed.too_many"),
    *("pool.unknown", "pool.not_given", "pool.not_in_pool", "pool.too_many", "pool.excluded"),
    *("pool.not_in_sets", "pool.not_out_yet", "pool.rotated_out"),
)
"""Every code that ``check`` can give."""
_PLACES = {code: _ORDER.index(code.partition(".")[0]) for code in CODES}

# More than any rule can allow: counts in a format end at 1000.
_NO_LIMIT = 1001


def check(
    deck: DeckFacts,
    compiled: CompiledFormat,
    pool: Mapping[int, int] | None = None,
    only: Collection[str] | None = None,
) -> VerdictResult:
    """Every violation, in order of kind (structure, size, single cards, pool, lists, sums), rule and card.

    ``pool`` maps card ids to the copies that the player has. Only a format with an event pool reads it; without it
    such a format can't be decided. The order of the deck's lines doesn't matter. ``only`` has the ids of the rules, and
    "pool", that the caller can't rule out: the others are not looked at. ValueError: a count below 1, or a fact that is
    no number where the format adds it up.
    """
    checked = DeckCheck(Counted(deck), compiled, pool)
    found = [(0, violation) for violation in _lines(checked)]
    if only is None or "pool" in only:
        found += [(0, violation) for violation in outside_pool(checked)]
    conditions = conditions_of(checked)
    doubtful: list[tuple[Clause, list[Violation]]] = []
    for index, clause in enumerate(compiled.clauses):
        if only is not None and clause.rule.id not in only:
            continue
        applies = True if clause.always else conditions.applies(clause)
        if applies is False:
            continue
        violations = list(_CHECKS[clause.rule.kind](checked, clause.rule))
        if applies is None and violations:
            doubtful.append((clause, violations))
            violations = conditions.weakened(violations, clause)
        found += [(index, violation) for violation in violations]
    if doubtful and all(violation.undetermined for _, violation in found):
        found += [(0, violation) for violation in conditions.either_way(doubtful)]
    if len(found) > 1:
        found.sort(key=_rank)
    violations_in_order = tuple(violation for _, violation in found)
    if any(not violation.undetermined for violation in violations_in_order):
        return VerdictResult("illegal", violations_in_order)
    return VerdictResult("undetermined" if violations_in_order else "legal", violations_in_order)


def most_addable(
    card: CardFacts, zone: str, deck: DeckFacts, compiled: CompiledFormat, pool: Mapping[int, int] | None = None
) -> int | None:
    """How many copies of the card the zone can take before ``check`` says that something is too many; None: any number.

    What can't be told counts as too many, unless it is said of the deck without the card as well.
    """
    before = _too_much(check(deck, compiled, pool))

    def may_add(count: int) -> bool:
        lines = (*deck.lines, DeckLine(zone, count, card))
        after = _too_much(check(replace(deck, lines=lines), compiled, pool))
        return all(excess <= before.get(rule, 0) for rule, excess in after.items())

    if may_add(_NO_LIMIT):
        return None
    least, most = 0, _NO_LIMIT
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if may_add(middle) else (least, middle)
    return least


def _too_much(verdict: VerdictResult) -> dict[tuple[str, str, str], int]:
    """By rule, what is there beyond what it allows: 1 where that can't be told."""
    found: dict[tuple[str, str, str], int] = {}
    for one in verdict.violations:
        if one.excess is None:
            excess = 1
        elif isinstance(one.limit, tuple):
            excess = max(0, (one.actual or 0) - max(one.limit))
        else:
            excess = one.excess
        if excess > 0:
            key = (one.code, one.constraint, one.subject)
            found[key] = found.get(key, 0) + excess
    return found


def _lines(checked: DeckCheck) -> Iterator[Violation]:
    rule = checked.compiled.definition.unresolved
    for line in checked.deck.deck.unresolved:
        yield Violation(
            "line.unresolved",
            constraint="",
            cite=rule.cite if rule else "",
            reading=rule.reading if rule else None,
            actual=line.count,
            zones=(line.zone,) if line.zone else (),
            lines=(line.line,),
            subject=line.text,
            undetermined=True,
        )


def _rank(pair: tuple[int, Violation]) -> tuple[Any, ...]:
    index, violation = pair
    names = [(name_key(card.name), card.id) for card in violation.cards]
    return _PLACES[violation.code], index, names, violation.code, violation.lines, violation.subject
