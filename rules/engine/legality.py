"""Is this deck legal in this format on this day? Every reason at once, each with its rule; never legal by default."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from cards.engine.names import name_key
from rules.engine.counting import Counted, Tally
from rules.engine.formatschema import (
    AnyConstraint,
    Constraint,
    Copies,
    Eligible,
    EventPool,
    FormatDefinition,
    Require,
    Status,
    Sum,
    Transition,
    WindowPool,
    ZoneCount,
)
from rules.engine.schema import Selector
from rules.engine.selectors import CardFacts, Truth, describe, evaluate, missing_facts, negated
from rules.engine.sideboarding import check_swap
from rules.engine.verdict import (
    CardCount,
    DeckFacts,
    DeckLine,
    MissingFact,
    StatusFact,
    UnresolvedLine,
    VerdictResult,
    Violation,
)

__all__ = [
    "CardCount",
    "CardFacts",
    "CompiledFormat",
    "DeckFacts",
    "DeckLine",
    "MissingFact",
    "StatusFact",
    "UnresolvedLine",
    "VerdictResult",
    "Violation",
    "check",
    "check_swap",
    "compile_format",
    "months_before",
]

_ORDER = ("line", "require", "zone_count", "eligible", "pool", "status", "copies", "sum")


@dataclass(frozen=True)
class CompiledFormat:
    """A format version with its lists of one day. ``digests`` name every input, so that a verdict can be replayed.

    ``statuses`` has the entries of each card: of copies in all zones or in one, and of points.
    """

    definition: FormatDefinition
    as_of: date
    statuses: Mapping[int, tuple[StatusFact, ...]]
    digests: Mapping[str, str]

    @property
    def transition(self) -> Transition | None:
        """What may be changed between games; None where nothing may."""
        return next((c for c in self.definition.constraints if isinstance(c, Transition)), None)


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


def check(deck: DeckFacts, compiled: CompiledFormat, pool: Mapping[int, int] | None = None) -> VerdictResult:
    """Every violation, in order of kind (structure, size, eligibility, pool, status, copies, sums), rule and card.

    ``pool`` maps card ids to the copies that the player has. Only a format with an event pool reads it; without it
    such a format can't be decided. The order of the deck's lines doesn't matter. ValueError: a count below 1.
    """
    violations = _Check(Counted(deck), compiled, pool).run()
    if any(not violation.undetermined for violation in violations):
        return VerdictResult("illegal", violations)
    return VerdictResult("undetermined" if violations else "legal", violations)


def months_before(day: date, months: int) -> date:
    """The same day of the month so many calendar months earlier; the last of that month where it has no such day."""
    year, month0 = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month0 + 1, min(day.day, monthrange(year, month0 + 1)[1]))


@dataclass(frozen=True)
class _Check:
    deck: Counted
    compiled: CompiledFormat
    pool: Mapping[int, int] | None

    def run(self) -> tuple[Violation, ...]:
        found = [(0, violation) for violation in (*self._lines(), *self._outside_pool())]
        for index, constraint in enumerate(self.compiled.definition.constraints):
            found += [(index, violation) for violation in self._breaches(constraint)]

        def rank(pair: tuple[int, Violation]) -> tuple[Any, ...]:
            index, violation = pair
            kind = _ORDER.index(violation.code.partition(".")[0])
            names = [(name_key(card.name), card.id) for card in violation.cards]
            return kind, index, names, violation.code, violation.lines

        return tuple(violation for _, violation in sorted(found, key=rank))

    def _breaches(self, constraint: AnyConstraint) -> Iterator[Violation]:
        match constraint:
            case ZoneCount():
                return self._zone_count(constraint)
            case Sum() | Require():
                return self._matching(constraint)
            case Eligible():
                return self._eligible(constraint)
            case Status():
                return self._status(constraint)
            case Copies():
                return self._copies(constraint)
            case Transition():
                return iter(())
            case _:
                raise ValueError(f"no rule of the kind {constraint.kind} can be checked")

    def _lines(self) -> Iterator[Violation]:
        rule = self.compiled.definition.unresolved
        for line in self.deck.deck.unresolved:
            yield Violation(
                "line.unresolved",
                constraint="",
                cite=rule.cite if rule else "",
                reading=rule.reading if rule else None,
                actual=line.count,
                zones=(line.zone,) if line.zone else (),
                lines=(line.line,),
                subject=line.text,
                undetermined=True,
            )

    def _zone_count(self, rule: ZoneCount) -> Iterator[Violation]:
        known = self.deck.total(rule.zones)
        most = known + self.deck.unresolved(rule.zones)
        if rule.one_of is not None:
            if not any(known <= size <= most for size in rule.one_of):
                nearest = min(rule.one_of, key=lambda size: (abs(size - known), size))
                yield _violation(
                    rule,
                    "zone_count.not_one_of",
                    limit=tuple(sorted(rule.one_of)),
                    actual=known,
                    excess=known - nearest,
                )
        elif rule.max is not None and known > rule.max:
            free = self._may_move_freely(rule.zones)
            yield _violation(
                rule, "zone_count.too_many", limit=rule.max, actual=known, excess=known - rule.max, curable=free
            )
        elif rule.min is not None and most < rule.min:
            missing = rule.min - known
            yield _violation(
                rule,
                "zone_count.too_few",
                limit=rule.min,
                actual=known,
                excess=-missing,
                curable=self._may_move_freely(rule.zones) and self._in_reserve(rule.zones, lambda _: True) >= missing,
            )

    def _matching(self, rule: Sum | Require) -> Iterator[Violation]:
        truths = [(tally, evaluate(rule.select, tally.card)) for tally in self.deck.tallies(rule.zones)]
        sure = [tally for tally, truth in truths if truth]
        unknown = [tally for tally, truth in truths if truth is None]
        known = sum(tally.count for tally in sure)
        possible = known + sum(tally.count for tally in unknown)
        subject = rule.label or describe(rule.select)
        if rule.max is not None and known > rule.max:
            out = self._in_reserve(rule.zones, lambda card: negated(evaluate(rule.select, card)))
            yield _violation(
                rule,
                f"{rule.kind}.too_many",
                limit=rule.max,
                actual=known,
                excess=known - rule.max,
                tallies=sure,
                curable=out >= known - rule.max,
                subject=subject,
            )
        elif rule.min is not None and possible + self.deck.unresolved(rule.zones) < rule.min:
            able = self._in_reserve(rule.zones, lambda card: evaluate(rule.select, card))
            yield _violation(
                rule,
                f"{rule.kind}.too_few",
                limit=rule.min,
                actual=known,
                excess=known - rule.min,
                tallies=sure,
                curable=able >= rule.min - known,
                subject=subject,
            )
        elif unknown and (
            (rule.max is not None and possible > rule.max) or (rule.min is not None and known < rule.min)
        ):
            yield _violation(
                rule,
                f"{rule.kind}.unknown",
                limit=rule.max if rule.max is not None and possible > rule.max else rule.min,
                actual=known,
                possible=possible,
                tallies=unknown,
                facts=_missing(rule.select, unknown),
                subject=subject,
            )

    def _eligible(self, rule: Eligible) -> Iterator[Violation]:
        subject = rule.label or describe(rule.select)
        for tally in self.deck.tallies(rule.zones):
            truth = evaluate(rule.select, tally.card)
            if truth is False:
                able = self._in_reserve(rule.zones, lambda card: evaluate(rule.select, card))
                yield _violation(
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
                facts = _missing(rule.select, [tally])
                yield _violation(
                    rule, "eligible.unknown", actual=tally.count, tallies=[tally], facts=facts, subject=subject
                )

    def _copies(self, rule: Copies) -> Iterator[Violation]:
        subject = rule.label or describe(rule.select)
        counts = self.deck.by_card(rule.zones)
        for tally in self.deck.tallies(rule.zones):
            excess = tally.count - rule.max
            truth = evaluate(rule.select, tally.card)
            if excess <= 0 or truth is False:
                continue
            facts = _missing(rule.select, [tally])
            room = self._room(rule, tally.card, counts)
            yield _violation(
                rule,
                "copies.unknown" if facts else "copies.too_many",
                limit=rule.max,
                actual=tally.count,
                excess=None if facts else excess,
                tallies=[tally],
                facts=facts,
                curable=truth is True and room >= excess,
                subject=subject,
            )

    def _room(self, rule: Copies, out: CardFacts, counts: Mapping[int, int]) -> int:
        """How many cards other than ``out`` could come in from the reserve without becoming too many themselves."""
        reserve = self._reserve(rule.zones)
        return sum(
            min(tally.count, max(0, rule.max - counts.get(tally.card.id, 0)))
            for tally in reserve
            if tally.card.id != out.id
        )

    def _status(self, rule: Status) -> Iterator[Violation]:
        for tally in self.deck.tallies(rule.zones):
            entries = self.compiled.statuses.get(tally.card.id, ())
            entry = next((one for one in entries if one.max_copies is not None and not one.zone), None)
            if entry is None or entry.max_copies is None or tally.count <= entry.max_copies:
                continue
            excess = tally.count - entry.max_copies
            able = self._in_reserve(rule.zones, lambda card: card.id not in self.compiled.statuses)
            yield _violation(
                rule,
                f"status.{entry.status}",
                cite=entry.section or rule.cite,
                limit=entry.max_copies,
                actual=tally.count,
                excess=excess,
                tallies=[tally],
                since=entry.since,
                source=entry.source,
                curable=able >= excess,
            )

    def _outside_pool(self) -> Iterator[Violation]:
        pool = self.compiled.definition.pool
        if isinstance(pool, EventPool) and self.pool is None:
            yield Violation(
                "pool.not_given", constraint="pool", cite=pool.cite, reading=pool.reading, undetermined=True
            )
            return
        for tally in self.deck.tallies():
            found: dict[str, Any] = {}
            if isinstance(pool, EventPool):
                limit = (self.pool or {}).get(tally.card.id, 0)
                if tally.count > limit:
                    found = {"code": "pool.too_many" if limit else "pool.not_in_pool", "limit": limit}
            else:
                truth, code, since = self._came_out(tally.card)
                if truth is False:
                    found = {"code": code, "limit": 0, "since": since}
                elif truth is None and isinstance(pool, WindowPool):
                    fact = MissingFact(tally.card.name, "legal_on")
                    found = {"code": "pool.unknown", "facts": (fact,), "undetermined": True}
            if found:
                allowed: int | None = found.get("limit")
                yield Violation(
                    constraint="pool",
                    cite=pool.cite or "",
                    reading=pool.reading,
                    actual=tally.count,
                    excess=None if allowed is None else tally.count - allowed,
                    zones=tuple(sorted({line.zone for line in self.deck.deck.lines if line.card.id == tally.card.id})),
                    cards=(tally.named(),),
                    lines=tally.lines,
                    **found,
                )

    def _came_out(self, card: CardFacts) -> tuple[Truth, str, date | None]:
        """Whether a printing is in the pool by its date; if none is, why, and the day that decides it."""
        pool, as_of = self.compiled.definition.pool, self.compiled.as_of
        days = [day for day in card.legal_dates if day is not None]
        out = [day for day in days if day <= as_of]
        if isinstance(pool, WindowPool):
            start = months_before(as_of, pool.months)
            if any(day >= start if pool.inclusive else day > start for day in out):
                return True, "", None
        elif out:
            return True, "", None
        if len(days) < len(card.legal_dates) or not days:
            return None, "", None
        return (False, "pool.rotated_out", max(out)) if out else (False, "pool.not_out_yet", min(days))

    def _reserve(self, zones: tuple[str, ...]) -> list[Tally]:
        """What a player could bring into the zones between games: nothing, if they take in the reserve as well."""
        transition = self.compiled.transition
        if transition is None or not set(zones) & set(transition.zones):
            return []
        reserve = tuple(zone for zone in transition.zones if zone not in zones)
        return self.deck.tallies(reserve) if reserve else []

    def _in_reserve(self, zones: tuple[str, ...], wanted: Callable[[CardFacts], Truth]) -> int:
        return sum(tally.count for tally in self._reserve(zones) if wanted(tally.card) is True)

    def _may_move_freely(self, zones: tuple[str, ...]) -> bool:
        transition = self.compiled.transition
        return (
            transition is not None
            and not transition.one_for_one
            and bool(set(zones) & set(transition.zones))
            and not set(transition.zones) <= set(zones)
        )


def _missing(select: Selector | None, tallies: list[Tally]) -> tuple[MissingFact, ...]:
    return tuple(MissingFact(tally.card.name, fact) for tally in tallies for fact in missing_facts(select, tally.card))


def _violation(
    rule: Constraint,
    code: str,
    *,
    tallies: Iterable[Tally] = (),
    cite: str | None = None,
    curable: bool = False,
    **values: Any,
) -> Violation:
    tallies = list(tallies)
    return Violation(
        code,
        constraint=rule.id,
        cite=cite or rule.cite,
        reading=rule.reading,
        zones=rule.zones,
        cards=tuple(tally.named() for tally in tallies),
        lines=tuple(sorted({line for tally in tallies for line in tally.lines})),
        curable_by_sideboarding=curable,
        undetermined=code.endswith(".unknown"),
        **values,
    )
