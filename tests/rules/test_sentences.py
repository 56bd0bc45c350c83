from __future__ import annotations

from datetime import date
from pathlib import Path
from re import findall

import pytest

from rules.engine import checks
from rules.engine.legality import CODES, CardCount, MissingFact, Violation
from rules.sentences import _SAID, sentence

CARD = (CardCount(1, "Thrust", 4),)
PAIR = (*CARD, CardCount(2, "Shelter", 1))
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
        (
            Violation("copies.too_many", "c", "T 1", 7, 8, 1, BOTH, CARD, since=date(2025, 1, 1)),
            "8 copies of Thrust in main deck and sideboard; at most 7 are allowed since 1 January 2025. Remove 1.",
        ),
        (
            Violation("status.limit", "l", "T 1", 1, 4, 3, BOTH, CARD),
            "4 copies of Thrust in main deck and sideboard; its own limit is 1. Remove 3.",
        ),
        (
            Violation("status.too_many_restricted", "l", "T 1", 1, 2, 1, BOTH, PAIR, subject="restricted cards"),
            "2 different restricted cards in main deck and sideboard (Thrust and Shelter); a deck may have 1. "
            "Leave out 1 of them.",
        ),
        (
            Violation("points.too_many", "p", "T 1", 7, 9, 2, ("main",), PAIR, subject="points"),
            "9 points in main deck; at most 7 are allowed. Leave out cards worth 2: Thrust and Shelter.",
        ),
        (
            Violation("group.too_many", "g", "T 1", 1, 2, 1, ("main",), PAIR, subject="pod cards"),
            "Thrust and Shelter are together in main deck; of pod cards a deck may have at most 1 different card. "
            "Leave out 1 of them.",
        ),
        (
            Violation(
                "group.unknown", "g", "T 1", 0, 0, zones=("main",), cards=CARD, subject="free cards",
                facts=(MissingFact("Thrust", "cost"),),
            ),
            "Thrust: whether they may be together in main deck depends on what is not known: cost of Thrust. "
            "Of free cards a deck may have at most 0 different cards. Ask a judge.",
        ),
        (
            Violation("bound.too_few", "b", "T 1", 20, 18, -2, ("main",), subject="agenda points"),
            "18 agenda points in main deck; a deck like this one needs at least 20. Add 2 agenda points.",
        ),
        (
            Violation("bound.too_many", "b", "T 1", 20, 22, 2, ("main",), subject="agenda points"),
            "22 agenda points in main deck; a deck like this one may have at most 20. Remove 2 agenda points.",
        ),
        (
            Violation("bound.unknown", "b", "T 1", None, 0, zones=("main",), subject="agenda points"),
            "0 agenda points in main deck for sure, and perhaps more. "
            "It depends on what is not known: lines that are no known card. Ask a judge, or leave those cards out.",
        ),
        (
            Violation("fixed.unknown", "f", "T 1", None, 54, zones=("main",), subject="Melee"),
            "The main deck has 54 cards and must be a deck as it is sold (Melee), but which cards that holds is not "
            "fully known. Compare it with the real deck, or ask a judge.",
        ),
        (
            Violation("fixed.not_in_deck", "f", "T 1", 0, 4, 4, ("main",), CARD, subject="Red"),
            "Thrust is not in the deck Red. Remove 4 copies.",
        ),
        (
            Violation("fixed.wrong_count", "f", "T 1", 6, 4, -2, ("main",), CARD, subject="Red"),
            "4 copies of Thrust in main deck; the deck Red has 6. Add 2.",
        ),
        (
            Violation("fixed.missing", "f", "T 1", 1, 0, -1, ("main",), CARD, subject="Red"),
            "Thrust is missing; the deck Red has 1 copy. Add 1.",
        ),
        (
            Violation("fixed.too_many", "f", "T 1", 54, 55, 1, ("main",), subject="Red"),
            "The main deck has 55 cards; the deck Red has 54. Remove 1.",
        ),
        (
            Violation("fixed.too_few", "f", "T 1", 54, 50, -4, ("main",), subject="Red"),
            "The main deck has 50 cards; the deck Red has 54. Add 4.",
        ),
        (
            Violation("when.either_way", "w", "T 1", facts=(MissingFact("Thrust", "cost"),), subject="companion"),
            "Whether companion applies depends on what is not known: cost of Thrust. The deck breaks a rule whether it "
            "does or not. Mend what is said of both cases.",
        ),
        (
            Violation("zone_count.too_few", "s", "T 1", 80, 60, -20, ("main",), undetermined=True, depends_on="pal"),
            "The main deck has 60 cards; at least 80 are needed. Add 20. "
            "This counts only if the rule pal applies, which can't be told.",
        ),
        (
            Violation("pool.unknown", "pool", "T 1", undetermined=True),
            "Which cards are legal is not known for this format, so no deck can be called legal. Ask a judge.",
        ),
        (
            Violation("pool.unknown", "pool", "T 1", None, 4, cards=CARD, facts=(MissingFact("Thrust", "set"),)),
            "No set of Thrust is known, so it can't be told whether this format takes it in. Ask a judge.",
        ),
        (
            Violation("pool.excluded", "pool", "T 1", 0, 4, 4, ("main",), CARD),
            "Thrust is left out of this format. Remove 4 copies.",
        ),
        (
            Violation("pool.not_in_sets", "pool", "T 1", 0, 4, 4, ("main",), CARD),
            "Thrust is in none of the sets of this format. Remove 4 copies.",
        ),
    ],
)  # fmt: skip
def test_a_violation_is_said_with_numbers_and_the_nearest_mend(violation: Violation, says: str):
    assert sentence(violation.as_json()) == says


def test_a_zone_is_called_as_the_game_calls_it():
    violation = Violation("zone_count.too_few", "s", "T 1", 3, 2, -1, ("deck",)).as_json()
    assert sentence(violation, {"deck": "Lists"}) == "The lists has 2 cards; at least 3 are needed. Add 1."


def test_every_code_of_the_engine_has_its_sentence():
    swaps = {f"transition.{code}" for code in ("cards_changed", "size_changed", "fixed_zone_changed", "none")}
    assert {*CODES, *swaps} == set(_SAID)


def test_every_code_that_a_check_names_is_listed():
    source = "".join(path.read_text() for path in Path(str(checks.__path__[0])).glob("*.py"))
    kinds = "|".join({code.partition(".")[0] for code in CODES})
    named = set(findall(rf'"((?:{kinds})\.[a-z_]+)"', source))
    assert len(named) > 20
    assert named <= set(CODES)
