"""Who begins, whose extra turn it is and what the games come to, as far as the policy says so."""

from __future__ import annotations

import pytest

from cards.engine.streams import Stream
from events.engine.fairness import choice_label
from events.engine.games import (
    Ending,
    FirstTurn,
    PlayedGame,
    PlayRules,
    Proposal,
    Why,
    first_turn,
    proposal,
    tally,
    turn_of,
)
from events.engine.outcomes import GameScore

ADA, BELA = 7, 8
PLAYERS = (ADA, BELA)
EPIC = PlayRules(
    first_turn="lot",
    next_first_turn="loser_chooses",
    after_drawn_game="same_chooser",
    unfinished_game="drawn",
    unfinished_in_elimination="life",
)
ENGARDE = PlayRules(unfinished_game="drawn", concession="match", prize_concession="until_posted")
SILENT = PlayRules()


def lots(game: int) -> Stream:
    return Stream(bytes(32), choice_label(1, 1, PLAYERS, game=game))


def won(*winners: int | None, after_time: bool = False) -> list[PlayedGame]:
    return [
        PlayedGame(Ending.WON if winner else Ending.DRAWN, winner, after_time and number == len(winners))
        for number, winner in enumerate(winners, 1)
    ]


def begins(games: list[PlayedGame], rules: PlayRules = EPIC) -> tuple[int | None, int | None, str, str]:
    found = first_turn(PLAYERS, games, rules, lots=lots)
    return found.first, found.chooser, found.reason.code if found.reason else "", found.rule


def test_lots_say_who_begins_the_first_game_and_the_same_to_both():
    first = lots(1).choice([ADA, BELA])
    assert begins([]) == (first, None, "chosen_by_lot", "first_turn")
    assert first_turn((BELA, ADA), [], EPIC, lots=lots).first == first


def test_where_lots_name_a_chooser_nobody_begins_yet():
    rules = PlayRules(first_turn="lot_chooses")
    assert begins([], rules) == (None, lots(1).choice([ADA, BELA]), "chosen_by_lot", "first_turn")


def test_the_loser_of_the_game_before_chooses():
    assert begins(won(ADA)) == (None, BELA, "lost_previous_game", "next_first_turn")
    assert begins(won(ADA, BELA)) == (None, ADA, "lost_previous_game", "next_first_turn")


def test_after_a_drawn_game_who_chose_before_chooses_again():
    assert begins(won(ADA, None)) == (None, BELA, "previous_game_drawn", "after_drawn_game")


def test_after_a_drawn_first_game_lots_are_drawn_anew():
    assert begins(won(None)) == (lots(2).choice([ADA, BELA]), None, "chosen_by_lot", "after_drawn_game")
    drawn = {
        game: Stream(bytes(32), choice_label(1, 1, PLAYERS, game=game)).choice([ADA, BELA]) for game in range(1, 20)
    }
    assert set(drawn.values()) == {ADA, BELA}


@pytest.mark.parametrize("games", [[], won(ADA), won(None), won(ADA, None)])
def test_a_policy_that_says_nothing_lets_nobody_choose(games: list[PlayedGame]):
    assert first_turn(PLAYERS, games, ENGARDE, lots=lots) == FirstTurn()


def test_a_rule_for_the_first_game_says_nothing_of_a_drawn_one():
    assert first_turn(PLAYERS, won(None), PlayRules(first_turn="lot"), lots=lots) == FirstTurn()


@pytest.mark.parametrize(
    ("finished_by", "turns"), [(ADA, [BELA, ADA, BELA, ADA, BELA]), (BELA, [ADA, BELA] * 2 + [ADA])]
)
def test_extra_turns_alternate_after_the_one_that_was_under_way(finished_by: int, turns: list[int]):
    assert [turn_of(PLAYERS, finished_by, taken) for taken in range(5)] == turns


def test_games_are_counted_from_the_first_players_side():
    games = [*won(ADA, None, BELA), PlayedGame(Ending.CONCEDED, ADA), PlayedGame(Ending.UNFINISHED)]
    assert tally(PLAYERS, games, EPIC) == GameScore(2, 1, 2)
    assert tally(PLAYERS, games, PlayRules(unfinished_game="not_counted")) == GameScore(2, 1, 1)
    assert tally(PLAYERS, games, SILENT) == GameScore(2, 1, 1)


def proposed(
    games: list[PlayedGame],
    rules: PlayRules = EPIC,
    *,
    at_time: bool = True,
    turns_over: bool = True,
    elimination: bool = False,
) -> Proposal | None:
    return proposal(PLAYERS, games, rules, best_of=3, at_time=at_time, turns_over=turns_over, elimination=elimination)


@pytest.mark.parametrize(
    ("games", "options", "expected"),
    [
        (won(ADA), {"at_time": False}, None),
        (won(ADA, ADA), {"at_time": False}, Proposal(Why.GAMES, GameScore(2, 0))),
        (won(ADA, BELA, BELA), {}, Proposal(Why.GAMES, GameScore(1, 2))),
        (won(ADA), {"turns_over": False}, None),
        (won(ADA, BELA), {}, Proposal(Why.UNFINISHED_DRAWN, GameScore(1, 1, 1), "unfinished_game")),
        (won(ADA), {}, Proposal(Why.UNFINISHED_DRAWN, GameScore(1, 0, 1), "unfinished_game")),
        ([], {}, Proposal(Why.UNFINISHED_DRAWN, None, "unfinished_game")),
        (won(ADA, BELA, after_time=True), {"turns_over": False}, Proposal(Why.TIME, GameScore(1, 1))),
        (won(ADA), {"rules": SILENT}, Proposal(Why.POLICY_SILENT)),
        (
            won(ADA),
            {"rules": PlayRules(unfinished_game="not_counted")},
            Proposal(Why.UNFINISHED_NOT_COUNTED, GameScore(1, 0), "unfinished_game"),
        ),
        (won(ADA, BELA), {"elimination": True}, Proposal(Why.OPEN_GAME_DECIDES, rule="unfinished_in_elimination")),
        (won(ADA, BELA, after_time=True), {"elimination": True}, Proposal(Why.WINNER_NEEDED)),
        (
            won(ADA, BELA),
            {"elimination": True, "rules": ENGARDE},
            Proposal(Why.WINNER_NEEDED, rule="unfinished_game"),
        ),
        (
            won(ADA),
            {"elimination": True, "rules": ENGARDE},
            Proposal(Why.UNFINISHED_DRAWN, GameScore(1, 0, 1), "unfinished_game"),
        ),
    ],
)
def test_a_result_is_proposed_once_the_games_make_one(games, options, expected):
    assert proposed(games, **options) == expected


def test_an_event_from_before_policies_spoke_of_games_says_nothing():
    assert PlayRules.of({"match": {}}) == SILENT
