"""What may be played on a day: banned and restricted cards, windows of sets, the pool of an event."""

from __future__ import annotations

from datetime import date

import pytest

from rules.engine.legality import CardCount, CardFacts, Violation, months_before
from tests.rules.judging import (
    ACTION,
    BANNED,
    GRATIS,
    LEGAL,
    LISTS,
    OTHER,
    RESTRICTED,
    WINDOW,
    illegal,
    printed,
    undetermined,
    verdict,
)


def test_a_banned_card_may_not_be_there_and_a_restricted_one_once():
    assert verdict({"main": [(GRATIS, 2), (OTHER, 1)]}, LISTS, statuses=(BANNED, RESTRICTED)) == LEGAL
    found = verdict(
        {"main": [(GRATIS, 2), (OTHER, 1)], "side": [(OTHER, 1), (ACTION, 1)]}, LISTS, statuses=(BANNED, RESTRICTED)
    )
    assert found == illegal(
        Violation(
            "status.banned",
            "lists",
            "T 4.1",
            limit=0,
            actual=1,
            excess=1,
            zones=("main", "side"),
            cards=(CardCount(1, "Anvil", 1),),
            lines=(1,),
            since=date(2026, 1, 1),
            source="list of January",
        ),
        Violation(
            "status.restricted",
            "lists",
            "T 4",
            limit=1,
            actual=2,
            excess=1,
            zones=("main", "side"),
            cards=(CardCount(2, "Bellows", 2),),
            lines=(2,),
            source="list of January",
        ),
    )


def test_a_format_without_a_list_bans_nothing():
    assert verdict({"main": [(ACTION, 3)]}, statuses=(BANNED,)) == LEGAL


def test_two_statuses_of_one_card_on_one_day_are_a_bug():
    with pytest.raises(ValueError):
        verdict({}, statuses=(BANNED, BANNED))


@pytest.mark.parametrize(
    ("days", "outcome"),
    [
        ((date(2024, 12, 15),), "legal"),  # the first day of the window
        ((date(2024, 12, 14),), "illegal"),
        ((date(2026, 6, 15),), "legal"),  # the day itself
        ((date(2026, 6, 16),), "illegal"),
        ((date(2019, 1, 1), date(2025, 5, 1)), "legal"),  # any printing will do
        ((date(2019, 1, 1), date(2027, 1, 1)), "illegal"),
        ((date(2019, 1, 1), None), "undetermined"),
        ((None, date(2026, 1, 1)), "legal"),
        ((), "undetermined"),
    ],
)
def test_a_card_is_in_the_window_by_any_of_its_printings(days: tuple[date | None, ...], outcome: str):
    assert verdict({"main": [(printed(*days), 3)]}, pool=WINDOW).outcome == outcome


def test_a_card_that_rotated_out_says_since_when_it_was_legal():
    assert verdict({"main": [(printed(date(2019, 1, 1)), 3)]}, pool=WINDOW) == illegal(
        Violation(
            "pool.rotated_out",
            "pool",
            "T 8",
            limit=0,
            actual=3,
            excess=3,
            zones=("main",),
            cards=(CardCount(9, "Escapement", 3),),
            lines=(9,),
            since=date(2019, 1, 1),
        )
    )


def test_the_first_day_is_out_where_the_format_says_so():
    on_the_edge = {"main": [(printed(date(2024, 12, 15)), 3)]}
    assert verdict(on_the_edge, pool={**WINDOW, "inclusive": False}).outcome == "illegal"


def test_pool_and_status_are_two_tests():
    old = CardFacts(2, "Bellows", {}, legal_dates=(date(2019, 1, 1),))
    found = verdict({"main": [(old, 1), (ACTION, 2)]}, LISTS, pool=WINDOW, statuses=(RESTRICTED,))
    assert [violation.code for violation in found.violations] == ["pool.rotated_out"]


@pytest.mark.parametrize(
    ("day", "months", "start"),
    [
        (date(2026, 6, 15), 18, date(2024, 12, 15)),
        (date(2025, 8, 31), 18, date(2024, 2, 29)),
        (date(2025, 3, 31), 1, date(2025, 2, 28)),
        (date(2026, 1, 1), 12, date(2025, 1, 1)),
        (date(2024, 2, 29), 12, date(2023, 2, 28)),
        (date(2025, 8, 29), 18, date(2024, 2, 29)),
        (date(2026, 8, 31), 18, date(2025, 2, 28)),
    ],
)
def test_months_are_those_of_the_calendar(day: date, months: int, start: date):
    assert months_before(day, months) == start


def test_every_card_that_has_come_out_is_in_an_unlimited_pool_and_none_that_has_not():
    assert verdict({"main": [(printed(date(1999, 1, 1)), 3)]}) == LEGAL
    assert verdict({"main": [(printed(None), 3)]}) == LEGAL
    found = verdict({"main": [(printed(date(2026, 6, 16)), 3)]})
    assert [(v.code, v.since) for v in found.violations] == [("pool.not_out_yet", date(2026, 6, 16))]


OPENED = {"kind": "event_pool", "cite": "T 10"}


def test_a_deck_of_an_event_pool_has_no_more_copies_than_the_pool():
    deck = {"main": [(ACTION, 3)], "side": [(ACTION, 1)]}
    assert verdict(deck, pool=OPENED, opened={1: 4}) == LEGAL
    found = verdict({**deck, "side": [(ACTION, 1), (OTHER, 1)]}, pool=OPENED, opened={1: 3})
    assert [(v.code, v.limit, v.actual, v.excess, v.zones) for v in found.violations] == [
        ("pool.too_many", 3, 4, 1, ("main", "side")),
        ("pool.not_in_pool", 0, 1, 1, ("side",)),
    ]


def test_without_its_pool_such_a_deck_cannot_be_judged():
    assert verdict({"main": [(ACTION, 3)]}, pool=OPENED) == undetermined(
        Violation("pool.not_given", "pool", "T 10", undetermined=True)
    )
