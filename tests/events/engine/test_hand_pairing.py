"""A round as a person writes it: every line a pair, a bye or a problem, and everybody once."""

from __future__ import annotations

import pytest

from events.engine.hand_pairing import Amiss, Problem, Slip, Written, amiss, grade_by_hand, read, written
from events.engine.pairing import Entrant, Entrants, History, PairingCost, PairingOptions

NAMES = {1: "Ada Brook", 2: "Bela Quist", 3: "Cleo - Marsh", 4: "Dov Hale", 5: "dov  hale"}


def test_what_is_written_is_read_again():
    text = written([(1, 3), (4, 2)], [5], NAMES)

    assert text == "Ada Brook - Cleo - Marsh\nDov Hale #4 - Bela Quist\ndov  hale #5 - bye"
    assert read(text, NAMES) == Written(((1, 3), (4, 2)), (5,), ())


@pytest.mark.parametrize(
    "line", ["Ann - Bo", "ann  vs.  BO", "Ann\tBo", "Ann; Bo", "Ann against Bo", " Ann – Bo ", "#1 v #2"]
)
def test_a_pair_may_be_divided_in_many_ways(line):
    assert read(line, {1: "Ann", 2: "Bo"}) == Written(((1, 2),), (), ())


def test_no_line_is_lost():
    text = "Ada Brok - Bela Quist\n\nDov Hale - Bela Quist\nAda Brook\nCleo - Marsh - bye\nbye - bye\nX"

    assert read(text, NAMES) == Written(
        (),
        (3,),
        (
            Problem(1, Slip.UNKNOWN, "Ada Brok", "Ada Brook"),
            Problem(3, Slip.TWICE, "Bela Quist"),
            Problem(3, Slip.AMBIGUOUS, "Dov Hale", "Dov Hale #4"),
            Problem(4, Slip.UNREADABLE, "Ada Brook"),
            Problem(6, Slip.UNREADABLE, "bye - bye"),
            Problem(7, Slip.UNREADABLE, "X"),
            Problem(0, Slip.MISSING, "Ada Brook"),
            Problem(0, Slip.MISSING, "Dov Hale"),
            Problem(0, Slip.MISSING, "dov  hale"),
        ),
    )


def test_nobody_plays_against_themselves():
    assert read("Ann - Ann", {1: "Ann"}).problems == (Problem(1, Slip.TWICE, "Ann"),)


def test_who_is_in_a_round_twice_not_at_all_or_by_mistake():
    assert amiss([(1, 2), (2, 9)], [3], {1, 2, 3, 4}) == Amiss((2,), (4,), (9,))
    assert not amiss([(1, 2)], [3], {1, 2, 3})


def test_one_bye_is_weighed_and_of_several_none_is():
    field = Entrants.of([Entrant(1, 6), Entrant(2, 3), Entrant(3, 3, byes=1), Entrant(4, 0)])
    history = History.of([(1, 2)], field.ids)

    one = grade_by_hand(field.only([1, 2, 3]), history, PairingOptions(), [(1, 2)], [3])
    two = grade_by_hand(field, history, PairingOptions(), [(1, 2)], [3, 4])

    assert one == PairingCost(rematches=1, bye_earlier_byes=1, bye_points=3, score_gap=9)
    assert two == PairingCost(rematches=1, score_gap=9)
    assert grade_by_hand(field, history, PairingOptions(), [], [1, 2, 3, 4]) == PairingCost()
