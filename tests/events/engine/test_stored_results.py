"""Columns of stored seats give what single results give."""

from __future__ import annotations

import pytest

from cards.engine.streams import Stream
from events.engine.outcomes import GameScore, Outcome
from events.engine.pairing import Entrant
from events.engine.standings import PlayerEntry, Result, StandingsPolicy, rank_table, standings
from events.engine.standings_model import TableResult, TableSeat
from events.engine.standings_table import ResultTable
from events.engine.stored_results import table_of_seats
from events.engine.swiss_state import swiss_state

POLICY = StandingsPolicy()


def played(players: int, rounds: int, seed: str) -> list[Result]:
    """Random matches, some drawn, with a bye in odd fields and somebody who is absent now and then."""
    rng = Stream(seed.encode(), "results")
    found = []
    for number in range(1, rounds + 1):
        order = rng.shuffled(range(players))
        for a, b in zip(order[::2], order[1::2], strict=False):
            wins, losses = rng.choice([(2, 0), (0, 2), (2, 1), (1, 2), (1, 1)])
            outcome = Outcome.DRAW if wins == losses else Outcome.WIN if wins > losses else Outcome.LOSS
            found.append(Result(number, a, b, outcome, outcome.opposite, GameScore(wins, losses)))
        if players % 2:
            alone = Outcome.BYE if rng.below(2) else Outcome.ABSENT
            found.append(Result(number, order[-1], None, alone))
    return found


def seats_of(results: list[Result], seed: str) -> dict[str, list[object]]:
    rows = []
    for match, result in enumerate(results):
        rows.append((result.a, match, result.round, result.outcome_a, result.games))
        if result.b is not None:
            rows.append((result.b, match, result.round, result.outcome_b, result.games.reversed))
    rows = Stream(seed.encode(), "order").shuffled(rows)
    return {
        "player": [row[0] for row in rows],
        "match": [row[1] for row in rows],
        "round": [row[2] for row in rows],
        "outcome": [str(row[3]) for row in rows],
        "side": [""] * len(rows),
        "game_wins": [row[4].wins for row in rows],
        "game_losses": [row[4].losses for row in rows],
        "game_draws": [row[4].draws for row in rows],
    }


def stored(players: int, results: list[Result], seed: str) -> ResultTable:
    return table_of_seats(
        ids=range(players),
        lots=range(1, players + 1),
        dropped=[player % 5 == 4 for player in range(players)],
        seats=seats_of(results, seed),
    )


@pytest.mark.parametrize("seed", [f"seed {number}" for number in range(12)])
def test_the_standings_are_the_same_from_columns_in_any_order(seed: str) -> None:
    players = 8 + len(seed) % 2 + int(seed[-1]) % 2
    results = played(players, 5, seed)
    entries = [PlayerEntry(player, player % 5 == 4, lot=player + 1) for player in range(players)]
    from_objects = standings(entries, results, POLICY)
    from_columns = rank_table(stored(players, results, seed), POLICY).rows()
    assert [(row.player, dict(row.values), row.record, row.decided_by) for row in from_columns] == [
        (row.player, dict(row.values), row.record, row.decided_by) for row in from_objects
    ]


@pytest.mark.parametrize("seed", [f"seed {number}" for number in range(12)])
def test_points_byes_and_floats_are_those_of_a_count_round_by_round(seed: str) -> None:
    players = 9
    results = played(players, 4, seed)
    points, byes = dict.fromkeys(range(players), 0), dict.fromkeys(range(players), 0)
    down, up, met = dict.fromkeys(range(players), 0), dict.fromkeys(range(players), 0), []
    for number in range(1, 5):
        before = dict(points)
        for result in (result for result in results if result.round == number):
            points[result.a] += POLICY.points(result.outcome_a)
            byes[result.a] += result.outcome_a.is_bye
            if result.b is not None and result.outcome_b is not None:
                points[result.b] += POLICY.points(result.outcome_b)
                met.append((min(result.a, result.b), max(result.a, result.b)))
                high, low = sorted((result.a, result.b), key=lambda player: -before[player])
                if before[high] != before[low]:
                    down[high] += 1
                    up[low] += 1
    table = stored(players, results, seed)
    entrants, history = swiss_state(table, POLICY, ~table.dropped)
    assert entrants.single() == [
        Entrant(player, points[player], byes[player], down[player], up[player])
        for player in range(players)
        if player % 5 != 4
    ]
    assert sorted(history.among(entrants)) == sorted((a, b) for a, b in met if a % 5 != 4 and b % 5 != 4)


