"""What a match can come to, and which game scores can exist."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from config.errors import DomainError


class Outcome(StrEnum):
    """One player's side of a match. The set is closed: whatever happens at a table is one of these."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"
    INTENTIONAL_DRAW = "intentional_draw"
    BYE = "bye"
    ASSIGNED_BYE = "assigned_bye"
    FORFEIT_WIN = "forfeit_win"
    FORFEIT_LOSS = "forfeit_loss"
    DOUBLE_LOSS = "double_loss"
    ABSENT = "absent"
    UNFINISHED = "unfinished"

    @property
    def is_win(self) -> bool:
        """Scores as a won match; byes do."""
        return self in _WINS

    @property
    def is_draw(self) -> bool:
        return self in _DRAWS

    @property
    def is_loss(self) -> bool:
        return self in _LOSSES

    @property
    def is_bye(self) -> bool:
        """A match with one seat: it never makes an opponent."""
        return self in _BYES

    @property
    def is_forfeit(self) -> bool:
        """Decided without playing, because somebody wasn't there."""
        return self in (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS)

    @property
    def is_alone(self) -> bool:
        """A match with one seat."""
        return self.is_bye or self is Outcome.ABSENT

    @property
    def is_final(self) -> bool:
        """An unfinished match holds the round open; everything else lets it close."""
        return self is not Outcome.UNFINISHED

    @property
    def opposite(self) -> Outcome:
        """The other seat's outcome. Raises ``ValueError`` for outcomes of a match with one seat."""
        try:
            return _OPPOSITES[self]
        except KeyError:
            raise ValueError(f"{self} belongs to a match with one seat") from None


_WINS = frozenset({Outcome.WIN, Outcome.BYE, Outcome.ASSIGNED_BYE, Outcome.FORFEIT_WIN})
_DRAWS = frozenset({Outcome.DRAW, Outcome.INTENTIONAL_DRAW})
_LOSSES = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS, Outcome.DOUBLE_LOSS})
_BYES = frozenset({Outcome.BYE, Outcome.ASSIGNED_BYE})
_OPPOSITES = {
    Outcome.WIN: Outcome.LOSS,
    Outcome.LOSS: Outcome.WIN,
    Outcome.DRAW: Outcome.DRAW,
    Outcome.INTENTIONAL_DRAW: Outcome.INTENTIONAL_DRAW,
    Outcome.FORFEIT_WIN: Outcome.FORFEIT_LOSS,
    Outcome.FORFEIT_LOSS: Outcome.FORFEIT_WIN,
    Outcome.DOUBLE_LOSS: Outcome.DOUBLE_LOSS,
    Outcome.UNFINISHED: Outcome.UNFINISHED,
}
OUTCOMES = tuple(Outcome)
"""An outcome's code in tables of results is its place here."""


@dataclass(frozen=True, slots=True)
class GameScore:
    """Games won, lost and drawn, seen from one seat."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def reversed(self) -> GameScore:
        return GameScore(self.losses, self.wins, self.draws)

    def __str__(self) -> str:
        return f"{self.wins}-{self.losses}-{self.draws}" if self.draws else f"{self.wins}-{self.losses}"


def games_to_win(best_of: int) -> int:
    """Games that win a match. Raises ``ValueError`` unless ``best_of`` is odd and positive."""
    if best_of < 1 or best_of % 2 == 0:
        raise ValueError(f"best_of is odd and positive, not {best_of}")
    return best_of // 2 + 1


def validate_score(
    wins_a: int,
    wins_b: int,
    draws: int,
    best_of: int,
    *,
    at_time: bool = False,
    elimination: bool = False,
) -> GameScore:
    """The score as seat A sees it, if such a match can exist.

    A drawn game is played again, so draws are limited only to ``best_of`` (a slip of the finger guard of our own).
    A match that nobody has won counts only when the time ran out (``at_time``), and never without a leader in
    elimination. Raises DomainError ``score.negative``, ``score.too_many_wins``, ``score.two_winners``,
    ``score.too_many_draws``, ``score.not_finished``, ``score.elimination_needs_winner``.
    """
    need = games_to_win(best_of)
    context = {"wins_a": wins_a, "wins_b": wins_b, "draws": draws, "best_of": best_of, "games_to_win": need}
    shown = f"{wins_a}-{wins_b}" + (f"-{draws}" if draws else "")
    if min(wins_a, wins_b, draws) < 0:
        raise DomainError("score.negative", f"{shown} has a negative number: games are counted from 0.", context)
    if wins_a >= need and wins_b >= need:
        raise DomainError(
            "score.two_winners",
            f"{shown} would have two winners: in best of {best_of} the match ends at {need} won games. "
            f"Enter the loser's games as at most {need - 1}.",
            context,
        )
    if max(wins_a, wins_b) > need:
        raise DomainError(
            "score.too_many_wins",
            f"{shown} goes on after the match was won: in best of {best_of} it ends at {need} won games. "
            f"Enter {need} for the winner.",
            context,
        )
    if draws > best_of:
        raise DomainError(
            "score.too_many_draws",
            f"{shown} has more drawn games than a best of {best_of} can plausibly hold. Check the third number.",
            context,
        )
    if max(wins_a, wins_b) < need:
        if elimination and wins_a == wins_b:
            raise DomainError(
                "score.elimination_needs_winner",
                f"{shown} has no winner, and somebody must go on to the next round. Staff decide it by the event's "
                "rule for time in elimination, and enter who goes on and how that was decided.",
                context,
            )
        if not at_time:
            raise DomainError(
                "score.not_finished",
                f"{shown} does not finish a best of {best_of}: {need} won games do. If the time ran out, enter it as "
                "ended at time; if the players agreed to draw, enter an intentional draw.",
                context,
            )
    return GameScore(wins_a, wins_b, draws)


def outcome_of(
    score: GameScore,
    best_of: int,
    *,
    at_time: bool = False,
    elimination: bool = False,
    leader_wins_at_time: bool = True,
) -> tuple[Outcome, Outcome]:
    """Outcomes of seats A and B for a score from A's view; refuses what ``validate_score`` refuses.

    ``leader_wins_at_time`` (policy): 1-0 at time is a win for the leader; otherwise it is a draw, except in
    elimination, where the leader always goes on.
    """
    validate_score(score.wins, score.losses, score.draws, best_of, at_time=at_time, elimination=elimination)
    finished = max(score.wins, score.losses) == games_to_win(best_of)
    if score.wins == score.losses or not (finished or leader_wins_at_time or elimination):
        return Outcome.DRAW, Outcome.DRAW
    return (Outcome.WIN, Outcome.LOSS) if score.wins > score.losses else (Outcome.LOSS, Outcome.WIN)


def check_outcome_allowed(outcome: Outcome, *, elimination: bool, draws: bool = True) -> None:
    """Refuses draws where a winner must come out. Raises DomainError ``outcome.elimination_needs_winner`` or
    ``outcome.draws_not_allowed``."""
    if not outcome.is_draw:
        return
    if elimination:
        raise DomainError(
            "outcome.elimination_needs_winner",
            "A match in elimination cannot be drawn: somebody must go on. Enter a winner and the reason.",
            {"outcome": str(outcome)},
        )
    if not draws:
        raise DomainError(
            "outcome.draws_not_allowed",
            "This event has no drawn matches. Enter a winner, or a double loss.",
            {"outcome": str(outcome)},
        )
