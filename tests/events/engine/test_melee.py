from __future__ import annotations

import json
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import DomainError
from events.engine.melee import SUPPLY, Kind, Loot, Placed, Sheet, place_melee
from events.engine.pairing_model import Reason

ROOT = Path(__file__).parents[3]
CASES = json.loads((ROOT / "tests" / "data" / "melee_sheets.json").read_text(encoding="utf-8"))
DOCUMENT = (ROOT / "rules" / "packs" / "epic-melee" / "documents" / "rulebook.1.md").read_text(encoding="utf-8")


def _sheet(player: int, gold: Any = (), silver: Any = (), goblin: Any = (), **symbols: int) -> Sheet:
    return Sheet(player, Loot.of(gold), Loot.of(silver), Loot.of(goblin), symbols)


@pytest.mark.parametrize("name", CASES)
def test_worked_examples(name: str) -> None:
    case = CASES[name]
    sheets = [
        _sheet(int(player), *(held.get(kind, ()) for kind in Kind), **held.get("symbols", {}))
        for player, held in case["sheets"].items()
    ]
    placed = place_melee(sheets, players=(2,))
    assert {one.player: one.place for one in placed} == {int(player): place for player, place in case["places"].items()}
    assert {str(one.player): [one.total, one.gold, one.silver, one.goblin, one.pairs] for one in placed} == case[
        "figures"
    ]
    decided = [
        (reason.facts["figure"], reason.facts["cite"]) for one in placed for reason in one.reasons if one.place > 1
    ]
    assert decided == ([tuple(case["decided_by"])] if case["decided_by"] else [])


def test_a_whole_table_is_placed_with_reasons_that_cite_the_rulebook() -> None:
    sheets = [
        _sheet(4, [2, 2], [1]),
        _sheet(1, [3, 2], [3], [1]),
        _sheet(3, [3], [2]),
        _sheet(2, [3, 1], [1]),
        _sheet(5, [3], [2]),
    ]
    # 9; 5 with Gold 4 twice and Silver 1; 5 with Gold 3 twice
    assert place_melee(sheets) == (
        Placed(1, 1, 9, 5, 3, 1, 0, (Reason("won_by", _facts("total", 9, 5, 2)),)),
        Placed(2, 2, 5, 4, 1, 0, 0, (Reason("behind_by", _facts("total", 5, 9, 1)), _level("4"))),
        Placed(4, 2, 5, 4, 1, 0, 0, (Reason("behind_by", _facts("total", 5, 9, 1)), _level("2"))),
        Placed(3, 4, 5, 3, 2, 0, 0, (Reason("behind_by", _facts("gold", 3, 4, 4)), _level("5"))),
        Placed(5, 4, 5, 3, 2, 0, 0, (Reason("behind_by", _facts("gold", 3, 4, 4)), _level("3"))),
    )


def _facts(figure: str, own: int, against: int, player: int) -> dict[str, int | str]:
    cite = {"total": "MELEE 4.2", "gold": "MELEE 4.3", "silver": "MELEE 4.4"}[figure]
    return {"figure": figure, "own": own, "against": against, "player": player, "cite": cite}


def _level(others: str) -> Reason:
    return Reason("shared_place", {"with": others, "cite": "MELEE 4.5"})


def test_three_may_share_the_victory() -> None:
    placed = place_melee([_sheet(one, [2], [2]) for one in (3, 1, 2)])
    assert [(one.player, one.place) for one in placed] == [(1, 1), (2, 1), (3, 1)]
    assert placed[0].reasons == (Reason("shared_victory", {"with": "2, 3", "cite": "MELEE 4.5"}),)


SHEETS = (_sheet(1, [1]), _sheet(2, [1]), _sheet(3, [1]))


