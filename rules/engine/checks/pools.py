"""Is every card in the pool of the format on the day?"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from rules.engine.checks.deck import DeckCheck
from rules.engine.counting import Tally
from rules.engine.formatschema import EventPool, Pool, PoolExceptions, SetsPool, UnknownPool, WindowPool
from rules.engine.selectors import CardFacts, Truth, name_keys
from rules.engine.verdict import MissingFact, Violation


def months_before(day: date, months: int) -> date:
    """The same day of the month so many calendar months earlier; the last of that month where it has no such day."""
    year, month0 = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month0 + 1, min(day.day, monthrange(year, month0 + 1)[1]))


def outside_pool(check: DeckCheck) -> Iterator[Violation]:
    pool = check.compiled.definition.pool
    if isinstance(pool, UnknownPool):
        yield Violation("pool.unknown", constraint="pool", cite=pool.cite, reading=pool.reading, undetermined=True)
    elif isinstance(pool, EventPool) and check.pool is None:
        yield Violation("pool.not_given", constraint="pool", cite=pool.cite, reading=pool.reading, undetermined=True)
    elif isinstance(pool, EventPool):
        for tally in check.deck.tallies():
            limit = (check.pool or {}).get(tally.card.id, 0)
            if tally.count > limit:
                yield _outside(check, tally, "pool.too_many" if limit else "pool.not_in_pool", limit)
    else:
        start = months_before(check.compiled.as_of, pool.months) if isinstance(pool, WindowPool) else None
        for tally in check.deck.tallies():
            found = _membership(tally.card, pool, start, check.compiled.as_of)
            if found.truth is False:
                yield _outside(check, tally, found.code, 0, since=found.since)
            elif found.truth is None:
                yield _outside(check, tally, "pool.unknown", None, lacks=found.lacks)


@dataclass(frozen=True)
class _Membership:
    """Whether a card is in a pool. ``since`` is the day that keeps it out, ``lacks`` the fact that isn't known."""

    truth: Truth
    code: str = ""
    since: date | None = None
    lacks: str = ""


_IN = _Membership(True)


def _membership(card: CardFacts, pool: Pool, start: date | None, as_of: date) -> _Membership:
    if isinstance(pool, PoolExceptions):
        if pool.exclude and card.key in name_keys(pool.exclude):
            return _Membership(False, "pool.excluded")
        if pool.include and card.key in name_keys(pool.include):
            return _IN
    printings = card.legal_dates
    if isinstance(pool, SetsPool):
        if not card.sets or len(card.sets) != len(card.legal_dates):
            return _Membership(None, lacks="set")
        pairs = zip(card.sets, card.legal_dates, strict=True)
        printings = tuple(day for code, day in pairs if code in pool.sets)
        if not printings:
            return _Membership(False, "pool.not_in_sets")
    days = [day for day in printings if day is not None]
    out = [day for day in days if day <= as_of]
    if start is None:
        taken = bool(out)
    else:
        inclusive = isinstance(pool, WindowPool) and pool.inclusive
        taken = any(day >= start if inclusive else day > start for day in out)
    if taken:
        return _IN
    if len(days) < len(printings) or not days:
        # Without a day a card has come out as far as anybody knows; only a window or a list of sets turns on it.
        return _Membership(None, lacks="legal_on") if isinstance(pool, (WindowPool, SetsPool)) else _IN
    return (
        _Membership(False, "pool.rotated_out", max(out)) if out else _Membership(False, "pool.not_out_yet", min(days))
    )


def _outside(
    check: DeckCheck, tally: Tally, code: str, limit: int | None, *, since: date | None = None, lacks: str = ""
) -> Violation:
    pool = check.compiled.definition.pool
    return Violation(
        code,
        constraint="pool",
        cite=pool.cite or "",
        reading=pool.reading,
        limit=limit,
        actual=tally.count,
        excess=None if limit is None else tally.count - limit,
        zones=tuple(sorted({line.zone for line in check.deck.deck.lines if line.card.id == tally.card.id})),
        cards=(tally.named(),),
        lines=tally.lines,
        since=since,
        facts=(MissingFact(tally.card.name, lacks),) if lacks else (),
        undetermined=limit is None,
    )
