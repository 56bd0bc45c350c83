"""No reason of the engine is left without words."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import events.engine
from events.sentences_pairing import WHY_DOWN
from events.sentences_reasons import known_reasons, reason_sentence

ENGINE = Path(events.engine.__file__).parent
NAMES = {1: "Ada", 2: "Bela", 3: "Cleo"}
CHOSEN = {
    "demanded_round.py": {"paired_by_hand", "bye_by_hand", "bye_assigned", "paired_down"},
    "melee.py": {"won_by", "behind_by"},
    "multiplayer.py": {"sits_out_in_turn", "fewest_byes_then_lowest_score"},
    "pairing_reasons.py": {"rematch", "rematch_unavoidable"},
    "repair.py": {"match_is_over", "table_can_be_finished"},
    "team_rounds.py": {"less_often_on_side", "other_side_last", "side_by_lot"},
    "whatif.py": {
        *("dropped", "out_of_reach", "every_end", "too_many_ahead", "no_end", "some_ends", "results_decide"),
        *("later_rounds_decide", "tie_breakers_decide"),
    },
}
"""Codes of modules that choose one by a variable."""


def constants(node: ast.expr) -> set[str] | None:
    """The strings that an expression can be; None where it is no string of its own."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    if isinstance(node, ast.IfExp):
        one, other = constants(node.body), constants(node.orelse)
        return one | other if one is not None and other is not None else None
    return None


def codes_of_the_engine() -> tuple[set[str], set[str]]:
    """Those written where a reason is made, and the modules in which some are not."""
    written: set[str] = set()
    chosen: set[str] = set()
    for path in sorted(ENGINE.glob("*.py")):
        tree = ast.parse(path.read_text())
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Reason":
                found = constants(call.args[0])
                if found is None:
                    chosen.add(path.name)
                written |= found or set()
    return written, chosen


def test_every_reason_of_the_engine_has_a_sentence() -> None:
    written, chosen = codes_of_the_engine()

    assert len(written) > 40
    assert chosen == CHOSEN.keys()
    assert (written | set().union(*CHOSEN.values())) - known_reasons() == set()


def test_the_chosen_codes_are_those_that_the_engine_chooses_from() -> None:
    text = {path.name: path.read_text() for path in ENGINE.glob("*.py")}
    borrowed = {"bye_by_hand", "bye_assigned", "paired_down"}  # by demands.ByeKind, and passed on from the solver

    lost = {
        (module, code)
        for module, codes in CHOSEN.items()
        for code in codes - borrowed
        if f'"{code}"' not in text[module]
    }

    assert lost == set()
    reasons = text["pairing_reasons.py"] + text["demanded_round.py"]
    assert set(re.findall(r'"(\w+_on_score|keeps_\w+)"', reasons)) == set(WHY_DOWN)


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ({"code": "only_allowed_opponent", "player": 1}, "Nobody else is left whom Ada has not met and may meet."),
        (
            {"code": "by_standing", "place": 1, "opponent_place": 3},
            "Place 1 meets place 3 of the standings, the best who have not met.",
        ),
        ({"code": "lowest_place", "place": 9}, "The number of players is odd, and nobody stands below place 9."),
        (
            {"code": "lowest_place_without_bye", "place": 7, "lower_with_bye": 2},
            "The number of players is odd. 2 players further down have had a bye already.",
        ),
        (
            {"code": "other_bye_would_break_demand", "passed_over": 1},
            "The number of players is odd. A bye for another player would bring players together who were to be kept "
            "apart, or force a rematch.",
        ),
        ({"code": "bye_by_hand"}, "Staff gave this bye by hand. The reason stands above the pairings."),
        (
            {"code": "seed", "seed": 4, "rank": 6, "moved_up": 2},
            "Seed 4, from place 6 of the standings: 2 players ahead had left.",
        ),
        ({"code": "dropped_before_cut", "rank": 2}, "Place 2, but left before the cut."),
        (
            {"code": "tied_outside_cut", "rank": 9},
            "Place 9: as many points as the last who got in, and behind by the tie-breakers.",
        ),
        (
            {"code": "higher_seed", "seed": 1, "opponent_seed": 8},
            "Seed 1 is above seed 8, and chooses who begins.",
        ),
        ({"code": "lost_previous_game", "game": 1}, "Whoever lost game 1 chooses who begins."),
        (
            {"code": "behind_by", "figure": "gold", "own": 2, "against": 5, "player": 3, "cite": ""},
            "Behind Cleo by gold: 2 against 5.",
        ),
        (
            {"code": "shared_victory", "with": "1, 3", "cite": ""},
            "Shares the victory with Ada and Cleo: level in points, gold and silver.",
        ),
        ({"code": "points_corrected", "1": 3, "2": 1}, "A result was corrected: Ada has 3 points, Bela has 1 point."),
        (
            {"code": "new_pair", "table": 4, "a": 1, "b": 2, "gap": 3, "meetings": 1},
            "New at table 4: Ada and Bela, 3 points apart, who have met before.",
        ),
        (
            {"code": "round_costs", "rematches": 1, "score_gap": 9},
            "The round as a whole then has 1 rematch and gaps of 9, squared and summed.",
        ),
        (
            {"code": "pod", "apart": 4, "gap": 0, "rematch": 0},
            "They sat 4 seats apart in the pod, level on points.",
        ),
        (
            {"code": "out_of_reach", "cut": 8, "can_reach": 5},
            "At most 5 others can come level on points, and 8 get in.",
        ),
        ({"code": "of_an_older_version"}, "Of an older version."),
    ],
)
def test_a_reason_is_told_in_words(reason: dict[str, object], sentence: str) -> None:
    assert reason_sentence(reason, NAMES) == sentence
