"""Bounds that depend on the deck itself: two for every five cards, and the like."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, inf

from rules.engine.checks.deck import DeckCheck, broken
from rules.engine.checks.measures import Measured, Range, hidden, measure, named
from rules.engine.formatschema import Bound, Linear, Measure
from rules.engine.verdict import Violation


def bound(check: DeckCheck, rule: Bound) -> Iterator[Violation]:
    value = measure(check, check.deck.tallies(rule.zones), rule.select, rule.of)
    subject = named(rule.label, rule.select, rule.of)
    within = value.within.plus(hidden(check, rule.zones, rule.of))
    for kind, linear in (("too_few", rule.min), ("too_many", rule.max)):
        if linear is None:
            continue
        by = _measured(check, linear.measure)
        limit = _of(linear, by.within.plus(hidden(check, linear.measure.zones, linear.measure.of)))
        broken_for_sure = within.high < limit.low if kind == "too_few" else within.low > limit.high
        if broken_for_sure:
            nearest = int(limit.low if kind == "too_few" else limit.high)
            yield broken(
                rule,
                f"bound.{kind}",
                limit=nearest,
                actual=value.actual,
                excess=value.actual - nearest,
                tallies=value.sure,
                subject=subject,
            )
        elif value.unsure or by.unsure:
            yield from _doubtful(rule, kind, value, by, _of(linear, by.within), subject)


def limits_of(check: DeckCheck, rule: Bound) -> tuple[Range | None, Range | None]:
    """The least and the most for this deck, lines that aren't understood left out."""
    least, most = (
        None if linear is None else _of(linear, _measured(check, linear.measure).within)
        for linear in (rule.min, rule.max)
    )
    return least, most


def _measured(check: DeckCheck, by: Measure) -> Measured:
    return measure(check, check.deck.tallies(by.zones), by.select, by.of)


def _doubtful(rule: Bound, kind: str, value: Measured, by: Measured, limit: Range, subject: str) -> Iterator[Violation]:
    strictest = limit.high if kind == "too_few" else limit.low
    if value.within.low < strictest if kind == "too_few" else value.within.high > strictest:
        yield broken(
            rule,
            "bound.unknown",
            limit=None if strictest in (inf, -inf) else int(strictest),
            actual=value.actual,
            possible=value.possible,
            tallies=[*value.unsure, *(tally for tally in by.unsure if tally not in value.unsure)],
            facts=tuple(dict.fromkeys((*value.facts, *by.facts))),
            subject=subject,
        )


def _of(linear: Linear, measured: Range) -> Range:
    one, other = (_at(linear, number) for number in (measured.low, measured.high))
    return Range(min(one, other), max(one, other))


def _at(linear: Linear, number: float) -> float:
    if linear.times == 0:
        return linear.base
    return linear.base + linear.times * (number if number == inf else floor(number / linear.over))
