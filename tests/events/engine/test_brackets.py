from __future__ import annotations

import pytest

from cards.engine.streams import Stream
from config.errors import Conflict, DomainError
from events.engine.brackets import (
    BracketMatch,
    Placing,
    bracket_reason,
    champion,
    final_placing,
    first_round,
    next_round,
    rounds_of,
    seed_order,
)
from events.engine.pairing_model import Reason


def test_eight_seeds_meet_in_the_standard_order() -> None:
    assert [(match.seed_a, match.seed_b) for match in first_round(range(101, 109))] == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert first_round(range(101, 109))[1] == BracketMatch(1, 104, 105, 4, 5)


def test_byes_go_to_the_best_seeds() -> None:
    assert [(match.seed_a, match.seed_b) for match in first_round(range(6))] == [(1, None), (4, 5), (2, None), (3, 6)]


@pytest.mark.parametrize("size", range(2, 65))
def test_with_favourites_winning_the_sums_of_seeds_stay_equal_and_seed_one_wins(size: int) -> None:
    matches = first_round(range(1, size + 1))
    assert sorted(player for match in matches for player in match.players) == list(range(1, size + 1))
    byes = sorted(match.a for match in matches if match.b is None)
    assert byes == list(range(1, len(byes) + 1))
    played = 1
    while len(matches) > 1:
        matches = next_round(matches, {match.slot: match.a for match in matches})
        played += 1
        assert {match.seed_a + (match.seed_b or 0) for match in matches} == {2 * len(matches) + 1}
    assert played == rounds_of(size)
    assert champion(matches, {0: matches[0].a}) == 1
    assert next_round(matches, {0: 1}) == ()


