"""What a set-up leads to, and what it can't promise."""

from __future__ import annotations

import pytest

from events.engine.outlook import Outlook, outlook, warning_sentence
from events.engine.swiss import SwissWarning

SWISS = {"kind": "swiss", "rounds": 0, "within_pods": False}
CUT = {"kind": "single_elimination", "cut": 8}
DRAFT = {"kind": "draft", "packs": 2, "pod_size": 8}


def test_without_a_number_of_players_nothing_is_counted_or_warned_about():
    assert outlook([SWISS, CUT], None) == Outlook(
        ("Swiss rounds by the number of players", "a cut to the top 8, single elimination"), ()
    )


def test_a_field_that_fits_has_no_warning():
    assert outlook([SWISS, CUT], 24) == Outlook(("5 Swiss rounds", "a cut to the top 8, single elimination"), ())


def test_a_cut_larger_than_the_field_is_said():
    assert outlook([SWISS, CUT], 6).warnings[-1] == "A cut to 8 needs as many players: with 6 all would be in it."


def test_how_a_cut_is_made_and_its_bracket_played_is_said():
    stages = [
        {**CUT, "reseed": True, "third_place": True},
        {**CUT, "cut_by": "points", "cut_points": 12},
        {**CUT, "cut_by": "clean_break"},
        {**CUT, "cut_by": "full_bracket"},
        {"kind": "double_elimination", "cut": 16},
    ]
    assert outlook(stages, 12) == Outlook(
        (
            "a cut to the top 8, single elimination, seeded anew after each round, with a match for third place",
            "a cut to all with 12 points or more, 8 at most, single elimination",
            "a cut to the top 8 at most, where points fall, single elimination",
            "a cut to the top 8 or as many as fill the bracket, single elimination",
            "a cut to the top 16, double elimination",
        ),
        ("A cut to 16 needs as many players: with 12 all would be in it.",),
    )


def test_round_robins_and_pools_say_their_rounds():
    pools = {"kind": "pools", "pool_size": 4, "advance": 2, "wildcards": 0}
    robin = {"kind": "round_robin"}
    assert outlook([robin, pools, {**pools, "wildcards": 2}], 7).lines == (
        "a round robin of 7 rounds",
        "pools of 4, each a round robin of 3 rounds; the first 2 of each go on",
        "pools of 4, each a round robin of 3 rounds; the first 2 of each go on, and the best 2 of the others",
    )
    assert outlook([robin], None).lines == outlook([robin], 2).lines == ("a round robin",)


def test_too_many_rounds_and_too_few_rounds_are_said():
    assert outlook([{**SWISS, "rounds": 5}], 4).warnings == (
        "5 rounds with 4 players: some must meet twice, because everybody has met everybody after 3.",
    )
    assert outlook([{**SWISS, "rounds": 3}], 64).warnings == (
        "3 rounds with 64 players can leave several players without a loss: 6 rounds would not.",
    )


def test_a_draft_needs_full_pods():
    full = outlook([DRAFT, {"kind": "deck_building"}, {**SWISS, "rounds": 3, "within_pods": True}], 16)

    assert full == Outlook(("a draft of 2 packs in pods of 8", "deck building", "3 Swiss rounds inside each pod"), ())
    assert outlook([DRAFT], 15).warnings == (
        "15 players make no full pods of 8: they would be 8, 7.",
        "An odd pod has a bye in every round.",
    )


def test_sealed_opens_packs():
    assert outlook([{"kind": "sealed", "packs": 3}], 9) == Outlook(("3 sealed packs each",), ())


@pytest.mark.parametrize("players", [0, 1])
def test_nobody_to_play_is_no_warning(players):
    assert outlook([SWISS, DRAFT], players).warnings == ()


def test_a_warning_that_nobody_knows_is_a_fault():
    with pytest.raises(ValueError, match="swiss.else"):
        warning_sentence(SwissWarning("swiss.else", 4, 5, 3))
