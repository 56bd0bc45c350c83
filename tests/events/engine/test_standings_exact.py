"""That figures are exact: against fractions added one by one, and where floats put players the wrong way round."""

from __future__ import annotations

import os
from dataclasses import replace
from fractions import Fraction
from math import lcm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.metrics import METRICS
from events.engine.outcomes import GameScore, Outcome
from events.engine.standings import (
    PlayerEntry,
    Result,
    ResultTable,
    StandingsPolicy,
    TableResult,
    TableSeat,
    rank_table,
    standings,
)
from events.engine.standings_exact import Column, groups, mean, ratio, whole
from events.engine.standings_presets import STANDINGS_PRESETS
from events.engine.standings_preview import example_results
from tests.events.engine.naive_standings import Naive

SHARES = st.fractions(0, 1, max_denominator=1000)
DUELS = [outcome for outcome in Outcome if not outcome.is_alone]
ALONE = [outcome for outcome in Outcome if outcome.is_alone]
POLICIES = st.builds(
    StandingsPolicy,
    metrics=st.permutations(list(METRICS))
    .flatmap(lambda keys: st.integers(1, len(keys)).map(lambda n: keys[:n]))
    .map(tuple),
    win=st.integers(0, 5),
    draw=st.integers(0, 3),
    loss=st.integers(0, 1),
    bye=st.integers(0, 6),
    floor=st.sampled_from([Fraction(1, 3), Fraction(33, 100), Fraction(1, 4), Fraction(0), Fraction(333333333, 10**9)]),
    bye_games=st.integers(0, 3),
    byes_in_percentages=st.booleans(),
    dropped_cap=st.none() | SHARES,
    game_win=st.integers(0, 3),
    game_draw=st.integers(0, 2),
    draw_share=st.none() | SHARES,
    missed_rounds_count=st.booleans(),
    bye_opponents=st.integers(0, 3),
    bye_opponent_value=SHARES,
    unplayed_rounds=st.sampled_from(["nothing", "own_points"]),
    forfeits_make_opponents=st.booleans(),
)
MANY = settings(max_examples=int(os.environ.get("STANDINGS_EXAMPLES", "200")), deadline=None)


@st.composite
def events(draw: st.DrawFn) -> tuple[list[PlayerEntry], list[Result | TableResult]]:
    """Up to nine players, in rounds of duels, tables and byes; whoever is left out of a round has no result in it."""
    ids = draw(st.lists(st.integers(1, 10**9), min_size=1, max_size=9, unique=True))
    seeds = st.none() | st.integers(0, 5)
    players = [PlayerEntry(one, draw(st.booleans()), draw(seeds), lot=draw(st.integers(0, 3))) for one in ids]
    results: list[Result | TableResult] = []
    for number in range(1, draw(st.integers(0, 6)) + 1):
        waiting = draw(st.permutations(ids))
        while waiting:
            size = draw(st.integers(0, min(4, len(waiting))))
            if size == 0:
                waiting = waiting[1:]
                continue
            seated, waiting = waiting[:size], waiting[size:]
            if size == 1:
                alone = draw(st.sampled_from(ALONE))
                results.append(Result(number, seated[0], None, alone, None, GameScore(draw(st.integers(0, 2)))))
            elif size == 2:
                outcome = draw(st.sampled_from(DUELS))
                score = GameScore(*draw(st.tuples(*[st.integers(0, 2)] * 3)))
                results.append(Result(number, *seated, outcome, outcome.opposite, score))
            else:
                results.append(TableResult(number, tuple(_seat(draw, one) for one in seated)))
    return players, results


def _seat(draw: st.DrawFn, player: int) -> TableSeat:
    points = draw(st.none() | st.integers(0, 7))
    halves = st.integers(0, 10).map(lambda number: Fraction(number, 2))
    outcome = draw(st.sampled_from([Outcome.WIN, Outcome.LOSS, Outcome.DRAW, Outcome.UNFINISHED]))
    return TableSeat(player, outcome, points, draw(halves), Fraction(draw(st.sampled_from([12, 24, 36, 48, 60]))))


