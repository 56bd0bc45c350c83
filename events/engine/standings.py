"""Standings from results: exact fractions, a total order, and the reason of every place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cards.engine.streams import Stream
from events.engine.metrics import METRICS, Metric
from events.engine.standings_exact import Column, Whole, differs
from events.engine.standings_figures import Figures
from events.engine.standings_model import (
    PlayerEntry,
    Record,
    Result,
    StandingsPolicy,
    TableResult,
    TableSeat,
    policy_of,
)
from events.engine.standings_table import ResultTable

__all__ = [
    "METRICS",
    "Comparison",
    "Metric",
    "PlayerEntry",
    "Ranking",
    "Record",
    "Result",
    "ResultTable",
    "StandingRow",
    "StandingsPolicy",
    "TableResult",
    "TableSeat",
    "draw_lots",
    "policy_of",
    "rank_table",
    "standings",
    "why_above",
]


class Values(Mapping[str, Fraction]):
    """Figures of one player by the key of the metric. A fraction is made when it is asked for."""

    __slots__ = ("_columns", "_index")

    def __init__(self, columns: Mapping[str, Column], index: int) -> None:
        self._columns = columns
        self._index = index

    def __getitem__(self, key: str) -> Fraction:
        return self._columns[key][self._index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True, slots=True)
class StandingRow:
    """``rank`` is a total order from 1; ``shared_rank`` is the best rank of those equal in every metric but the lot.
    ``values`` has the metrics in their order, then the lot, and match points even where they order nothing.
    ``decided_by`` is the metric that puts this row below the one above (None for the first)."""

    player: int
    rank: int
    shared_rank: int
    values: Mapping[str, Fraction]
    record: Record
    dropped: bool = False
    decided_by: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Why ``above`` stands over ``below``: ``equal`` metrics were tied, ``decided_by`` was not."""

    above: int
    below: int
    equal: tuple[str, ...]
    decided_by: str
    above_value: Fraction
    below_value: Fraction
    ranks: tuple[int, int]

    def as_json(self) -> dict[str, object]:
        return {
            "above": self.above,
            "below": self.below,
            "equal": list(self.equal),
            "decided_by": self.decided_by,
            "above_value": str(self.above_value),
            "below_value": str(self.below_value),
            "ranks": list(self.ranks),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The order of a table of results.

    ``order`` has the index of every player, the first first. ``decided_by`` has, by place, where in ``keys`` the metric
    stands that puts the player below the one above; the lot is the last of ``keys``.
    """

    figures: Figures
    keys: tuple[str, ...]
    order: NDArray[np.intp]
    decided_by: Whole

    def rows(self) -> list[StandingRow]:
        """From first to last."""
        table = self.figures.table
        columns = {key: self.figures[key] for key in dict.fromkeys((*self.keys, "match_points"))}
        records = self.figures.records()
        ids, dropped = table.ids.tolist(), table.dropped.tolist()
        rows: list[StandingRow] = []
        shared_rank = 1
        for rank, (index, decider) in enumerate(zip(self.order.tolist(), self.decided_by.tolist(), strict=True), 1):
            decided_by = self.keys[decider] if rank > 1 else None
            if decided_by != "lot":
                shared_rank = rank
            rows.append(
                StandingRow(
                    player=ids[index],
                    rank=rank,
                    shared_rank=shared_rank,
                    values=Values(columns, index),
                    record=records[index],
                    dropped=dropped[index],
                    decided_by=decided_by,
                )
            )
        return rows


def draw_lots(ids: Iterable[int], rng: Stream) -> dict[int, int]:
    """Place of each player in the drawing of lots, from 1; depends on the stream and the set of ids only."""
    return {player: place for place, player in enumerate(rng.shuffled(sorted(ids)), start=1)}


def draw_late_lot(starters: int, rng: Stream) -> int:
    """The lot of somebody who comes in after ``starters`` players drew theirs: one of as many, behind who drew it."""
    return rng.below(starters) + 1


def standings(
    players: Iterable[PlayerEntry], results: Iterable[Result | TableResult], policy: StandingsPolicy
) -> list[StandingRow]:
    """Rows from first to last. Unfinished matches count for nothing and make no opponents yet.

    Ties left by the policy's metrics are broken by the lot, then by id, so that the order is total. Raises
    ``ValueError`` for a result of somebody who is not a player.
    """
    return rank_table(ResultTable.of(players, results), policy).rows()


def rank_table(table: ResultTable, policy: StandingsPolicy) -> Ranking:
    """``standings`` for many players: columns in, an order out, and no object for a player or a match."""
    figures = Figures(table, policy)
    keys = (*(key for key in policy.metrics if key != "lot"), "lot")
    by_metric = [_sort_keys(figures[key], METRICS[key]) for key in keys]
    order = np.lexsort([table.ids, *(key for metric in reversed(by_metric) for key in reversed(metric))])
    decided_by = np.full(len(order), len(keys) - 1)
    for place in range(len(keys) - 2, -1, -1):
        decided_by[differs(by_metric[place], order)] = place
    return Ranking(figures, keys, order, decided_by)


def _sort_keys(column: Column, metric: Metric) -> list[Whole]:
    return [-key for key in column.keys] if metric.descending else column.keys


def why_above(rows: Sequence[StandingRow], a: int, b: int) -> Comparison:
    """Compare two players of finished standings, whichever is above. Raises ``ValueError`` for an unknown one."""
    by_player = {row.player: row for row in rows}
    if a == b or a not in by_player or b not in by_player:
        raise ValueError(f"{a} and {b} are not two players of these standings")
    above, below = sorted((by_player[a], by_player[b]), key=lambda row: row.rank)
    keys = list(above.values)
    keys = keys[: keys.index("lot") + 1]
    decided_by = next((key for key in keys if above.values[key] != below.values[key]), "lot")
    return Comparison(
        above.player,
        below.player,
        tuple(keys[: keys.index(decided_by)]),
        decided_by,
        above.values[decided_by],
        below.values[decided_by],
        (above.rank, below.rank),
    )
