"""What a format may speak of, and which numbers are out of reach."""

from __future__ import annotations

from typing import Any

import pytest

from cards.engine.facts import FactSpec
from rules.engine.formatcheck import GameNames, format_faults
from rules.engine.formatparts import citations_of
from tests.rules.judging import ALL, ANY_SIZE, FREE, SIZE, format_of

NO_HUE, NO_GIFTS = "no such fact in game.toml: hue", "no such tag in lists.toml: gifts"
NO_CARD = "no such card in cards.csv: Anvill"
MOST = {**SIZE, "id": "most", "max": 4, "min": None}
NAMES = GameNames(
    zones={"main", "side"},
    facts={
        "cost": FactSpec(label="Cost", type="choice", values=("free", "action")),
        "power": FactSpec(label="Power", type="number"),
    },
    tags={"gift"},
    sets={"A"},
    cards={"anvil": "Anvil", "old anvil": "Anvil"},
)
MEASURE = {"measure": {"zones": ["main"]}}


def faults(*rules: Any, pool: Any = ALL) -> list[tuple[str, str]]:
    found = format_faults(format_of([ANY_SIZE, *rules], pool), NAMES)
    return [(".".join(map(str, where)), message) for where, message in found]


def rule(kind: str, **values: Any) -> dict[str, Any]:
    return {"id": "r", "kind": kind, "zones": ["main"], "cite": "T 1", **values}


def test_a_sound_format_has_no_fault():
    inner = rule("copies", max=1, per="cost", max_from="power")
    assert (
        faults(
            rule("sum", select={"fact": "cost", "in_zone": "side"}, of="power", per="cost", max=1),
            {**rule("when", select={"tag": "gift"}, then=[inner | {"id": "inner"}], instead_of=["size"]), "id": "w"},
            {**rule("fixed", decks=[{"name": "Red", "cards": {"Anvil": 1}}]), "id": "f"},
            {**rule("bound", of="power", min=MEASURE), "id": "b"},
            pool={"kind": "sets", "sets": ["A"], "include": ["anvil"], "cite": "T 2"},
        )
        == []
    )


@pytest.mark.parametrize(
    ("broken", "where", "says"),
    [
        (rule("copies", max=1, zones=["mane"]), "zones", "no such zone in game.toml: mane"),
        (rule("copies", max=1, per="hue"), "per", NO_HUE),
        (rule("copies", max=1, max_from="cost"), "max_from", "cost is no number"),
        (rule("sum", max=1, select={"tag": "gift"}, of="cost"), "of", "cost is no number"),
        (rule("sum", max=1, select={"tag": "gift"}, per="hue"), "per", NO_HUE),
        (rule("sum", max=1, select={"tag": "gifts"}), "select", NO_GIFTS),
        (rule("eligible", select={"fact": "cost", "in_zone": "mane"}), "select", "no such zone in game.toml: mane"),
        (rule("eligible", select={"not": {"fact": "hue", "in_zone": "side"}}), "select", NO_HUE),
        (rule("eligible", select={"fact": "cost", "lte": 1}), "select", "cost is no number, so lte can't compare it"),
        (rule("eligible", select={"fact": "cost", "eq": "x"}), "select", "cost can never be 'x'"),
        (rule("eligible", select={"names": ["Anvill"]}), "select", NO_CARD),
        (rule("eligible", select={"names": ["Old Anvil"]}), "select", "Old Anvil is another name of Anvil: name it so"),
        (rule("group", max=1, select={"tag": "gift"}, trigger={"tag": "gifts"}), "trigger", NO_GIFTS),
        (rule("bound", of="cost", min=MEASURE), "of", "cost is no number"),
        (rule("bound", min={"measure": {"zones": ["mane"]}}), "min.measure.zones", "no such zone in game.toml: mane"),
        (rule("bound", max={"measure": {"zones": ["main"], "of": "cost"}}), "max.measure.of", "cost is no number"),
        (
            rule("bound", max={"measure": {"zones": ["main"], "select": {"tag": "gifts"}}}),
            "max.measure.select",
            NO_GIFTS,
        ),
        (rule("fixed", decks=[{"name": "R", "cards": {"Anvill": 1}}]), "decks.0.cards.Anvill", NO_CARD),
        (
            rule("fixed", decks=[{"name": "R", "of_unknown_count": ["Anvill"]}]),
            "decks.0.of_unknown_count",
            NO_CARD,
        ),
        (rule("when", select={"tag": "gift"}, instead_of=["sise"]), "instead_of", "r: no such rule to replace: sise"),
        (
            rule("when", select={"tag": "gift"}, instead_of=["r"]),
            "instead_of",
            "r: a rule of the kind when can't be replaced: r",
        ),
        (
            rule("when", select={"tag": "gift"}, then=[rule("copies", max=1, zones=["mane"]) | {"id": "x"}]),
            "then.0.zones",
            "no such zone in game.toml: mane",
        ),
    ],
)  # fmt: skip
def test_a_fault_of_a_rule_is_told_with_its_place(broken: Any, where: str, says: str):
    assert faults(broken) == [(f"constraint.1.{where}", says)]


