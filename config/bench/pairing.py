"""How long the pairing of a Swiss round takes, whether it is proved to be the best, and what others take for it."""

from __future__ import annotations

import gc
import multiprocessing
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any, TypeVar

import numpy as np

from cards.engine.streams import Stream
from config.bench.pairing_peers import PEERS, NotInstalled, State
from events.engine.pairing import Entrants, History, PairingOptions, PairingPlan, pair_round

T = TypeVar("T")
DRAWS, DROPS = 0.05, 0.03
"""Shares of matches drawn, and of players who leave after a round."""


def add_arguments(parser: ArgumentParser) -> None:
    number = parser.add_argument
    number("--players", type=int, default=10_000, help="from 4 on (default: 10000)")
    number("--rounds", type=int, default=15, help="from 1 on (default: 15)")
    number("--drops", type=float, default=DROPS, help="share of players who leave after each round (default: 0.03)")
    number("--peer-seconds", type=float, default=30, help="what each peer may take for all rounds (default: 30)")
    parser.add_argument("--seed", default="tiltyard", help="any text (default: tiltyard)")


def run(options: dict[str, Any]) -> dict[str, Any]:
    """The figures by name.

    One event is played with our pairings, draws and drops. A round is timed from columns to a plan, in milliseconds of
    a core's time; ``explained_median_ms`` with the reasons for every pair besides, ``floor_median_ms`` shuffles, sorts
    by points and cuts into pairs, rematches and all. ``peers`` pair the states of the same event, from objects of
    their own made before; ``peers_skipped`` says which did not get through, and why.
    """
    players, rounds = options["players"], options["rounds"]
    event = _Event.begin(players, rounds, options["drops"], Stream(options["seed"].encode(), "bench|pairing"))
    took: dict[str, list[float]] = {"ours": [], "explained": [], "floor": []}
    plans: list[PairingPlan] = []
    states: list[State] = []
    for number in range(rounds):
        _say(f"round {number + 1} of {rounds}")
        entrants, history = event.columns()
        label = f"bench|pairing|{number}"
        plan, ms = _timed(lambda: pair_round(entrants, history, PairingOptions(), Stream(b"bench", label)))  # noqa: B023
        _, more = _timed(lambda: (plan.pairs, plan.bye_reasons))  # noqa: B023
        _, floor = _timed(lambda: _shuffle_sort_cut(entrants, Stream(b"bench", label)))  # noqa: B023
        for name, one in (("ours", ms), ("explained", ms + more), ("floor", floor)):
            took[name].append(one)
        plans.append(plan)
        won = event.play(plan)
        states.append(event.state(entrants, history, plan, won))
    peers, skipped = _peers(states, options["peer_seconds"])
    return {
        "players": players,
        "rounds": rounds,
        "median_ms": round(median(took["ours"]), 2),
        "worst_ms": round(max(took["ours"]), 2),
        "avoidable_rematches": sum(plan.cost.rematches - plan.lower_bound.rematches for plan in plans),
        "uncertified_rounds": sum(not plan.certified for plan in plans),
        "explained_median_ms": round(median(took["explained"]), 2),
        "floor_median_ms": round(median(took["floor"]), 2),
        "over_floor": round(median(took["ours"]) / max(median(took["floor"]), 1e-3), 1),
        "peers": peers,
        "peers_skipped": skipped,
    }


