from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from events.engine.conflicts import (
    Conflict,
    Members,
    irreducible_conflict,
    least_hitting_set,
    smallest_conflict,
)

families = st.lists(st.frozensets(st.integers(0, 8), min_size=1, max_size=5), max_size=6)


def without(conflicts: list[Members], members: Members) -> bool:
    """A set holds when it contains none of the known conflicts."""
    return not any(conflict <= members for conflict in conflicts)


@given(families)
def test_no_smaller_set_is_in_conflict(conflicts: list[Members]) -> None:
    found = smallest_conflict(9, lambda members: without(conflicts, members))
    if not conflicts:
        assert found is None
        return
    assert found is not None
    assert found.smallest
    assert frozenset(found.members) in conflicts
    assert len(found.members) == min(map(len, conflicts))


@given(families.filter(bool))
def test_an_irreducible_conflict_needs_each_of_its_members(conflicts: list[Members]) -> None:
    found = frozenset(irreducible_conflict(9, lambda members: without(conflicts, members)))
    assert not without(conflicts, found)
    assert all(without(conflicts, found - {member}) for member in found)


@given(families)
def test_a_hitting_set_is_the_smallest(sets: list[Members]) -> None:
    found = least_hitting_set(sets)
    assert found is not None
    assert all(found & members for members in sets)
    smaller = combinations(range(9), len(found) - 1) if found else ()
    assert not any(all(members & set(choice) for members in sets) for choice in smaller)


def test_when_the_steps_run_out_the_answer_says_that_it_may_not_be_the_smallest() -> None:
    conflicts = [frozenset({0, 1, 2}), frozenset({7, 8})]
    assert smallest_conflict(9, lambda members: without(conflicts, members)) == Conflict((7, 8), smallest=True)
    assert smallest_conflict(9, lambda members: without(conflicts, members), steps=0) == Conflict(
        (0, 1, 2), smallest=False
    )


def test_one_conflict_among_a_thousand_takes_few_questions() -> None:
    questions = 0

    def holds(members: Members) -> bool:
        nonlocal questions
        questions += 1
        return not {17, 902} <= members

    assert smallest_conflict(1000, holds) == Conflict((17, 902), smallest=True)
    assert questions < 100


def test_no_conflict_is_left_unsaid_when_nothing_at_all_holds() -> None:
    assert smallest_conflict(3, lambda members: False) == Conflict((), smallest=True)
