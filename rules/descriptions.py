"""What a format asks for, in plain English: one line for each of its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.engine.schema import (
    AllPool,
    AnyConstraint,
    Bounded,
    Copies,
    Eligible,
    Pool,
    Require,
    Status,
    Sum,
    Transition,
    WindowPool,
    ZoneCount,
)
from rules.engine.selectors import describe


def described(constraint: AnyConstraint, zones: Mapping[str, str]) -> str:
    """A rule as a sentence; ``zones`` gives the game's labels by key."""
    where = _joined([zones.get(zone, zone) for zone in constraint.zones])
    match constraint:
        case ZoneCount(one_of=tuple(sizes)):
            return f"{where}: {' or '.join('none' if size == 0 else str(size) for size in sizes)}."
        case ZoneCount():
            return f"{where}: {_bounds(constraint)} cards."
        case Copies():
            what = constraint.label or describe(constraint.select)
            each = "each card" if constraint.select is None else f"each of the {what}"
            return f"{where}: at most {constraint.max} of {each}."
        case Sum() | Require():
            return f"{where}: {_bounds(constraint)} {constraint.label or describe(constraint.select)}."
        case Eligible():
            return f"{where}: only {constraint.label or describe(constraint.select)}."
        case Status():
            return f"{where}: no banned cards, restricted cards within their limit."
        case Transition():
            how = "one for one" if constraint.one_for_one else "in any number"
            then = ", and are restored before the next match" if constraint.restore == "match" else ""
            return f"Between games, cards of {where} may change places {how}{then}."


def described_pool(pool: Pool) -> str:
    match pool:
        case AllPool():
            return "Every card that has come out."
        case WindowPool():
            edge = "" if pool.inclusive else ", that first day left out"
            return f"Cards with a printing that became legal in the {pool.months} months before the day{edge}."
        case _:
            return "The cards that the player opened or drafted in the event."


def _bounds(rule: Bounded) -> str:
    if rule.min is not None and rule.min == rule.max:
        return f"exactly {rule.min}"
    parts = [
        f"at least {rule.min}" if rule.min is not None else "",
        f"at most {rule.max}" if rule.max is not None else "",
    ]
    return " and ".join(part for part in parts if part)


def _joined(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
