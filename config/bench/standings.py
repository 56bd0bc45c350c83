"""How long the standings of a large event take, and how often floats would have put neighbours the wrong way round."""

from __future__ import annotations

import gc
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from fractions import Fraction
from statistics import median
from typing import Any

import numpy as np

from cards.engine.streams import Stream
from events.engine.standings import ResultTable, StandingsPolicy, rank_table
from events.engine.standings_figures import Figures
from events.engine.standings_preview import example_results

NOISE = 1e-12
KEYS = ("match_points", "omw", "gw", "ogw")


def add_arguments(parser: ArgumentParser) -> None:
    number = parser.add_argument
    number("--players", type=int, default=10_000, help="from 2 on (default: 10000)")
    number("--rounds", type=int, default=15, help="from 1 on (default: 15)")
    number("--times", type=int, default=21, help="the median of so many counts (default: 21)")
    parser.add_argument("--seed", default="tiltyard", help="any text (default: tiltyard)")


def run(options: dict[str, Any]) -> dict[str, Any]:
    """The figures by name.

    ``ms`` is from columns of results to match points, OMW%, GW%, OGW% and the order of all players; ``worst_ms`` the
    slowest of all counts, ``float_ms`` the same with every figure as a float, ``naive_ms`` once with lists and a
    fraction for every percentage, ``floor_ms`` the sorting of points that are there already. ``rows_ms`` is what rows
    with records come to on top, and ``objects_ms`` what making the columns out of match objects takes before.
    ``near_ties`` counts neighbours by OMW% whose floats differ by less than 1e-12 but not by nothing;
    ``mismatches_of_float_order`` places that another player would have if floats were sorted.
    RuntimeError: an order isn't that of the fractions, so nothing is worth measuring.
    """
    players, rounds = options["players"], options["rounds"]
    _say(f"playing {rounds} rounds of {players} players")
    entries, results = example_results(players, rounds, Stream(options["seed"].encode(), "bench|standings"))
    policy = StandingsPolicy(floor=Fraction(33, 100))
    table = ResultTable.of(entries, results)
    ranking = rank_table(table, policy)
    naive_ms = _ms(lambda: _naive(table))
    if _naive(table) != ranking.order.tolist():
        raise RuntimeError("not the order that the fractions have")
    points = ranking.figures.points
    times: dict[str, list[float]] = {"ms": [], "float_ms": [], "floor_ms": []}
    for _ in range(options["times"]):  # one after the other, so that what else the machine does hits all alike
        times["ms"].append(_ms(lambda: rank_table(table, policy)))
        times["float_ms"].append(_ms(lambda: _by_floats(table)))
        times["floor_ms"].append(_ms(lambda: np.argsort(-points, kind="stable")))
    by_floats, omw = _by_floats(table)
    gaps = np.diff(np.sort(omw))
    return {
        "players": players,
        "rounds": rounds,
        **{name: round(median(found), 3) for name, found in times.items()},
        "worst_ms": round(max(times["ms"]), 3),
        "naive_ms": round(naive_ms, 1),
        "objects_ms": round(_ms(lambda: ResultTable.of(entries, results)), 1),
        "rows_ms": round(_ms(ranking.rows), 1),
        "near_ties": int(((gaps > 0) & (gaps < NOISE)).sum()),
        "mismatches_of_float_order": int((by_floats != ranking.order).sum()),
        "denominator_bits": max(ranking.figures[key].denominator.bit_length() for key in KEYS),
    }


def _ms(work: Callable[[], object]) -> float:
    gc.collect()
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def _counts(table: ResultTable) -> tuple[Any, ...]:
    """Points, points to have, game points, game points to have; opponents' indices by player."""
    figures = Figures(table, StandingsPolicy())
    won, lost, drawn = figures.games
    return figures.points, 3 * figures.played, 3 * won + drawn, 3 * (won + lost + drawn), figures


def _by_floats(table: ResultTable) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The order, and OMW%, as floats have them: each percentage divided, added up and compared as it comes."""
    points, rounds, game_points, games, figures = _counts(table)
    match_win = np.maximum(points / np.maximum(rounds, 1), 0.33)
    game_win = np.maximum(game_points / np.maximum(games, 1), 0.33)
    met = np.bincount(figures.owners, minlength=len(points))
    omw, ogw = (
        np.bincount(figures.owners, weights=values[figures.opponents], minlength=len(points)) / np.maximum(met, 1)
        for values in (match_win, game_win)
    )
    return np.lexsort([table.ids, table.lots, -ogw, -game_win, -omw, -points]), omw


def _naive(table: ResultTable) -> list[int]:
    """The order by fractions in lists."""
    points, rounds, game_points, games, figures = (
        part.tolist() if isinstance(part, np.ndarray) else part for part in _counts(table)
    )
    floor = Fraction(33, 100)
    match_win = [max(floor, Fraction(a, b)) if b else floor for a, b in zip(points, rounds, strict=True)]
    game_win = [max(floor, Fraction(a, b)) if b else floor for a, b in zip(game_points, games, strict=True)]
    met: list[list[int]] = [[] for _ in points]
    for owner, other in zip(figures.owners.tolist(), figures.opponents.tolist(), strict=True):
        met[owner].append(other)

    def mean(values: list[Fraction], others: list[int]) -> Fraction:
        return sum((values[other] for other in others), Fraction(0)) / len(others) if others else Fraction(0)

    omw = [mean(match_win, others) for others in met]
    ogw = [mean(game_win, others) for others in met]
    lots, ids = table.lots.tolist(), table.ids.tolist()
    return sorted(range(len(points)), key=lambda i: (-points[i], -omw[i], -game_win[i], -ogw[i], lots[i], ids[i]))


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 - progress
