from __future__ import annotations

import pytest

from events.engine.reporting import reportable_scores


def shown(best_of: int, **how: bool) -> list[str]:
    return [str(score) for score in reportable_scores(best_of, **how)]


def test_before_time_a_match_is_reported_won_or_lost():
    assert shown(3) == ["2-0", "2-1", "0-2", "1-2"]


def test_at_time_a_match_is_reported_as_it_stands():
    assert shown(3, at_time=True) == ["2-0", "2-1", "1-0", "1-1", "0-0", "0-2", "1-2", "0-1"]


def test_elimination_has_no_drawn_match_even_at_time():
    assert shown(3, at_time=True, elimination=True) == ["2-0", "2-1", "1-0", "0-2", "1-2", "0-1"]


def test_an_event_without_draws_offers_none():
    assert shown(1, at_time=True, draws=False) == ["1-0", "0-1"]


@pytest.mark.parametrize("best_of", [1, 3, 5])
def test_the_other_side_can_say_the_same(best_of):
    scores = set(reportable_scores(best_of, at_time=True))

    assert {score.reversed for score in scores} == scores
