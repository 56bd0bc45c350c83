"""Other ways to pair a Swiss round, each timed on the states of one event."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np


class NotInstalled(Exception):  # noqa: N818 - not an error: the peer is left out
    pass


@dataclass(frozen=True, slots=True)
class State:
    """Before a round, by row: who plays, with which points, byes and opponents (rows, -1 for none). And how it then
    went: pairs of rows, the bye, 1, 0 or -1 for the first of each pair."""

    points: np.ndarray
    byes: np.ndarray
    playing: np.ndarray
    opponents: np.ndarray
    seating: np.ndarray
    bye: int | None
    won: np.ndarray


Peer = Callable[[list[State]], Iterator[float]]
"""Seconds of each round in turn."""


def _seconds(work: Callable[[], Any]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise NotInstalled from error


def _swisspair(states: list[State]) -> Iterator[float]:
    """Takes points, rank and whom one can't be paired against; no rematch is allowed to it, nor a second bye."""
    module = _module("swisspair")
    for state in states:
        rows = np.flatnonzero(state.playing)
        rows = rows[np.argsort(-state.points[rows], kind="stable")]
        there = set(rows.tolist())
        players = [
            module.Player(
                str(row),
                int(state.points[row]),
                rank,
                can_get_bye=not state.byes[row],
                cannot_be_paired_against_ids={str(one) for one in set(state.opponents[row].tolist()) & there},
            )
            for rank, row in enumerate(rows.tolist(), start=1)
        ]
        yield _seconds(lambda: module.create_matches(players))  # noqa: B023


def _cardarena(states: list[State]) -> Iterator[float]:
    """Takes no states: after each round that it pairs it is told ours, with our results."""
    module = _module("cardarena_tournament_core")
    entrants = [module.Player(str(row), str(row)) for row in range(len(states[0].points))]
    swiss = module.Swiss(entrants)
    outcome = {
        1: module.MatchupOutcome.PLAYER1_WINS,
        0: module.MatchupOutcome.DRAW,
        -1: module.MatchupOutcome.PLAYER2_WINS,
    }
    there = np.ones(len(entrants), np.bool_)
    for number, state in enumerate(states, start=1):
        for row in np.flatnonzero(there & ~state.playing).tolist():
            swiss.remove_active_participant(str(row))
        there = state.playing
        yield _seconds(swiss.pair)
        matchups = [
            module.Matchup(entrants[a], entrants[b], outcome[won])
            for (a, b), won in zip(state.seating.tolist(), state.won.tolist(), strict=True)
        ]
        if state.bye is not None:
            matchups.append(module.Matchup(entrants[state.bye], None))
        swiss.submit_results(module.Round(number, matchups))


def _complete_matching(states: list[State]) -> Iterator[float]:
    """One blossom over all pairs that have not met, least sum of squared gaps; the bye is taken out beforehand."""
    module = _module("rustworkx")
    for state in states:
        rows = state.seating.ravel()
        place = np.full(len(state.points) + 1, -1)
        place[rows] = np.arange(len(rows))
        met = place[state.opponents[rows]]
        points = state.points[rows]

        def pair() -> None:
            fresh = np.ones((len(rows), len(rows)), np.bool_)  # noqa: B023
            fresh[np.nonzero(met >= 0)[0], met[met >= 0]] = False  # noqa: B023
            a, b = np.nonzero(np.triu(fresh, 1))
            gaps = (points[a] - points[b]) ** 2  # noqa: B023
            graph = module.PyGraph(multigraph=False)
            graph.add_nodes_from(range(len(rows)))  # noqa: B023
            graph.add_edges_from(list(zip(a.tolist(), b.tolist(), (gaps.max() - gaps).tolist(), strict=True)))
            module.max_weight_matching(graph, max_cardinality=True, weight_fn=int)

        yield _seconds(pair)


PEERS: dict[str, Peer] = {
    "swisspair": _swisspair,
    "cardarena-tournament-core": _cardarena,
    "rustworkx, complete graph": _complete_matching,
}
