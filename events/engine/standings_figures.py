"""Every tie-breaker of every player, exactly, a column at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from events.engine.outcomes import OUTCOMES, Outcome
from events.engine.standings_exact import Column, groups, mean, ratio, whole
from events.engine.standings_model import Record, StandingsPolicy
from events.engine.standings_table import NO_POINTS, Ints, ResultTable

MEAN_OF = {"omw": "counted", "ogw": "gw", "oomw": "omw", "sos": "per_round", "esos": "sos"}
"""Metrics that are the mean of another figure over the opponents met. ``counted`` is the match-win percentage as it
counts for opponents, ``per_round`` the match points by the rounds with a result."""
CUTS = {"opponents_points": (0, 0), "buchholz": (0, 0), "buchholz_cut_1": (1, 0), "buchholz_cut_2": (2, 0)}
CUTS["buchholz_median"] = (1, 1)
"""How many of the lowest and of the highest parts a sum over opponents leaves out."""


class Figures:
    """Columns by the key of the metric, each counted when it is first asked for."""

    def __init__(self, table: ResultTable, policy: StandingsPolicy) -> None:
        self.table = table.final()
        self.policy = policy
        self._columns: dict[str, Column] = {}

    def __getitem__(self, key: str) -> Column:
        if key not in self._columns:
            self._columns[key] = self._counted(key)
        return self._columns[key]

    def _counted(self, key: str) -> Column:
        if key in MEAN_OF:
            extra = None
            if key == "omw" and self.policy.bye_opponents:
                extra = (self.policy.bye_opponents * self.byes, self.policy.bye_opponent_value)
            return mean(self[MEAN_OF[key]], self.owners, self.opponents, extra=extra)
        if key in CUTS:
            return self._sum_over_opponents(key)
        return _COLUMNS[key](self)

    # -- counts, each an array by player ------------------------------------------------------------------------------

    @cached_property
    def outcomes(self) -> Ints:
        """How often each player has each outcome, by its code."""
        kinds = len(OUTCOMES)
        places = self.table.player * kinds + self.table.outcome
        return np.bincount(places, minlength=self.table.players * kinds).reshape(-1, kinds)

    def count(self, worth: Callable[[Outcome], int]) -> Ints:
        """The sum over a player's matches of what each outcome is worth."""
        found: Ints = self.outcomes @ self.table.outcomes_worth(worth)
        return found

    @cached_property
    def byes(self) -> Ints:
        return self.count(lambda outcome: outcome.is_bye)

    @cached_property
    def played(self) -> Ints:
        """Rounds of match-win percentages."""
        missed = self.policy.missed_rounds_count
        byes = self.policy.byes_in_percentages
        return self.count(
            lambda one: (
                (one.is_win or one.is_draw or one.is_loss or (missed and one is Outcome.ABSENT))
                and (byes or not one.is_bye)
            )
        )

    @cached_property
    def seat_points(self) -> Ints:
        """Match points by seat."""
        by_policy = self.table.outcomes_worth(self.policy.points)[self.table.outcome]
        given = self.table.points
        return by_policy if given is None else np.where(given == NO_POINTS, by_policy, given)

    @cached_property
    def points(self) -> Ints:
        if self.table.points is None:
            return self.count(self.policy.points)
        return self._by_player(self.seat_points)

    @cached_property
    def games(self) -> tuple[Ints, Ints, Ints]:
        """Games won, lost and drawn; a bye's are the policy's, whatever its seat says."""
        byes = np.flatnonzero(self.table.outcomes_worth(lambda outcome: outcome.is_bye)[self.table.outcome])
        won, lost, drawn = (
            self._by_player(column) - self._by_player(column, byes)
            for column in (self.table.wins, self.table.losses, self.table.draws)
        )
        return won + self.policy.bye_games * self.byes, lost, drawn

    def _by_player(self, numbers: Ints, rows: NDArray[np.int64] | None = None) -> Ints:
        players = self.table.player
        if rows is not None:
            players, numbers = players[rows], numbers[rows]
        # bincount adds in floats: exact below 2**53.
        return np.bincount(players, weights=numbers, minlength=self.table.players).astype(np.int64)

    # -- meetings -----------------------------------------------------------------------------------------------------

    @cached_property
    def meetings(self) -> tuple[Ints, Ints]:
        return self.table.meetings(self.policy)

    @cached_property
    def owners(self) -> Ints:
        """Who met ``opponents`` at the same place of the array."""
        return self.table.player[self.meetings[0]]

    @property
    def opponents(self) -> Ints:
        return self.meetings[1]

    @cached_property
    def unplayed(self) -> Ints:
        """Rounds of the event in which a player met nobody."""
        rounds = len(np.unique(self.table.round))
        seats = np.unique(self.meetings[0])
        met = np.bincount(self.table.player[seats], minlength=self.table.players)
        return np.maximum(rounds - met, 0)

    # -- columns ------------------------------------------------------------------------------------------------------

    def match_win(self, *, capped: bool) -> Column:
        policy = self.policy
        if policy.draw_share is None:
            points = self.points if policy.byes_in_percentages else self.points - policy.bye * self.byes
            parts, by = points, policy.win * self.played
        else:
            share = policy.draw_share
            byes = policy.byes_in_percentages
            wins = self.count(lambda outcome: outcome.is_win and (byes or not outcome.is_bye))
            draws = self.count(lambda outcome: outcome.is_draw)
            parts, by = share.denominator * wins + share.numerator * draws, share.denominator * self.played
        cap = (self.table.dropped, policy.dropped_cap) if capped and policy.dropped_cap is not None else None
        return ratio(parts, by, floor=policy.floor, cap=cap)

    def game_win(self) -> Column:
        policy = self.policy
        won, lost, drawn = self.games
        if not policy.byes_in_percentages:
            won = won - policy.bye_games * self.byes
        parts = policy.game_win * won + policy.game_draw * drawn
        return ratio(parts, policy.game_win * (won + lost + drawn), floor=policy.floor)

    def per_round(self) -> Column:
        rounds = self.count(lambda outcome: outcome.is_final)
        return ratio(self.points, rounds)

    def game_points(self) -> Column:
        won, _, drawn = self.games
        return whole(self.policy.game_win * won + self.policy.game_draw * drawn)

    def of_tables(self, numbers: Ints | None) -> Column:
        table = self.table
        return whole(np.zeros_like(table.ids) if numbers is None else self._by_player(numbers), table.unit)

    def parts(self, key: str) -> tuple[Ints, Ints, NDArray[np.bool_]]:
        """Owner and worth of every part of a sum over opponents, by owner and the lowest first, and whether it counts.

        Parts without an opponent come from unplayed rounds.
        """
        owners, worth = self.owners, self.points[self.opponents]
        if key != "opponents_points" and self.policy.unplayed_rounds == "own_points":
            alone = np.repeat(np.arange(self.table.players), self.unplayed)
            owners, worth = np.concatenate([owners, alone]), np.concatenate([worth, self.points[alone]])
        most = int(self.points.max(initial=0)) + 1
        sorted_parts = np.sort(owners * most + worth)
        owners, worth = np.divmod(sorted_parts, most)
        counts = np.bincount(owners, minlength=self.table.players)
        place = np.arange(len(owners)) - (np.cumsum(counts) - counts)[owners]
        low, high = CUTS[key]
        return owners, worth, (place >= low) & (place < counts[owners] - high)

    def _sum_over_opponents(self, key: str) -> Column:
        if key == "opponents_points" or (key == "buchholz" and self.policy.unplayed_rounds == "nothing"):
            sums = np.bincount(self.owners, weights=self.points[self.opponents], minlength=self.table.players)
            return whole(sums.astype(np.int64))
        owners, worth, counts = self.parts(key)
        sums = np.bincount(owners[counts], weights=worth[counts], minlength=self.table.players)
        return whole(sums.astype(np.int64))

    @cached_property
    def level(self) -> Ints:
        """The same number for those who are equal in every metric before the head-to-head."""
        before = self.policy.metrics[: self.policy.metrics.index("head_to_head")]
        return groups([self[key] for key in before], self.table.players)

    @cached_property
    def head_to_head_seats(self) -> Ints:
        """Seats of matches that count for it."""
        seats = self.meetings[0]
        seats = seats[self.table.opponent[seats] >= 0]
        players, opponents = self.table.player[seats], self.table.opponent[seats]
        among = self.level[players] == self.level[opponents]
        seats, players, opponents = seats[among], players[among], opponents[among]
        pairs = np.unique(players * self.table.players + opponents)
        met = np.bincount(pairs // max(self.table.players, 1), minlength=self.table.players)
        sizes = np.bincount(self.level)
        complete = np.ones(len(sizes), bool)
        complete[self.level[met != sizes[self.level] - 1]] = False
        counting: Ints = seats[complete[self.level[players]]]
        return counting

    def head_to_head(self) -> Column:
        return whole(self._by_player(self.seat_points, self.head_to_head_seats))

    # -- rows ---------------------------------------------------------------------------------------------------------

    def records(self) -> list[Record]:
        """By index of the player."""
        ids = self.table.ids
        in_order = np.lexsort((ids[self.opponents], self.table.round[self.meetings[0]], self.owners))
        opponents = ids[self.opponents[in_order]].tolist()
        ends = np.cumsum(np.bincount(self.owners, minlength=self.table.players)).tolist()
        counts = [
            self.count(lambda outcome: outcome.is_win),
            self.count(lambda outcome: outcome.is_loss),
            self.count(lambda outcome: outcome.is_draw),
            self.byes,
            self.count(lambda outcome: outcome is Outcome.ABSENT),
            *self.games,
        ]
        met = [tuple(opponents[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
        return [Record(*row) for row in zip(*(column.tolist() for column in counts), met, strict=True)]


_COLUMNS: dict[str, Callable[[Figures], Column]] = {
    "match_points": lambda figures: whole(figures.points),
    "mw": lambda figures: figures.match_win(capped=False),
    "counted": lambda figures: figures.match_win(capped=True),
    "gw": Figures.game_win,
    "per_round": Figures.per_round,
    "match_wins": lambda figures: whole(figures.count(lambda outcome: outcome.is_win)),
    "game_points": Figures.game_points,
    "victory_points": lambda figures: figures.of_tables(figures.table.victory),
    "tournament_points": lambda figures: figures.of_tables(figures.table.tournament),
    "head_to_head": Figures.head_to_head,
    "seed": lambda figures: whole(figures.table.seeds),
    "lot": lambda figures: whole(figures.table.lots),
}
