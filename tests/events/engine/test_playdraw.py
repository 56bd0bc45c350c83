from __future__ import annotations

import pytest

from cards.engine.streams import Stream
from events.engine.fairness import choice_label
from events.engine.pairing_model import Reason
from events.engine.playdraw import Choice, FirstChoice, playdraw


def stream(number: int = 0) -> Stream:
    return Stream(b"s", f"choice|{number}")


def test_the_better_seed_chooses_first_where_the_policy_says_so() -> None:
    assert playdraw(FirstChoice.HIGHER_SEED, (10, 20), seeds=(5, 4), rng=stream()) == Choice(
        20, Reason("higher_seed", {"seed": 4, "opponent_seed": 5})
    )


@pytest.mark.parametrize("seeds", [(None, None), (1, None), (2, 2)])
def test_without_seeds_that_differ_the_lot_decides_evenly(seeds: tuple[int | None, int | None]) -> None:
    chosen = [playdraw(FirstChoice.HIGHER_SEED, (10, 20), seeds=seeds, rng=stream(i)) for i in range(200)]
    assert all(choice.reason == Reason("chosen_by_lot") for choice in chosen)
    assert 70 < sum(choice.player == 10 for choice in chosen) < 130


def test_the_lot_is_the_same_whoever_sits_first() -> None:
    for number in range(20):
        one, other = (playdraw(FirstChoice.LOT, pair, seeds=(1, 2), rng=stream(number)) for pair in ((1, 2), (2, 1)))
        assert one == other
    assert choice_label(2, 1, (7, 4)) == choice_label(2, 1, (4, 7)) == "choice|2|1|4|7"


def test_home_chooses_in_a_round_robin() -> None:
    assert playdraw(FirstChoice.HOME, (10, 20), rng=stream()) == Choice(10, Reason("home"))


def test_in_following_games_the_loser_chooses_and_after_a_draw_who_chose_before() -> None:
    def chooser(*games: int | None) -> Choice:
        return playdraw(FirstChoice.HIGHER_SEED, (10, 20), games, seeds=(1, 2), rng=stream())

    assert chooser(10) == Choice(20, Reason("lost_previous_game", {"game": 1}))
    assert chooser(10, 20) == Choice(10, Reason("lost_previous_game", {"game": 2}))
    assert chooser(None) == Choice(10, Reason("previous_game_drawn", {"game": 1}))
    assert chooser(10, None, None) == Choice(20, Reason("previous_game_drawn", {"game": 3}))
    with pytest.raises(ValueError):
        chooser(30)