@MANY
@given(events(), POLICIES)
def test_every_figure_and_the_order_are_those_of_fractions_added_one_by_one(event, policy) -> None:
    players, results = event
    rows = standings(players, results, policy)
    assert [(row.player, dict(row.values)) for row in rows] == Naive(players, results, policy).order()


@pytest.mark.parametrize("key", STANDINGS_PRESETS)
def test_presets_order_a_whole_event_as_fractions_do(key) -> None:
    players, results = example_results(40, 7, Stream(b"presets", key))
    policy = STANDINGS_PRESETS[key].policy
    rows = standings(players, results, policy)
    assert [(row.player, dict(row.values)) for row in rows] == Naive(players, results, policy).order()


def test_leagues_whose_denominators_are_above_64_bits_are_exact() -> None:
    """Sixty rounds: the least common multiple of the numbers of games is about 2**200."""
    players, results = example_results(60, 60, Stream(b"league", "long"))
    policy = StandingsPolicy(metrics=("match_points", "omw", "gw", "ogw", "oomw", "esos"))
    ranking = rank_table(ResultTable.of(players, results), policy)
    assert ranking.figures["ogw"].denominator.bit_length() > 128
    assert [(row.player, dict(row.values)) for row in ranking.rows()] == Naive(players, results, policy).order()


def test_what_decided_a_place_is_the_first_figure_that_differs_however_little() -> None:
    players, results = example_results(300, 12, Stream(b"deciders", "many"))
    by_little = 0
    for keys in (("match_points", "omw", "gw", "ogw"), ("ogw",), ("oomw", "gw"), ("match_wins", "esos")):
        rows = standings(players, results, StandingsPolicy(metrics=keys))
        for above, below in zip(rows, rows[1:], strict=False):
            expected = next((key for key in keys if above.values[key] != below.values[key]), "lot")
            assert below.decided_by == expected
            by_little += expected != "lot" and above.values[expected] - below.values[expected] < Fraction(1, 10**4)
    assert by_little > 100


def test_players_level_but_for_the_order_of_addition_are_level() -> None:
    """A tenth, two tenths and three tenths: floats have 0.6000000000000001 or 0.6 by the order in which they add."""
    column = ratio(np.array([1, 2, 3, 0, 0]), np.array([10, 10, 10, 1, 1]))
    owners, members = np.array([3, 3, 3, 4, 4, 4]), np.array([0, 1, 2, 2, 1, 0])
    means = mean(column, owners, members)
    assert sum([0.1, 0.2, 0.3]) != sum([0.3, 0.2, 0.1])
    assert means[3] == means[4] == Fraction(1, 5)
    assert groups([means], 5).tolist() == [0, 0, 0, 1, 1]


def test_players_closer_than_floats_can_tell_are_in_order() -> None:
    """Two means that differ by less than 1e-17, and that floats have the wrong way round."""
    small, large = Fraction(10**17 + 1, 3 * 10**17), Fraction(10**17 + 2, 3 * 10**17)
    assert float(small) == float(large)
    common = 3 * 10**17
    column = whole(np.array([10**17 + 2, 10**17 + 1, 10**17]), common)
    assert [column[i] for i in range(3)] == [large, small, Fraction(1, 3)]
    assert np.lexsort(column.keys[::-1]).tolist() == [2, 1, 0]
    # Mean of (1/3, 1/3, large) against (1/3, small, small): floats add to the same, or lower for the higher.
    owners, members = np.array([0, 0, 0, 1, 1, 1]), np.array([2, 2, 0, 2, 1, 1])
    means = mean(column, owners, members)
    assert means[0] == means[1] == (Fraction(2, 3) + large) / 3
    assert groups([means], 3).tolist()[:2] == [1, 1]


