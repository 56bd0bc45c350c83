"""What a format is made of, each part with its path in the file: rules, selectors, citations, names of cards."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine.formatschema import AnyConstraint, Bound, Cited, Fixed, FormatDefinition, Group, Linear, When
from rules.engine.schema import NamesSelector, Selector
from rules.engine.selectors import walk

Path = tuple[str | int, ...]


def rules_of(definition: FormatDefinition) -> Iterator[tuple[Path, AnyConstraint]]:
    """Every rule, those that hold only under a condition right after the one that says so."""
    for index, rule in enumerate(definition.constraints):
        yield ("constraint", index), rule
        if isinstance(rule, When):
            for place, conditional in enumerate(rule.then):
                yield ("constraint", index, "then", place), conditional


def linears_of(rule: AnyConstraint) -> Iterator[tuple[str, Linear]]:
    """The bounds of a rule that depend on the deck, by name of field."""
    if isinstance(rule, Bound):
        yield from ((name, bound) for name, bound in (("min", rule.min), ("max", rule.max)) if bound is not None)


def selectors_of(rule: AnyConstraint) -> Iterator[tuple[Path, Selector]]:
    """What a rule itself selects, without the rules in it."""
    if (select := getattr(rule, "select", None)) is not None:
        yield ("select",), select
    if isinstance(rule, Group) and rule.trigger is not None:
        yield ("trigger",), rule.trigger
    for name, bound in linears_of(rule):
        if bound.measure.select is not None:
            yield (name, "measure", "select"), bound.measure.select


def all_selectors(definition: FormatDefinition) -> Iterator[tuple[Path, Selector]]:
    """Every selector of the format at its outermost."""
    for where, rule in rules_of(definition):
        yield from (((*where, *path), select) for path, select in selectors_of(rule))


def citations_of(definition: FormatDefinition) -> Iterator[tuple[Path, str]]:
    """Every section that the format cites, for a rule, for a number of play or for a reading of one."""
    cited: list[tuple[Path, Cited]] = list(rules_of(definition))
    if definition.unresolved is not None:
        cited.append((("unresolved",), definition.unresolved))
    cited += [(("play", index), rule) for index, rule in enumerate(definition.play)]
    parts = [(("pool",), definition.pool.cite, definition.pool.reading)]
    for where, cite, reading in [*parts, *((where, part.cite, part.reading) for where, part in cited)]:
        if cite:
            yield (*where, "cite"), cite
        if reading:
            yield (*where, "reading"), reading


def cards_named(definition: FormatDefinition) -> Iterator[tuple[Path, str]]:
    """Every card that the format names: in selectors, fixed decks and its pool."""
    for where, select in all_selectors(definition):
        for part in walk(select):
            if isinstance(part, NamesSelector):
                yield from ((where, name) for name in part.names)
    for where, rule in rules_of(definition):
        if isinstance(rule, Fixed):
            for place, deck in enumerate(rule.decks):
                at = (*where, "decks", place)
                yield from (((*at, "cards", name), name) for name in deck.cards)
                yield from (((*at, "of_unknown_count"), name) for name in deck.of_unknown_count)
    for field in ("include", "exclude"):
        yield from ((("pool", field), name) for name in getattr(definition.pool, field, ()))
