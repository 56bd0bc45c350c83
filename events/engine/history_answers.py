"""What is answered to a history file: the next round, or the standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cards.engine.streams import Stream
from events.engine.history_file import HistoryFile, Id
from events.engine.metrics import METRICS
from events.engine.pairing import Reason, pair_round
from events.engine.plan_check import PlanFault, verify_plan
from events.engine.standings import rank_table

PLAYER_FACTS = frozenset({"player", "opponent", "other"})
"""Facts of a reason whose value is a player."""


@dataclass(frozen=True)
class AnsweredPair:
    """``players``: the better score first. ``reasons`` each have a code, and facts beside it."""

    table: int
    players: tuple[Id, Id]
    reasons: list[dict[str, Any]]


@dataclass(frozen=True)
class AnsweredBye:
    player: Id
    reasons: list[dict[str, Any]]


@dataclass(frozen=True)
class Proof:
    """What was checked without the solver: ``faults`` is empty, and ``proved`` names the levels of the cost that
    cannot be less, each given those before it. ``certified``: the solver's bound is reached."""

    certified: bool
    proved: tuple[str, ...]
    faults: list[dict[str, Any]]


@dataclass(frozen=True)
class PairingAnswer:
    """A round. ``cost`` and ``lower_bound`` by level; ``seed`` and the file give the same round again."""

    round: int
    pairs: list[AnsweredPair]
    bye: AnsweredBye | None
    cost: dict[str, int]
    lower_bound: dict[str, int]
    proof: Proof
    seed: str


@dataclass(frozen=True)
class AnsweredPlace:
    """``values`` by metric as exact fractions, "7/12"; ``decided_by`` is the metric that puts the player below the one
    above, null for the first. ``shared_rank`` is the best rank of those whom only the lot parts."""

    rank: int
    shared_rank: int
    player: Id
    name: str
    values: dict[str, str]
    wins: int
    losses: int
    draws: int
    byes: int
    dropped: bool
    decided_by: str | None


@dataclass(frozen=True)
class AnsweredMetric:
    key: str
    name: str
    abbreviation: str
    definition: str
    source: str


@dataclass(frozen=True)
class StandingsAnswer:
    """``metrics`` in the order in which they decide."""

    rounds: int
    metrics: list[AnsweredMetric]
    places: list[AnsweredPlace]


def pair_next_round(file: HistoryFile) -> PairingAnswer:
    """The next round of a stage, best scores at the first tables."""
    entrants, history = file.state()
    number = file.rounds + 1
    plan = pair_round(entrants, history, file.options(), Stream(file.pairing.seed.encode(), f"pairing|{number}"))
    pairs = [(pair.a, pair.b) for pair in plan.pairs]
    check = verify_plan(entrants.single(), history.among(entrants), file.options(), plan, pairs)
    ids = file.ids
    return PairingAnswer(
        round=number,
        pairs=[
            AnsweredPair(table, (ids[pair.a], ids[pair.b]), _told(pair.reasons, ids))
            for table, pair in enumerate(plan.pairs, 1)
        ],
        bye=None if plan.bye is None else AnsweredBye(ids[plan.bye], _told(plan.bye_reasons, ids)),
        cost=plan.cost.as_json(),
        lower_bound=plan.lower_bound.as_json(),
        proof=Proof(plan.certified, check.proved, [_fault(fault) for fault in check.faults]),
        seed=file.pairing.seed,
    )


def rank_players(file: HistoryFile) -> StandingsAnswer:
    """The standings after every result of the file."""
    policy = file.policy()
    names = {player.id: player.name for player in file.players}
    ids = file.ids
    rows = rank_table(file.table(), policy).rows()
    return StandingsAnswer(
        rounds=file.rounds,
        metrics=[
            AnsweredMetric(metric.key, metric.name, metric.abbreviation, metric.definition, metric.source)
            for metric in (METRICS[key] for key in policy.metrics)
        ],
        places=[
            AnsweredPlace(
                row.rank,
                row.shared_rank,
                ids[row.player],
                names[ids[row.player]],
                {key: str(row.values[key]) for key in policy.metrics},
                row.record.wins,
                row.record.losses,
                row.record.draws,
                row.record.byes,
                row.dropped,
                row.decided_by,
            )
            for row in rows
        ],
    )


def _told(reasons: Sequence[Reason], ids: Sequence[Id]) -> list[dict[str, Any]]:
    return [
        {
            "code": reason.code,
            **{key: ids[int(value)] if key in PLAYER_FACTS else value for key, value in reason.facts.items()},
        }
        for reason in reasons
    ]


def _fault(fault: PlanFault) -> dict[str, Any]:
    return fault.as_json()
