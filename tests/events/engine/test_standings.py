from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.outcomes import GameScore, Outcome
from events.engine.standings import (
    Comparison,
    PlayerEntry,
    Record,
    Result,
    StandingRow,
    StandingsPolicy,
    draw_lots,
    standings,
    why_above,
)

A, B, C, D, E = 1, 2, 3, 4, 5
NAMES = "?ABCDE"


def duel(round_number: int, a: int, b: int, wins: int, losses: int, draws: int = 0) -> Result:
    outcome = Outcome.DRAW if wins == losses else Outcome.WIN if wins > losses else Outcome.LOSS
    return Result(round_number, a, b, outcome, outcome.opposite, GameScore(wins, losses, draws))


def bye(round_number: int, player: int, outcome: Outcome = Outcome.BYE) -> Result:
    return Result(round_number, player, None, outcome)


# Five players, three rounds; D drops after round 2.
PLAYERS = [
    PlayerEntry(A, lot=3),
    PlayerEntry(B, lot=1),
    PlayerEntry(C, lot=2),
    PlayerEntry(D, dropped=True, lot=4),
    PlayerEntry(E, lot=5),
]
RESULTS = [
    duel(1, A, B, 2, 0),
    duel(1, C, D, 2, 1),
    bye(1, E),
    duel(2, A, C, 2, 0),
    duel(2, E, B, 2, 1),
    bye(2, D),
    duel(3, A, E, 1, 1, 1),
    duel(3, C, B, 2, 0),
]
MAGIC = StandingsPolicy(floor=Fraction(33, 100))


def column(rows: list[StandingRow], key: str) -> dict[str, str]:
    return {NAMES[row.player]: f"{float(row.values[key]):.4f}" for row in rows}


def test_worked_table_with_the_magic_policy() -> None:
    rows = standings(PLAYERS, RESULTS, MAGIC)
    assert [(NAMES[row.player], row.rank, int(row.values["match_points"])) for row in rows] == [
        ("A", 1, 7),
        ("E", 2, 7),
        ("C", 3, 6),
        ("D", 4, 3),
        ("B", 5, 0),
    ]
    assert column(rows, "omw") == {"A": "0.5915", "E": "0.5539", "C": "0.5359", "D": "0.6667", "B": "0.7407"}
    assert column(rows, "gw") == {"A": "0.7619", "E": "0.6667", "C": "0.5714", "D": "0.6000", "B": "0.3300"}
    assert column(rows, "ogw") == {"A": "0.5227", "E": "0.5460", "C": "0.5640", "D": "0.5714", "B": "0.6667"}
    # A met B (floor), C (6 of 9) and E (7 of 9): exactly, not to within a rounding.
    assert rows[0].values["omw"] == (Fraction(33, 100) + Fraction(6, 9) + Fraction(7, 9)) / 3


def test_worked_table_with_the_pokemon_policy() -> None:
    policy = StandingsPolicy(
        metrics=("match_points", "omw"),
        floor=Fraction(1, 4),
        byes_in_percentages=False,
        dropped_cap=Fraction(3, 4),
    )
    rows = standings(PLAYERS, RESULTS, policy)
    assert column(rows, "omw") == {"A": "0.5278", "E": "0.5139", "C": "0.4259", "D": "0.6667", "B": "0.7037"}


def test_opponents_are_a_mean_of_percentages_not_one_percentage_of_everybody_together() -> None:
    """Adding up what all opponents won and played, byes left out and without a floor, is a known wrong way."""
    pokemon = StandingsPolicy(
        metrics=("match_points", "omw"),
        floor=Fraction(1, 4),
        byes_in_percentages=False,
        dropped_cap=Fraction(3, 4),
    )
    rows = {row.player: row for row in standings(PLAYERS, RESULTS, MAGIC)}
    pooled = {}
    for player in (A, E):
        met = [rows[other] for other in rows[player].record.opponents]
        won = sum(row.values["match_points"] - 3 * row.record.byes for row in met)
        pooled[NAMES[player]] = f"{float(won / sum(3 * (row.record.played - row.record.byes) for row in met)):.4f}"
    assert pooled == {"A": "0.4167", "E": "0.3889"}
    for policy in (MAGIC, pokemon):
        found = column(standings(PLAYERS, RESULTS, policy), "omw")
        assert all(found[name] != wrong for name, wrong in pooled.items())


