from __future__ import annotations

import os
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings

from cards.engine.streams import Stream
from events.engine.standings import (
    Comparison,
    PlayerEntry,
    ResultTable,
    StandingsPolicy,
    rank_table,
    standings,
    why_above,
)
from events.engine.standings_presets import STANDINGS_PRESETS
from events.engine.standings_preview import Move, PolicyChange, PolicyPreview, compare_policies, example_results
from events.engine.standings_reasons import Figure, Part, explain
from tests.events.engine.test_standings import MAGIC, PLAYERS, RESULTS, A, B, C, D, E, bye, duel
from tests.events.engine.test_standings_exact import POLICIES, events


def ranked(policy: StandingsPolicy = MAGIC, players=PLAYERS, results=RESULTS):
    return rank_table(ResultTable.of(players, results), policy)


def test_a_place_is_explained_by_the_neighbours_and_the_parts_of_every_figure() -> None:
    told = explain(ranked(), E)
    omw = Fraction(997, 1800)
    assert (told.player, told.rank) == (E, 2)
    assert told.above == Comparison(A, E, ("match_points",), "omw", Fraction(1597, 2700), omw, (1, 2))
    assert told.below == Comparison(E, C, (), "match_points", Fraction(7), Fraction(6), (2, 3))
    assert told.figures[:2] == (
        Figure(
            "match_points",
            Fraction(7),
            "sum",
            (
                Part(Fraction(3), 1, None, "bye"),
                Part(Fraction(3), 2, B, "win"),
                Part(Fraction(1), 3, A, "draw"),
            ),
        ),
        Figure(
            "omw",
            omw,
            "mean",
            (Part(Fraction(33, 100), 2, B, "win"), Part(Fraction(7, 9), 3, A, "draw")),
        ),
    )
    assert [(figure.key, figure.made) for figure in told.figures] == [
        ("match_points", "sum"),
        ("omw", "mean"),
        ("gw", "given"),
        ("ogw", "mean"),
        ("lot", "given"),
    ]
    assert told.as_json()["above"] == {
        "above": A,
        "below": E,
        "equal": ["match_points"],
        "decided_by": "omw",
        "above_value": "1597/2700",
        "below_value": "997/1800",
        "ranks": [1, 2],
    }
    assert told.figures[1].as_json()["parts"][0] == {
        "value": "33/100",
        "round": 2,
        "opponent": B,
        "outcome": "win",
        "counts": True,
    }


def test_the_first_has_nobody_above_and_the_last_nobody_below() -> None:
    ranking = ranked()
    assert explain(ranking, A).above is None
    assert explain(ranking, B).below is None
    with pytest.raises(ValueError, match="not a player"):
        explain(ranking, 99)


def test_parts_that_are_cut_off_and_rounds_without_an_opponent_are_among_the_parts() -> None:
    fide = replace(STANDINGS_PRESETS["fide"].policy, metrics=("match_points", "buchholz_median"))
    (figure,) = [one for one in explain(ranked(fide), E).figures if one.key == "buchholz_median"]
    # E has 5 half points, met B with 0 and A with 5, and had a bye.
    assert figure == Figure(
        "buchholz_median",
        Fraction(5),
        "sum",
        (
            Part(Fraction(0), 2, B, "win", counts=False),
            Part(Fraction(5), 3, A, "draw"),
            Part(Fraction(5), counts=False),
        ),
    )


@settings(max_examples=int(os.environ.get("STANDINGS_EXAMPLES", "80")), deadline=None)
@given(events(), POLICIES)
def test_the_parts_of_every_figure_make_its_value(event, policy) -> None:
    players, results = event
    ranking = rank_table(ResultTable.of(players, results), policy)
    rows = ranking.rows()
    for place, row in enumerate(rows):
        told = explain(ranking, row.player)
        assert told.rank == row.rank
        assert told.below is None or told.below.decided_by == rows[place + 1].decided_by
        for figure in told.figures:
            assert figure.value == row.values[figure.key]
            parts = [part.value for part in figure.parts if part.counts]
            if figure.made == "sum":
                assert sum(parts) == figure.value
            elif figure.made == "mean":
                assert (sum(parts) / len(parts) if parts else 0) == figure.value
            else:
                assert figure.key in ("gw", "mw", "seed", "lot")
                assert not parts


