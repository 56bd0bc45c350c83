"""Rules that bound a number of cards in zones: of all, of those of a kind, or of a fact of theirs added up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.engine.checks.deck import DeckCheck, broken
from rules.engine.checks.measures import Measured, hidden, measure, named, number_of
from rules.engine.counting import Tally
from rules.engine.formatschema import Require, Sum, ZoneCount
from rules.engine.schema import FactValue
from rules.engine.selectors import negated
from rules.engine.verdict import Violation


def zone_count(check: DeckCheck, rule: ZoneCount) -> Iterator[Violation]:
    known = check.deck.total(rule.zones)
    most = known + check.deck.unresolved(rule.zones)
    if rule.one_of is not None:
        if not any(known <= size <= most for size in rule.one_of):
            nearest = min(rule.one_of, key=lambda size: (abs(size - known), size))
            sizes = tuple(sorted(rule.one_of))
            yield broken(rule, "zone_count.not_one_of", limit=sizes, actual=known, excess=known - nearest)
    elif rule.max is not None and known > rule.max:
        free = check.may_move_freely(rule.zones)
        yield broken(rule, "zone_count.too_many", limit=rule.max, actual=known, excess=known - rule.max, curable=free)
    elif rule.min is not None and most < rule.min:
        missing = rule.min - known
        able = check.may_move_freely(rule.zones) and check.in_reserve(rule.zones, lambda _: True) >= missing
        yield broken(rule, "zone_count.too_few", limit=rule.min, actual=known, excess=-missing, curable=able)


def matching(check: DeckCheck, rule: Sum | Require) -> Iterator[Violation]:
    of, distinct, per = _measure_of(rule)
    subject = named(rule.label, rule.select, of)
    tallies = check.deck.tallies(rule.zones)
    if per is None:
        yield from _bounded(check, rule, measure(check, tallies, rule.select, of, distinct=distinct), subject)
        return
    groups: dict[tuple[str, str], list[Tally]] = {}
    for tally in tallies:
        if per in tally.card.facts and check.truth(rule.select, tally.card) is not False:
            groups.setdefault(_sorted_as(tally.card.facts[per]), []).append(tally)
    rest = [tally for tally in tallies if per not in tally.card.facts]
    found: list[Violation] = []
    for (_, value), group in sorted(groups.items()):
        within = measure(check, [*group, *rest], rule.select, of, distinct=distinct, needs=per)
        found += _bounded(check, rule, within, f"{subject} of {per.replace('_', ' ')} {value}")
    yield from found
    alone = measure(check, rest, rule.select, of, distinct=distinct, needs=per)
    if alone.unsure and not any(violation.undetermined for violation in found):
        # Cards without the fact may be a value of their own, which no other card has.
        yield from _doubtful(rule, alone, f"{subject} of one {per.replace('_', ' ')}")


def _measure_of(rule: Sum | Require) -> tuple[str | None, bool, str | None]:
    return (rule.of, rule.distinct, rule.per) if isinstance(rule, Sum) else (None, False, None)


def _sorted_as(value: FactValue) -> tuple[str, str]:
    if isinstance(value, bool):
        return "flag", "yes" if value else "no"
    return ("number" if isinstance(value, int) else "text"), str(value)


def _bounded(check: DeckCheck, rule: Sum | Require, found: Measured, subject: str) -> Iterator[Violation]:
    of, distinct, _ = _measure_of(rule)
    within = found.within.plus(hidden(check, rule.zones, of, distinct=distinct))
    if rule.max is not None and within.low > rule.max:
        excess = found.actual - rule.max
        yield broken(
            rule,
            f"{rule.kind}.too_many",
            limit=rule.max,
            actual=found.actual,
            excess=excess,
            tallies=found.sure,
            curable=_could_drop(check, rule, found.sure, excess),
            subject=subject,
        )
    elif rule.min is not None and within.high < rule.min:
        yield broken(
            rule,
            f"{rule.kind}.too_few",
            limit=rule.min,
            actual=found.actual,
            excess=found.actual - rule.min,
            tallies=found.sure,
            curable=_could_add(check, rule) >= rule.min - found.actual,
            subject=subject,
        )
    elif found.unsure:
        yield from _doubtful(rule, found, subject)


def _doubtful(rule: Sum | Require, found: Measured, subject: str) -> Iterator[Violation]:
    over = rule.max is not None and found.within.high > rule.max
    if over or (rule.min is not None and found.within.low < rule.min):
        yield broken(
            rule,
            f"{rule.kind}.unknown",
            limit=rule.max if over else rule.min,
            actual=found.actual,
            possible=found.possible,
            tallies=found.unsure,
            facts=found.facts,
            subject=subject,
        )


def _could_drop(check: DeckCheck, rule: Sum | Require, sure: Iterable[Tally], excess: int) -> bool:
    """Whether the reserve has enough cards that don't count to take the place of some that do."""
    of, distinct, _ = _measure_of(rule)
    if not (spare := check.in_reserve(rule.zones, lambda card: negated(check.truth(rule.select, card)))):
        return False
    # What goes at once, and how many copies that is: of different cards all, else one.
    pieces: list[tuple[int, int]] = []
    for tally in sure:
        pieces += [(1, tally.count)] if distinct else [(number_of(tally.card, of) or 0, 1)] * tally.count
    for gain, copies in sorted(pieces, key=lambda piece: (-piece[0], piece[1])):
        if excess <= 0 or copies > spare:
            break
        excess, spare = excess - gain, spare - copies
    return excess <= 0


def _could_add(check: DeckCheck, rule: Sum | Require) -> int:
    of, distinct, _ = _measure_of(rule)
    there = {tally.card.id for tally in check.deck.tallies(rule.zones)}
    able = [tally for tally in check.reserve(rule.zones) if check.truth(rule.select, tally.card)]
    if distinct:
        return sum(tally.card.id not in there for tally in able)
    return sum((number_of(tally.card, of) or 0) * tally.count for tally in able)
