"""How far a deck is from each limit that can be counted: 60 of 60 cards, 17 of at most 18 free ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rules.engine.checks.bounds import limits_of
from rules.engine.checks.conditions import conditions_of
from rules.engine.checks.deck import DeckCheck
from rules.engine.checks.lists import points_of
from rules.engine.checks.measures import Measured, measure, named
from rules.engine.counting import Counted
from rules.engine.formatschema import AnyConstraint, Bound, Constraint, Points, Require, Sum, ZoneCount
from rules.engine.legality import CompiledFormat, DeckFacts, DeckLine


@dataclass(frozen=True)
class Meter:
    """``actual`` counted against ``min``, ``max`` or the sizes of ``one_of``. ``unknown`` cards are not counted."""

    constraint: str
    label: str
    actual: int
    min: int | None
    max: int | None
    one_of: tuple[int, ...]
    cite: str
    unknown: int = 0

    @property
    def is_met(self) -> bool:
        if self.one_of:
            return self.actual in self.one_of
        return (self.min is None or self.actual >= self.min) and (self.max is None or self.actual <= self.max)

    @property
    def top(self) -> int:
        """The number that fills the bar; at least 1."""
        return max(self.max or 0, self.min or 0, *self.one_of, 1)

    @property
    def figure(self) -> str:
        """ "60/60", "31 (30 or more)", "0 (0 or 15)"."""
        if self.one_of:
            return f"{self.actual} ({' or '.join(map(str, self.one_of))})"
        if self.max is not None:
            return f"{self.actual}/{self.max}"
        return f"{self.actual} ({self.min} or more)"


def meters(lines: Iterable[DeckLine], compiled: CompiledFormat, labels: Mapping[str, str]) -> tuple[Meter, ...]:
    """One meter per rule that bounds one number and applies to the deck, in the format's order.

    ``labels`` name the zones. A rule of which it can't be told whether it applies has its meter if it usually does. A
    bound for each value of a fact has none, nor has a bound of which the number isn't known.
    """
    check = DeckCheck(Counted(DeckFacts(tuple(lines))), compiled)
    conditions = conditions_of(check)
    found: list[Meter] = []
    for clause in compiled.clauses:
        applies = conditions.applies(clause)
        if applies or (applies is None and clause.only_if is None):
            found += _meters_of(check, clause.rule, labels)
    return tuple(found)


def _meters_of(check: DeckCheck, rule: AnyConstraint, labels: Mapping[str, str]) -> Iterator[Meter]:
    match rule:
        case ZoneCount():
            label = rule.label or " and ".join(labels[zone] for zone in rule.zones)
            yield _meter(rule, label, check.deck.total(rule.zones), rule.min, rule.max, one_of=rule.one_of or ())
        case Require():
            yield _measured(rule, measure(check, check.deck.tallies(rule.zones), rule.select), rule.min, rule.max)
        case Sum(per=None):
            cards = check.deck.tallies(rule.zones)
            found = measure(check, cards, rule.select, rule.of, distinct=rule.distinct)
            yield _measured(rule, found, rule.min, rule.max)
        case Bound():
            limits = limits_of(check, rule)
            if all(limit is None or limit.low == limit.high for limit in limits):
                least, most = (None if limit is None else int(limit.low) for limit in limits)
                found = measure(check, check.deck.tallies(rule.zones), rule.select, rule.of)
                yield _measured(rule, found, least, most)
        case Points():
            yield _meter(rule, rule.label or "points", points_of(check, rule), None, rule.budget)


def _measured(rule: Sum | Require | Bound, found: Measured, least: int | None, most: int | None) -> Meter:
    label = named(rule.label, rule.select, rule.of if isinstance(rule, (Sum, Bound)) else None)
    if isinstance(rule, Sum) and rule.distinct:
        label = f"different {label}"
    return _meter(rule, label, found.actual, least, most, unknown=sum(tally.count for tally in found.unsure))


def _meter(
    rule: Constraint,
    label: str,
    actual: int,
    least: int | None,
    most: int | None,
    *,
    one_of: tuple[int, ...] = (),
    unknown: int = 0,
) -> Meter:
    return Meter(rule.id, label[:1].upper() + label[1:], actual, least, most, one_of, rule.cite, unknown)