@dataclass(slots=True)
class _Event:
    """Columns of a Swiss event of strengths on Elo's scale; 3 points for a win or bye, 1 for a draw."""

    strength: np.ndarray
    points: np.ndarray
    byes: np.ndarray
    down: np.ndarray
    up: np.ndarray
    opponents: np.ndarray
    playing: np.ndarray
    drops: float
    chance: Stream
    played: int = 0

    @classmethod
    def begin(cls, players: int, rounds: int, drops: float, chance: Stream) -> _Event:
        points, byes, down, up = np.zeros((4, players), np.int64)
        strength = 200 * (np.sum([_uniform(chance, players) for _ in range(12)], axis=0) - 6)
        opponents = np.full((players, rounds), -1, np.int64)
        return cls(strength, points, byes, down, up, opponents, np.ones(players, np.bool_), drops, chance)

    def columns(self) -> tuple[Entrants, History]:
        points, byes, down, up = (column.copy() for column in (self.points, self.byes, self.down, self.up))
        entrants = Entrants(np.arange(len(points)), points, byes, down, up, playing=self.playing.copy())
        return entrants, History(self.opponents[:, : self.played].copy())

    def play(self, plan: PairingPlan) -> np.ndarray:
        """Results of the round: for each pair 1, 0 or -1 for its first player. Then some leave."""
        a, b = plan.seating.T
        floated = self.points[a] > self.points[b]
        self.down[a[floated]] += 1
        self.up[b[floated]] += 1
        chances = 1 / (1 + 10 ** ((self.strength[b] - self.strength[a]) / 400))
        won = np.where(_uniform(self.chance, len(a)) < chances, 1, -1) * (_uniform(self.chance, len(a)) >= DRAWS)
        self.opponents[a, self.played], self.opponents[b, self.played] = b, a
        self.points[a] += np.array([1, 3, 0])[won]
        self.points[b] += np.array([1, 0, 3])[won]
        if plan.bye is not None:
            self.points[plan.bye] += 3
            self.byes[plan.bye] += 1
        self.played += 1
        stay = _uniform(self.chance, len(self.points)) >= self.drops
        if (self.playing & stay).sum() >= 4:
            self.playing &= stay
        return won

    @staticmethod
    def state(entrants: Entrants, history: History, plan: PairingPlan, won: np.ndarray) -> State:
        playing = np.ones(len(entrants), np.bool_) if entrants.playing is None else entrants.playing
        return State(entrants.points, entrants.byes, playing, history.opponents, plan.seating, plan.bye, won)


def _uniform(chance: Stream, count: int) -> np.ndarray:
    """Numbers from 0 to below 1."""
    return (chance.words(count) >> np.uint64(11)) / float(1 << 53)


def _shuffle_sort_cut(entrants: Entrants, rng: Stream) -> np.ndarray:
    rows = np.arange(len(entrants)) if entrants.playing is None else np.flatnonzero(entrants.playing)
    rows = rows[np.argsort(rng.words(len(rows)))]
    rows = rows[np.argsort(-entrants.points[rows], kind="stable")]
    return rows[: len(rows) // 2 * 2].reshape(-1, 2)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """No garbage is collected meanwhile, which would bill one for what another has left."""
    gc.disable()
    began = time.process_time()
    result = work()
    took = time.process_time() - began
    gc.enable()
    return result, 1e3 * took


def _peers(states: list[State], seconds: float) -> tuple[dict[str, float], dict[str, str]]:
    """Medians by peer, and why others have none. Each runs in a process of its own, which can be ended in mid-round."""
    found: dict[str, float] = {}
    skipped: dict[str, str] = {}
    for name in PEERS:
        _say(f"{name}, for {seconds:g} s at most")
        took: list[float] = []
        reason = None
        for one in _in_time(name, states, seconds):
            if isinstance(one, str):
                reason = one
            else:
                took.append(1e3 * one)
        if reason is None and len(took) == len(states):
            found[name] = round(median(took), 2)
        else:
            so_far = f", median {median(took):.1f} ms" if took else ""
            skipped[name] = reason or f"{len(took)} of {len(states)} rounds in {seconds:g} s{so_far}"
    return found, skipped


def _in_time(name: str, states: list[State], seconds: float) -> Iterator[float | str]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(name, states, theirs), daemon=True)
    process.start()
    theirs.close()
    deadline = time.monotonic() + seconds
    try:
        while ours.poll(max(deadline - time.monotonic(), 0)):
            yield ours.recv()
    except EOFError:
        pass  # it is done
    finally:
        process.terminate()
        process.join()


def _work(name: str, states: list[State], answers: Any) -> None:
    try:
        for seconds in PEERS[name](states):
            answers.send(seconds)
    except NotInstalled:
        answers.send("not installed")
    except Exception as error:  # whatever a peer stumbles over is told, not mended
        answers.send(f"{type(error).__name__}: {error}"[:200])
    answers.close()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201
