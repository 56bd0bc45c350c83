"""That a game is taught by a folder alone: every kind of rule of the sixth pack, kept and broken, by day."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.packs.conftest import LEGAL_DECK, Deck, Judge

LEGAL = ("legal", [])


def illegal(*violations: tuple[object, ...]) -> tuple[str, list[tuple[object, ...]]]:
    return "illegal", list(violations)


def test_a_hundred_cards_behind_their_keeper_are_legal(judge: Judge):
    assert judge(LEGAL_DECK.read_text()) == LEGAL


def test_the_deck_that_the_tests_change_is_the_one_of_the_file(judge: Judge, deck: Deck):
    assert judge(deck.text) == LEGAL


def test_one_card_more_or_less_is_told(judge: Judge, deck: Deck):
    assert judge(deck.changed(size=101).text) == illegal(("zone_count.too_many", "size", "MOOT 2.1", 100, 101))
    assert judge(deck.changed(size=99).text) == illegal(("zone_count.too_few", "size", "MOOT 2.1", 100, 99))


def test_no_card_is_there_twice(judge: Judge, deck: Deck):
    assert judge(deck.with_cards({"Brass Chandler": 2}).text) == illegal(
        ("copies.too_many", "singleton", "MOOT 2.2", 1, 2)
    )


def test_the_list_may_allow_a_card_more_often(judge: Judge, deck: Deck):
    two = deck.with_cards({"Slate Taper": 2}).text
    assert judge(two) == LEGAL
    assert judge(deck.with_cards({"Slate Taper": 3}).text) == illegal(
        ("copies.too_many", "singleton", "MOOT 4.3", 2, 3)
    )


def test_an_erratum_raises_a_cards_own_limit_from_its_day(judge: Judge, deck: Deck):
    five = deck.with_cards({"Wisp of the Marsh": 5}).text
    assert judge(five, "2026-04-30") == illegal(("copies.too_many", "singleton", "MOOT 2.2", 3, 5))
    assert judge(five, "2026-05-01") == LEGAL
    assert judge(deck.with_cards({"Wisp of the Marsh": 8}).text, "2026-05-01") == illegal(
        ("copies.too_many", "singleton", "MOOT 2.2", 7, 8)
    )


def test_the_keepers_colours_bound_the_deck(judge: Judge, deck: Deck):
    stranger = deck.with_cards({"Inky Chandler": 1})
    assert judge(stranger.text) == illegal(("eligible.not_eligible", "colours", "MOOT 3.2", 0, 1))
    assert judge(stranger.changed(keeper="Brida Threewick").text) == LEGAL


def test_a_colour_that_nobody_knows_leaves_the_deck_undetermined(judge: Judge, deck: Deck):
    assert judge(deck.with_cards({"Half-told Tale": 1}).text) == (
        "undetermined",
        [("eligible.unknown", "colours", "MOOT 3.2", None, 1)],
    )


def test_a_keeper_is_needed_and_has_to_be_one(judge: Judge, deck: Deck):
    _, without = judge(deck.changed(keeper="").text)
    assert without[0] == ("zone_count.too_few", "keeper", "MOOT 3.1", 1, 0)
    _, walker = judge(deck.changed(keeper="Tidal Chandler").with_cards({"Tidal Chandler": 0}).text)
    assert walker[0] == ("eligible.not_eligible", "keeper-kind", "MOOT 3.1", 0, 1)


def test_a_card_may_be_banned_as_a_keeper_only(judge: Judge, deck: Deck):
    assert judge(deck.with_cards({"The Unlit Sexton": 1}).changed(keeper="Brida Threewick").text) == LEGAL
    _, as_keeper = judge(deck.with_cards({"The Unlit Sexton": 0}).changed(keeper="The Unlit Sexton").text)
    assert ("status.banned", "lists", "MOOT 4.2", 0, 1) in as_keeper


def test_a_companion_changes_the_size(judge: Judge, deck: Deck):
    assert judge(deck.changed(familiar="Grey Ox", size=120).text) == LEGAL
    assert judge(deck.changed(familiar="Grey Ox", size=100).text) == illegal(
        ("zone_count.too_few", "size-with-ox", "MOOT 3.4", 120, 100)
    )
    assert judge(deck.changed(familiar="Lapwing on a Lead", size=120).text) == illegal(
        ("zone_count.too_many", "size", "MOOT 2.1", 100, 120)
    )


def test_a_familiar_has_to_be_one(judge: Judge, deck: Deck):
    walker = deck.with_cards({"Tidal Chandler": 0}).changed(familiar="Tidal Chandler")
    assert judge(walker.text) == illegal(("eligible.not_eligible", "familiar-kind", "MOOT 3.3", 0, 1))


def test_of_a_group_one_may_be_there_and_the_group_grows_by_date(judge: Judge, deck: Deck):
    two = deck.with_cards({"Moon behind the Kiln": 1}).text
    assert judge(two, "2026-06-30") == LEGAL
    assert judge(two, "2026-07-01") == illegal(("group.too_many", "moons", "MOOT 2.4", 1, 2))


def test_how_many_lights_are_needed_depends_on_the_deck(judge: Judge, deck: Deck):
    lights = {name: 0 for name in deck.cards if name.endswith(("Taper", "lamp", "Wick", "Marsh"))}
    dark = deck.with_cards(lights, size=47)
    assert dark.cards["Plain Lantern"] == 8
    assert judge(dark.text) == illegal(
        ("zone_count.too_few", "size", "MOOT 2.1", 100, 47), ("bound.too_few", "lights", "MOOT 2.3", 9, 8)
    )


def test_the_weight_of_a_deck_is_bounded(judge: Judge, deck: Deck):
    kinds = ("Chandler", "Tollkeeper", "Gleaner", "Errand", "Storm-lamp")
    violet = {f"{who} {kind}": 1 for who in ("Dusky", "Plum-dark", "Inky") for kind in kinds}
    assert judge(deck.with_cards(violet).changed(keeper="Brida Threewick").text) == illegal(
        ("sum.too_many", "weight", "MOOT 2.5", 220, 230)
    )


def test_an_errand_is_needed(judge: Judge, deck: Deck):
    errands = {name: 0 for name in deck.cards if name.endswith("Errand") or name.startswith(("Moon", "Borrowed"))}
    assert judge(deck.with_cards(errands).text) == illegal(("require.too_few", "errand", "MOOT 2.3", 1, 0))


def test_the_points_list_and_the_budget_change_by_date(judge: Judge, deck: Deck):
    nine = deck.text
    twelve = deck.with_cards({"Quiet Procession": 1}).text
    assert judge(nine, "2026-02-28") == illegal(("points.too_many", "budget", "MOOT 4.1", 8, 9))
    assert judge(nine, "2026-03-01") == LEGAL
    assert judge(twelve, "2026-05-31") == illegal(("points.too_many", "budget", "MOOT 4.1", 9, 12))
    assert judge(twelve, "2026-06-01") == LEGAL


def test_a_ban_counts_from_its_day_under_every_name_of_the_card(judge: Judge, deck: Deck):
    for text in (deck.text, deck.text.replace("Sootwater Ferryman", "Ferryman of Soot")):
        assert judge(text, "2026-08-31") == LEGAL
        assert judge(text, "2026-09-01") == illegal(("status.banned", "lists", "MOOT 4.2", 0, 1))


def test_a_card_is_out_from_its_sets_day_on_and_a_reprint_from_its_first(judge: Judge, deck: Deck):
    kiln = deck.with_cards({"Moon behind the Kiln": 1, "Moon in the Millpond": 0, "The Long Wick": 0}).text
    _, before = judge(kiln, "2026-01-31")
    _, after = judge(kiln, "2026-02-01")
    assert {code for code, *_ in before} == {"pool.not_out_yet"}
    assert after == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Keeper\n1 Maud of the Weir\nMain\n2 Tidal Chandler\n2 Dusky Chandler\n3 Wisp of the Marsh\n"
            "5 Plain Lantern",
            LEGAL,
        ),
        ("Keeper\n1 Orsolo, Who Counts Lamps\nMain\n3 Brass Gleaner\n3 Straw Gleaner\n6 Plain Lantern", LEGAL),
    ],
)
def test_a_starter_deck_is_played_as_it_is_sold(judge: Judge, text: str, expected: object):
    assert judge(text, format="starter") == expected
    outcome, violations = judge(text.replace("Plain Lantern", "Slate Taper"), format="starter")
    assert outcome == "illegal"
    assert {(rule, cite) for _, rule, cite, *_ in violations} == {("as-sold", "MOOT 5.1")}


def test_a_family_of_formats_comes_of_one_file(judge: Judge, deck: Deck):
    for format in ("sealed-4", "sealed-6"):
        outcome, violations = judge(deck.text, format=format)
        assert outcome == "undetermined"
        assert {code for code, *_ in violations} == {"pool.not_given"}


@pytest.mark.usefixtures("judge")
def test_its_pages_are_there_like_those_of_any_game(client: Client):
    page = client.get("/formats/lanternmoot/hundred?on=2026-06-01").content.decode()
    for words in ("3 moon cards", "2 moon cards"):
        assert (words in page) is words.startswith("2")
    assert "Next change: on" in page
    changes = client.get("/formats/lanternmoot/hundred/changes").content.decode()
    assert "6 cards" in changes
    assert client.get("/cards/lanternmoot/wisp-of-the-marsh").status_code == 200
