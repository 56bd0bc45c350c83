from __future__ import annotations

import pytest

from config.errors import DomainError
from events.engine.cuts import (
    Cut,
    cut_at_clean_break,
    cut_by_points,
    cut_by_rank_and_points,
    cut_reasons,
    cut_to_full_bracket,
    make_cut,
    points_of_record,
)
from events.engine.pairing_model import Reason

RANKING = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
POINTS = dict(zip(RANKING, [15, 13, 12, 12, 10, 9, 9, 9, 6, 3], strict=True))


def test_who_leaves_before_the_cut_is_replaced_by_the_next_in_rank() -> None:
    cut = make_cut(range(1, 10), 8, {1})
    assert cut == Cut((2, 3, 4, 5, 6, 7, 8, 9), (1,))
    reasons = cut_reasons(cut, range(1, 10))
    assert reasons[1] == Reason("dropped_before_cut", {"rank": 1})
    assert reasons[9] == Reason("seed", {"seed": 8, "rank": 9, "moved_up": 1})


def test_making_the_cut_twice_makes_the_same_cut() -> None:
    assert make_cut(RANKING, 4, {12}) == make_cut(RANKING, 4, {12}) == Cut((11, 13, 14, 15), (12,))


def test_a_drop_below_the_cut_is_no_drop_before_the_cut() -> None:
    assert make_cut(range(1, 10), 4, {6}) == Cut((1, 2, 3, 4))


def test_a_small_field_makes_a_small_cut_and_one_player_none() -> None:
    assert make_cut([3, 1, 2], 8) == Cut((3, 1, 2))
    for size, code in ((8, "cut.too_few_players"), (1, "cut.size"), (65, "cut.size")):
        with pytest.raises(DomainError) as refused:
            make_cut([3, 1], size, {1})
        assert refused.value.code == code


def test_a_cut_by_points_takes_all_who_have_them_and_nobody_for_who_left() -> None:
    assert points_of_record(5, 2) == 9
    assert cut_by_points(RANKING, POINTS, 9, {12}) == Cut((11, 13, 14, 15, 16, 17, 18), (12,))
    assert cut_by_points(RANKING, POINTS, 10) == Cut((11, 12, 13, 14, 15))


def test_a_bar_of_points_that_nobody_or_everybody_reaches_is_refused() -> None:
    with pytest.raises(DomainError) as few:
        cut_by_points(RANKING, POINTS, 15)
    assert (few.value.code, few.value.context) == ("cut.too_few_players", {"players": 1, "least": 15})
    points = {player: 100 - player for player in range(100)}
    with pytest.raises(DomainError) as many:
        cut_by_points(range(100), points, 0)
    assert (many.value.code, many.value.context["suggested"]) == ("cut.too_many_players", 37)
    assert len(cut_by_points(range(100), points, 37).seeds) == 64
    with pytest.raises(ValueError):
        points_of_record(3, 4)


def test_a_full_bracket_is_the_next_power_of_two_that_the_field_fills() -> None:
    sizes = [len(cut_to_full_bracket(RANKING, wanted).seeds) for wanted in (2, 3, 5, 8, 9, 64)]
    assert sizes == [2, 4, 8, 8, 8, 8]
    assert cut_to_full_bracket(RANKING, 5, {11, 13, 20}) == Cut((12, 14, 15, 16), (11, 13))
    with pytest.raises(DomainError) as refused:
        cut_to_full_bracket([1], 8)
    assert refused.value.code == "cut.too_few_players"


def test_who_stays_outside_by_tie_breakers_is_named() -> None:
    cut = cut_by_rank_and_points(RANKING, POINTS, 6, {17})
    assert cut == Cut((11, 12, 13, 14, 15, 16), (), (18,))
    reasons = cut_reasons(cut, RANKING)
    assert (reasons[18].code, reasons[17].code, reasons[20].code) == ("tied_outside_cut", "outside_cut", "outside_cut")


def test_a_clean_break_is_the_largest_power_of_two_where_points_fall() -> None:
    assert cut_at_clean_break(RANKING, POINTS, 8) == Cut(tuple(RANKING[:8]))
    tied_at_eight = POINTS | {19: 9}
    assert cut_at_clean_break(RANKING, tied_at_eight, 8) == Cut(tuple(RANKING[:4]))
    assert cut_at_clean_break(RANKING, tied_at_eight, 8, {19}) == Cut(tuple(RANKING[:8]))


def test_where_no_break_is_clean_the_cut_is_refused_naming_who_would_stay_outside() -> None:
    with pytest.raises(DomainError) as refused:
        cut_at_clean_break([1, 2, 3, 4, 5], dict.fromkeys(range(1, 6), 3), 8)
    assert refused.value.code == "cut.no_clean_break"
    assert refused.value.context == {"most": 8, "tied_outside": {"4": [5], "2": [3, 4, 5]}}
