from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import Conflict
from events.engine.outcomes import Outcome
from events.engine.pairing import Entrant, Pair
from events.engine.standings_model import PlayerEntry, Result, StandingsPolicy
from events.engine.standings_table import ResultTable
from events.engine.swiss_state import swiss_state

POLICY = StandingsPolicy()
W, L, D = Outcome.WIN, Outcome.LOSS, Outcome.DRAW


def field(count: int, results: list[Result], *, gone: tuple[int, ...] = ()) -> tuple[list[Entrant], list[Pair]]:
    """Of players 1 to ``count``."""
    table = ResultTable.of([PlayerEntry(player, player in gone) for player in range(1, count + 1)], results)
    entrants, history = swiss_state(table, POLICY, ~table.dropped)
    return entrants.single(), sorted(history.among(entrants))


def test_points_byes_floats_and_meetings_are_counted() -> None:
    results = [
        Result(2, 3, 1, W, L),
        Result(1, 1, 2, W, L),
        Result(1, 3, None, Outcome.BYE),
        Result(2, 2, None, Outcome.ASSIGNED_BYE),
        Result(3, 3, 2, D, D),
    ]
    assert field(3, results) == (
        [Entrant(1, 3), Entrant(2, 4, 1, 0, 1), Entrant(3, 7, 1, 1, 0)],
        [(1, 2), (1, 3), (2, 3)],
    )


def test_a_missed_round_is_no_bye_and_gives_no_points() -> None:
    results = [Result(1, 1, 2, W, L), Result(1, 3, None, Outcome.ABSENT)]
    assert field(4, results)[0][2:] == [Entrant(3, 0), Entrant(4, 0)]


def test_who_both_lost_have_met_and_have_nothing() -> None:
    results = [Result(1, 1, 2, Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS)]
    assert field(2, results) == ([Entrant(1, 0), Entrant(2, 0)], [(1, 2)])


def test_the_dropped_are_no_entrants_and_their_results_count() -> None:
    assert field(2, [Result(1, 1, 2, W, L)], gone=(2,)) == ([Entrant(1, 3)], [])


def test_an_unfinished_match_refuses_the_pairing_and_is_named() -> None:
    results = [Result(1, 1, 2, W, L), Result(1, 3, 4, Outcome.UNFINISHED, Outcome.UNFINISHED)]
    with pytest.raises(Conflict) as refusal:
        field(4, results)
    assert (refusal.value.code, refusal.value.context) == (
        "pairing.results_missing",
        {"matches": [{"round": 1, "players": [3, 4]}]},
    )


Row = tuple[int, list[int], tuple[Outcome, Outcome]]
duels = st.sampled_from([(W, L), (L, W), (D, D), (Outcome.INTENTIONAL_DRAW,) * 2, (Outcome.DOUBLE_LOSS,) * 2])


@given(st.lists(st.tuples(st.integers(1, 4), st.permutations(range(1, 7)), duels), max_size=12))
def test_the_points_of_a_snapshot_are_those_of_its_results(
    rows: list[tuple[int, list[int], tuple[Outcome, Outcome]]],
) -> None:
    """3 for every decided match and bye, 2 for every draw, and nothing else (T10)."""
    results = [Result(number, order[0], order[1], *outcomes) for number, order, outcomes in rows]
    results += [Result(number, order[2], None, Outcome.BYE) for number, order, _ in rows]
    entrants, history = field(6, results)
    decided = sum(result.outcome_a is Outcome.BYE or W in (result.outcome_a, result.outcome_b) for result in results)
    drawn = sum(result.outcome_a.is_draw for result in results)
    assert sum(entrant.points for entrant in entrants) == 3 * decided + 2 * drawn
    assert len(history) == len(rows)
    assert sum(entrant.byes for entrant in entrants) == len(rows)