def test_nothing_played_is_nothing_counted() -> None:
    empty = {name: [] for name in seats_of([], "x")}
    table = table_of_seats(ids=(3, 5), lots=(1, 2), dropped=(False, False), seats=empty)
    entrants, history = swiss_state(table, POLICY, ~table.dropped)
    assert entrants.single() == [Entrant(3, 0), Entrant(5, 0)]
    assert history.among(entrants) == []


def test_a_seat_of_a_stranger_is_refused() -> None:
    seats = {**{name: [0, 0] for name in seats_of([], "x")}, "player": [1, 4], "outcome": ["win"] * 2, "side": ["", ""]}
    with pytest.raises(ValueError, match="not a player"):
        table_of_seats(ids=(1, 2, 3), lots=(1, 2, 3), dropped=(False,) * 3, seats=seats)


EVERYTHING = StandingsPolicy(metrics=("match_points", "omw", "sos", "buchholz", "match_wins"))


@pytest.mark.parametrize("seed", [f"seed {number}" for number in range(12)])
def test_tables_and_duels_beside_each_other_stand_as_single_results_do(seed: str) -> None:
    rng = Stream(seed.encode(), "tables")
    players = 14
    results: list[Result | TableResult] = []
    rows = []
    match = 0
    for number in range(1, 5):
        order = rng.shuffled(range(players))
        start = 0
        for size in rng.choice([(5, 4, 3, 2), (2, 6, 3, 2, 1), (3, 3, 3, 3, 2), (7, 7)]):
            seated = order[start : start + size]
            start, match = start + size, match + 1
            outcomes = [Outcome.BYE] if size == 1 else [Outcome.WIN] + [Outcome.LOSS] * (size - 1)
            rows += [(player, match, number, str(outcome)) for player, outcome in zip(seated, outcomes, strict=True)]
            if size > 2:
                pairs = zip(seated, outcomes, strict=True)
                results.append(TableResult(number, tuple(TableSeat(player, outcome) for player, outcome in pairs)))
            elif size == 2:
                results.append(Result(number, *seated, *outcomes))
            else:
                results.append(Result(number, seated[0], None, Outcome.BYE))
    rows = rng.shuffled(rows)
    columns = dict(zip(("player", "match", "round", "outcome"), map(list, zip(*rows, strict=True)), strict=True))
    none = [0] * len(rows)
    columns |= {"side": [""] * len(rows), "game_wins": none, "game_losses": none, "game_draws": none}
    table = table_of_seats(ids=range(players), lots=range(1, players + 1), dropped=[False] * players, seats=columns)
    entries = [PlayerEntry(player, lot=player + 1) for player in range(players)]
    counted = [
        (row.player, dict(row.values), row.record.played, sorted(row.record.opponents))
        for row in rank_table(table, EVERYTHING).rows()
    ]
    assert counted == [
        (row.player, dict(row.values), row.record.played, sorted(row.record.opponents))
        for row in standings(entries, results, EVERYTHING)
    ]


def test_team_mates_are_no_opponents() -> None:
    none = [0] * 4
    seats = {
        "player": [1, 2, 3, 4],
        "match": [9] * 4,
        "round": [1] * 4,
        "outcome": ["win", "loss", "win", "loss"],
        "side": ["Light", "Dark", "Light", "Dark"],
        **dict.fromkeys(("game_wins", "game_losses", "game_draws"), none),
    }
    table = table_of_seats(ids=(1, 2, 3, 4), lots=(1, 2, 3, 4), dropped=(False,) * 4, seats=seats)
    rows = rank_table(table, StandingsPolicy(metrics=("match_points",))).rows()
    assert {row.player: sorted(row.record.opponents) for row in rows} == {1: [2, 4], 2: [1, 3], 3: [2, 4], 4: [1, 3]}
    assert {row.player: row.values["match_points"] for row in rows} == {1: 3, 2: 0, 3: 3, 4: 0}
