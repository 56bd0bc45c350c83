"""Places and the figures behind them as plain English."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from events.engine.metrics import metric
from events.engine.standings import Comparison
from events.engine.standings_reasons import Figure

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


def compared(comparison: Comparison, player: int, names: Mapping[int, str]) -> str:
    """Why ``player`` stands below the one above, or above the one below."""
    ahead = comparison.above == player
    other = names[comparison.below if ahead else comparison.above]
    word = "Ahead of" if ahead else "Behind"
    level = _level(comparison.equal)
    if comparison.decided_by == "lot":
        who = "puts this place first" if ahead else f"puts {other} first"
        return f"Level with {other} in everything; the drawing of lots from the event’s published seed {who}."
    both = against_each_other(comparison.decided_by, str(comparison.above_value), str(comparison.below_value))
    mine, theirs = both if ahead else both[::-1]
    return f"{word} {other} by {metric_word(comparison.decided_by)}: {mine} against {theirs}{level}."


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _level(keys: Iterable[str]) -> str:
    words = [metric_word(key) for key in keys]
    if not words:
        return ""
    return f"; level in {_listed(words)}"


def made_of(figure: Figure) -> str:
    """How the parts of a figure make it."""
    return {"sum": "The sum of these:", "mean": "The mean of these:"}.get(figure.made, "")


STANDINGS: dict[str, Callable[[Mapping[str, Any], Mapping[int, str]], str]] = {
    "event.tie_breakers": lambda payload, names: (
        f"Standings are ordered by {_listed([metric_word(key) for key in payload['metrics']])}, then by lots"
    ),
}
"""Entries of the log that are about standings."""