@pytest.mark.parametrize("metrics", [MAGIC.metrics, ("gw",), ("seed",), ("lot", "omw")])
def test_a_comparison_of_neighbours_is_the_same_from_rows_and_from_columns(metrics) -> None:
    ranking = ranked(replace(MAGIC, metrics=metrics))
    rows = ranking.rows()
    for above, below in zip(rows, rows[1:], strict=False):
        assert explain(ranking, below.player).above == why_above(rows, above.player, below.player)


# -- head to head -----------------------------------------------------------------------------------------------------


def test_head_to_head_decides_only_among_players_who_have_all_met() -> None:
    policy = StandingsPolicy(metrics=("match_points", "head_to_head"))
    players = [PlayerEntry(one, lot=one) for one in (A, B, C, D)]
    # C beat A, A beat D, D beat B, B beat C: all have 3, and neither A and B nor C and D have met.
    circle = [duel(1, C, A, 2, 0), duel(1, D, B, 2, 0), duel(2, A, D, 2, 0), duel(2, B, C, 2, 0)]
    rows = standings(players, circle, policy)
    assert [(row.player, row.values["head_to_head"]) for row in rows] == [(A, 0), (B, 0), (C, 0), (D, 0)]
    # Now only C and D are level, and D beat C.
    rows = standings(players, [duel(1, D, C, 2, 1), duel(2, C, B, 2, 0), duel(2, A, D, 2, 0), bye(3, A)], policy)
    assert [(row.player, row.decided_by) for row in rows] == [
        (A, None),
        (D, "match_points"),
        (C, "head_to_head"),
        (B, "match_points"),
    ]


# -- what another policy would change ---------------------------------------------------------------------------------


def test_another_policy_is_compared_by_who_moves_and_who_makes_the_cut() -> None:
    wins_first = StandingsPolicy(metrics=("match_wins", "game_points"))
    found = compare_policies(PLAYERS, RESULTS, {"now": MAGIC, "same": StandingsPolicy(), "wins": wins_first}, cut=2)
    # By games: A and E have two matches won, C too; game points 16, 16 and 12.
    order = [row.player for row in standings(PLAYERS, RESULTS, wins_first)]
    assert order == [A, E, C, D, B]
    assert found == PolicyPreview("now", (A, E), (PolicyChange("same", (), (), ()), PolicyChange("wins", (), (), ())))
    upside_down = compare_policies(PLAYERS, RESULTS, {"now": MAGIC, "lots": StandingsPolicy(metrics=("lot",))}, cut=2)
    assert upside_down.changes == (
        PolicyChange(
            "lots",
            (Move(B, 5, 1), Move(E, 2, 5), Move(A, 1, 3), Move(C, 3, 2)),
            into_cut=(B, C),
            out_of_cut=(A, E),
        ),
    )
    assert upside_down.changes[0].as_json()["moves"][0] == {"player": B, "before": 5, "after": 1, "gained": 4}


def test_who_dropped_is_in_no_cut() -> None:
    by_omw = StandingsPolicy(metrics=("omw",))
    assert [row.player for row in standings(PLAYERS, RESULTS, by_omw)][:2] == [B, D]
    assert compare_policies(PLAYERS, RESULTS, {"omw": by_omw}, cut=2).cut == (B, A)


def test_nothing_to_compare_is_a_bug() -> None:
    with pytest.raises(ValueError, match="no policy"):
        compare_policies(PLAYERS, RESULTS, {})


def test_before_round_one_an_example_shows_what_policies_change() -> None:
    players, results = example_results(33, 6, Stream(b"preview", "example"))
    policies = {key: STANDINGS_PRESETS[key].policy for key in ("magic", "pokemon", "netrunner", "yugioh", "fide")}
    preview = compare_policies(players, results, policies, cut=8)
    assert [change.policy for change in preview.changes] == ["pokemon", "netrunner", "yugioh", "fide"]
    for change in preview.changes:
        assert change.moves
        assert sum(move.gained for move in change.moves) == 0
        assert len(change.into_cut) == len(change.out_of_cut)


def test_an_example_is_an_event_and_the_same_for_a_seed() -> None:
    players, results = example_results(33, 6, Stream(b"preview", "example"))
    assert (players, results) == example_results(33, 6, Stream(b"preview", "example"))
    assert sorted(player.lot for player in players) == list(range(1, 34))
    for number in range(1, 7):
        seated = [one for result in results if result.round == number for one in (result.a, result.b) if one]
        assert len(set(seated)) == len(seated) > 20
    assert any(player.dropped for player in players)
