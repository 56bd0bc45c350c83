"""Results as they are typed at the desk."""

from __future__ import annotations

import pytest

from config.errors import DomainError
from events.engine.entry import TableEntry, parse_entry, score_choices


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("12 21", TableEntry(12, 2, 1)),
        ("12 2-1", TableEntry(12, 2, 1)),
        ("12 2:1", TableEntry(12, 2, 1)),
        ("12 2 1", TableEntry(12, 2, 1)),
        ("12: 2-1", TableEntry(12, 2, 1)),
        ("12=21", TableEntry(12, 2, 1)),
        ("12.21", TableEntry(12, 2, 1)),
        ("12,21", TableEntry(12, 2, 1)),
        ("  7  02 ", TableEntry(7, 0, 2)),
        ("7\t20", TableEntry(7, 2, 0)),
        ("12 111", TableEntry(12, 1, 1, 1)),
        ("12 1-1-1", TableEntry(12, 1, 1, 1)),
        ("1 2-1", TableEntry(1, 2, 1)),
        ("10000 20", TableEntry(10000, 2, 0)),
    ],
)
def test_a_line_is_read(text, entry):
    assert parse_entry(text) == entry


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "12", "1221", "12 2", "12 2-", "12 2111", "12 2-1-1-1", "x 21", "12 x1", "-12 21", "123456 21"),
        *("1\u0662 21", "12 21 13 20", "12 21" + " " * 40),
    ],
)
def test_what_is_no_line_is_refused_with_an_example(text):
    with pytest.raises(DomainError) as refused:
        parse_entry(text)

    assert refused.value.code == "entry.unreadable"
    assert "12 21" in refused.value.message


@pytest.mark.parametrize(
    ("best_of", "at_time", "elimination", "choices"),
    [
        (3, False, False, ((2, 0), (2, 1), (1, 2), (0, 2))),
        (1, False, False, ((1, 0), (0, 1))),
        (3, True, False, ((2, 0), (2, 1), (1, 2), (0, 2), (1, 0), (0, 0), (1, 1), (0, 1))),
        (3, True, True, ((2, 0), (2, 1), (1, 2), (0, 2), (1, 0), (0, 1))),
    ],
)
def test_the_scores_that_get_a_button(best_of, at_time, elimination, choices):
    assert score_choices(best_of, at_time=at_time, elimination=elimination) == choices
