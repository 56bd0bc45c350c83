from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from config.errors import Conflict, DomainError
from events.engine.double_elimination import (
    DROP_ORDERS,
    DoubleBracket,
    DoubleState,
    From,
    Side,
    double_elimination,
    draw_bracket,
    replay,
)
from events.engine.elimination import DecidedBy, Decision
from events.engine.pairing_model import Reason

EARLIEST_REMATCH = {4: 2, 8: 3, 16: 4, 32: 5, 64: 7}
"""Round of the losers' bracket before which nobody can meet the same opponent again, by places."""

FIELDS = st.integers(2, 64)


def play(players: int, rng: Stream) -> list[DoubleState]:
    """States of a bracket in which each time one of the ready matches is decided by lot."""
    decisions: dict[int, Decision] = {}
    states = [replay(range(1, players + 1), decisions)]
    while states[-1].ready:
        match = rng.choice(states[-1].ready)
        decisions[match.fixture.number] = Decision(rng.choice((match.a, match.b)), DecidedBy.GAMES)
        states.append(replay(range(1, players + 1), decisions))
    return states


def rematches(bracket: DoubleBracket) -> tuple[float, int]:
    """Rematches to expect before the grand final when every match is a coin-flip, exactly, and the earliest round of
    the losers' bracket that can hold one."""
    after = {
        (source.kind, source.number): fixture
        for fixture in bracket.fixtures
        if fixture.side is not Side.FINAL
        for source in (fixture.a, fixture.b)
    }
    expected, earliest = 0.0, 99
    for first in bracket.fixtures:
        if first.side is not Side.WINNERS:
            continue
        chance_of_beaten, chance = {}, 1.0
        place = after.get((From.LOSER, first.number))
        while place is not None:
            chance_of_beaten[place.number] = chance
            place, chance = after.get((From.WINNER, place.number)), chance / 2
        fall, chance_to_fall = after.get((From.WINNER, first.number)), 0.5
        while fall is not None:
            place, chance = after.get((From.LOSER, fall.number)), chance_to_fall
            while place is not None and place.number not in chance_of_beaten:
                place, chance = after.get((From.WINNER, place.number)), chance / 2
            if place is not None:
                expected += chance * chance_of_beaten[place.number]
                earliest = min(earliest, place.round)
            fall, chance_to_fall = after.get((From.WINNER, fall.number)), chance_to_fall / 2
    return expected, earliest


def places_of(players: int) -> int:
    return double_elimination(players).places


@pytest.mark.parametrize("players", range(2, 65))
def test_every_seed_enters_once_and_every_source_is_used_once(players: int) -> None:
    bracket = double_elimination(players)
    assert [fixture.number for fixture in bracket.fixtures] == list(range(1, 2 * players))
    used = Counter((source.kind, source.number) for fixture in bracket.fixtures for source in (fixture.a, fixture.b))
    assert set(used.values()) == {1}
    assert {number for kind, number in used if kind is From.SEED} == set(range(1, players + 1))
    winners = [fixture for fixture in bracket.fixtures if fixture.side is Side.WINNERS]
    assert len(winners) == players - 1
    assert {(From.LOSER, fixture.number) for fixture in winners} <= set(used)


@pytest.mark.parametrize("players", range(2, 65))
def test_a_fixture_can_be_played_in_the_desk_round_after_those_it_waits_for(players: int) -> None:
    bracket = double_elimination(players)
    rounds = {fixture.number: fixture.desk_round for fixture in bracket.fixtures}
    for fixture in bracket.fixtures:
        waits_for = [rounds[source.number] for source in (fixture.a, fixture.b) if source.kind is not From.SEED]
        assert fixture.desk_round == 1 + max(waits_for, default=0)
    assert list(rounds.values()) == sorted(rounds.values())


@pytest.mark.parametrize("players", range(2, 65))
def test_the_byes_of_the_winners_are_those_of_single_elimination(players: int) -> None:
    bracket = double_elimination(players)
    byes = sorted(bye.source.number for bye in bracket.byes if bye.side is Side.WINNERS)
    assert byes == list(range(1, bracket.places - players + 1))


@settings(max_examples=30, deadline=None)
@given(FIELDS, st.integers(0, 10**9))
def test_everybody_but_the_winner_loses_twice_in_whatever_order_matches_end(players: int, draw: int) -> None:
    states = play(players, Stream(b"s", f"double|{draw}"))
    last = states[-1]
    assert last.champion is not None
    assert last.losses == {p: 2 if p != last.champion else int(bool(last.reset_needed)) for p in last.losses}
    assert len(last.played) == 2 * players - 2 + int(bool(last.reset_needed))
    assert set(last.out) == set(last.losses) - {last.champion}
    assert all(state.champion is None for state in states[:-1])


