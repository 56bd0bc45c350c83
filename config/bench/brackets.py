"""How long whole brackets, round robins, cuts and pods take: beside the mere building of as many pairs."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import Any

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.brackets import LARGEST_BRACKET, final_placing, first_round, next_round, rounds_of
from events.engine.cuts import LARGEST_CUT, cut_at_clean_break, cut_reasons
from events.engine.double_elimination import DROP_ORDERS, draw_bracket, replay
from events.engine.elimination import DecidedBy, Decision
from events.engine.pod_pairing import PodMember, pod_round
from events.engine.pods import draw_pods, pod_sizes
from events.engine.round_robin import PoolRow, berger, cut_pools, pool_rounds, snake_pools

Work = Callable[[], object]


def add_arguments(parser: ArgumentParser) -> None:
    sizes = parser.add_argument
    sizes("--players", type=int, nargs="+", default=[8, 16, 32, 64, 128], help="8 to 128 (default: 8 16 32 64 128)")
    sizes("--rounds", type=int, default=20, help="the best of so many counts (default: 20)")


def run(options: dict[str, Any]) -> dict[str, Any]:
    """Milliseconds of a core's time by number of players and function.

    ``single`` and ``reseeded`` are all rounds with the placing; ``double_drawn`` draws the bracket, ``double_replayed``
    replays all its results with the placing; ``round_robin`` is every round of one group of all; ``pools`` deals groups
    of four, schedules them and cuts two of each; ``cut`` looks for a clean break and explains it; ``pods`` draws pods
    of eight and pairs a second round in each. ``floor`` builds n - 1 pairs, ``round_robin_floor`` every pair.
    DomainError "bench.players", "bench.rounds".
    """
    for size in options["players"]:
        if not 8 <= size <= LARGEST_BRACKET:
            raise DomainError("bench.players", f"From 8 to {LARGEST_BRACKET} players, not {size}.", {"players": size})
    if options["rounds"] < 1:
        raise DomainError("bench.rounds", "There is nothing to measure without a round.", {"rounds": options["rounds"]})
    figures: dict[str, Any] = {"unit": "ms", "rounds": options["rounds"]}
    for size in options["players"]:
        figures[str(size)] = {name: _best(work, options["rounds"]) for name, work in _works(size).items()}
    return figures


def _works(size: int) -> dict[str, Work]:
    players = list(range(size))
    decided: dict[int, Decision] = {}
    while ready := replay(players, decided).ready:
        decided |= {match.fixture.number: Decision(match.b, DecidedBy.GAMES) for match in ready}
    points = {player: -3 * (player // 4) for player in players}
    return {
        "single": lambda: _single(players, reseed=False),
        "reseeded": lambda: _single(players, reseed=True),
        "double_drawn": lambda: draw_bracket(size, DROP_ORDERS[1 << rounds_of(size)]),
        "double_replayed": lambda: replay(players, decided).placing(players),
        "round_robin": lambda: berger(players),
        "pools": lambda: _pools(players),
        "cut": lambda: cut_reasons(cut_at_clean_break(players, points, min(size, LARGEST_CUT)), players),
        "pods": lambda: _pods(players),
        "floor": lambda: [(player, size - 1 - player) for player in range(size - 1)],
        "round_robin_floor": lambda: [(a, b) for a in range(size) for b in range(a + 1, size)],
    }


def _single(players: Sequence[int], *, reseed: bool) -> object:
    matches, number, lost_in = first_round(players), 1, dict[int, int]()
    while matches:
        lost_in |= {match.a: number for match in matches if match.b is not None}
        winners = {match.slot: match.players[-1] for match in matches}
        last = matches[0].players[-1]
        matches, number = next_round(matches, winners, reseed=reseed), number + 1
    return final_placing(players, last, lost_in)


def _pools(players: Sequence[int]) -> object:
    pools = snake_pools(players, len(players) // 4)
    rounds = pool_rounds(pools)
    standings = [[PoolRow(player, 9 - 3 * place, 3) for place, player in enumerate(pool)] for pool in pools]
    return rounds, cut_pools(standings, 2)


def _pods(players: Sequence[int]) -> object:
    rng = Stream(b"tiltyard", "bench pods")
    found = []
    for pod in draw_pods(players, pod_sizes(len(players)).sizes, rng):
        half = len(pod) // 2
        members = [PodMember(player, seat, 3 * (seat % 2)) for seat, player in enumerate(pod)]
        met = list(zip(pod[:half], pod[half:], strict=False))
        found.append(pod_round(members, len(pod), met, rng))
    return found


def _best(work: Work, rounds: int) -> float:
    least = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        work()
        least = min(least, time.process_time() - began)
    return round(least * 1000, 3)
