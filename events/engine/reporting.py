"""Which results a match can be reported with."""

from __future__ import annotations

from config.errors import DomainError
from events.engine.outcomes import GameScore, games_to_win, outcome_of


def reportable_scores(
    best_of: int, *, at_time: bool = False, elimination: bool = False, draws: bool = True
) -> tuple[GameScore, ...]:
    """Every score without drawn games that ``outcome_of`` accepts now, seen from one seat: wins first, the clearest in
    front, then drawn matches (left out when the event has none), then losses.

    Before time that is 2-0, 2-1, 1-2 and 0-2 in best of 3; at time 1-0, 1-1, 0-0 and 0-1 too.
    """
    need = games_to_win(best_of)
    found = []
    for wins in range(need + 1):
        for losses in range(need + 1):
            score = GameScore(wins, losses)
            try:
                outcome, _ = outcome_of(score, best_of, at_time=at_time, elimination=elimination)
            except DomainError:
                continue
            if draws or not outcome.is_draw:
                found.append(score)
    return tuple(sorted(found, key=lambda score: (-_sign(score), -abs(score.wins - score.losses), -score.wins)))


def _sign(score: GameScore) -> int:
    return (score.wins > score.losses) - (score.wins < score.losses)
