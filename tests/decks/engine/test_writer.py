from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from decks.engine.fingerprint import ALPHABET, fingerprint
from decks.engine.parser import Entry, parse_decklist
from decks.engine.writer import write_decklist
from tests.decks.engine.names import NAMES, ZONES, Index

keys = st.tuples(st.sampled_from([zone.key for zone in ZONES]), st.integers(0, len(NAMES) - 1))
decks = st.dictionaries(keys, st.integers(1, 999), max_size=20).map(
    lambda deck: [Entry(zone, count, card, NAMES[card]) for (zone, card), count in deck.items()]
)


@settings(max_examples=300, deadline=None)
@given(decks)
def test_what_is_written_reads_back_as_the_same_deck(deck: list[Entry]) -> None:
    parsed = parse_decklist(write_decklist(deck, ZONES), Index(), ZONES)
    assert (parsed.problems, parsed.notices) == ((), ())
    assert {replace(entry, lines=()) for entry in parsed.entries} == set(deck)


def test_a_written_deck_has_a_heading_for_each_zone_and_a_line_for_each_card() -> None:
    deck = [Entry("side", 2, 19, "Deny"), Entry("main", 1, 1, "Glass Oath"), Entry("main", 3, 0, "Ember Fox")]
    assert write_decklist(deck, ZONES) == (
        "// Main deck (4)\n3x Ember Fox\n1x Glass Oath\n\n// Sideboard (2)\n2x Deny\n"
    )


def test_a_deck_in_the_first_zone_alone_needs_no_heading() -> None:
    assert write_decklist([Entry("main", 3, 0, "Ember Fox")], ZONES) == "3x Ember Fox\n"


@given(decks, st.randoms(use_true_random=False))
def test_a_fingerprint_does_not_depend_on_order_lines_or_the_ids_of_this_database(deck: list[Entry], random) -> None:
    other = [replace(entry, card=entry.card + 7, lines=(1, 2)) for entry in deck]
    random.shuffle(other)
    assert fingerprint(other) == fingerprint(deck)


def test_a_fingerprint_is_stable_short_and_free_of_characters_that_look_alike() -> None:
    mark = fingerprint([Entry("main", 3, 0, "Ember Fox"), Entry("side", 2, 19, "Deny")])
    assert mark == "57GQ-SNCA-VDRW"
    assert set(mark.replace("-", "")) <= set(ALPHABET)


def test_zone_name_and_count_each_change_the_fingerprint() -> None:
    deck = Entry("main", 3, 0, "Ember Fox")
    others = [replace(deck, zone="side"), replace(deck, count=2), replace(deck, name="Ember Foxes")]
    marks = {fingerprint([entry]) for entry in [deck, *others]}
    assert len(marks) == 4


def test_two_lines_of_one_card_have_the_fingerprint_of_their_sum() -> None:
    half = Entry("main", 1, 0, "Ember Fox")
    assert fingerprint([half, half]) == fingerprint([replace(half, count=2)])