@pytest.mark.parametrize(
    ("pool", "where", "says"),
    [
        ({"kind": "sets", "sets": ["A", "Z"], "cite": "T 2"}, "pool.sets", "no such set in game.toml: Z"),
        ({"kind": "all", "include": ["Anvill"]}, "pool.include", NO_CARD),
        ({"kind": "all", "exclude": ["Anvill"]}, "pool.exclude", NO_CARD),
    ],
)
def test_a_fault_of_a_pool_is_told_with_its_place(pool: Any, where: str, says: str):
    assert faults(pool=pool) == [(where, says)]


@pytest.mark.parametrize(
    ("rules", "where"),
    [
        ([MOST, rule("require", select={"tag": "gift"}, min=5)], "constraint.2.min"),
        ([MOST, rule("zone_count", one_of=[5, 6])], "constraint.2.one_of"),
        ([rule("zone_count", one_of=[3, 4]), {**FREE, "zones": ["main"], "min": 5, "max": None}], "constraint.2.min"),
        (
            [
                MOST,
                rule("when", select={"tag": "gift"}, then=[rule("zone_count", min=5) | {"id": "x"}]),
            ],
            "constraint.2.then.0.min",
        ),
        (
            [
                rule("when", select={"tag": "gift"}, then=[
                    rule("zone_count", max=4) | {"id": "x"},
                    rule("require", select={"tag": "gift"}, min=5) | {"id": "y"},
                ]),
            ],
            "constraint.1.then.1.min",
        ),
    ],
)  # fmt: skip
def test_a_number_that_another_rule_puts_out_of_reach_is_told(rules: Any, where: str):
    [(found, says)] = faults(*rules)
    assert (found, " asks for 5 cards where " in says) == (where, True)


def test_a_rule_that_is_replaced_puts_nothing_out_of_reach():
    larger = rule("zone_count", min=5) | {"id": "x"}
    assert faults(MOST, rule("when", select={"tag": "gift"}, then=[larger], instead_of=["most"])) == []


def test_a_sum_of_a_fact_may_be_more_than_the_cards():
    assert faults(MOST, rule("sum", select={"tag": "gift"}, of="power", min=20)) == []


def test_the_ids_of_conditional_rules_are_among_those_of_the_format():
    with pytest.raises(ValueError, match="two constraints have the id size"):
        format_of([SIZE, rule("when", select={"tag": "gift"}, then=[SIZE])])


def test_cards_are_left_unchecked_where_they_are_not_known():
    names = GameNames(NAMES.zones, NAMES.facts, NAMES.tags, NAMES.sets, None)
    definition = format_of([ANY_SIZE, rule("eligible", select={"names": ["Anvill"]})])
    assert list(format_faults(definition, names)) == []


def test_every_section_that_a_format_cites_is_listed():
    inner = rule("copies", max=1) | {"id": "x", "cite": "T 3", "reading": "T R3"}
    definition = format_of(
        [SIZE, rule("when", select={"tag": "gift"}, then=[inner])],
        {"kind": "unknown", "cite": "T 8", "reading": "T R1"},
    ).model_copy(update={"unresolved": SIZED})
    assert [(".".join(map(str, where)), cite) for where, cite in citations_of(definition)] == [
        ("pool.cite", "T 8"),
        ("pool.reading", "T R1"),
        ("constraint.0.cite", "T 1"),
        ("constraint.1.cite", "T 1"),
        ("constraint.1.then.0.cite", "T 3"),
        ("constraint.1.then.0.reading", "T R3"),
        ("unresolved.cite", "T 1"),
    ]


SIZED = format_of([SIZE]).constraints[0]
