"""What standings are computed from: players, results, and an event's scoring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from config.errors import DomainError
from events.engine.metrics import check_metrics
from events.engine.outcomes import GameScore, Outcome

LARGEST_DENOMINATOR = 10**9
MOST_POINTS = 10**6
_SHARES = ("floor", "dropped_cap", "draw_share", "bye_opponent_value")


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    """A player of the stage. Dropped players stay: their results count for their opponents. ``lot`` is the place in
    the drawing of lots (``draw_lots``), ``seed`` a number given before the event."""

    id: int
    dropped: bool = False
    seed: int | None = None
    lot: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """One match. ``games`` are seen from ``a``; a match with one seat (bye, absence) has ``b`` None."""

    round: int
    a: int
    b: int | None
    outcome_a: Outcome
    outcome_b: Outcome | None = None
    games: GameScore = GameScore()

    def __post_init__(self) -> None:
        if (self.b is None) != self.outcome_a.is_alone:
            raise ValueError("a bye or an absence has one seat, every other outcome two")
        if (self.b is None) != (self.outcome_b is None):
            raise ValueError("each seat has one outcome")


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A seat of a table of several players. ``points`` are match points where the table gives others than the policy
    has for the outcome; ``victory_points`` and ``tournament_points`` are whatever the game counts by these names."""

    player: int
    outcome: Outcome
    points: int | None = None
    victory_points: Fraction = Fraction(0)
    tournament_points: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.outcome.is_alone:
            raise ValueError("a bye or an absence has one seat, a table several")
        for points in (self.points or 0, self.victory_points, self.tournament_points):
            if not 0 <= points <= MOST_POINTS:
                raise ValueError(f"points of a table are 0 to {MOST_POINTS}, not {points}")


@dataclass(frozen=True, slots=True)
class TableResult:
    """A game of two players or more. All of them are each other's opponents."""

    round: int
    seats: tuple[TableSeat, ...]

    def __post_init__(self) -> None:
        if len({seat.player for seat in self.seats}) != len(self.seats) or len(self.seats) < 2:
            raise ValueError("a table seats two players or more, each once")


@dataclass(frozen=True, slots=True)
class StandingsPolicy:
    """How an event scores and breaks ties.

    ``floor``: the least match-win and game-win percentage (0 = none). ``bye_games``: games a bye counts as won.
    ``byes_in_percentages``: whether a bye counts in the player's own percentages (MTR appendix C: yes).
    ``dropped_cap``: the most a dropped player's match-win percentage counts for opponents, or None.
    ``draw_share``: what part of a win a drawn match is in percentages; None: as many points as it gives.
    ``missed_rounds_count``: whether a round missed (``Outcome.ABSENT``) is one played and lost in percentages.
    ``bye_opponents`` of ``bye_opponent_value``: opponents that a bye adds to the opponents' match-win percentage.
    ``unplayed_rounds``: what they count in Buchholz scores: nothing, or the player's own points (``own_points``).
    ``forfeits_make_opponents``: whether who was there has met who was not.
    Raises DomainError ``standings.unknown_metric``, ``standings.duplicate_metric``, ``standings.out_of_range``.
    """

    metrics: tuple[str, ...] = ("match_points", "omw", "gw", "ogw")
    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3
    floor: Fraction = Fraction(1, 3)
    bye_games: int = 2
    byes_in_percentages: bool = True
    dropped_cap: Fraction | None = None
    game_win: int = 3
    game_draw: int = 1
    draw_share: Fraction | None = None
    missed_rounds_count: bool = True
    bye_opponents: int = 0
    bye_opponent_value: Fraction = Fraction(0)
    unplayed_rounds: Literal["nothing", "own_points"] = "nothing"
    forfeits_make_opponents: bool = True

    def __post_init__(self) -> None:
        check_metrics(self.metrics)
        counts = ("win", "draw", "loss", "bye", "bye_games", "game_win", "game_draw", "bye_opponents")
        for name in counts:
            if not 0 <= getattr(self, name) <= 1000:
                raise _out_of_range(name, getattr(self, name), "0 to 1000")
        for name in _SHARES:
            share: Fraction | None = getattr(self, name)
            if share is not None and not (0 <= share <= 1 and share.denominator <= LARGEST_DENOMINATOR):
                raise _out_of_range(name, share, "0 to 1, with at most nine decimals")
        if self.draw_share is not None and self.draw_share.denominator > 1000:
            raise _out_of_range("draw_share", self.draw_share, "0 to 1, with at most three decimals")

    def points(self, outcome: Outcome) -> int:
        """Match points of one outcome; nothing for an absence and for an unfinished match."""
        if outcome.is_bye:
            return self.bye
        if outcome.is_win:
            return self.win
        if outcome.is_draw:
            return self.draw
        return self.loss if outcome.is_loss else 0


def policy_of(rules: Mapping[str, Any]) -> StandingsPolicy:
    """The scoring of an event's rules, which are a policy's definition as it is stored.

    What ``rules["standings"]`` doesn't say is as the fields of StandingsPolicy have it.
    """
    said = {key: value for key, value in rules["standings"].items() if key != "cite" and value is not None}
    points = {name: rules["points"][name] for name in ("win", "draw", "loss", "bye")}
    shares = {name: Fraction(said.pop(name)) for name in _SHARES if name in said}
    options: dict[str, Any] = {**said, **points, **shares, "metrics": tuple(said["metrics"])}
    options.pop("preset", None)
    return StandingsPolicy(**options, bye_games=rules["match"]["best_of"] // 2 + 1)


def _out_of_range(name: str, value: object, allowed: str) -> DomainError:
    return DomainError(
        "standings.out_of_range",
        f"{name} is {value}; it can be {allowed}.",
        {"field": name, "value": str(value), "allowed": allowed},
    )


@dataclass(frozen=True, slots=True)
class Record:
    """Counts behind a row. ``byes`` are also in ``wins``; ``absences`` are in nothing else."""

    wins: int = 0
    losses: int = 0
    draws: int = 0
    byes: int = 0
    absences: int = 0
    game_wins: int = 0
    game_losses: int = 0
    game_draws: int = 0
    opponents: tuple[int, ...] = ()

    @property
    def played(self) -> int:
        return self.wins + self.losses + self.draws
