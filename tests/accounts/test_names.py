from __future__ import annotations

import pytest

from accounts.names import MAX_LENGTH, clean_display_name
from config.errors import DomainError


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Mira Okafor", "Mira Okafor"),
        ("  Mira \t  Okafor\n", "Mira Okafor"),
        ("Mira\u00a0Okafor", "Mira Okafor"),
        ("Jose\u0301", "José"),
        ("Søren Ødegård-O’Neil", "Søren Ødegård-O’Neil"),
        ("李 小龍", "李 小龍"),
        ("محمد", "محمد"),
        ("7", "7"),
        ("🐉", "🐉"),
        ("x" * MAX_LENGTH, "x" * MAX_LENGTH),
        ("e\u0301" * MAX_LENGTH, "é" * MAX_LENGTH),
    ],
)
def test_a_name_that_can_be_read_is_kept_composed_and_trimmed(typed, kept):
    assert clean_display_name(typed) == kept


@pytest.mark.parametrize(
    ("character", "code_point"),
    [
        ("\x00", "U+0000"),
        ("\x07", "U+0007"),
        ("\x1b", "U+001B"),
        ("\x85", "U+0085"),
        ("\u00ad", "U+00AD"),
        ("\u200b", "U+200B"),
        ("\u200e", "U+200E"),
        ("\u2028", "U+2028"),
        ("\u2029", "U+2029"),
        ("\u202e", "U+202E"),
        ("\u2066", "U+2066"),
        ("\ufeff", "U+FEFF"),
        ("\ud800", "U+D800"),
        ("\ue000", "U+E000"),
        ("\U000e0041", "U+E0041"),
        ("\U0010fffd", "U+10FFFD"),
        ("\u3164", "U+3164"),
        ("\u2800", "U+2800"),
    ],
)
@pytest.mark.parametrize("around", ["{}Mira", "Mi{}ra", "Mira{}"])
def test_a_character_that_hides_or_reorders_text_is_refused_by_its_code_point(character, code_point, around):
    with pytest.raises(DomainError) as refusal:
        clean_display_name(around.format(character))

    assert refusal.value.code == "account.display_name_character"
    assert refusal.value.context == {"code_point": code_point}
    assert code_point in refusal.value.message


@pytest.mark.parametrize("blank", ["", " ", "\t \n", "\u00a0", "\u3000\u2003", "\u0301"])
def test_a_name_without_anything_to_see_is_refused(blank):
    with pytest.raises(DomainError) as refusal:
        clean_display_name(blank)

    assert refusal.value.code == "account.display_name_empty"


def test_a_name_too_long_for_a_pairings_list_says_by_how_much():
    with pytest.raises(DomainError) as refusal:
        clean_display_name("x" * 73)

    assert refusal.value.code == "account.display_name_long"
    assert refusal.value.context == {"length": 73, "limit": 60}
    assert "Shorten it by 13." in refusal.value.message
