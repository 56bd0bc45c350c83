"""A format on a day: its rules with what they hold under, and the entries of its lists by card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from rules.engine.formatparts import rules_of
from rules.engine.formatschema import AnyConstraint, Copies, FormatDefinition, Status, Transition, When
from rules.engine.verdict import StatusFact


@dataclass(frozen=True)
class Clause:
    """A rule, and the conditions (ids of ``when`` rules) under which it holds or doesn't."""

    rule: AnyConstraint
    only_if: str | None = None
    unless: tuple[str, ...] = ()

    @property
    def always(self) -> bool:
        return self.only_if is None and not self.unless


@dataclass(frozen=True)
class CompiledFormat:
    """A format version with its lists of one day. ``digests`` name every input, so that a verdict can be replayed.

    ``statuses`` has the entries of each card: of copies in all zones or in one, and of points.
    """

    definition: FormatDefinition
    as_of: date
    statuses: Mapping[int, tuple[StatusFact, ...]]
    digests: Mapping[str, str]

    @cached_property
    def transition(self) -> Transition | None:
        """What may be changed between games; None where nothing may."""
        return next((c for c in self.definition.constraints if isinstance(c, Transition)), None)

    @cached_property
    def conditions(self) -> tuple[When, ...]:
        return tuple(rule for rule in self.definition.constraints if isinstance(rule, When))

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The rules that bear on a deck by itself, in the format's order."""
        found = []
        condition = None
        for where, rule in rules_of(self.definition):
            inside = len(where) > 2
            if isinstance(rule, When):
                condition = rule.id
            elif not isinstance(rule, Transition):
                unless = () if inside else tuple(one.id for one in self.conditions if rule.id in one.instead_of)
                found.append(Clause(rule, condition if inside else None, unless))
        return tuple(found)

    @cached_property
    def lasting_copies(self) -> tuple[Copies, ...]:
        """The limits of copies that hold for every deck."""
        return tuple(c.rule for c in self.clauses if c.always and isinstance(c.rule, Copies))

    @cached_property
    def limits(self) -> Mapping[int, tuple[StatusFact, ...]]:
        """The cards with a limit of copies of their own, if the format has its lists hold at all."""
        if not any(isinstance(rule, Status) for rule in self.definition.constraints):
            return {}
        own = {id_: tuple(one for one in held if one.status == "limit") for id_, held in self.statuses.items()}
        return {id_: held for id_, held in own.items() if held}

    @cached_property
    def listed_in(self) -> Mapping[str, str]:
        """Which status rule sees to the entries that speak of one zone only: its own, else the first, by its id."""
        rules = [rule for rule in self.definition.constraints if isinstance(rule, Status)]
        zones = {one.zone for held in self.statuses.values() for one in held if one.zone}
        return {zone: next((r.id for r in rules if zone in r.zones), rules[0].id) for zone in zones} if rules else {}


def compile_format(
    definition: FormatDefinition, statuses: Iterable[StatusFact], as_of: date, digests: Mapping[str, str]
) -> CompiledFormat:
    """``statuses`` are the entries in force on ``as_of``: of copies and of points each at most one for a card and zone.

    ValueError: two that speak of the same.
    """
    by_card: dict[int, tuple[StatusFact, ...]] = {}
    for status in statuses:
        held = by_card.get(status.card_id, ())
        if any(_subject(status) == _subject(other) for other in held):
            raise ValueError(f"card {status.card_id} has two statuses on {as_of}")
        by_card[status.card_id] = (*held, status)
    return CompiledFormat(definition, as_of, by_card, dict(digests))


def _subject(status: StatusFact) -> tuple[str, bool]:
    return status.zone, status.status == "points"
