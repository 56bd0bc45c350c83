"""How long a round of multiplayer tables takes to plan, and who meets again: beside tables cut from the standing."""

from __future__ import annotations

import random
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import fmean, median
from typing import Any

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.multiplayer import TableEntrant, TablesOptions, plan_tables
from events.engine.multiplayer_sizes import SizeRules, table_sizes

Tables = list[tuple[int, ...]]
WIN, SHARED = 3, 1


def add_arguments(parser: ArgumentParser) -> None:
    number = parser.add_argument
    number("--players", type=int, default=1_000, help="from 3 on (default: 1000)")
    number("--rounds", type=int, default=7, help="from 1 on (default: 7)")
    number("--size", type=int, choices=range(3, 8), default=4, help="preferred; one less is allowed (default: 4)")
    number("--kicks", type=int, default=TablesOptions().kicks, help="steps of the search (default: %(default)s)")
    parser.add_argument("--seed", default="tiltyard", help="any text (default: tiltyard)")


def run(options: dict[str, Any]) -> dict[str, Any]:
    """The figures by name: each of the two ways plays an event of its own with results drawn by the same seed.

    ``repeats`` counts pairs who sat together again, over all rounds; ``mean_spread`` is the mean over tables, from
    round 2 on, of the points between the best and the worst. The time is that of the engine on a core, without results;
    what else the machine does is not counted.
    """
    size = options["size"]
    rules = SizeRules(size, tuple(range(max(3, size - 1), size + 1)))
    if options["rounds"] < 1:
        raise DomainError("bench.rounds", "There is nothing to measure without a round.", {"rounds": options["rounds"]})
    table_sizes(options["players"], rules)
    engine = TablesOptions(sizes=rules, kicks=options["kicks"])

    def ours(points: dict[int, int], byes: Counter[int], history: Tables, number: int) -> Tables:
        entrants = [TableEntrant(player, total, byes[player]) for player, total in points.items()]
        plan = plan_tables(entrants, history, engine, Stream(options["seed"].encode(), f"tables|{number}"))
        return [table.players for table in plan.tables]

    def floor(points: dict[int, int], byes: Counter[int], history: Tables, number: int) -> Tables:
        rng = random.Random(f"{options['seed']} {number}")  # noqa: S311 - nothing is kept secret
        order = list(points)
        rng.shuffle(order)
        order.sort(key=lambda player: -points[player])
        tables, start = [], 0
        for size in table_sizes(len(order), rules).sizes:
            tables.append(tuple(order[start : start + size]))
            start += size
        return tables

    measured = _event(ours, options)
    lowest = _event(floor, options)
    return {
        "players": options["players"],
        "rounds": options["rounds"],
        **measured,
        **{f"floor_{name}": value for name, value in lowest.items()},
    }


def _event(
    seat: Callable[[dict[int, int], Counter[int], Tables, int], Tables], options: dict[str, Any]
) -> dict[str, Any]:
    results = random.Random(options["seed"])  # noqa: S311 - results to measure with
    points = dict.fromkeys(range(1, options["players"] + 1), 0)
    byes: Counter[int] = Counter()
    history: Tables = []
    met: Counter[tuple[int, int]] = Counter()
    took, spreads = [], []
    for number in range(1, options["rounds"] + 1):
        began = time.process_time()
        tables = seat(points, byes, history, number)
        took.append(1000 * (time.process_time() - began))
        print(f"round {number}: {took[-1]:.1f} ms", file=sys.stderr, flush=True)  # noqa: T201
        if number > 1:
            spreads += [_spread(table, points) for table in tables]
        for table in tables:
            met.update(combinations(sorted(table), 2))
        seated = {player for table in tables for player in table}
        for player in set(points) - seated:
            byes[player] += 1
            points[player] += WIN
        for table in tables:
            _play(table, points, results)
        history += tables
    return {
        "repeats": sum(times - 1 for times in met.values()),
        "worst_ms": round(max(took), 1),
        "median_ms": round(median(took), 1),
        "mean_spread": round(fmean(spreads), 3) if spreads else 0.0,
    }


def _spread(table: Sequence[int], points: dict[int, int]) -> int:
    return max(points[player] for player in table) - min(points[player] for player in table)


def _play(table: Sequence[int], points: dict[int, int], results: random.Random) -> None:
    """One winner, or in one game of ten a victory shared by two."""
    if results.random() < 0.9:
        points[results.choice(table)] += WIN
    else:
        for player in results.sample(table, 2):
            points[player] += SHARED
