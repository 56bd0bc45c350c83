from __future__ import annotations

from datetime import date

import pytest

from rules.engine.legality import CardCount, MissingFact, Violation
from rules.sentences import _SAID, sentence

CARD = (CardCount(1, "Thrust", 4),)
BOTH = ("main", "side")


@pytest.mark.parametrize(
    ("violation", "says"),
    [
        (
            Violation("sum.too_many", "f", "T 1", 18, 20, 2, BOTH, CARD, subject="free cards"),
            "20 free cards in main deck and sideboard; at most 18 are allowed. Remove 2 free cards.",
        ),
        (
            Violation("sum.too_many", "f", "T 1", 18, 19, 1, BOTH, CARD, subject="free cards"),
            "19 free cards in main deck and sideboard; at most 18 are allowed. Remove 1 free card.",
        ),
        (
            Violation("zone_count.too_few", "s", "T 1", 60, 58, -2, ("main",)),
            "The main deck has 58 cards; at least 60 are needed. Add 2.",
        ),
        (
            Violation("zone_count.not_one_of", "s", "T 1", (0, 15), 14, -1, ("side",)),
            "The sideboard has 14 cards; it must have none or 15. Add 1.",
        ),
        (
            Violation("copies.too_many", "c", "T 1", 3, 4, 1, BOTH, CARD, curable_by_sideboarding=True),
            "4 copies of Thrust in main deck and sideboard; at most 3 are allowed. Remove 1. "
            "The sideboard holds what would mend it.",
        ),
        (
            Violation("status.banned", "l", "T 1", 0, 1, 1, BOTH, CARD, since=date(2025, 1, 1)),
            "Thrust is banned since 1 January 2025; main deck and sideboard may not hold it. Remove 1 copy.",
        ),
        (
            Violation("status.restricted", "l", "T 1", 1, 4, 3, BOTH, CARD),
            "Thrust is restricted to 1 copy; there are 4 in main deck and sideboard. Remove 3.",
        ),
        (
            Violation("pool.rotated_out", "pool", "T 1", 0, 4, 4, ("main",), CARD, since=date(2023, 1, 15)),
            "Thrust is too old for this format: its newest printing became legal on 15 January 2023. Remove 4 copies.",
        ),
        (
            Violation(
                "sum.unknown", "f", "T 1", 18, 16, None, BOTH, CARD, possible=20, subject="free cards",
                facts=(MissingFact("Thrust", "cost"), MissingFact("Shelter", "cost")), undetermined=True,
            ),
            "16 free cards in main deck and sideboard for sure, up to 20 in all; the limit is 18. "
            "It depends on what is not known: cost of Thrust and Shelter. Ask a judge, or leave those cards out.",
        ),
    ],
)  # fmt: skip
def test_a_violation_is_said_with_numbers_and_the_nearest_mend(violation: Violation, says: str):
    assert sentence(violation.as_json()) == says


def test_a_zone_is_called_as_the_game_calls_it():
    violation = Violation("zone_count.too_few", "s", "T 1", 3, 2, -1, ("deck",)).as_json()
    assert sentence(violation, {"deck": "Lists"}) == "The lists has 2 cards; at least 3 are needed. Add 1."


def test_every_code_of_the_engine_has_its_sentence():
    from pathlib import Path
    from re import findall

    import rules.engine.legality as engine
    import rules.engine.sideboarding as swaps

    source = "".join(Path(str(module.__file__)).read_text() for module in (engine, swaps))
    codes = set(findall(r'"((?:line|zone_count|eligible|pool|status|copies|transition)\.[a-z_]+)"', source))
    codes |= {f"{kind}.{end}" for kind in ("sum", "require") for end in ("too_many", "too_few", "unknown")}
    codes |= {"status.banned", "status.restricted"}
    assert codes == set(_SAID)


def test_an_unknown_code_is_a_bug():
    with pytest.raises(ValueError):
        sentence({**Violation("x.y", "c", "T 1").as_json()})
