from __future__ import annotations

from decks.engine.comparing import CardDifference, ZoneDifference, compare
from decks.engine.parser import Entry
from tests.decks.engine.names import ZONES


def entry(count: int, card: int, zone: str = "main") -> Entry:
    return Entry(zone, count, card, f"Card {card}", (1,))


def test_two_decks_differ_zone_by_zone_and_card_by_card() -> None:
    first = [entry(3, 1), entry(1, 2), entry(2, 9, "side")]
    second = [entry(2, 1), entry(4, 3), entry(2, 9, "side"), entry(1, 8, "realm")]
    main, side, realm = compare(first, second, ZONES)
    assert main == ZoneDifference(
        "main",
        "Main deck",
        4,
        6,
        (CardDifference(1, "Card 1", 3, 2), CardDifference(2, "Card 2", 1, 0), CardDifference(3, "Card 3", 0, 4)),
    )
    assert [card.name for card in main.only_first] == ["Card 2"]
    assert [card.name for card in main.only_second] == ["Card 3"]
    assert [card.name for card in main.both] == ["Card 1"]
    assert [(card.name, card.change) for card in main.added] == [("Card 3", 4)]
    assert [(card.name, card.change) for card in main.removed] == [("Card 1", -1), ("Card 2", -1)]
    assert (side.added, side.removed, side.both) == ([], [], [CardDifference(9, "Card 9", 2, 2)])
    assert realm == ZoneDifference("realm", "Realm", 0, 1, (CardDifference(8, "Card 8", 0, 1),))


def test_a_card_that_changed_its_zone_is_in_both_zones_only_once() -> None:
    main, side = compare([entry(3, 1)], [entry(3, 1, "side")], ZONES)
    assert (main.removed, main.added) == ([CardDifference(1, "Card 1", 3, 0)], [])
    assert (side.removed, side.added) == ([], [CardDifference(1, "Card 1", 0, 3)])


def test_copies_on_several_lines_are_added_up_and_empty_zones_left_out() -> None:
    [main] = compare([entry(1, 1), entry(2, 1)], [entry(3, 1)], ZONES)
    assert main.cards == (CardDifference(1, "Card 1", 3, 3),)
    assert compare([], [], ZONES) == ()
