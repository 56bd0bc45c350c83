from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.engine.index import CardIndex
from cards.engine.names import name_key


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("mira’s  final ledger", "Mira's Final Ledger"),
        ("Hollowing - Greater", "Hollowing — Greater"),
        ("HOLLOWING -- GREATER", "Hollowing — Greater"),
        ("tideturn:\u00a0reflux", "Tideturn: Reflux"),
        ("Ｓｈｅｌｔｅｒ", "Shelter"),
        ("Aether Ledger", "Æther Lédger"),
        ("Bell‑bronze Reliquary", "Bell-bronze Reliquary"),
        ("soft\u00adhyphen", "softhyphen"),
    ],
)
def test_ways_of_typing_one_name_have_one_key(typed: str, printed: str):
    assert name_key(typed) == name_key(printed)


@pytest.mark.parametrize(("one", "other"), [("Fire", "Fire!"), ("Ice Fire", "Icefire"), ("Fire // Ice", "Fire / Ice")])
def test_names_that_differ_keep_two_keys(one: str, other: str):
    assert name_key(one) != name_key(other)


@given(st.text())
def test_a_key_is_its_own_key_and_can_be_stored(text: str):
    key = name_key(text)
    assert name_key(key) == key
    assert "\0" not in key
    key.encode()


INDEX = CardIndex.of([("second wind", 1, "Second Wind"), ("second sight", 2, "Second Sight"), ("thrust", 3, "Thrust")])


def test_a_name_resolves_only_when_it_is_whole():
    assert INDEX.resolve("second wind") == (1, "Second Wind")
    assert INDEX.resolve("second win") is None


def test_what_begins_with_the_key_is_suggested_then_what_is_near():
    assert INDEX.suggestions(["second", "thrsut", ""]) == [["Second Sight", "Second Wind"], ["Thrust"], []]
