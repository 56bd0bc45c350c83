"""The history file: what is read, what is refused, and what pair and standings answer to it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from config.errors import Unprocessable
from events.engine.history_answers import pair_next_round, rank_players
from events.engine.history_file import HistoryFile, read_history
from events.engine.outcomes import GameScore, Outcome
from events.engine.pairing import Entrant, pair_round
from events.engine.standings import PlayerEntry, Result, StandingsPolicy, standings

PLAYERS = [{"id": 1, "name": "Ada"}, {"id": 2}, {"id": 3}, {"id": 4}, {"id": "e", "name": "Ema"}]
RESULTS = [
    {"round": 1, "players": [1, 2], "outcome": "win", "games": [2, 0, 0]},
    {"round": 1, "players": [3, 4], "outcome": "win", "games": [2, 1, 0]},
    {"round": 1, "players": ["e"], "outcome": "bye"},
    {"round": 2, "players": [1, 3], "outcome": "draw", "games": [1, 1, 1]},
    {"round": 2, "players": ["e", 2], "outcome": "win", "games": [2, 1, 0]},
    {"round": 2, "players": [4], "outcome": "bye"},
]


def read(**changed: Any) -> HistoryFile:
    return read_history(json.dumps({"players": PLAYERS, "results": RESULTS, **changed}))


def test_the_next_round_is_paired_from_the_results() -> None:
    answer = pair_next_round(read(pairing={"seed": "any"}))
    assert answer.round == 3
    assert len(answer.pairs) == 2
    assert answer.bye is not None
    assert answer.bye.player == 2
    assert {pair.players for pair in answer.pairs} in ({("e", 1), (3, 4)}, {("e", 3), (1, 4)})
    assert answer.proof.certified
    assert answer.proof.faults == []
    assert answer.cost == answer.lower_bound
    assert pair_next_round(read(pairing={"seed": "any"})) == answer


def test_it_is_the_pairing_of_points_byes_and_floats_counted_by_hand() -> None:
    file = read(pairing={"seed": "s"})
    entrants, history = file.state()
    # 1, 2, 3, 4 and then "e" are numbers 0 to 4 inside. In round 2 nobody was paired with another score but "e".
    assert entrants.single() == [
        Entrant(0, 4),
        Entrant(1, 0, paired_up=1),
        Entrant(2, 4),
        Entrant(3, 3, byes=1),
        Entrant(4, 6, byes=1, paired_down=1),
    ]
    assert sorted(history.among(entrants)) == [(0, 1), (0, 2), (1, 4), (2, 3)]
    by_objects = pair_round(entrants.single(), history.among(entrants), file.options(), Stream(b"s", "pairing|3"))
    by_columns = pair_round(entrants, history, file.options(), Stream(b"s", "pairing|3"))
    assert by_objects == by_columns


def test_the_order_of_players_and_results_is_of_no_account() -> None:
    turned = read(players=PLAYERS[::-1], results=RESULTS[::-1])
    assert pair_next_round(turned) == pair_next_round(read())
    assert rank_players(turned) == rank_players(read())


def test_who_dropped_is_not_paired_and_still_ranked() -> None:
    file = read(players=[{**player, "dropped": player["id"] == 2} for player in PLAYERS])
    answer = pair_next_round(file)
    assert answer.bye is None
    assert sorted(str(player) for pair in answer.pairs for player in pair.players) == ["1", "3", "4", "e"]
    assert [place.player for place in rank_players(file).places if place.dropped] == [2]


def test_the_standings_are_those_of_the_engine_with_the_players_own_ids() -> None:
    answer = rank_players(read())
    assert [(place.rank, place.player, place.name, place.values["match_points"]) for place in answer.places] == [
        (1, "e", "Ema", "6"),
        (2, 3, "", "4"),
        (3, 1, "Ada", "4"),
        (4, 4, "", "3"),
        (5, 2, "", "0"),
    ]
    assert [metric.key for metric in answer.metrics] == ["match_points", "omw", "gw", "ogw"]
    assert [place.decided_by for place in answer.places] == [
        None,
        "match_points",
        "omw",
        "match_points",
        "match_points",
    ]
    ids = {1: 0, 2: 1, 3: 2, 4: 3, "e": 4}
    results = [
        Result(
            row["round"],
            ids[row["players"][0]],
            ids[row["players"][1]] if len(row["players"]) == 2 else None,
            Outcome(row["outcome"]),
            Outcome(row["outcome"]).opposite if len(row["players"]) == 2 else None,
            GameScore(*row.get("games", (0, 0, 0))),
        )
        for row in RESULTS
    ]
    rows = standings([PlayerEntry(n, lot=n + 1) for n in range(5)], results, StandingsPolicy())
    assert [(ids[place.player], dict(place.values)) for place in answer.places] == [
        (row.player, {key: str(row.values[key]) for key in ("match_points", "omw", "gw", "ogw")}) for row in rows
    ]


@pytest.mark.parametrize(
    ("changed", "where", "what"),
    [
        ({"players": []}, "players", "at least 1 item"),
        ({"players": [*PLAYERS, {"id": 1}]}, "the file", "a player twice: 1"),
        ({"players": [{"id": 1.5}]}, "players/0/id", "valid integer"),
        ({"results": [{"round": 1, "players": [1, 9], "outcome": "win"}]}, "the file", "9, who is not a player"),
        ({"results": [{"round": 1, "players": [1, 1], "outcome": "win"}]}, "results/0", "against themselves"),
        ({"results": [{"round": 1, "players": [1, 2], "outcome": "bye"}]}, "results/0", "a match of one player"),
        ({"results": [{"round": 1, "players": [1], "outcome": "win"}]}, "results/0", "every other has two"),
        ({"results": [{"round": 0, "players": [1, 2], "outcome": "win"}]}, "results/0/round", "greater than or equal"),
        ({"results": [RESULTS[0], RESULTS[0]]}, "the file", "1 has two results in round 1"),
        ({"results": [{"round": 1, "players": [1, 2], "outcome": "victory"}]}, "results/0/outcome", "Input should be"),
        ({"pairing": {"avoid": [[1, 7]]}}, "the file", "7 of avoid is not a player"),
        ({"pairing": {"avoid": [[1, 1]]}}, "the file", "cannot be kept apart from themselves"),
        ({"standings": {"metrics": ["luck"]}}, "standings/metrics/0", "Input should be"),
        ({"note": "x"}, "note", "not permitted"),
    ],
)
def test_a_file_with_a_fault_is_refused_with_its_place(changed: dict[str, Any], where: str, what: str) -> None:
    with pytest.raises(Unprocessable) as refusal:
        read(**changed)
    assert refusal.value.code == "history.unreadable"
    faults = refusal.value.context["faults"]
    assert any(fault["where"].startswith(where) and what in fault["what"] for fault in faults), faults


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"players": 3}', "\x00", '{"players": [{"id": NaN}]}'])
def test_what_is_no_history_is_refused(text: str) -> None:
    with pytest.raises(Unprocessable):
        read_history(text)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_no_content_makes_anything_but_a_refusal(content: Any) -> None:
    with pytest.raises(Unprocessable):
        read_history(content)
