"""A match game by game: who begins, whose extra turn it is, and the result that the games come to.

Only what the event's policy says decides; where it says nothing, neither does this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cards.engine.streams import Stream
from events.engine.outcomes import GameScore, games_to_win
from events.engine.pairing_model import Reason
from events.engine.playdraw import FirstChoice, playdraw


class Ending(StrEnum):
    """How a game came to its end. The winner of a conceded one is who did not concede."""

    WON = "won"
    CONCEDED = "conceded"
    DRAWN = "drawn"
    UNFINISHED = "unfinished"

    @property
    def has_winner(self) -> bool:
        return self in (Ending.WON, Ending.CONCEDED)


@dataclass(frozen=True, slots=True)
class PlayRules:
    """What a policy says about the games of a match, None where it says nothing. The values are the policy's words."""

    first_turn: str | None = None
    next_first_turn: str | None = None
    after_drawn_game: str | None = None
    unfinished_game: str | None = None
    unfinished_in_elimination: str | None = None
    concession: str | None = None
    prize_concession: str | None = None
    agreed_draws: bool | None = None
    players_report: bool = True
    cite: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, rules: Mapping[str, Any]) -> PlayRules:
        """Of an event's ``rules``; those of an event from before policies spoke of games say nothing."""
        return cls(**rules.get("play") or {})


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """``winner`` is a player, None for a game without one. ``after_time``: it ended when time had been called."""

    ending: Ending
    winner: int | None = None
    after_time: bool = False


@dataclass(frozen=True, slots=True)
class FirstTurn:
    """Who begins the next game. ``first`` is known where lots decided it, ``chooser`` where somebody chooses; both are
    None where the policy names no rule, and ``reason`` too. ``rule`` is the key of the policy that decides."""

    first: int | None = None
    chooser: int | None = None
    reason: Reason | None = None
    rule: str = ""


class Why(StrEnum):
    """Why a result is proposed, or why none can be."""

    GAMES = "games"
    TIME = "time"
    UNFINISHED_DRAWN = "unfinished_drawn"
    UNFINISHED_NOT_COUNTED = "unfinished_not_counted"
    POLICY_SILENT = "policy_silent"
    WINNER_NEEDED = "winner_needed"
    OPEN_GAME_DECIDES = "open_game_decides"


@dataclass(frozen=True, slots=True)
class Proposal:
    """``score`` is seen from the first player, None where the games alone don't make a result. ``rule`` as above."""

    why: Why
    score: GameScore | None = None
    rule: str = ""


def tally(players: tuple[int, int], games: Sequence[PlayedGame], rules: PlayRules) -> GameScore:
    """Games won, lost and drawn, seen from the first player. One that time left open counts as the policy says."""
    wins = [sum(game.winner == player for game in games) for player in players]
    drawn = sum(
        game.ending is Ending.DRAWN or (game.ending is Ending.UNFINISHED and rules.unfinished_game == "drawn")
        for game in games
    )
    return GameScore(wins[0], wins[1], drawn)


def first_turn(
    players: tuple[int, int], games: Sequence[PlayedGame], rules: PlayRules, *, lots: Callable[[int], Stream]
) -> FirstTurn:
    """Who begins the game after ``games``, or who says so. ``lots`` gives the stream of a game's number
    (``fairness.choice_label``); only a game that lots decide asks for it."""
    winners = [game.winner for game in games]
    if games and winners[-1] is None and rules.after_drawn_game is None:
        return FirstTurn()
    if any(winner is not None for winner in winners):
        if rules.next_first_turn is None:
            return FirstTurn()
        choice = playdraw(FirstChoice.LOT, players, winners, rng=lots(1))
        rule = "after_drawn_game" if winners[-1] is None else "next_first_turn"
        return FirstTurn(chooser=choice.player, reason=choice.reason, rule=rule)
    if rules.first_turn is None:
        return FirstTurn()
    choice = playdraw(FirstChoice.LOT, players, rng=lots(len(games) + 1))
    rule = "after_drawn_game" if games else "first_turn"
    if rules.first_turn == "lot":
        return FirstTurn(first=choice.player, reason=choice.reason, rule=rule)
    return FirstTurn(chooser=choice.player, reason=choice.reason, rule=rule)


def turn_of(players: tuple[int, int], finished_by: int, turns: int) -> int:
    """Whose extra turn is being played once ``turns`` of them are over. ``finished_by`` took the turn that was under
    way when time was called; after it the players alternate."""
    first, second = players
    other = second if finished_by == first else first
    return other if turns % 2 == 0 else finished_by


def proposal(
    players: tuple[int, int],
    games: Sequence[PlayedGame],
    rules: PlayRules,
    *,
    best_of: int,
    at_time: bool,
    turns_over: bool,
    elimination: bool,
) -> Proposal | None:
    """The result that the games make, once they do: the match is won, or its time is over. None while it is played.

    ``turns_over``: the extra turns are, too. A game that ended after time leaves none open. Without a game written
    down nobody knows the score, so that only the rule is named.
    """
    score = tally(players, games, rules)
    if max(score.wins, score.losses) >= games_to_win(best_of):
        return Proposal(Why.GAMES, score)
    if not at_time:
        return None
    if games and games[-1].after_time:
        return _as_it_stands(score, Why.TIME, "", elimination)
    if not turns_over:
        return None
    if elimination and rules.unfinished_in_elimination is not None:
        return Proposal(Why.OPEN_GAME_DECIDES, rule="unfinished_in_elimination")
    if rules.unfinished_game is None:
        return Proposal(Why.POLICY_SILENT)
    drawn = rules.unfinished_game == "drawn"
    why = Why.UNFINISHED_DRAWN if drawn else Why.UNFINISHED_NOT_COUNTED
    if not games:
        return Proposal(Why.WINNER_NEEDED if elimination else why, rule="unfinished_game")
    with_open = GameScore(score.wins, score.losses, score.draws + drawn)
    return _as_it_stands(with_open, why, "unfinished_game", elimination)


def _as_it_stands(score: GameScore, why: Why, rule: str, elimination: bool) -> Proposal:
    if elimination and score.wins == score.losses:
        return Proposal(Why.WINNER_NEEDED, rule=rule)
    return Proposal(why, score, rule)
