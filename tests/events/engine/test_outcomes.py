from __future__ import annotations

import pytest

from config.errors import DomainError
from events.engine.outcomes import GameScore, Outcome, check_outcome_allowed, outcome_of, validate_score


@pytest.mark.parametrize(
    ("score", "code"),
    [
        ((2, 2, 0), "score.two_winners"),
        ((3, 0, 0), "score.too_many_wins"),
        ((0, 3, 0), "score.too_many_wins"),
        ((3, 2, 0), "score.two_winners"),
        ((-1, 2, 0), "score.negative"),
        ((2, 0, -1), "score.negative"),
        ((2, 0, 4), "score.too_many_draws"),
        ((1, 1, 0), "score.not_finished"),
        ((1, 0, 0), "score.not_finished"),
        ((0, 0, 3), "score.not_finished"),
    ],
)
def test_impossible_scores_of_best_of_three_are_refused(score: tuple[int, int, int], code: str) -> None:
    with pytest.raises(DomainError) as refused:
        validate_score(*score, 3)
    assert refused.value.code == code
    assert refused.value.context["best_of"] == 3


@pytest.mark.parametrize("score", [(2, 0, 0), (2, 1, 0), (0, 2, 0), (1, 2, 0), (2, 0, 1), (2, 1, 1)])
def test_finished_scores_of_best_of_three_are_taken(score: tuple[int, int, int]) -> None:
    assert validate_score(*score, 3) == GameScore(*score)


@pytest.mark.parametrize("score", [(1, 1, 0), (1, 0, 0), (0, 0, 1), (1, 1, 1), (0, 0, 0)])
def test_unfinished_scores_are_taken_at_time(score: tuple[int, int, int]) -> None:
    assert validate_score(*score, 3, at_time=True) == GameScore(*score)


def test_a_drawn_semi_final_is_refused_even_at_time() -> None:
    with pytest.raises(DomainError) as refused:
        validate_score(1, 1, 0, 3, at_time=True, elimination=True)
    assert refused.value.code == "score.elimination_needs_winner"
    for outcome in (Outcome.DRAW, Outcome.INTENTIONAL_DRAW):
        with pytest.raises(DomainError) as drawn:
            check_outcome_allowed(outcome, elimination=True)
        assert drawn.value.code == "outcome.elimination_needs_winner"


def test_draws_are_refused_where_the_event_has_none() -> None:
    with pytest.raises(DomainError) as refused:
        check_outcome_allowed(Outcome.DRAW, elimination=False, draws=False)
    assert refused.value.code == "outcome.draws_not_allowed"
    check_outcome_allowed(Outcome.DOUBLE_LOSS, elimination=False, draws=False)
    check_outcome_allowed(Outcome.DRAW, elimination=False)


@pytest.mark.parametrize(
    ("score", "options", "outcomes"),
    [
        (GameScore(2, 1), {}, (Outcome.WIN, Outcome.LOSS)),
        (GameScore(0, 2), {}, (Outcome.LOSS, Outcome.WIN)),
        (GameScore(1, 1), {"at_time": True}, (Outcome.DRAW, Outcome.DRAW)),
        (GameScore(1, 0), {"at_time": True}, (Outcome.WIN, Outcome.LOSS)),
        (GameScore(0, 1), {"at_time": True, "leader_wins_at_time": False}, (Outcome.DRAW, Outcome.DRAW)),
        (
            GameScore(0, 1),
            {"at_time": True, "leader_wins_at_time": False, "elimination": True},
            (Outcome.LOSS, Outcome.WIN),
        ),
        (GameScore(2, 0), {"at_time": True, "leader_wins_at_time": False}, (Outcome.WIN, Outcome.LOSS)),
    ],
)
def test_the_outcome_follows_from_the_score(score, options, outcomes) -> None:
    assert outcome_of(score, 3, **options) == outcomes


def test_both_seats_of_a_duel_have_opposite_outcomes() -> None:
    duels = [outcome for outcome in Outcome if not outcome.is_bye and outcome is not Outcome.ABSENT]
    assert all(outcome.opposite.opposite is outcome for outcome in duels)
    for outcome in duels:
        if outcome is not Outcome.DOUBLE_LOSS:
            assert outcome.is_win == outcome.opposite.is_loss
    for alone in (Outcome.BYE, Outcome.ASSIGNED_BYE, Outcome.ABSENT):
        with pytest.raises(ValueError):
            _ = alone.opposite


def test_no_outcome_is_two_things() -> None:
    for outcome in Outcome:
        assert outcome.is_win + outcome.is_draw + outcome.is_loss <= 1
    assert [outcome for outcome in Outcome if not outcome.is_final] == [Outcome.UNFINISHED]


def test_scores_turn_round_and_read_as_people_say_them() -> None:
    assert GameScore(2, 1, 1).reversed == GameScore(1, 2, 1)
    assert [str(GameScore(2, 0)), str(GameScore(1, 1, 1))] == ["2-0", "1-1-1"]


def test_an_even_best_of_is_a_bug() -> None:
    with pytest.raises(ValueError):
        validate_score(1, 0, 0, 2)
