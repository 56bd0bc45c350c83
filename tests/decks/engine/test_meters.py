from __future__ import annotations

from datetime import date

from decks.engine.meters import Meter, meters
from rules.engine.formatschema import FormatDefinition
from rules.engine.legality import CardFacts, DeckLine, StatusFact, compile_format

FORMAT = FormatDefinition.model_validate(
    {
        "slug": "made-up",
        "name": "Made up",
        "version": "1",
        "document": {"slug": "rulebook", "version": "1"},
        "pool": {"kind": "all"},
        "constraint": [
            {"id": "size", "kind": "zone_count", "zones": ["main"], "min": 4, "cite": "X 1"},
            {"id": "side", "kind": "zone_count", "zones": ["side"], "one_of": [0, 2], "cite": "X 2"},
            {"id": "copies", "kind": "copies", "zones": ["main"], "max": 3, "cite": "X 3"},
            {
                "id": "free",
                "kind": "sum",
                "zones": ["main", "side"],
                "select": {"fact": "cost", "eq": "free"},
                "max": 3,
                "cite": "X 4",
            },
        ],
    }
)
LABELS = {"main": "Main deck", "side": "Sideboard"}
FREE = CardFacts(1, "Free", {"cost": "free"})
DEAR = CardFacts(2, "Dear", {"cost": "action"})
UNKNOWN = CardFacts(3, "Unknown", {})


def measured(*lines: DeckLine) -> tuple[Meter, ...]:
    return meters(lines, compile_format(FORMAT, [], date(2026, 1, 1), {}), LABELS)


def test_every_limit_on_a_number_of_cards_has_a_meter_in_the_order_of_the_format() -> None:
    found = measured(DeckLine("main", 2, FREE), DeckLine("main", 3, DEAR), DeckLine("side", 2, FREE))
    assert found == (
        Meter("size", "Main deck", 5, 4, None, (), "X 1"),
        Meter("side", "Sideboard", 2, None, None, (0, 2), "X 2"),
        Meter("free", "Free cards", 4, None, 3, (), "X 4"),
    )
    assert [meter.is_met for meter in found] == [True, True, False]
    assert [meter.figure for meter in found] == ["5 (4 or more)", "2 (0 or 2)", "4/3"]
    assert [meter.top for meter in found] == [4, 2, 3]


def test_a_card_whose_fact_is_unknown_is_counted_apart() -> None:
    free = measured(DeckLine("main", 2, UNKNOWN), DeckLine("main", 1, FREE))[2]
    assert (free.actual, free.unknown) == (1, 2)


def test_an_empty_deck_misses_the_least_number_and_no_other() -> None:
    assert [meter.is_met for meter in measured()] == [False, True, True]


UNITS = {"zones": ["main"], "select": {"tag": "unit"}}
RICH = FormatDefinition.model_validate(
    {
        **FORMAT.model_dump(by_alias=True, exclude_none=True),
        "constraint": [
            {"id": "size", "kind": "zone_count", "zones": ["main"], "min": 4, "cite": "X 1"},
            {"id": "power", "kind": "sum", **UNITS, "of": "power", "max": 9, "cite": "X 2"},
            {"id": "kinds", "kind": "sum", **UNITS, "distinct": True, "max": 2, "cite": "X 3"},
            {"id": "points", "kind": "points", "zones": ["main"], "budget": 7, "cite": "X 4"},
            {
                "id": "units", "kind": "bound", **UNITS, "cite": "X 5",
                "max": {"over": 2, "measure": {"zones": ["main"]}},
            },
            {
                "id": "with-free", "kind": "when", "zones": ["side"], "select": {"fact": "cost", "eq": "free"},
                "cite": "X 6", "instead_of": ["size"],
                "then": [{"id": "larger", "kind": "zone_count", "zones": ["main"], "min": 8, "cite": "X 7"}],
            },
        ],
    }
)  # fmt: skip
UNIT = CardFacts(4, "Unit", {"power": 3, "cost": "action"}, frozenset({"unit"}))
SHADE = CardFacts(5, "Shade", {"cost": "action"}, frozenset({"unit"}))
POINTS = StatusFact(4, "points", None, None, "X 4", "list", points=2)


def test_sums_points_and_bounds_that_follow_the_deck_have_meters() -> None:
    lines = (DeckLine("main", 2, UNIT), DeckLine("main", 3, DEAR), DeckLine("main", 1, SHADE))
    assert meters(lines, compile_format(RICH, [POINTS], date(2026, 1, 1), {}), LABELS) == (
        Meter("size", "Main deck", 6, 4, None, (), "X 1"),
        Meter("power", "Power", 6, None, 9, (), "X 2", unknown=1),
        Meter("kinds", "Different unit cards", 2, None, 2, (), "X 3"),
        Meter("points", "Points", 4, None, 7, (), "X 4"),
        Meter("units", "Unit cards", 3, None, 3, (), "X 5"),
    )


def test_a_meter_is_of_the_rule_that_applies() -> None:
    def sizes(*side: DeckLine) -> list[tuple[str, int | None]]:
        found = meters((DeckLine("main", 6, DEAR), *side), compile_format(RICH, [], date(2026, 1, 1), {}), LABELS)
        return [(meter.constraint, meter.min) for meter in found if meter.label == "Main deck"]

    assert sizes() == [("size", 4)]
    assert sizes(DeckLine("side", 1, FREE)) == [("larger", 8)]
    assert sizes(DeckLine("side", 1, UNKNOWN)) == [("size", 4)]
