"""Rules about single cards: which may be there at all, how often, and which not together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.engine.checks.deck import DeckCheck, broken
from rules.engine.checks.measures import number_of
from rules.engine.counting import Tally
from rules.engine.formatschema import Copies, Eligible, Group
from rules.engine.selectors import CardFacts, Truth, describe, either, negated
from rules.engine.verdict import MissingFact, StatusFact, Violation


def eligible(check: DeckCheck, rule: Eligible) -> Iterator[Violation]:
    subject = rule.label or describe(rule.select)
    for tally in check.deck.tallies(rule.zones):
        truth = check.truth(rule.select, tally.card)
        if truth is False:
            able = check.in_reserve(rule.zones, lambda card: check.truth(rule.select, card))
            yield broken(
                rule,
                "eligible.not_eligible",
                limit=0,
                actual=tally.count,
                excess=tally.count,
                tallies=[tally],
                curable=able >= tally.count,
                subject=subject,
            )
        elif truth is None:
            facts = check.missing(rule.select, [tally])
            yield broken(rule, "eligible.unknown", actual=tally.count, tallies=[tally], facts=facts, subject=subject)


def own_limit(check: DeckCheck, rule: Copies, card: CardFacts) -> StatusFact | None:
    """The card's own limit on the lists, if it speaks of the zones of the rule."""
    if not (held := check.compiled.limits.get(card.id)):
        return None
    found = [entry for entry in held if not entry.zone or set(rule.zones) == {entry.zone}]
    return max(found, key=lambda entry: entry.zone, default=None)


def limit_of(check: DeckCheck, rule: Copies, card: CardFacts) -> int:
    """How many copies the rule lets a deck have of the card."""
    if (entry := own_limit(check, rule, card)) is not None and entry.max_copies is not None:
        return entry.max_copies
    own = None if rule.max_from is None else number_of(card, rule.max_from)
    return rule.max if own is None else own


def copies(check: DeckCheck, rule: Copies) -> Iterator[Violation]:
    tallies = check.deck.tallies(rule.zones)
    if rule.per is None:
        for tally in tallies:
            if tally.count > limit_of(check, rule, tally.card):
                yield from _too_many(check, rule, [tally])
        return
    groups: dict[Any, list[Tally]] = {}
    for tally in tallies:
        if rule.per in tally.card.facts:
            value = tally.card.facts[rule.per]
            groups.setdefault((isinstance(value, bool), value), []).append(tally)
    # A card of which the fact isn't known may count together with any other.
    rest = [tally for tally in tallies if rule.per not in tally.card.facts]
    doubted = False
    for group in groups.values():
        found = list(_too_many(check, rule, group))
        if not found and len(group) > 1:
            found = [violation for tally in group for violation in _too_many(check, rule, [tally])]
        if not found and rest:
            found = list(_maybe_together(check, rule, group, rest))
            doubted = doubted or bool(found)
        yield from found
    for tally in rest:
        yield from _too_many(check, rule, [tally])
    if len(rest) > 1 and not doubted:
        yield from _maybe_together(check, rule, [], rest)


def _too_many(check: DeckCheck, rule: Copies, group: Sequence[Tally]) -> Iterator[Violation]:
    """Of cards that count together."""
    limit = max(limit_of(check, rule, tally.card) for tally in group)
    if sum(tally.count for tally in group) <= limit:
        return
    truths = [(tally, check.truth(rule.select, tally.card)) for tally in group]
    sure = [tally for tally, truth in truths if truth]
    known = sum(tally.count for tally in sure)
    entry = own_limit(check, rule, group[0].card) if len(group) == 1 else None
    values: dict[str, Any] = {"limit": limit, "subject": rule.label or describe(rule.select)}
    if entry is not None:
        values |= {"cite": entry.section, "since": entry.since, "source": entry.source}
    if known > limit:
        able = _room(check, rule, {tally.card.id for tally in sure}) >= known - limit
        yield broken(rule, "copies.too_many", actual=known, excess=known - limit, tallies=sure, curable=able, **values)
    elif (possible := sum(tally.count for tally, truth in truths if truth is not False)) > limit:
        unsure = [tally for tally, truth in truths if truth is None]
        tallies = [tally for tally, truth in truths if truth is not False]
        facts = check.missing(rule.select, unsure)
        yield broken(rule, "copies.unknown", actual=possible, tallies=tallies, facts=facts, **values)


def _maybe_together(
    check: DeckCheck, rule: Copies, group: Sequence[Tally], rest: Sequence[Tally]
) -> Iterator[Violation]:
    may = [tally for tally in (*group, *rest) if check.truth(rule.select, tally.card) is not False]
    lacking = [MissingFact(tally.card.name, str(rule.per)) for tally in may if tally in rest]
    limit = max((limit_of(check, rule, tally.card) for tally in may), default=rule.max)
    possible = sum(tally.count for tally in may)
    if lacking and possible > limit:
        yield broken(
            rule,
            "copies.unknown",
            limit=limit,
            actual=possible,
            tallies=may,
            facts=tuple(dict.fromkeys((*check.missing(rule.select, may), *lacking))),
            subject=rule.label or describe(rule.select),
        )


def _room(check: DeckCheck, rule: Copies, out: set[int]) -> int:
    """How many cards other than ``out`` could come in from the reserve without becoming too many themselves."""
    if not (reserve := check.reserve(rule.zones)):
        return 0
    counts: Mapping[int, int] = check.deck.by_card(rule.zones)
    return sum(
        min(tally.count, max(0, limit_of(check, rule, tally.card) - counts.get(tally.card.id, 0)))
        for tally in reserve
        if tally.card.id not in out
    )


def group(check: DeckCheck, rule: Group) -> Iterator[Violation]:
    sure, unsure = check.split(rule.select, rule.zones)
    if len(sure) + len(unsure) <= rule.max or (triggered := _triggered(check, rule)) is False:
        return
    subject = rule.label or describe(rule.select)
    excess = len(sure) - rule.max
    if excess > 0 and triggered:
        spare = check.in_reserve(rule.zones, lambda card: negated(check.truth(rule.select, card)))
        fewest = sum(sorted(tally.count for tally in sure)[:excess])
        yield broken(
            rule,
            "group.too_many",
            limit=rule.max,
            actual=len(sure),
            excess=excess,
            tallies=sure,
            curable=spare >= fewest,
            subject=subject,
        )
        return
    asked = check.deck.tallies(rule.zones) if triggered is None else ()
    yield broken(
        rule,
        "group.unknown",
        limit=rule.max,
        actual=len(sure),
        possible=len(sure) + len(unsure),
        tallies=unsure or sure,
        facts=tuple(dict.fromkeys((*check.missing(rule.select, unsure), *check.missing(rule.trigger, asked)))),
        subject=subject,
    )


def _triggered(check: DeckCheck, rule: Group) -> Truth:
    if rule.trigger is None:
        return True
    there = either(check.truth(rule.trigger, tally.card) for tally in check.deck.tallies(rule.zones))
    return None if there is False and check.deck.unresolved(rule.zones) else there
