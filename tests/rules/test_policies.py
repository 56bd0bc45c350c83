from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from rules.engine.policyschema import DraftStage, PoolsStage, SingleEliminationStage


def stage(**fields: Any) -> DraftStage:
    return DraftStage.model_validate({"kind": "draft", "product": "booster", "packs": 3, **fields})


def test_directions_that_alternate_begin_with_the_left():
    assert stage(directions="alternate").directions == ("left", "right", "left")
    assert stage(directions="alternate", packs=1).directions == ("left",)


def test_directions_may_be_given_one_by_one():
    assert stage(directions=["right", "right", "left"]).directions == ("right", "right", "left")


@pytest.mark.parametrize(
    "fields",
    [
        {"directions": "alternately"},
        {"directions": ["left"]},
        {"directions": []},
        {"directions": ["left", "up", "left"]},
        {"directions": "alternate", "packs": 0},
        {"directions": "alternate", "packs": 10**9},
        {"directions": "alternate", "packs": "three"},
    ],
)
def test_directions_that_fit_no_draft_are_refused(fields: dict[str, Any]):
    with pytest.raises(ValidationError):
        stage(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"cut": 1},
        {"cut": 65},
        {"cut": 8, "cut_by": "points"},
        {"cut": 8, "cut_points": 9},
        {"cut": 8, "cut_by": "luck"},
    ],
)
def test_a_cut_that_cannot_be_made_is_refused(fields: dict[str, Any]):
    with pytest.raises(ValidationError):
        SingleEliminationStage.model_validate({"kind": "single_elimination", **fields})


def test_from_a_pool_fewer_than_all_go_on():
    assert PoolsStage.model_validate({"kind": "pools", "pool_size": 4, "advance": 3}).wildcards == 0
    with pytest.raises(ValidationError, match="fewer than all"):
        PoolsStage.model_validate({"kind": "pools", "pool_size": 4, "advance": 4})
