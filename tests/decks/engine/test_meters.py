from __future__ import annotations

from datetime import date

from decks.engine.meters import Meter, meters
from rules.engine.formatschema import FormatDefinition
from rules.engine.legality import CardFacts, DeckLine, compile_format

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
