from __future__ import annotations

import pytest

from events.sentences import log_sentence
from events.sentences_pairing import pairing_sentences, pairing_word
from events.sentences_standings import ahead_sentence, metric_value, percent

NAMES = {1: "Ada", 2: "Bela", 3: "Cleo"}


@pytest.mark.parametrize(
    ("reasons", "sentences"),
    [
        (
            [{"code": "same_score", "points": 6}],
            ["Both have 6 points.", "They have not met before in this event."],
        ),
        (
            [{"code": "paired_down", "player": 1, "opponent": 2, "from": 4, "to": 1, "why": "alone_on_score"}],
            [
                "Ada (4 points) is paired down to Bela (1): nobody else has that score.",
                "They have not met before in this event.",
            ],
        ),
        (
            [{"code": "same_score", "points": 1}, {"code": "rematch_unavoidable", "meetings": 1, "fewest": 1}],
            ["Both have 1 point.", "They have met before: this round cannot be paired with fewer than 1 rematch."],
        ),
        (
            [{"code": "same_score", "points": 3}, {"code": "only_rematch_free", "player": 3}],
            [
                "Both have 3 points.",
                "They have not met before in this event.",
                "Nobody else is left whom Cleo has not met.",
            ],
        ),
        (
            [{"code": "bracket", "seed": 1, "opponent_seed": 8}],
            ["Seed 1 meets seed 8 at this place of the bracket."],
        ),
        (
            [{"code": "lowest_score_without_bye", "points": 3, "earlier_byes": 0, "lower_with_bye": 1}],
            ["The number of players is odd. 1 player with fewer than 3 points has had a bye already."],
        ),
    ],
)
def test_a_pairing_says_why(reasons, sentences):
    assert pairing_sentences(reasons, NAMES) == sentences


def test_a_rematch_is_named_first_in_the_table():
    reasons = [{"code": "same_score", "points": 1}, {"code": "rematch", "meetings": 1, "fewest": 1}]

    assert pairing_word(reasons) == "rematch"


def test_a_place_is_explained_by_the_first_metric_that_differs():
    values = {"match_points": "6", "omw": "7/12", "gw": "1"}
    others = {"match_points": "6", "omw": "1/2", "gw": "1"}

    said = ahead_sentence("Ada", "Bela", values, others, ["match_points", "omw", "gw"])

    assert said == "Ahead of Bela by opponents' match-win percentage: 58.3 % against 50.0 %."


def test_a_place_that_nothing_decides_is_the_lots():
    same = {"match_points": "6"}

    said = ahead_sentence("Ada", "Bela", same, same, ["match_points"])

    assert said == "Level with Bela in everything; the drawing of lots from the event’s published seed puts Ada first."


def test_percentages_are_rounded_once_from_the_exact_fraction():
    assert [percent(value) for value in ("1", "1/3", "0", "7/12")] == ["100.0 %", "33.3 %", "0.0 %", "58.3 %"]


@pytest.mark.parametrize(
    ("kind", "payload", "said"),
    [
        ("player.registered", {"player": 1, "name": "Ada", "guest": False}, "Ada registered"),
        ("player.dropped", {"player": 2, "after_round": 3}, "Bela dropped after round 3"),
        ("player.dropped", {"player": 2, "after_round": 0}, "Bela dropped"),
        ("round.posted", {"round": 2, "matches": [{}, {}]}, "Round 2 was posted: 2 matches"),
        (
            "result.confirmed",
            {
                "table": 4,
                "scores": [
                    {"player": 1, "wins": 2, "losses": 1, "draws": 0, "outcome": "win"},
                    {"player": 3, "wins": 1, "losses": 2, "draws": 0, "outcome": "loss"},
                ],
            },
            "Table 4: Ada 2-1 Cleo",
        ),
        ("result.reported", {"table": 4, "player": 3, "games": [1, 2, 0]}, "Table 4: Cleo reports 1-2"),
        (
            "event.started",
            {"players": 7, "no_shows": [1, 2]},
            "The event began with 7 players; not there: Ada and Bela",
        ),
        ("stage.begun", {"stage": 1, "kind": "swiss", "rounds": 3, "seeds": []}, "The swiss rounds began: 3 rounds"),
        ("something.new_here", {}, "Something new here"),
    ],
)
def test_the_log_is_told_in_sentences(kind, payload, said):
    assert log_sentence(kind, payload, NAMES) == said


def test_fractions_that_are_no_percentages_are_shown_in_decimals():
    values = {"sos": "31/20", "esos": "2", "omw": "31/60", "match_points": "9"}

    shown = {key: metric_value(key, value) for key, value in values.items()}

    assert shown == {"sos": "1.550", "esos": "2", "omw": "51.7 %", "match_points": "9"}


def test_what_rounding_would_make_equal_is_shown_exactly():
    said = ahead_sentence("Ada", "Bela", {"omw": "5001/10000"}, {"omw": "5/10"}, ["omw"])

    assert said == "Ahead of Bela by opponents' match-win percentage: 5001/10000 against 1/2."
