from __future__ import annotations

import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from pydantic import ValidationError

from config.errors import DomainError
from events.engine.metrics import METRICS, check_metrics
from events.engine.standings import PlayerEntry, StandingsPolicy, policy_of, standings
from events.engine.standings_presets import STANDINGS_PRESETS
from rules.engine.policyschema import StandingsPolicy as StandingsTable
from rules.engine.tiebreaks import METRIC_KEYS, METRIC_NAMES, PRESET_KEYS, PRESETS

PACKS = Path(__file__).parents[3] / "rules" / "packs"


def test_policies_can_name_every_metric_by_its_name_and_no_other() -> None:
    assert tuple(METRIC_NAMES) == METRIC_KEYS
    assert set(METRIC_KEYS) == set(METRICS)
    assert {key: name.casefold() for key, name in METRIC_NAMES.items()} == {
        key: metric.name.casefold() for key, metric in METRICS.items()
    }


def test_every_metric_is_told_apart_explained_and_sourced() -> None:
    for what in ("name", "abbreviation", "definition"):
        assert len({getattr(metric, what) for metric in METRICS.values()}) == len(METRICS)
    assert all(metric.source and metric.definition.endswith(".") for metric in METRICS.values())
    assert {key for key, metric in METRICS.items() if not metric.descending} == {"seed", "lot"}
    assert {key for key, metric in METRICS.items() if metric.percentage} == {"omw", "gw", "ogw", "mw", "oomw"}


@pytest.mark.parametrize("key", METRICS)
def test_every_metric_can_be_counted_before_anything_is_played(key) -> None:
    rows = standings([PlayerEntry(1, lot=2), PlayerEntry(2, lot=1)], [], StandingsPolicy(metrics=(key,)))
    assert [row.player for row in rows] == [2, 1]


def test_metrics_that_come_twice_are_named() -> None:
    with pytest.raises(DomainError) as refused:
        check_metrics(("match_points", "omw", "gw", "omw"))
    assert refused.value.code == "standings.duplicate_metric"
    assert refused.value.context == {"metrics": ["omw"]}
    with pytest.raises(DomainError) as refused:
        StandingsPolicy(metrics=("lot", "lot"))
    assert refused.value.code == "standings.duplicate_metric"


def test_presets_of_policies_are_those_of_the_registry() -> None:
    assert set(PRESETS) == set(PRESET_KEYS)
    assert set(STANDINGS_PRESETS) == {*PRESET_KEYS, "epic", "engarde", "epic-melee", "epic-duels"}
    for key in PRESET_KEYS:
        policy = STANDINGS_PRESETS[key].policy
        rules = {
            "points": {name: getattr(policy, name) for name in ("win", "draw", "loss", "bye")},
            "match": {"best_of": 2 * policy.bye_games - 1},
            "standings": StandingsTable(preset=key).model_dump(mode="json", exclude_none=True),
        }
        assert policy_of(rules) == policy


def test_presets_are_as_they_were_published() -> None:
    """Order, points for a win, a draw, a loss and a bye, and what is special."""
    told = {key: preset.policy for key, preset in STANDINGS_PRESETS.items()}
    assert told["magic"] == StandingsPolicy(floor=Fraction(33, 100))
    assert told["pokemon"] == StandingsPolicy(
        metrics=("match_points", "omw", "oomw", "head_to_head"),
        floor=Fraction(1, 4),
        byes_in_percentages=False,
        dropped_cap=Fraction(3, 4),
        draw_share=Fraction(1, 2),
    )
    assert told["netrunner"] == StandingsPolicy(
        metrics=("match_points", "seed", "sos", "esos"), floor=Fraction(0), bye_games=1
    )
    assert told["yugioh"] == StandingsPolicy(
        metrics=("match_points", "omw", "oomw"), floor=Fraction(0), byes_in_percentages=False
    )
    assert told["vekn"] == StandingsPolicy(
        metrics=("match_wins", "victory_points", "tournament_points"),
        win=1,
        draw=0,
        bye=0,
        floor=Fraction(0),
        bye_games=1,
    )
    assert told["fide"] == StandingsPolicy(
        metrics=("match_points", "buchholz"),
        win=2,
        draw=1,
        bye=2,
        floor=Fraction(0),
        bye_games=1,
        unplayed_rounds="own_points",
        forfeits_make_opponents=False,
    )
    assert told["topdeck-commander"] == StandingsPolicy(
        metrics=("match_points", "omw"),
        win=5,
        bye=5,
        floor=Fraction(0),
        bye_games=1,
        bye_opponents=3,
        bye_opponent_value=Fraction(1, 5),
    )


@pytest.mark.parametrize("pack", ["epic", "engarde", "epic-melee", "epic-duels"])
def test_the_preset_of_a_game_is_what_its_policies_have(pack) -> None:
    files = sorted((PACKS / pack / "policy").glob("*.toml"))
    assert files
    for file in files:
        rules = tomllib.loads(file.read_text())
        table = StandingsTable.model_validate(rules["standings"]).model_dump(mode="json", exclude_none=True)
        preset = STANDINGS_PRESETS[pack].policy
        found = policy_of({**rules, "standings": table})
        assert found == replace(preset, bye_games=found.bye_games)


def test_a_policy_that_says_what_it_said_before_is_stored_as_before() -> None:
    said = {"metrics": ["match_points", "omw", "gw", "ogw"], "floor": "1/3", "cite": {"metrics": "R12"}}
    assert StandingsTable.model_validate(said).model_dump(mode="json", exclude_none=True) == said


def test_what_is_said_beside_a_preset_goes_first() -> None:
    table = StandingsTable(preset="pokemon", floor="1/3", metrics=("match_points", "omw"))
    assert table.model_dump(mode="json", exclude_none=True) == {
        "preset": "pokemon",
        "metrics": ["match_points", "omw"],
        "floor": "1/3",
        "byes_in_percentages": False,
        "dropped_cap": "0.75",
        "draw_share": "0.5",
        "cite": {},
    }


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ({}, "metrics must name one at least, or preset must say which"),
        ({"preset": "house"}, "Input should be 'magic'"),
        ({"metrics": ["luck"]}, "Input should be 'match_points'"),
        ({"metrics": ["omw", "gw", "omw"]}, "omw can decide only once"),
        ({"metrics": ["omw"], "floor": "1/0"}, "1/0 divides by 0"),
        ({"metrics": ["omw"], "floor": "third"}, "Invalid literal for Fraction"),
        ({"metrics": ["omw"], "dropped_cap": "1.5"}, "1.5 is not between 0 and 1"),
        ({"metrics": ["omw"], "floor": "0.3333333333"}, "has more than nine decimals"),
        ({"metrics": ["omw"], "draw_share": "0.3333"}, "has more than three decimals"),
    ],
)
def test_a_table_that_orders_nothing_or_nonsense_is_refused(said, fault) -> None:
    with pytest.raises(ValidationError, match=fault):
        StandingsTable.model_validate(said)