@pytest.mark.parametrize(
    ("code", "sheets"),
    [
        ("melee.players", SHEETS[:2]),
        ("melee.players", (*SHEETS[:2], SHEETS[0])),
        ("melee.players", tuple(_sheet(one) for one in range(7))),
        ("melee.negative", (*SHEETS[:2], Sheet(3, Loot(-1, -1)))),
        ("melee.negative", (*SHEETS[:2], _sheet(3, [1], bell=-2))),
        ("melee.loot_value", (*SHEETS[:2], Sheet(3, silver=Loot(2, 7)))),
        ("melee.loot_value", (*SHEETS[:2], Sheet(3, goblin=Loot(2, 1)))),
        ("melee.loot_value", (*SHEETS[:2], Sheet(3, gold=Loot(0, 1)))),
        ("melee.too_many_earned", (*SHEETS[:2], _sheet(3, [1] * 4, [1] * 3))),
        ("melee.symbols_without_tokens", (*SHEETS[:2], _sheet(3, mask=1))),
        ("melee.supply", (*SHEETS[:2], _sheet(3, [], [], [1] * 7))),
        ("melee.supply", tuple(_sheet(one, [1] * 5) for one in range(4))),
        ("melee.supply", tuple(_sheet(one, [], [1] * 5) for one in range(4))),
    ],
)
def test_what_no_game_can_end_with_is_refused(code: str, sheets: tuple[Sheet, ...]) -> None:
    with pytest.raises(DomainError) as refused:
        place_melee(sheets)
    assert refused.value.code == code


def test_seven_play_where_the_event_allows_it_and_eight_never() -> None:
    assert len(place_melee([_sheet(one) for one in range(7)], players=range(3, 9))) == 7
    with pytest.raises(DomainError) as refused:
        place_melee([_sheet(one) for one in range(8)], players=range(3, 9))
    assert refused.value.code == "melee.players"


@pytest.mark.parametrize("value", [0, 4, -1])
def test_a_token_is_worth_one_to_three(value: int) -> None:
    with pytest.raises(DomainError) as refused:
        Loot.of([2, value])
    assert refused.value.code == "melee.token_value"


def test_numbers_and_sections_are_those_of_the_pack() -> None:
    for kind, section in ((Kind.GOLD, "1.5"), (Kind.SILVER, "1.6"), (Kind.GOBLIN, "1.7")):
        assert f"There are {SUPPLY[kind]} {kind.capitalize()} Loot tokens." in _section(section)
    assert "6 battle rounds" in _section("1.1")
    assert "is dealt 7" in _section("2.3")
    assert "54 cards" in _section("1.2")
    assert "from 1 to 3 points" in _section("4.6")
    for section, word in (("4.2", "Adding up"), ("4.3", "First tie-breaker"), ("4.4", "Second"), ("4.5", "Shared")):
        assert word in _section(section)
    assert "1 more point" in _section("4.8")
    readings = tomllib.loads((ROOT / "rules" / "packs" / "epic-melee" / "readings.toml").read_text(encoding="utf-8"))
    assert {one["number"]: one["heading"] for one in readings["reading"]}["R10"] == "Counting pairs"
    assert {one["number"]: one["heading"] for one in readings["reading"]}["R3"] == "Number of players"


def _section(number: str) -> str:
    return DOCUMENT.split(f"\n## {number} ")[1].split("\n## ")[0]


tokens = st.lists(st.integers(1, 3), max_size=3)
sheets_of_a_table = st.lists(
    st.tuples(tokens, tokens, st.lists(st.integers(1, 3), max_size=1), st.integers(0, 4)), min_size=3, max_size=6
)


@given(sheets_of_a_table)
def test_the_order_is_by_total_then_gold_then_silver_and_equals_share(held: list[tuple[Any, ...]]) -> None:
    held = [one if any(one[:3]) else (*one[:3], 0) for one in held]
    sheets = [_sheet(number, *one[:3], bell=one[3]) for number, one in enumerate(held)]
    placed = place_melee(sheets)
    assert placed == place_melee(sheets[::-1])
    for better, worse in combinations(placed, 2):
        above, below = [(one.total, one.gold, one.silver) for one in (better, worse)]
        assert above >= below
        assert (above == below) == (better.place == worse.place)
    assert [one.place for one in placed] == sorted(one.place for one in placed)
    assert placed[0].place == 1
