"""How a match of elimination is decided: by one of its two players, and for a reason that is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from config.errors import Conflict, DomainError
from events.engine.brackets import BracketMatch
from events.engine.outcomes import GameScore, games_to_win

Players = tuple[int, int]


class DecidedBy(StrEnum):
    """Why the winner goes on. The set is closed. The first two follow from the games, the others are said by staff,
    the last two by the engine for players who left."""

    GAMES = "games"
    AHEAD_AT_TIME = "ahead_at_time"
    PLAY_OFF = "play_off"
    HIGHER_SEED = "higher_seed"
    CONCESSION = "concession"
    NO_SHOW = "no_show"
    DISQUALIFICATION = "disqualification"
    JUDGE = "judge"
    OPPONENT_LEFT = "opponent_left"
    BOTH_LEFT = "both_left"


_KNOWN: frozenset[str] = frozenset(DecidedBy)
_BY_SCORE = frozenset({DecidedBy.GAMES, DecidedBy.AHEAD_AT_TIME})
_BY_ENGINE = frozenset({DecidedBy.OPPONENT_LEFT, DecidedBy.BOTH_LEFT})
SAID_BY_STAFF = tuple(reason for reason in DecidedBy if reason not in _BY_SCORE | _BY_ENGINE)


@dataclass(frozen=True, slots=True)
class Decision:
    winner: int
    by: DecidedBy


def decide(
    players: Players,
    *,
    score: GameScore | None = None,
    best_of: int = 3,
    winner: int | None = None,
    by: str | None = None,
    known: Decision | None = None,
) -> Decision:
    """The decision of a match between ``players``; ``score`` is seen from the first of them.

    A score with a leader decides by itself. Without one (1-1 at time, no games) a winner and a reason have to be
    named: a draw is not possible here. ``known`` is what was decided before: asking again for the same changes
    nothing. Raises DomainError ``bracket.winner_needed``, ``bracket.not_in_match``, ``bracket.reason_needed``,
    ``bracket.reason_contradicts_score``; Conflict ``bracket.already_decided`` for another answer than the known one.
    """
    by_score = _by_score(players, score, best_of)
    if winner is None and by is None and by_score is not None:
        decision = by_score
    else:
        decision = _said(players, winner, by, by_score)
    if known is not None and known != decision:
        raise Conflict(
            "bracket.already_decided",
            "This match is decided already. Correct its result if it is wrong.",
            {"winner": known.winner, "by": str(known.by)},
        )
    return decision


def walkover(players: Players, gone: Sequence[int]) -> Decision | None:
    """The decision of a match when one of its players has left: after the cut nobody moves up, the opponent goes on.

    ``gone`` is in the order of leaving. When both have left, whoever was there longer keeps the place on paper until a
    present opponent takes it: so a walkover stands when its winner leaves later.
    """
    left = sorted((player for player in players if player in gone), key=gone.index)
    if not left:
        return None
    first, second = players
    winner = left[1] if len(left) == 2 else (second if left == [first] else first)
    return Decision(winner, DecidedBy.BOTH_LEFT if len(left) == 2 else DecidedBy.OPPONENT_LEFT)


def walkovers(
    matches: Sequence[BracketMatch], decided: Mapping[int, Decision], gone: Sequence[int]
) -> dict[int, Decision]:
    """Decisions by slot of a round of single elimination: those made, and those that follow from players ``gone``."""
    found = dict(decided)
    for match in matches:
        if match.b is not None and match.slot not in found:
            without_play = walkover((match.a, match.b), gone)
            if without_play is not None:
                found[match.slot] = without_play
    return found


def _by_score(players: Players, score: GameScore | None, best_of: int) -> Decision | None:
    if score is None or score.wins == score.losses:
        return None
    finished = max(score.wins, score.losses) >= games_to_win(best_of)
    leader = players[0] if score.wins > score.losses else players[1]
    return Decision(leader, DecidedBy.GAMES if finished else DecidedBy.AHEAD_AT_TIME)


def _said(players: Players, winner: int | None, by: str | None, by_score: Decision | None) -> Decision:
    reasons = [str(reason) for reason in SAID_BY_STAFF]
    if winner is None:
        raise DomainError(
            "bracket.winner_needed",
            "A match of elimination cannot end in a draw: somebody has to go on. Name the winner and how that was "
            "decided, by a play-off for example.",
            {"players": list(players), "reasons": reasons},
        )
    if winner not in players:
        raise DomainError(
            "bracket.not_in_match",
            "The winner of a match is one of its two players. Enter one of them.",
            {"players": list(players), "winner": winner},
        )
    if by is None or by not in _KNOWN:
        raise DomainError(
            "bracket.reason_needed",
            "Say how the winner was decided, so that everybody can see why this player goes on.",
            {"winner": winner, "reasons": reasons, "given": by},
        )
    decision = Decision(winner, DecidedBy(by))
    if decision.by in _BY_SCORE and decision != by_score:
        raise DomainError(
            "bracket.reason_contradicts_score",
            "The games do not make this player the winner. Correct the score, or name another reason.",
            {"winner": winner, "given": by, "reasons": reasons},
        )
    return decision
