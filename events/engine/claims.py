"""Two players' words about one match, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from events.engine.outcomes import GameScore, Outcome


class ClaimState(StrEnum):
    NONE = "none"
    REPORTED = "reported"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Claim:
    """What ``player`` says about the match, seen from seat A whoever says it. ``seq`` orders the claims."""

    player: int
    seq: int
    outcome_a: Outcome
    games: GameScore = GameScore()

    @property
    def result(self) -> tuple[Outcome, GameScore]:
        return self.outcome_a, self.games


@dataclass(frozen=True, slots=True)
class Agreement:
    """``outcome_a`` and ``games`` are set when reported or confirmed, not in a dispute. ``players`` have spoken."""

    state: ClaimState
    outcome_a: Outcome | None = None
    games: GameScore | None = None
    players: tuple[int, ...] = ()


def agree(claims: Iterable[Claim]) -> Agreement:
    """The last word of each player counts: one is a report, two equal ones confirm it, two different ones dispute.

    Nobody confirms himself: any number of claims by one player is one report. Who may claim is not decided here.
    Raises ``ValueError`` when more than two players claim.
    """
    latest: dict[int, Claim] = {}
    for claim in sorted(claims, key=lambda claim: claim.seq):
        latest[claim.player] = claim
    players = tuple(sorted(latest))
    if len(players) > 2:
        raise ValueError("a duel has two players")
    if not players:
        return Agreement(ClaimState.NONE)
    results = {claim.result for claim in latest.values()}
    if len(results) > 1:
        return Agreement(ClaimState.DISPUTED, players=players)
    outcome_a, games = results.pop()
    state = ClaimState.CONFIRMED if len(players) == 2 else ClaimState.REPORTED
    return Agreement(state, outcome_a, games, players)