def test_a_dropped_winner_counts_at_most_the_cap_for_opponents() -> None:
    policy = StandingsPolicy(dropped_cap=Fraction(3, 4))
    players = [PlayerEntry(A, dropped=True), PlayerEntry(B)]
    rows = standings(players, [duel(1, A, B, 2, 0)], policy)
    assert {row.player: row.values["omw"] for row in rows} == {A: Fraction(1, 3), B: Fraction(3, 4)}


def test_byes_left_out_of_percentages_are_left_out_of_games_too() -> None:
    policy = StandingsPolicy(metrics=("match_points", "gw", "mw"), byes_in_percentages=False)
    rows = standings(PLAYERS, RESULTS, policy)
    values = {NAMES[row.player]: (row.values["gw"], row.values["mw"]) for row in rows}
    # E won three games of six and drew one; D won one of three, and lost the only match played.
    assert values["E"] == (Fraction(10, 18), Fraction(4, 6))
    assert values["D"] == (Fraction(1, 3), Fraction(1, 3))


def test_rows_carry_the_record_and_what_decided_the_place() -> None:
    rows = standings(PLAYERS, RESULTS, MAGIC)
    assert rows[1] == StandingRow(
        player=E,
        rank=2,
        shared_rank=2,
        values={
            "match_points": Fraction(7),
            "omw": Fraction(997, 1800),
            "gw": Fraction(2, 3),
            "ogw": rows[1].values["ogw"],
            "lot": Fraction(5),
        },
        record=Record(wins=2, draws=1, byes=1, game_wins=5, game_losses=2, game_draws=1, opponents=(B, A)),
        dropped=False,
        decided_by="omw",
    )
    assert [row.decided_by for row in rows] == [None, "omw", "match_points", "match_points", "match_points"]
    assert [row.dropped for row in rows] == [False, False, False, True, False]


def test_why_above_names_the_first_metric_that_differs() -> None:
    rows = standings(PLAYERS, RESULTS, MAGIC)
    assert why_above(rows, E, A) == Comparison(
        above=A,
        below=E,
        equal=("match_points",),
        decided_by="omw",
        above_value=rows[0].values["omw"],
        below_value=rows[1].values["omw"],
        ranks=(1, 2),
    )
    with pytest.raises(ValueError):
        why_above(rows, A, 99)


def test_match_points_are_among_the_values_even_where_they_order_nothing() -> None:
    policy = StandingsPolicy(metrics=("gw",))
    rows = standings([PlayerEntry(A), PlayerEntry(B)], [duel(1, A, B, 1, 1), bye(2, A)], policy)
    assert [list(row.values.items()) for row in rows] == [
        [("gw", Fraction(3, 4)), ("lot", 0), ("match_points", 4)],
        [("gw", Fraction(1, 2)), ("lot", 0), ("match_points", 1)],
    ]
    # Level in all that orders, and with the same lot: the points that one has more decide nothing.
    rows = standings([PlayerEntry(A), PlayerEntry(B)], [duel(1, A, B, 2, 0)], StandingsPolicy(metrics=("seed",)))
    assert why_above(rows, A, B).decided_by == "lot"


def test_equal_players_share_a_rank_and_the_lot_orders_them() -> None:
    players = [PlayerEntry(1, lot=2), PlayerEntry(2, lot=3), PlayerEntry(3, lot=1)]
    rows = standings(players, [], StandingsPolicy())
    assert [(row.player, row.rank, row.shared_rank, row.decided_by) for row in rows] == [
        (3, 1, 1, None),
        (1, 2, 1, "lot"),
        (2, 3, 1, "lot"),
    ]
    assert why_above(rows, 1, 3).decided_by == "lot"


def test_seeds_order_ascending_and_the_unseeded_come_last() -> None:
    players = [PlayerEntry(1), PlayerEntry(2, seed=2), PlayerEntry(3, seed=1)]
    rows = standings(players, [], StandingsPolicy(metrics=("match_points", "seed")))
    assert [row.player for row in rows] == [3, 2, 1]


