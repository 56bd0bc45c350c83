from __future__ import annotations

from typing import Any

import pytest

from config.errors import Conflict, DomainError
from events.engine.brackets import first_round, next_round
from events.engine.elimination import DecidedBy, Decision, decide, walkover, walkovers
from events.engine.outcomes import GameScore

DRAWN = GameScore(1, 1)


def test_games_decide_by_themselves() -> None:
    assert decide((1, 2), score=GameScore(2, 1)) == Decision(1, DecidedBy.GAMES)
    assert decide((1, 2), score=GameScore(0, 1)) == Decision(2, DecidedBy.AHEAD_AT_TIME)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({}, "bracket.winner_needed"),
        ({"by": "play_off"}, "bracket.winner_needed"),
        ({"winner": 2}, "bracket.reason_needed"),
        ({"winner": 2, "by": "because"}, "bracket.reason_needed"),
        ({"winner": 3, "by": "play_off"}, "bracket.not_in_match"),
        ({"winner": 2, "by": "games"}, "bracket.reason_contradicts_score"),
    ],
)
def test_a_semi_final_at_one_all_needs_a_winner_and_a_reason(said: dict[str, Any], code: str) -> None:
    with pytest.raises(DomainError) as refused:
        decide((1, 2), score=DRAWN, **said)
    assert refused.value.code == code


def test_asking_twice_for_the_play_off_changes_nothing() -> None:
    once = decide((1, 2), score=DRAWN, winner=2, by="play_off")
    assert once == Decision(2, DecidedBy.PLAY_OFF)
    assert decide((1, 2), score=DRAWN, winner=2, by="play_off", known=once) == once
    for other in ({"winner": 1, "by": "play_off"}, {"winner": 2, "by": "judge"}):
        with pytest.raises(Conflict) as refused:
            decide((1, 2), score=DRAWN, known=once, **other)
        assert (refused.value.code, refused.value.context) == (
            "bracket.already_decided",
            {"winner": 2, "by": "play_off"},
        )


def test_the_refusal_names_the_reasons_that_can_be_given() -> None:
    with pytest.raises(DomainError) as refused:
        decide((1, 2), score=DRAWN)
    assert refused.value.context == {
        "players": [1, 2],
        "reasons": ["play_off", "higher_seed", "concession", "no_show", "disqualification", "judge"],
    }


def test_who_was_behind_goes_on_only_for_a_reason_besides_the_games() -> None:
    behind = decide((1, 2), score=GameScore(1, 0), winner=2, by="disqualification")
    assert behind == Decision(2, DecidedBy.DISQUALIFICATION)
    with pytest.raises(DomainError) as refused:
        decide((1, 2), score=GameScore(1, 0), winner=2)
    assert refused.value.code == "bracket.reason_needed"


def test_the_opponent_of_who_left_goes_on() -> None:
    assert walkover((1, 2), [2]) == Decision(1, DecidedBy.OPPONENT_LEFT)
    assert walkover((1, 2), [1]) == Decision(2, DecidedBy.OPPONENT_LEFT)
    assert walkover((1, 2), [2, 1]) == Decision(1, DecidedBy.BOTH_LEFT)
    assert walkover((1, 2), [1, 2]) == Decision(2, DecidedBy.BOTH_LEFT)
    assert walkover((1, 2), [3]) is None


def test_after_the_cut_nobody_moves_up_for_who_left() -> None:
    matches = first_round(range(1, 8))
    decided = {1: Decision(5, DecidedBy.GAMES)}
    found = walkovers(matches, decided, [4, 7, 1])
    assert found == decided | {2: Decision(2, DecidedBy.OPPONENT_LEFT)}
    third = Decision(3, DecidedBy.GAMES)
    winners = {slot: decision.winner for slot, decision in {**found, 3: third}.items()}
    semi_finals = next_round(matches, winners)
    assert [match.players for match in semi_finals] == [(1, 5), (2, 3)]
    assert walkovers(semi_finals, {}, [1]) == {0: Decision(5, DecidedBy.OPPONENT_LEFT)}
