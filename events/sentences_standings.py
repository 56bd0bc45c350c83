"""Places and the figures behind them as plain English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from events.engine.metrics import metric

DECIMALS = 3


def percent(fraction: str) -> str:
    """ "7/12" as "58.3 %"."""
    return f"{float(Fraction(fraction)) * 100:.1f} %"


def metric_value(key: str, value: str) -> str:
    """A stored tie-breaker as people know it: percentages to one decimal place, other fractions to three."""
    if metric(key).percentage:
        return percent(value)
    exact = Fraction(value)
    return str(exact) if exact.denominator == 1 else f"{float(exact):.{DECIMALS}f}"


def metric_word(key: str) -> str:
    """Its name inside a sentence."""
    name = metric(key).name
    return name if name.isupper() else name[:1].lower() + name[1:]


def against_each_other(key: str, mine: str, theirs: str) -> tuple[str, str]:
    """Two unequal values of one tie-breaker as they are shown; exact where rounding would make them the same."""
    shown = metric_value(key, mine), metric_value(key, theirs)
    return shown if shown[0] != shown[1] else (str(Fraction(mine)), str(Fraction(theirs)))


def ahead_sentence(
    name: str, other: str, values: Mapping[str, str], others: Mapping[str, str], keys: Iterable[str]
) -> str:
    """Why ``name`` stands before ``other``: the first of ``keys`` in which they differ, else the lot."""
    for key in keys:
        if Fraction(values[key]) != Fraction(others[key]):
            mine, theirs = against_each_other(key, values[key], others[key])
            return f"Ahead of {other} by {metric_word(key)}: {mine} against {theirs}."
    return f"Level with {other} in everything; the drawing of lots from the event’s published seed puts {name} first."
