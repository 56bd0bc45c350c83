from __future__ import annotations

from itertools import combinations

import pytest

from events.engine.swiss import (
    SwissWarning,
    check_rounds,
    guaranteed_rounds,
    number_of_rounds,
    rounds_without_rematch,
)
from tests.events.engine.brute import complete_pairings, fewest_rematches


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (16, 4), (17, 5), (32, 5), (33, 6), (128, 7)],
)
def test_rounds_are_enough_for_one_unbeaten_player(players: int, rounds: int) -> None:
    assert number_of_rounds(players) == rounds


def test_seven_rounds_with_eight_players_are_possible_and_not_guaranteed() -> None:
    assert check_rounds(8, 7) == (SwissWarning("swiss.rematches_possible", 8, 7, 4),)


def test_eight_rounds_with_eight_players_must_have_rematches() -> None:
    assert check_rounds(8, 8) == (SwissWarning("swiss.rematches_certain", 8, 8, 7),)


def test_the_usual_number_of_rounds_needs_no_warning() -> None:
    assert [check_rounds(players, number_of_rounds(players)) for players in range(5, 200)] == [()] * 195


def test_two_rounds_with_eight_players_leave_two_unbeaten() -> None:
    assert check_rounds(8, 2) == (SwissWarning("swiss.too_few_rounds", 8, 2, 3),)


def test_an_odd_field_has_one_round_more_because_of_the_bye() -> None:
    assert [rounds_without_rematch(players) for players in (1, 2, 7, 8)] == [0, 1, 7, 7]


def test_guaranteed_rounds_of_six_hold_for_every_history_and_the_next_one_does_not() -> None:
    assert guaranteed_rounds(6) == 3
    every_round = [pairs for pairs, _ in complete_pairings(range(6))]

    def histories(rounds: int) -> list[list[tuple[int, int]]]:
        if rounds == 0:
            return [[]]
        return [
            [*before, *pairs]
            for before in histories(rounds - 1)
            for pairs in every_round
            if not set(pairs) & set(before)
        ]

    assert {fewest_rematches(range(6), history) for history in histories(2)} == {0}
    two_triangles = [pair for pair in combinations(range(6), 2) if (pair[0] % 2) != (pair[1] % 2)]
    assert fewest_rematches(range(6), two_triangles) > 0
