from __future__ import annotations

import pytest

from cards.engine.facts import FactSpec, FactValue
from decks.engine.statistics import MOST_BARS, Bar, Chart, ZoneStatistics, statistics
from rules.engine.legality import DeckLine
from rules.engine.selectors import CardFacts
from tests.decks.engine.names import ZONES

FACTS = {
    "type": FactSpec(label="Type", type="choice", values=("unit", "spell", "relic")),
    "cost": FactSpec(label="Cost", type="number"),
    "edge": FactSpec(label="Edge", type="flag"),
    "artist": FactSpec(label="Artist", type="text"),
}


def line(count: int, zone: str = "main", **facts: FactValue) -> DeckLine:
    return DeckLine(zone, count, CardFacts(1, "Card", facts))


def chart(fact: str, *lines: DeckLine) -> Chart:
    [zone] = statistics(lines, FACTS, ZONES)
    [found] = [each for each in zone.charts if each.fact == fact]
    return found


def test_every_zone_has_a_chart_for_every_fact_that_some_card_has() -> None:
    lines = [line(3, type="unit", cost=2), line(1, type="spell"), line(2, "side", edge=True), line(1, "realm", cost=1)]
    assert statistics(lines, FACTS, ZONES) == (
        ZoneStatistics(
            "main",
            "Main deck",
            4,
            (
                Chart("type", "Type", (Bar("unit", 3, 100), Bar("spell", 1, 33)), 0),
                Chart("cost", "Cost", (Bar("2", 3, 100),), 1, 2.0),
            ),
        ),
        ZoneStatistics("side", "Sideboard", 2, (Chart("edge", "Edge", (Bar("yes", 2, 100),), 0),)),
    )


def test_choices_stand_in_the_order_of_the_game_not_of_the_deck() -> None:
    found = chart("type", line(1, type="relic"), line(9, type="unit"))
    assert [bar.label for bar in found.bars] == ["unit", "relic"]


def test_a_histogram_shows_the_gaps_between_its_values() -> None:
    found = chart("cost", line(1, cost=0), line(3, cost=3))
    assert [(bar.label, bar.count) for bar in found.bars] == [("0", 1), ("1", 0), ("2", 0), ("3", 3)]
    assert found.average == 2.25


def test_a_fact_that_is_not_known_is_counted_as_that_and_in_no_bar() -> None:
    found = chart("cost", line(1, cost=1), line(4), line(2, cost="X"))
    assert (found.bars, found.unknown, found.unknown_percent) == ((Bar("1", 1, 17),), 6, 100)
    assert chart("edge", line(1, edge=False), line(1, edge=1)).unknown == 1


@pytest.mark.parametrize("high", [23, 24, 99, 100, 10**6, 10**17])
@pytest.mark.parametrize("low", [-(10**17), -7, 0, 3])
def test_a_wide_span_is_counted_in_steps_and_loses_no_card(low: int, high: int) -> None:
    found = chart("cost", line(2, cost=low), line(3, cost=high))
    assert sum(bar.count for bar in found.bars) == 5
    assert 2 <= len(found.bars) <= MOST_BARS + 1
    assert found.bars[0].count == 2
    assert found.bars[-1].count == 3


def test_steps_say_what_they_span() -> None:
    found = chart("cost", line(1, cost=0), line(1, cost=30))
    assert [bar.label for bar in found.bars][:2] == ["0 to 1", "2 to 3"]


def test_no_cards_make_no_statistics() -> None:
    assert statistics([], FACTS, ZONES) == ()