@pytest.mark.parametrize("size", range(2, 65))
def test_a_reseeded_round_sets_the_best_left_against_the_worst_left(size: int) -> None:
    rng = Stream(b"s", f"reseed|{size}")
    matches, played = first_round(range(1, size + 1)), 0
    while matches:
        played += sum(match.b is not None for match in matches)
        winners = {match.slot: rng.choice(match.players) for match in matches}
        alive = sorted(winners.values())
        matches = next_round(matches, winners, reseed=True)
        pairs = list(zip(alive[: len(alive) // 2], alive[: (len(alive) - 1) // 2 : -1], strict=True))
        assert [(match.a, match.b) for match in matches] == (pairs if len(alive) > 1 else [])
    assert played == size - 1


def test_reseeding_changes_who_meets_whom_after_an_upset() -> None:
    upset = {0: 8, 1: 4, 2: 2, 3: 3}
    assert [match.players for match in next_round(first_round(range(1, 9)), upset)] == [(4, 8), (2, 3)]
    assert [match.players for match in next_round(first_round(range(1, 9)), upset, reseed=True)] == [(2, 8), (3, 4)]


def test_the_match_for_third_place_is_played_beside_the_final_by_who_lost_a_semi_final() -> None:
    last = next_round(first_round([1, 2, 3, 4]), {0: 4, 1: 2}, third_place=True)
    assert last == (BracketMatch(0, 2, 4, 2, 4), BracketMatch(1, 1, 3, 1, 3, for_third=True))
    assert champion(last, {1: 3}) is None
    assert champion(last, {0: 4}) == 4
    assert next_round(last, {0: 4}, third_place=True) == ()


def test_there_is_no_match_for_third_place_before_the_final_nor_after_a_bye() -> None:
    assert len(next_round(first_round(range(8)), {0: 0, 1: 3, 2: 1, 3: 2}, third_place=True)) == 2
    assert next_round(first_round([1, 2, 3]), {1: 2}, third_place=True) == (BracketMatch(0, 1, 2, 1, 2),)


def test_every_match_says_why_it_is_one() -> None:
    bye, played = first_round(range(1, 12))[0], first_round(range(1, 9))[0]
    assert bracket_reason(bye, 11) == Reason("bracket_bye", {"seed": 1, "players": 11, "places": 16})
    assert bracket_reason(played, 8) == Reason("bracket", {"seed": 1, "opponent_seed": 8})
    assert bracket_reason(played, 8, reseeded=True).code == "bracket_reseeded"
    assert bracket_reason(BracketMatch(1, 5, 6, 3, 4, for_third=True), 8, reseeded=True).code == "third_place"


def test_the_underdog_takes_the_place_and_keeps_the_seed() -> None:
    semi_finals = next_round(first_round([11, 12, 13, 14, 15, 16, 17, 18]), {0: 18, 1: 14, 2: 12, 3: 16})
    assert semi_finals == (BracketMatch(0, 14, 18, 4, 8), BracketMatch(1, 12, 16, 2, 6))


def test_a_missing_winner_is_named() -> None:
    with pytest.raises(Conflict) as refused:
        next_round(first_round(range(8)), {0: 0, 2: 1})
    assert (refused.value.code, refused.value.context) == ("bracket.winner_missing", {"slots": [1, 3]})


def test_a_winner_from_another_table_is_refused() -> None:
    with pytest.raises(DomainError) as refused:
        next_round(first_round(range(4)), {0: 1, 1: 1})
    assert refused.value.code == "bracket.not_in_match"


def test_the_final_has_no_champion_before_it_is_won() -> None:
    assert champion(first_round([5, 6]), {}) is None
    assert champion(first_round([5, 6]), {0: 6}) == 6
    assert champion(first_round([5, 6, 7]), {0: 5, 1: 6}) is None


def test_a_bracket_has_two_to_a_hundred_and_twenty_eight_players() -> None:
    for size in (1, 129):
        with pytest.raises(DomainError) as refused:
            first_round(range(size))
        assert (refused.value.code, refused.value.context["size"]) == ("bracket.size", size)


def test_brackets_have_a_power_of_two_of_places_and_each_player_once() -> None:
    with pytest.raises(ValueError):
        seed_order(6)
    with pytest.raises(ValueError):
        first_round([1, 1, 2])


def test_the_final_placing_goes_by_the_round_lost_then_by_rank_and_ends_with_who_was_not_in_the_cut() -> None:
    ranking = [11, 12, 13, 14, 15, 16]
    assert final_placing(ranking, 14, {11: 1, 12: 2, 13: 1}) == (
        Placing(1, 14, 4),
        Placing(2, 12, 2, 2),
        Placing(3, 11, 1, 1),
        Placing(4, 13, 3, 1),
        Placing(5, 15, 5),
        Placing(6, 16, 6),
    )


def test_who_ranked_high_but_left_before_the_cut_is_placed_below_it() -> None:
    placing = final_placing([1, 2, 3, 4], 2, {3: 1})
    assert [(row.place, row.player) for row in placing] == [(1, 2), (2, 3), (3, 1), (4, 4)]


@pytest.mark.parametrize("size", range(2, 34))
def test_with_favourites_winning_the_final_placing_is_the_ranking(size: int) -> None:
    lost_in: dict[int, int] = {}
    matches, number = first_round(range(1, size + 1)), 1
    while matches:
        lost_in |= {match.b: number for match in matches if match.b is not None}
        matches, number = next_round(matches, {match.slot: match.a for match in matches}), number + 1
    assert [row.player for row in final_placing(range(1, size + 3), 1, lost_in)] == list(range(1, size + 3))


def test_a_player_of_the_cut_without_a_rank_is_a_fault() -> None:
    with pytest.raises(ValueError):
        final_placing([1, 2], 3, {1: 1})
    with pytest.raises(ValueError):
        final_placing([1, 2], 1, {3: 1})
    with pytest.raises(ValueError):
        final_placing([1, 2], 1, {2: 1}, third=3)


LOST_IN = {8: 1, 7: 1, 6: 1, 5: 1, 3: 2, 2: 2, 4: 3}


def test_the_third_place_goes_to_who_won_the_match_for_it() -> None:
    placing = final_placing(range(1, 10), 1, LOST_IN, third=3)
    assert [row.player for row in placing] == [1, 4, 3, 2, 5, 6, 7, 8, 9]


def test_who_got_equally_far_can_share_the_places() -> None:
    placing = final_placing(range(1, 11), 1, LOST_IN, shared=True)
    assert [(row.place, row.through, row.player) for row in placing] == [
        (1, None, 1),
        (2, None, 4),
        (3, 4, 2),
        (3, 4, 3),
        *((5, 8, player) for player in (5, 6, 7, 8)),
        (9, None, 9),
        (10, None, 10),
    ]
    own = final_placing(range(1, 11), 1, LOST_IN, shared=True, third=3)
    assert [(row.place, row.through, row.player) for row in own][2:5] == [(3, None, 3), (4, None, 2), (5, 8, 5)]


def test_a_disqualification_moves_everybody_below_one_place_up() -> None:
    placing = final_placing(range(1, 10), 1, LOST_IN, disqualified={4})
    assert [(row.place, row.player) for row in placing] == list(enumerate([1, 2, 3, 5, 6, 7, 8, 9], 1))
