"""Why people meet in a bracket, sit at a table of several or play on a side, or have what staff gave them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SEATED = frozenset(
    {
        "bracket",
        "bracket_reseeded",
        "third_place",
        "bracket_bye",
        "kept_apart_not_possible",
        "only_player",
        "table_same_score",
        "table_rematch",
        "table_rematch_unavoidable",
        "scores_apart",
        "nobody_met_before",
        "same_neighbour",
        "uneven_size",
        "fewest_byes_then_lowest_score",
        "less_often_on_side",
        "other_side_last",
        "side_by_lot",
        "bye_assigned",
        "fixed_table",
        "best_bye_found",
        "sits_out_in_turn",
        "round_robin",
        "round_robin_bye",
        "opponent_left",
    }
)
"""Codes that ``seated_sentence`` knows."""


def seated_sentence(reason: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """One reason as a sentence."""

    def name(key: str) -> str:
        return names.get(reason[key], f"player {reason[key]}")

    match reason["code"]:
        case "table_same_score":
            return f"All have the same points: {reason['points']}."
        case "scores_apart":
            return f"They have from {reason['lowest']} to {reason['highest']} points, as near as this round allows."
        case "nobody_met_before":
            return "Nobody of them has met before in this event."
        case "table_rematch":
            return f"{name('player')} and {name('opponent')} have met before."
        case "table_rematch_unavoidable":
            return f"{name('player')} and {name('opponent')} have met before: no seating of this round has fewer such."
        case "same_neighbour":
            return f"{name('player')} has had the turn before {name('next')} already."
        case "uneven_size":
            return f"The table has {reason['size']} players instead of {reason['preferred']}: the number asks for it."
        case "fewest_byes_then_lowest_score":
            return "The number of players fills no tables, and nobody has had fewer byes and fewer points."
        case "less_often_on_side":
            return "The team that has been on this side less often plays it."
        case "other_side_last":
            return "The team that was on the other side last plays this one."
        case "bracket":
            return f"Seed {reason['seed']} meets seed {reason['opponent_seed']} at this place of the bracket."
        case "bracket_reseeded":
            return f"Seed {reason['seed']} meets seed {reason['opponent_seed']}: of who is left the best the worst."
        case "third_place":
            return f"Seeds {reason['seed']} and {reason['opponent_seed']} lost a semi-final and play for third place."
        case "bracket_bye":
            return f"Seed {reason['seed']} has no opponent in this round: the bracket is not full."
        case "kept_apart_not_possible":
            if reason["mode"] == "soft":
                return "They were to be kept apart, but no pairing with scores as near does that."
            return "They were to be kept apart, and no pairing of this round does that."
        case "bye_assigned":
            return "The bye was given before the event."
        case "fixed_table":
            return f"{name('player')} plays at table {reason['table']} in every round."
        case "best_bye_found":
            return "The number of players is odd, and this is the best bye that was found."
        case "sits_out_in_turn":
            return f"The number of players fills no tables, and it is {name('player')}’s turn to sit out."
        case "round_robin":
            return f"Round {reason['round']} of {reason['rounds']} in which everybody meets everybody."
        case "round_robin_bye":
            return "The number of players is odd: everybody has one bye before all have met."
        case "opponent_left":
            return f"{name('opponent')} was to be met in this round, and has left."
        case "only_player":
            return "There is nobody left to play against."
    return "Sides were drawn."
