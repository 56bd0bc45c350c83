from __future__ import annotations

import pytest

from decks.engine.mending import remove_copies, replace_lines
from decks.engine.parser import parse_decklist
from tests.decks.engine.names import ZONES, Index

TEXT = "// mine\n3 Ember Fox (ABC)\n1 Deny\n\nSB: 2 Ember Fox"


@pytest.mark.parametrize(
    ("zones", "count", "expected"),
    [
        (("main", "side"), 1, "// mine\n3 Ember Fox (ABC)\n1 Deny\n\nSB: 1x Ember Fox"),
        (("main", "side"), 3, "// mine\n2x Ember Fox\n1 Deny\n"),
        (("main",), 3, "// mine\n1 Deny\n\nSB: 2 Ember Fox"),
        (("realm",), 3, TEXT),
    ],
)
def test_copies_are_taken_from_the_last_lines_of_the_zones_first(zones, count: int, expected: str) -> None:
    parsed = parse_decklist(TEXT, Index(), ZONES)
    assert remove_copies(TEXT, parsed, card=0, zones=zones, count=count) == expected


def test_only_the_lines_named_are_replaced() -> None:
    assert replace_lines("one\r\ntwo\r\nthree", {2: "TWO", 9: "nine"}) == "one\nTWO\nthree"
