"""Rules that hold only if the deck has certain cards, and what to say where that can't be told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from rules.engine.checks.deck import DeckCheck, broken
from rules.engine.compiled import Clause
from rules.engine.formatschema import When
from rules.engine.selectors import Truth, both, negated
from rules.engine.verdict import MissingFact, Violation

# Beyond so many conditions that can't be told, a deck that breaks a rule in every case is left undetermined.
_MOST_CONDITIONS = 8


@dataclass(frozen=True)
class Conditions:
    """Whether each conditional rule of the format applies to the deck, by id."""

    check: DeckCheck
    truths: Mapping[str, Truth]
    rules: Mapping[str, When]

    def applies(self, clause: Clause) -> Truth:
        return _applies(clause, self.truths)

    def weakened(self, violations: Iterable[Violation], clause: Clause) -> list[Violation]:
        """Violations of a rule of which it can't be told whether it applies: they may be none."""
        ids = [id_ for id_ in (clause.only_if, *clause.unless) if id_ is not None and self.truths[id_] is None]
        facts = tuple(fact for id_ in ids for fact in _missing(self.check, self.rules[id_]))
        return [
            replace(one, undetermined=True, depends_on=ids[0], facts=tuple(dict.fromkeys((*one.facts, *facts))))
            for one in violations
        ]

    def either_way(self, doubtful: Sequence[tuple[Clause, Sequence[Violation]]]) -> Iterator[Violation]:
        """That a rule is broken whatever the unknown conditions are. ``doubtful`` are the rules that they decide."""
        ids = [id_ for id_, truth in self.truths.items() if truth is None]
        wrong = [clause for clause, found in doubtful if any(not violation.undetermined for violation in found)]
        if not wrong or len(ids) > _MOST_CONDITIONS:
            return
        for truths in product((True, False), repeat=len(ids)):
            case = {**self.truths, **dict(zip(ids, truths, strict=True))}
            if not any(_applies(clause, case) for clause in wrong):
                return
        rule = self.rules[next(id_ for id_ in ids if any(id_ in (c.only_if, *c.unless) for c in wrong))]
        yield broken(rule, "when.either_way", facts=_missing(self.check, rule), subject=rule.label or rule.id)


def conditions_of(check: DeckCheck) -> Conditions:
    rules = check.compiled.conditions
    return Conditions(check, {rule.id: _truth(check, rule) for rule in rules}, {rule.id: rule for rule in rules})


def _truth(check: DeckCheck, rule: When) -> Truth:
    sure, unsure = check.split(rule.select, rule.zones)
    known = sum(tally.count for tally in sure)
    if known >= rule.min:
        return True
    possible = known + sum(tally.count for tally in unsure) + check.deck.unresolved(rule.zones)
    return None if possible >= rule.min else False


def _applies(clause: Clause, truths: Mapping[str, Truth]) -> Truth:
    held = [] if clause.only_if is None else [truths[clause.only_if]]
    return both(iter([*held, *(negated(truths[id_]) for id_ in clause.unless)]))


def _missing(check: DeckCheck, rule: When) -> tuple[MissingFact, ...]:
    return check.missing(rule.select, check.deck.tallies(rule.zones))
