"""What standings are computed from: players, results, and an event's scoring."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from events.engine.metrics import metric
from events.engine.outcomes import GameScore, Outcome


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
        if (self.b is None) != (self.outcome_a.is_bye or self.outcome_a is Outcome.ABSENT):
            raise ValueError("a bye or an absence has one seat, every other outcome two")
        if (self.b is None) != (self.outcome_b is None):
            raise ValueError("each seat has one outcome")


@dataclass(frozen=True, slots=True)
class StandingsPolicy:
    """How an event scores and breaks ties.

    ``floor``: the least match-win and game-win percentage (0 = none). ``bye_games``: games a bye counts as won.
    ``byes_in_percentages``: whether a bye counts in the player's own percentages (MTR appendix C: yes).
    ``dropped_cap``: the most a dropped player's match-win percentage counts for opponents, or None.
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

    def __post_init__(self) -> None:
        for key in self.metrics:
            metric(key)

    def points(self, outcome: Outcome) -> int:
        """Match points of one outcome; nothing for an absence and for an unfinished match."""
        if outcome.is_bye:
            return self.bye
        if outcome.is_win:
            return self.win
        if outcome.is_draw:
            return self.draw
        return self.loss if outcome.is_loss else 0


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


@dataclass(slots=True)
class Tally:
    """Running counts of one player; ``opponents`` are (round, opponent)."""

    points: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    byes: int = 0
    absences: int = 0
    game_wins: int = 0
    game_losses: int = 0
    game_draws: int = 0
    opponents: list[tuple[int, int]] = field(default_factory=list)

    def add(self, outcome: Outcome, games: GameScore, points: int) -> None:
        self.points += points
        self.wins += outcome.is_win
        self.losses += outcome.is_loss
        self.draws += outcome.is_draw
        self.byes += outcome.is_bye
        self.absences += outcome is Outcome.ABSENT
        self.game_wins += games.wins
        self.game_losses += games.losses
        self.game_draws += games.draws

    def record(self) -> Record:
        return Record(
            self.wins,
            self.losses,
            self.draws,
            self.byes,
            self.absences,
            self.game_wins,
            self.game_losses,
            self.game_draws,
            tuple(opponent for _, opponent in sorted(self.opponents)),
        )
