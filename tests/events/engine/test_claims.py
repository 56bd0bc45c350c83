from __future__ import annotations

import pytest

from events.engine.claims import Agreement, Claim, ClaimState, agree
from events.engine.outcomes import GameScore, Outcome

TWO_NIL = GameScore(2, 0)


def says(player: int, seq: int, outcome: Outcome = Outcome.WIN, games: GameScore = TWO_NIL) -> Claim:
    return Claim(player, seq, outcome, games)


def test_nobody_has_said_anything() -> None:
    assert agree([]) == Agreement(ClaimState.NONE)


def test_one_word_is_a_report() -> None:
    assert agree([says(1, 1)]) == Agreement(ClaimState.REPORTED, Outcome.WIN, TWO_NIL, (1,))


def test_the_same_player_twice_is_still_a_report() -> None:
    assert agree([says(1, 1), says(1, 2)]) == Agreement(ClaimState.REPORTED, Outcome.WIN, TWO_NIL, (1,))


def test_two_equal_words_confirm() -> None:
    assert agree([says(2, 2), says(1, 1)]) == Agreement(ClaimState.CONFIRMED, Outcome.WIN, TWO_NIL, (1, 2))


def test_different_winners_or_different_games_are_a_dispute() -> None:
    disputed = Agreement(ClaimState.DISPUTED, players=(1, 2))
    assert agree([says(1, 1), says(2, 2, Outcome.LOSS, GameScore(0, 2))]) == disputed
    assert agree([says(1, 1), says(2, 2, games=GameScore(2, 1))]) == disputed
    assert agree([says(1, 1, Outcome.DRAW, GameScore()), says(2, 2, Outcome.INTENTIONAL_DRAW, GameScore())]) == disputed


def test_the_last_word_of_a_player_counts() -> None:
    claims = [says(2, 3), says(1, 1), says(2, 2, Outcome.LOSS, GameScore(0, 2))]
    assert agree(claims).state is ClaimState.CONFIRMED


def test_three_voices_are_a_bug() -> None:
    with pytest.raises(ValueError):
        agree([says(1, 1), says(2, 2), says(3, 3)])