def test_an_intentional_draw_is_a_point_each_and_an_assigned_bye_a_win() -> None:
    players = [PlayerEntry(A), PlayerEntry(B), PlayerEntry(C)]
    drawn = Result(1, A, B, Outcome.INTENTIONAL_DRAW, Outcome.INTENTIONAL_DRAW)
    rows = standings(players, [drawn, bye(1, C, Outcome.ASSIGNED_BYE)], StandingsPolicy())
    assert {row.player: row.values["match_points"] for row in rows} == {A: 1, B: 1, C: 3}
    assert rows[0].record == Record(wins=1, byes=1, game_wins=2)


def test_a_double_loss_gives_nobody_points_and_still_makes_opponents() -> None:
    result = Result(1, A, B, Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS)
    rows = standings([PlayerEntry(A), PlayerEntry(B)], [result], StandingsPolicy())
    assert [(row.values["match_points"], row.record.losses) for row in rows] == [(0, 1), (0, 1)]
    assert rows[0].record.opponents == (B,)


def test_unfinished_matches_count_for_nothing() -> None:
    pending = Result(1, A, B, Outcome.UNFINISHED, Outcome.UNFINISHED, GameScore(1, 0))
    rows = standings([PlayerEntry(A), PlayerEntry(B)], [pending], StandingsPolicy())
    assert [row.record for row in rows] == [Record(), Record()]


def test_a_missed_round_is_a_lost_one_but_no_lost_match() -> None:
    results = [bye(1, A, Outcome.ABSENT), duel(2, A, B, 2, 0)]
    policy = StandingsPolicy(metrics=("match_points", "mw", "gw"), floor=Fraction(0))
    rows = standings([PlayerEntry(A), PlayerEntry(B)], results, policy)
    assert rows[0].record == Record(wins=1, absences=1, game_wins=2, opponents=(B,))
    assert dict(rows[0].values) == {"match_points": 3, "mw": Fraction(1, 2), "gw": 1, "lot": 0}
    left_out = replace(policy, missed_rounds_count=False)
    assert standings([PlayerEntry(A), PlayerEntry(B)], results, left_out)[0].values["mw"] == 1


def test_results_of_strangers_and_misshapen_results_are_bugs() -> None:
    with pytest.raises(ValueError, match="not both players"):
        standings([PlayerEntry(A)], [duel(1, A, B, 2, 0)], StandingsPolicy())
    for misshapen in ((B, Outcome.BYE, Outcome.LOSS), (None, Outcome.WIN, None), (B, Outcome.WIN, None)):
        with pytest.raises(ValueError):
            Result(1, A, *misshapen)


def test_an_unknown_metric_is_refused_with_the_known_ones() -> None:
    with pytest.raises(DomainError) as refused:
        StandingsPolicy(metrics=("match_points", "luck"))
    assert refused.value.code == "standings.unknown_metric"
    assert "omw" in refused.value.context["known"]


def test_lots_depend_on_the_stream_alone() -> None:
    first = draw_lots([3, 1, 2], Stream(b"s", "lots|1"))
    assert first == draw_lots([2, 3, 1], Stream(b"s", "lots|1"))
    assert sorted(first.values()) == [1, 2, 3]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(1, 5), st.sampled_from([(2, 0), (2, 1), (1, 1), (0, 2)])), max_size=20
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_results_and_players_changes_nothing(drawn, random) -> None:
    results = [
        duel(number, a, (a + step) % 6, *score, draws=number % 2) for number, (a, step, score) in enumerate(drawn)
    ]
    players = [PlayerEntry(number, lot=6 - number) for number in range(6)]
    rows = standings(players, results, StandingsPolicy())
    shuffled, others = list(results), list(players)
    random.shuffle(shuffled)
    random.shuffle(others)
    assert standings(others, shuffled, StandingsPolicy()) == rows
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6]
    assert sum(row.values["match_points"] for row in rows) == sum(
        2 if result.outcome_a is Outcome.DRAW else 3 for result in results
    )
    for row in rows:
        assert all(Fraction(1, 3) <= row.values[key] <= 1 for key in ("gw",))
        assert row.values["omw"] == 0 or Fraction(1, 3) <= row.values["omw"] <= 1
