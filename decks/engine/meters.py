"""How far a deck is from each limit that can be counted: 60 of 60 cards, 17 of at most 18 free ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.engine.formatschema import Require, Sum, ZoneCount
from rules.engine.legality import CompiledFormat, DeckLine
from rules.engine.selectors import describe, evaluate


@dataclass(frozen=True)
class Meter:
    """``actual`` cards counted against ``min``, ``max`` or the sizes of ``one_of``. Unknown cards are not counted."""

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
    """One meter per constraint that bounds a number of cards, in the format's order. ``labels`` name the zones."""
    lines = tuple(lines)
    found = []
    for rule in compiled.definition.constraints:
        if not isinstance(rule, (ZoneCount, Sum, Require)):
            continue
        inside = [line for line in lines if line.zone in rule.zones]
        select = None if isinstance(rule, ZoneCount) else rule.select
        truths = [(line.count, evaluate(select, line.card)) for line in inside]
        label = rule.label or (
            " and ".join(labels[zone] for zone in rule.zones) if select is None else describe(select)
        )
        found.append(
            Meter(
                constraint=rule.id,
                label=label[:1].upper() + label[1:],
                actual=sum(count for count, truth in truths if truth),
                min=rule.min,
                max=rule.max,
                one_of=(rule.one_of or ()) if isinstance(rule, ZoneCount) else (),
                cite=rule.cite,
                unknown=sum(count for count, truth in truths if truth is None),
            )
        )
    return tuple(found)
