"""Does a format make sense for its game? Every name in it must exist, and every number must be within reach."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from cards.engine.facts import FactSpec
from cards.engine.names import name_key
from rules.engine.formatparts import Path, all_selectors, cards_named, linears_of, rules_of
from rules.engine.formatschema import (
    AnyConstraint,
    Bounded,
    FormatDefinition,
    SetsPool,
    Sum,
    Transition,
    When,
    ZoneCount,
)
from rules.engine.schema import FactSelector, Selector, TagSelector
from rules.engine.selectors import walk


@dataclass(frozen=True)
class GameNames:
    """What a format may speak of. ``cards`` has each card's own name by all keys of its names; None: don't check.

    Nor are tags where ``has_all_tags`` is False.
    """

    zones: Collection[str]
    facts: Mapping[str, FactSpec]
    tags: Collection[str]
    sets: Collection[str]
    cards: Mapping[str, str] | None
    has_all_tags: bool = True


def format_faults(definition: FormatDefinition, names: GameNames) -> Iterator[tuple[Path, str]]:
    """Every fault with its path in the format's file. Sections are the caller's: see ``formatparts.citations_of``."""
    for where, rule in rules_of(definition):
        for field, zone in _zones(rule):
            if zone not in names.zones:
                yield (*where, *field), f"no such zone in game.toml: {zone}"
        for field, fact, must_add_up in _facts(rule):
            yield from (((*where, *field), message) for message in _fact(fact, must_add_up, names))
        if isinstance(rule, When):
            yield from (((*where, "instead_of"), message) for message in _replaced(rule, definition))
    for where, select in all_selectors(definition):
        yield from ((where, message) for message in _selector(select, names))
    for where, name in cards_named(definition):
        if names.cards is None:
            continue
        own = names.cards.get(name_key(name))
        if own is None:
            yield where, f"no such card in cards.csv: {name}"
        elif name_key(own) != name_key(name):
            yield where, f"{name} is another name of {own}: name it so"
    if isinstance(definition.pool, SetsPool):
        for code in definition.pool.sets:
            if code not in names.sets:
                yield ("pool", "sets"), f"no such set in game.toml: {code}"
    yield from _out_of_reach(definition)


def _zones(rule: AnyConstraint) -> Iterator[tuple[Path, str]]:
    yield from ((("zones",), zone) for zone in rule.zones)
    for field, bound in linears_of(rule):
        yield from (((field, "measure", "zones"), zone) for zone in bound.measure.zones)


def _facts(rule: AnyConstraint) -> Iterator[tuple[Path, str, bool]]:
    """The facts that a rule takes from cards, and whether they must be numbers."""
    for field, must_add_up in (("of", True), ("max_from", True), ("per", False)):
        if (fact := getattr(rule, field, None)) is not None:
            yield (field,), fact, must_add_up
    for name, bound in linears_of(rule):
        if bound.measure.of is not None:
            yield (name, "measure", "of"), bound.measure.of, True


def _fact(fact: str, must_add_up: bool, names: GameNames) -> Iterator[str]:
    spec = names.facts.get(fact)
    if spec is None:
        yield f"no such fact in game.toml: {fact}"
    elif must_add_up and spec.type != "number":
        yield f"{fact} is no number"


def _replaced(rule: When, definition: FormatDefinition) -> Iterator[str]:
    rules = {other.id: other for other in definition.constraints}
    for id_ in rule.instead_of:
        if id_ not in rules:
            yield f"{rule.id}: no such rule to replace: {id_}"
        elif isinstance(rules[id_], (When, Transition)):
            yield f"{rule.id}: a rule of the kind {rules[id_].kind} can't be replaced: {id_}"


def _selector(selector: Selector, names: GameNames) -> Iterator[str]:
    for part in walk(selector):
        match part:
            case FactSelector():
                yield from _comparison(part, names)
            case TagSelector() if names.has_all_tags and part.tag not in names.tags:
                yield f"no such tag in lists.toml: {part.tag}"


def _comparison(selector: FactSelector, names: GameNames) -> Iterator[str]:
    spec = names.facts.get(selector.fact)
    if spec is None:
        yield f"no such fact in game.toml: {selector.fact}"
        return
    [(operator, operand)] = selector.operators().items()
    if operator == "in_zone":
        if operand not in names.zones:
            yield f"no such zone in game.toml: {operand}"
        return
    if operator in ("gte", "lte") and spec.type != "number":
        yield f"{selector.fact} is no number, so {operator} can't compare it"
        return
    for value in operand if operator == "in" else (operand,):
        if not spec.admits(value):
            yield f"{selector.fact} can never be {value!r}"


def _out_of_reach(definition: FormatDefinition) -> Iterator[tuple[Path, str]]:
    """Rules that ask for more cards than another one allows, where both hold for one deck."""
    always = [(where, rule) for where, rule in rules_of(definition) if len(where) == 2]
    for where, rule in always:
        yield from _more_than_allowed(where, rule, [other for _, other in always])
        if isinstance(rule, When):
            kept = [other for _, other in always if other.id not in rule.instead_of]
            for place, conditional in enumerate(rule.then):
                yield from _more_than_allowed((*where, "then", place), conditional, [*kept, *rule.then])


def _more_than_allowed(
    where: Path, rule: AnyConstraint, others: Collection[AnyConstraint]
) -> Iterator[tuple[Path, str]]:
    if not isinstance(rule, Bounded) or (isinstance(rule, Sum) and rule.of is not None):
        return
    choices = rule.one_of if isinstance(rule, ZoneCount) else None
    least = min(choices) if choices else rule.min
    for other in others:
        if isinstance(other, ZoneCount) and set(rule.zones) <= set(other.zones):
            most = max(other.one_of) if other.one_of else other.max
            if least is not None and most is not None and least > most:
                field = "one_of" if choices else "min"
                yield (*where, field), f"{rule.id} asks for {least} cards where {other.id} allows {most}"
