"""What every check of a rule is made with: the deck counted, what selectors say of it, what the reserve could mend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.engine.compiled import CompiledFormat
from rules.engine.counting import Counted, Tally
from rules.engine.formatschema import Constraint
from rules.engine.schema import Selector
from rules.engine.selectors import CardFacts, Truth, evaluate, missing_facts
from rules.engine.verdict import MissingFact, Violation


@dataclass(frozen=True)
class DeckCheck:
    """``pool`` has the copies by card id that the player has; None if that isn't known."""

    deck: Counted
    compiled: CompiledFormat
    pool: Mapping[int, int] | None = None

    def truth(self, select: Selector | None, card: CardFacts) -> Truth:
        return evaluate(select, card, self.deck)

    def split(self, select: Selector | None, zones: tuple[str, ...]) -> tuple[list[Tally], list[Tally]]:
        """The cards that match for sure, and those that may."""
        truths = [(tally, self.truth(select, tally.card)) for tally in self.deck.tallies(zones)]
        return [tally for tally, truth in truths if truth], [tally for tally, truth in truths if truth is None]

    def missing(self, select: Selector | None, tallies: Iterable[Tally]) -> tuple[MissingFact, ...]:
        pairs = [pair for tally in tallies for pair in missing_facts(select, tally.card, self.deck)]
        return tuple(MissingFact(card, fact) for card, fact in dict.fromkeys(pairs))

    def reserve(self, zones: tuple[str, ...]) -> list[Tally]:
        """What a player could bring into the zones between games: nothing, if they take in the reserve as well."""
        transition = self.compiled.transition
        if transition is None or not set(zones) & set(transition.zones):
            return []
        reserve = tuple(zone for zone in transition.zones if zone not in zones)
        return self.deck.tallies(reserve) if reserve else []

    def in_reserve(self, zones: tuple[str, ...], wanted: Callable[[CardFacts], Truth]) -> int:
        return sum(tally.count for tally in self.reserve(zones) if wanted(tally.card) is True)

    def may_move_freely(self, zones: tuple[str, ...]) -> bool:
        transition = self.compiled.transition
        return (
            transition is not None
            and not transition.one_for_one
            and bool(set(zones) & set(transition.zones))
            and not set(transition.zones) <= set(zones)
        )


def broken(
    rule: Constraint,
    code: str,
    *,
    tallies: Iterable[Tally] = (),
    cite: str | None = None,
    curable: bool = False,
    zones: tuple[str, ...] | None = None,
    **values: Any,
) -> Violation:
    """A violation of the rule, undetermined if its code ends so."""
    tallies = list(tallies)
    return Violation(
        code,
        constraint=rule.id,
        cite=cite or rule.cite,
        reading=rule.reading,
        zones=rule.zones if zones is None else zones,
        cards=tuple(tally.named() for tally in tallies),
        lines=tuple(sorted({line for tally in tallies for line in tally.lines})),
        curable_by_sideboarding=curable,
        undetermined=code.endswith(".unknown"),
        **values,
    )
