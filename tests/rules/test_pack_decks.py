"""Decks of the shipped packs, judged by their own formats on their own days."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import pytest

from tests.rules.shelf import Parts, Shelf

EPIC = Shelf("epic")
ENGARDE = Shelf("engarde")
GIFTS = list(EPIC.lists.tag[0].cards)


def joined(*parts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for part in parts for name, count in part.items()}


def gifts(count: int) -> dict[str, int]:
    return dict.fromkeys(GIFTS[: count // 3], 3) | ({GIFTS[count // 3]: count % 3} if count % 3 else {})


def without(cards: Mapping[str, int], names: Iterable[str]) -> dict[str, int]:
    return {name: count for name, count in cards.items() if name not in set(names)}


def epic_main(*, free: int, gift: int, size: int = 60) -> dict[str, int]:
    rest = EPIC.named(size - free - gift, each=3, cost="action")
    return joined(gifts(gift), EPIC.named(free, each=3, cost="free"), rest)


EPIC_SIDE = {name: 1 for name, card in list(EPIC.cards.items())[-40:] if card.facts["cost"] == "action"}
EPIC_SIDE = dict(list(EPIC_SIDE.items())[:15])


@pytest.mark.parametrize(
    ("main", "side", "expected"),
    [
        (epic_main(free=18, gift=0), {}, ("legal", [])),
        (epic_main(free=18, gift=0), EPIC_SIDE, ("legal", [])),
        (epic_main(free=9, gift=9), EPIC_SIDE, ("legal", [])),
        (epic_main(free=10, gift=9), EPIC_SIDE, ("undetermined", [("free-cards", "EPIC 12.3", None)])),
        (epic_main(free=19, gift=0), {}, ("illegal", [("free-cards", "EPIC 12.3", None)])),
        (epic_main(free=0, gift=10), {}, ("illegal", [("gift-cards", "EPIC 12.4", None)])),
        (epic_main(free=18, gift=0, size=59), {}, ("illegal", [("deck-size", "EPIC 12.1", None)])),
        (epic_main(free=18, gift=0, size=90), {}, ("legal", [])),
        (
            epic_main(free=18, gift=0),
            dict(list(EPIC_SIDE.items())[:14]),
            ("illegal", [("sideboard-size", "EPIC 9.2", None)]),
        ),
        (
            epic_main(free=18, gift=0),
            dict(list(EPIC_SIDE.items())[:14]) | {"Oathkeeper Bremond": 1},
            ("illegal", [("copies", "EPIC 12.2", None)]),
        ),
    ],
    ids=[
        "18 free",
        "with a sideboard",
        "9 gifts of unknown cost and 9 free",
        "9 gifts of unknown cost and 10 free",
        "19 free",
        "10 gifts",
        "59 cards",
        "90 cards",
        "a sideboard of 14",
        "3 copies in the deck and 1 in the sideboard",
    ],
)
def test_designed_decks(main: dict[str, int], side: dict[str, int], expected: tuple[str, list[Any]]) -> None:
    assert EPIC.verdict("designed-deck.1", {"main": main, "side": side}) == expected


def test_a_sealed_deck_has_no_limit_but_its_pool() -> None:
    main = {"Bramble-hide Boar": 5, **gifts(12), **EPIC.named(19, cost="free")}
    assert EPIC.verdict("sealed-3.1", {"main": main}, pool=joined(main, EPIC_SIDE)) == ("legal", [])


def test_a_sealed_deck_holds_no_card_from_outside_its_pool() -> None:
    main = EPIC.named(30, cost="free")
    pool = without(main, ["Dawnmarch Pikewall"])
    assert EPIC.verdict("sealed-3.1", {"main": main}, pool=pool) == ("illegal", [("pool", "EPIC 10.5", None)])


def test_a_drafted_deck_of_29_is_too_small_and_cites_the_sealed_rule() -> None:
    main = EPIC.named(29, cost="free")
    assert EPIC.verdict("draft-3.1", {"main": main}, pool=main) == ("illegal", [("deck-size", "EPIC 10.3", None)])


def test_a_pack_war_deck_is_the_whole_pack() -> None:
    pack = EPIC.named(15, cost="free")
    assert EPIC.verdict("pack-war.1", {"main": pack}, pool=pack) == ("legal", [])
    short = without(pack, ["Dawnmarch Pikewall"])
    assert EPIC.verdict("pack-war.1", {"main": short}, pool=pack) == (
        "illegal",
        [("deck-size", "EPIC 10.7", "EPIC R6")],
    )


LISTED = {"Bell-bronze Reliquary": 1, "Tideturn: Reflux": 1}
COMMONS = ENGARDE.named(48, each=3, years=(2025, 2026), rarity="common")
MAIN = joined(COMMONS, LISTED)
SIDE = ENGARDE.named(10, years=(2025, 2026), rarity="uncommon")
REALM = {"Kilnhold": 1}
OLD = "Overtone Twins"
REPRINTED = "Tuning-fork Cadet"


def engarde(main: Mapping[str, int] = MAIN, side: Mapping[str, int] = SIDE, realm: Mapping[str, int] = REALM) -> Parts:
    return {"main": main, "side": side, "realm": realm}


def swapped(**change: int) -> dict[str, int]:
    """The main deck with other cards in the place of as many copies of its last common card."""
    main = joined(MAIN, change)
    last = list(COMMONS)[-1]
    main[last] -= sum(change.values()) - sum(MAIN.get(name, 0) for name in change)
    return {name: count for name, count in main.items() if count}


@pytest.mark.parametrize(
    ("deck", "expected"),
    [
        (engarde(), ("legal", [])),
        (engarde(side={}), ("legal", [])),
        (
            engarde(main=swapped(**{"Tideturn: Reflux": 2})),
            ("illegal", [("lists", "ENGARDE 2.6", None), ("mythic-copies", "ENGARDE 2.2", "ENGARDE R2")]),
        ),
        (
            engarde(main=swapped(**{"Hollowing — Greater": 1})),
            ("illegal", [("main-cards", "ENGARDE 2.3", "ENGARDE R4"), ("lists", "ENGARDE 2.6", None)]),
        ),
        (
            engarde(main=swapped(**{"Resonant Colossus": 2})),
            ("illegal", [("mythic-copies", "ENGARDE 2.2", "ENGARDE R2")]),
        ),
        (engarde(realm={}), ("illegal", [("realm", "ENGARDE 2.3", "ENGARDE R3")])),
        (
            engarde(main=swapped(**{"The Vacant See": 1})),
            ("illegal", [("main-cards", "ENGARDE 2.3", "ENGARDE R4")]),
        ),
        (engarde(realm={"Whetstone Cart": 1}), ("illegal", [("realm-type", "ENGARDE 2.3", None)])),
        (engarde(main=swapped(**{OLD: 1})), ("illegal", [("pool", "ENGARDE 2.5", "ENGARDE R7")])),
        (engarde(main=swapped(**{REPRINTED: 1}), side={}), ("legal", [])),
        (
            engarde(side=dict(list(SIDE.items())[:9])),
            ("illegal", [("sideboard-size", "ENGARDE 2.4", "ENGARDE R6")]),
        ),
    ],
    ids=[
        "one of each restricted card",
        "no sideboard",
        "two of a restricted card",
        "a banned card",
        "two of a Mythic card",
        "no Realm",
        "a Realm in the deck",
        "no Realm in the Realm's place",
        "a card that rotated out",
        "an old card with a new printing",
        "a sideboard of 9",
    ],
)
def test_standard_decks_of_today(deck: Parts, expected: tuple[str, list[Any]]) -> None:
    assert ENGARDE.verdict("standard.2025", deck) == expected


def test_eternal_takes_cards_that_rotated_out_of_standard() -> None:
    assert ENGARDE.verdict("eternal.2025", engarde(main=swapped(**{OLD: 1}))) == ("legal", [])


def test_eternal_has_no_list_but_cannot_tell_whether_a_card_of_unknown_rarity_is_mythic() -> None:
    deck = engarde(main=swapped(**{"Tideturn: Reflux": 2}))
    assert ENGARDE.verdict("eternal.2025", deck) == (
        "undetermined",
        [("mythic-copies", "ENGARDE 2.2", "ENGARDE R2")],
    )


def test_the_sideboard_of_2024_has_15_cards_and_that_of_2025_has_10() -> None:
    main = ENGARDE.named(50, each=3, years=(2023,), rarity="common")
    side = ENGARDE.named(15, each=3, years=(2023,), rarity="uncommon")
    deck = engarde(main=main, side=side, realm={"Carillon Court": 1})
    assert ENGARDE.verdict("standard.2024", deck, date(2024, 6, 1)) == ("legal", [])
    assert ENGARDE.verdict("eternal.2025", deck, date(2025, 6, 1)) == (
        "illegal",
        [("sideboard-size", "ENGARDE 2.4", "ENGARDE R6")],
    )
