"""Who chooses whether to play first or to draw, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from cards.engine.streams import Stream
from events.engine.pairing_model import Reason


class FirstChoice(StrEnum):
    """Who chooses before the first game: by lot, the better seed (after a cut), or home (in a round robin)."""

    LOT = "lot"
    HIGHER_SEED = "higher_seed"
    HOME = "home"


@dataclass(frozen=True, slots=True)
class Choice:
    player: int
    reason: Reason


def playdraw(
    policy: FirstChoice,
    players: tuple[int, int],
    games: Sequence[int | None] = (),
    *,
    seeds: tuple[int | None, int | None] = (None, None),
    rng: Stream,
) -> Choice:
    """Who chooses before the game after ``games``, whose winners are given in order, None for a drawn one.

    Before the first game as ``policy`` says (house setting); players without seeds, or with the same, draw lots; home
    is the first player. Before every other the loser of the game before chooses, and after a drawn game who chose
    before it. Reasons: ``chosen_by_lot``, ``higher_seed``, ``home``, ``lost_previous_game``, ``previous_game_drawn``.
    Only the lot uses ``rng``, from ``fairness.choice_label``, so asking again gives the same. Raises ``ValueError``
    for a winner who is none of the players.
    """
    if strangers := set(games) - {*players, None}:
        raise ValueError(f"{strangers} won a game of {players}")
    choice = _first(policy, players, seeds, rng)
    for number, winner in enumerate(games, 1):
        if winner is None:
            choice = Choice(choice.player, Reason("previous_game_drawn", {"game": number}))
        else:
            loser = players[0] if winner == players[1] else players[1]
            choice = Choice(loser, Reason("lost_previous_game", {"game": number}))
    return choice


def _first(policy: FirstChoice, players: tuple[int, int], seeds: tuple[int | None, int | None], rng: Stream) -> Choice:
    if policy is FirstChoice.HOME:
        return Choice(players[0], Reason("home"))
    first, second = seeds
    if policy is FirstChoice.HIGHER_SEED and first is not None and second is not None and first != second:
        better, other = min(first, second), max(first, second)
        facts = {"seed": better, "opponent_seed": other}
        return Choice(players[0] if first == better else players[1], Reason("higher_seed", facts))
    return Choice(rng.choice(sorted(players)), Reason("chosen_by_lot"))
