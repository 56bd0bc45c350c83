from __future__ import annotations

import pytest

from config.errors import DomainError
from events.engine.pairing import Reason
from events.engine.repair_bracket import BracketRepair, BracketRole, BracketTable, plan_bracket_repair
from events.engine.repair_model import TableStatus

A, B, C, D = range(1, 5)
FINISHED, PLAYING, REPORTED = TableStatus.FINISHED, TableStatus.PLAYING, TableStatus.REPORTED
SEMI_FINALS = (BracketTable(1, 0, A, D, FINISHED, A), BracketTable(1, 1, B, C, FINISHED, B))
"""D beat A in truth."""


def mend(*later: BracketTable) -> tuple[BracketRepair, ...]:
    return plan_bracket_repair((*SEMI_FINALS, *later), round=1, slot=0, winner=D)


def test_a_wrong_winner_is_only_corrected_before_the_next_round() -> None:
    (plan,) = mend()
    assert plan.role is BracketRole.CORRECT
    assert plan.apply(SEMI_FINALS) == (BracketTable(1, 0, A, D, FINISHED, D), SEMI_FINALS[1])


@pytest.mark.parametrize(("status", "stopped"), [(TableStatus.NOT_BEGUN, 0), (PLAYING, 1)])
def test_the_right_winner_takes_the_seat_while_the_match_is_not_over(status: TableStatus, stopped: int) -> None:
    final = BracketTable(2, 0, A, B, status)
    (plan,) = mend(final)
    assert (plan.role, plan.cost) == (BracketRole.REPLACE, (0, stopped, 3))
    assert plan.apply((*SEMI_FINALS, final))[-1] == BracketTable(2, 0, D, B)
    assert plan.told == (A, B, D)


def test_both_change_seats_with_a_match_for_third_place() -> None:
    final, third = BracketTable(2, 0, A, B), BracketTable(2, 1, C, D, PLAYING)
    (plan,) = mend(final, third)
    assert plan.apply((*SEMI_FINALS, final, third))[2:] == (BracketTable(2, 0, D, B), BracketTable(2, 1, C, A))
    assert plan.stopped == (third,)


@pytest.mark.parametrize("status", [FINISHED, REPORTED])
def test_a_match_that_is_over_stands_or_is_played_again(status: TableStatus) -> None:
    final = BracketTable(2, 0, A, B, status, A)
    stand, replay = mend(final)
    assert (stand.role, stand.cost, stand.apply((*SEMI_FINALS, final))) == (
        BracketRole.STAND,
        (0, 0, 2),
        (*SEMI_FINALS, final),
    )
    assert Reason("result_stands", {"round": 2, "slot": 0}) in stand.reasons
    assert (replay.role, replay.cost, replay.replayed) == (BracketRole.REPLAY, (1, 0, 3), (final,))
    assert replay.apply((*SEMI_FINALS, final)) == (
        BracketTable(1, 0, A, D, FINISHED, D),
        SEMI_FINALS[1],
        BracketTable(2, 0, D, B),
    )


def test_what_came_of_a_match_played_again_is_undone() -> None:
    quarters = tuple(BracketTable(1, slot, slot * 2 + 1, slot * 2 + 2, FINISHED, slot * 2 + 1) for slot in range(4))
    semis = (BracketTable(2, 0, 1, 3, FINISHED, 1), BracketTable(2, 1, 5, 7, FINISHED, 5))
    final = BracketTable(3, 0, 1, 5, PLAYING)
    _, replay = plan_bracket_repair((*quarters, *semis, final), round=1, slot=1, winner=4)
    assert (replay.undone, replay.stopped, replay.replayed) == ((final,), (final,), (semis[0],))
    assert replay.apply((*quarters, *semis, final))[4:] == (BracketTable(2, 0, 1, 4), semis[1])


def test_a_bye_is_passed_through() -> None:
    bye, final = BracketTable(2, 0, A, None, FINISHED, A), BracketTable(3, 0, A, B)
    (plan,) = mend(bye, final)
    assert plan.apply((*SEMI_FINALS, bye, final))[2:] == (
        BracketTable(2, 0, D, None, FINISHED, D),
        BracketTable(3, 0, D, B),
    )


@pytest.mark.parametrize(
    ("slot", "winner", "code"),
    [(7, A, "repair.unknown_match"), (0, B, "repair.not_in_match"), (0, A, "repair.nothing_wrong")],
)
def test_a_correction_that_is_none_is_refused(slot: int, winner: int, code: str) -> None:
    with pytest.raises(DomainError) as refused:
        plan_bracket_repair(SEMI_FINALS, round=1, slot=slot, winner=winner)
    assert refused.value.code == code