def test_an_event_whose_order_floats_get_wrong() -> None:
    """Neighbours with one and the same percentage, which floats add up to less for the one whom the rest puts first."""
    found = 0
    for number in range(40):
        players, results = example_results(128, 9, Stream(b"noise", str(number)))
        rows = standings(players, results, StandingsPolicy(floor=Fraction(33, 100)))
        met = {row.player: row.record.opponents for row in rows}
        mw = {
            row.player: float(row.values["mw"])
            for row in standings(players, results, StandingsPolicy(metrics=("mw",), floor=Fraction(33, 100)))
        }
        noisy = {player: sum(mw[other] for other in met[player]) / (len(met[player]) or 1) for player in met}
        for above, below in zip(rows, rows[1:], strict=False):
            level = above.values["match_points"] == below.values["match_points"]
            if level and noisy[above.player] < noisy[below.player]:
                found += 1
                assert above.values["omw"] == below.values["omw"]
                assert below.decided_by != "omw"
    assert found > 20  # neighbours whom sorting by floats would have swapped


@MANY
@given(
    st.lists(st.tuples(st.integers(0, 2**31), st.integers(0, 300), st.booleans()), min_size=1, max_size=12),
    SHARES,
    st.none() | SHARES,
)
def test_ratios_are_exact_whatever_the_floor_and_the_cap(drawn, floor, cap) -> None:
    numerators, denominators, marked = zip(*drawn, strict=True)
    column = ratio(
        np.array(numerators),
        np.array(denominators),
        floor=floor,
        cap=None if cap is None else (np.array(marked), cap),
    )
    for place, (numerator, denominator, is_marked) in enumerate(drawn):
        expected = max(floor, Fraction(numerator, denominator)) if denominator else floor
        assert column[place] == (min(expected, cap) if is_marked and cap is not None else expected)


@MANY
@given(st.data())
def test_means_of_numbers_of_any_size_are_exact(data) -> None:
    numbers = data.draw(st.lists(st.integers(0, 2**300), min_size=1, max_size=6))
    denominator = data.draw(st.integers(1, 2**200))
    limbs = tuple(np.array([number >> 28 * j & 2**28 - 1 for number in numbers]) for j in range(11))
    column = Column(limbs, denominator)
    places = st.integers(0, len(numbers) - 1)
    meetings = data.draw(st.lists(st.tuples(places, places), min_size=1, max_size=40))
    owners, members = (np.array(column) for column in zip(*meetings, strict=True))
    means = mean(column, owners, members)
    values = [means[place] for place in range(len(numbers))]
    for place, value in enumerate(values):
        met = [Fraction(numbers[member], denominator) for owner, member in meetings if owner == place]
        assert value == (sum(met) / len(met) if met else 0)
    order = np.lexsort(means.keys[::-1]).tolist()
    assert [values[place] for place in order] == sorted(values)


def test_columns_refuse_what_they_cannot_hold() -> None:
    with pytest.raises(ValueError, match="never negative"):
        whole(np.array([1, -1]))
    with pytest.raises(ValueError, match="no multiple"):
        whole(np.array([1]), 2).over(3)
    assert lcm(2, 3) == whole(np.array([1]), 2).over(6).denominator


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"win": -1}, "win"),
        ({"bye_opponents": 1001}, "bye_opponents"),
        ({"floor": Fraction(4, 3)}, "floor"),
        ({"dropped_cap": Fraction(1, 10**9 + 1)}, "dropped_cap"),
        ({"draw_share": Fraction(1, 1001)}, "draw_share"),
    ],
)
def test_scorings_that_cannot_be_counted_are_refused_by_field(changed, field) -> None:
    with pytest.raises(DomainError) as refused:
        replace(StandingsPolicy(), **changed)
    assert (refused.value.code, refused.value.context["field"]) == ("standings.out_of_range", field)