@settings(max_examples=30, deadline=None)
@given(FIELDS, st.integers(0, 10**9))
def test_no_rematch_comes_before_the_round_that_the_drop_order_allows(players: int, draw: int) -> None:
    last = play(players, Stream(b"s", f"double|{draw}"))[-1]
    again = [match.fixture for match, _ in last.played.values() if match.rematch]
    pairs = [frozenset((match.a, match.b)) for match, _ in last.played.values()]
    assert [match.rematch for match, _ in last.played.values()] == [
        pair in pairs[:index] for index, pair in enumerate(pairs)
    ]
    assert all(fixture.side is not Side.WINNERS for fixture in again)
    if players > 2:
        earliest = EARLIEST_REMATCH[places_of(players)]
        assert all(fixture.round >= earliest for fixture in again if fixture.side is Side.LOSERS)


@settings(max_examples=15, deadline=None)
@given(FIELDS, st.integers(0, 10**9))
def test_a_player_is_in_one_open_match_at_most_and_who_is_out_in_none(players: int, draw: int) -> None:
    for state in play(players, Stream(b"s", f"double|{draw}"))[:: max(1, players // 8)]:
        playing = [player for match in state.ready for player in (match.a, match.b)]
        assert len(playing) == len(set(playing))
        assert not set(playing) & set(state.out)


@pytest.mark.parametrize("players", range(2, 65))
def test_the_second_match_of_the_grand_final_is_played_only_if_the_first_loss_falls_there(players: int) -> None:
    bracket = double_elimination(players)
    decisions: dict[int, Decision] = {}
    while (state := replay(range(1, players + 1), decisions)).reset_needed is None:
        for match in state.ready:
            decisions[match.fixture.number] = Decision(match.a, DecidedBy.GAMES)
    assert (state.champion, state.reset_needed, state.ready) == (1, False, ())
    assert [row.player for row in state.placing(range(1, players + 1))][:3] == list(range(1, players + 1))[:3]
    with pytest.raises(Conflict) as refused:
        replay(range(1, players + 1), decisions | {bracket.reset.number: Decision(1, DecidedBy.GAMES)})
    assert refused.value.code == "bracket.reset_not_needed"
    decisions[bracket.grand_final.number] = Decision(2, DecidedBy.GAMES)
    state = replay(range(1, players + 1), decisions)
    assert (state.champion, state.reset_needed) == (None, True)
    assert [match.fixture.label for match in state.ready] == ["Grand final, second match"]
    for winner in (1, 2):
        last = replay(range(1, players + 1), decisions | {bracket.reset.number: Decision(winner, DecidedBy.GAMES)})
        assert (last.champion, last.ready) == (winner, ())


@pytest.mark.parametrize("places", [4, 8, 16, 32])
def test_no_other_drop_order_of_the_kind_has_fewer_rematches(places: int) -> None:
    rounds = places.bit_length() - 1
    masks = [range(places >> number) for number in range(2, rounds + 1)]
    assert rematches(double_elimination(places)) == min(
        (rematches(draw_bracket(places, order)) for order in product(*masks)),
        key=lambda found: (found[0], -found[1]),
    )


def test_changing_one_drop_of_sixty_four_places_brings_no_fewer_rematches() -> None:
    best, _ = rematches(double_elimination(64))
    for index, mask in enumerate(DROP_ORDERS[64]):
        for other in set(range(16 >> index)) - {mask}:
            order = (*DROP_ORDERS[64][:index], other, *DROP_ORDERS[64][index + 1 :])
            assert rematches(draw_bracket(64, order))[0] >= best


def test_rematches_to_expect_against_the_natural_order() -> None:
    found = {places: rematches(double_elimination(places)) for places in EARLIEST_REMATCH}
    natural = {places: rematches(draw_bracket(places, (0,) * len(DROP_ORDERS[places]))) for places in found}
    assert {places: earliest for places, (_, earliest) in found.items()} == EARLIEST_REMATCH
    assert {places: round(expected, 3) for places, (expected, _) in found.items()} == {
        4: 0.5,
        8: 0.625,
        16: 0.75,
        32: 0.734,
        64: 0.703,
    }
    assert {places: round(expected, 2) for places, (expected, _) in natural.items()} == {
        4: 0.5,
        8: 1.38,
        16: 3.09,
        32: 6.52,
        64: 13.38,
    }


@pytest.mark.parametrize("players", range(3, 65))
def test_with_byes_too_the_order_is_no_worse_than_the_natural_one(players: int) -> None:
    order = DROP_ORDERS[places_of(players)]
    expected, earliest = rematches(double_elimination(players))
    natural, _ = rematches(draw_bracket(players, (0,) * len(order)))
    assert expected <= natural
    assert expected <= 0.78
    assert earliest >= EARLIEST_REMATCH[places_of(players)]


def test_labels_rounds_and_byes_of_six_players() -> None:
    bracket = double_elimination(6)
    assert [(fixture.desk_round, fixture.label) for fixture in bracket.fixtures] == [
        (1, "Winners' quarter-final 2"),
        (1, "Winners' quarter-final 4"),
        (2, "Winners' semi-final 1"),
        (2, "Winners' semi-final 2"),
        (3, "Winners' final"),
        (3, "Losers' round 2, match 1"),
        (3, "Losers' round 2, match 2"),
        (4, "Losers' semi-final"),
        (5, "Losers' final"),
        (6, "Grand final"),
        (7, "Grand final, second match"),
    ]
    assert [(bye.side, bye.round, bye.source.kind, bye.source.number) for bye in bracket.byes] == [
        (Side.WINNERS, 1, From.SEED, 1),
        (Side.WINNERS, 1, From.SEED, 2),
        (Side.LOSERS, 1, From.LOSER, 1),
        (Side.LOSERS, 1, From.LOSER, 2),
    ]


def test_the_loser_of_a_semi_final_drops_to_the_other_half() -> None:
    decisions: dict[int, Decision] = {}
    state = replay([10, 20, 30, 40, 50, 60, 70, 80], decisions)
    assert [(match.a, match.b) for match in state.ready] == [(10, 80), (40, 50), (20, 70), (30, 60)]
    assert state.ready[0].reason == Reason(
        "double_elimination", {"seed": 1, "opponent_seed": 8, "side": "winners", "round": 1, "rematch": 0}
    )
    for _ in range(2):
        decisions |= {match.fixture.number: Decision(match.a, DecidedBy.GAMES) for match in state.ready}
        state = replay([10, 20, 30, 40, 50, 60, 70, 80], decisions)
    losers = [match for match in state.ready if match.fixture.side is Side.LOSERS]
    assert [(match.a, match.b) for match in losers] == [(30, 50), (40, 60)]


def test_who_left_loses_at_once_in_both_brackets_and_their_opponents_go_on() -> None:
    state = replay(range(1, 5), {}, gone=[4])
    assert {number: decision for number, (_, decision) in state.played.items()} == {
        1: Decision(1, DecidedBy.OPPONENT_LEFT)
    }
    state = replay(range(1, 5), {2: Decision(2, DecidedBy.GAMES)}, gone=[4])
    assert state.out == {4: 1}
    assert [match.fixture.label for match in state.ready] == ["Winners' final"]
    everybody = replay(range(1, 9), {}, gone=[8, 7, 6, 5, 4, 3, 2, 1])
    assert everybody.champion == 1  # who was there longest


def test_places_are_shared_or_go_by_rank() -> None:
    decisions: dict[int, Decision] = {}
    while (state := replay(range(1, 9), decisions)).ready:
        assert state.placing(range(1, 10)) == ()
        decisions |= {match.fixture.number: Decision(match.a, DecidedBy.GAMES) for match in state.ready}
    shared = state.placing(range(1, 10), shared=True)
    assert [(row.place, row.through) for row in shared] == [
        *((place, None) for place in (1, 2, 3, 4)),
        *[(5, 6)] * 2,
        *[(7, 8)] * 2,
        (9, None),
    ]
    assert [row.player for row in state.placing(range(1, 10), disqualified={2})] == [1, 3, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    ("number", "winner", "error", "code"),
    [
        (8, 1, DomainError, "bracket.no_such_match"),
        (1, 2, DomainError, "bracket.not_in_match"),
        (3, 1, Conflict, "bracket.not_ready"),
    ],
)
def test_results_that_cannot_be_are_refused(number: int, winner: int, error: type[DomainError], code: str) -> None:
    with pytest.raises(error) as refused:
        replay(range(1, 5), {number: Decision(winner, DecidedBy.GAMES)})
    assert refused.value.code == code


def test_a_bracket_has_two_to_a_hundred_and_twenty_eight_players() -> None:
    for players in (1, 129):
        with pytest.raises(DomainError) as refused:
            double_elimination(players)
        assert refused.value.code == "bracket.size"
    with pytest.raises(ValueError):
        replay([1, 2, 2], {})


def test_a_walkover_stands_when_its_winner_leaves_later() -> None:
    seeds, decisions = [1, 2, 3, 4], {2: Decision(2, DecidedBy.GAMES)}
    second = next(match for match in replay(seeds, decisions, gone=[1]).ready if (match.a, match.b) == (2, 4))
    decisions[second.fixture.number] = Decision(4, DecidedBy.GAMES)
    before, after = (replay(seeds, decisions, gone=gone) for gone in ([1], [1, 4]))
    assert before.played[1][1] == Decision(4, DecidedBy.OPPONENT_LEFT)
    assert after.played[1][1] == Decision(4, DecidedBy.BOTH_LEFT)
    assert [(match.a, match.b) for match in after.ready] == [(2, 3)]
