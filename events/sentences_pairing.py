"""Why these players meet, and why this one has the bye, as plain English."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from events.sentences import points
from events.sentences_seated import SEATED, seated_sentence

Json = Mapping[str, Any]
Names = Mapping[int, str]

WHY_DOWN = {
    "alone_on_score": "nobody else has that score",
    "met_everyone_on_score": "everybody else with that score was met before",
    "no_allowed_opponent_on_score": "nobody else with that score may be met",
    "odd_number_on_score": "an odd number of players has that score",
    "keeps_whole_round_best": "so that the round as a whole has the fewest rematches and the smallest gaps",
}
WORDS = {
    "same_score": "same score",
    "table_same_score": "same score",
    "scores_apart": "scores apart",
    "fewest_byes_then_lowest_score": "bye",
    "paired_down": "paired down",
    "by_standing": "by standing",
    "bracket": "by seed",
    "bracket_reseeded": "seeded anew",
    "third_place": "third place",
    "bracket_bye": "bye by seed",
    "round_robin": "round robin",
    "round_robin_bye": "bye",
    "opponent_left": "bye, opponent left",
    "mended": "mended",
    "by_hand": "by hand",
    "paired_by_hand": "by hand",
    "bye_by_hand": "bye by hand",
    "only_player": "bye",
    "bye_assigned": "assigned bye",
    "lowest_score": "bye, lowest score",
    "lowest_score_without_bye": "bye, lowest without one",
    "lowest_place": "bye, lowest place",
    "lowest_place_without_bye": "bye, lowest without one",
    "everyone_had_bye": "second bye",
    "other_bye_would_force_rematch": "bye, avoids a rematch",
    "other_bye_would_break_demand": "bye, as demanded",
}


def pairing_sentences(reasons: Iterable[Json], names: Names) -> list[str]:
    """Why a match is as it is: one sentence for each reason, and that the players have not met where they have not."""
    reasons = list(reasons)
    codes = {reason["code"] for reason in reasons}
    told = [pairing_sentence(reason, names) for reason in reasons]
    if codes & {"same_score", "paired_down"} and not codes & {"rematch", "rematch_unavoidable"}:
        told.insert(1, "They have not met before in this event.")
    return told


def pairing_word(reasons: Iterable[Json]) -> str:
    """The first reason in two or three words, for a table."""
    reasons = list(reasons)
    if any(reason["code"].removeprefix("table_") in ("rematch", "rematch_unavoidable") for reason in reasons):
        return "rematch"
    return WORDS.get(reasons[0]["code"], "") if reasons else ""


def pairing_sentence(reason: Json, names: Names) -> str:
    """One reason as a sentence; a code that nobody knows any more is told as it is."""
    code = reason["code"]
    if code in SEATED:
        return seated_sentence(reason, names)
    said = PAIRING.get(code)
    return said(reason, names) if said is not None else str(code).replace("_", " ").capitalize() + "."


def _paired_down(reason: Json, names: Names) -> str:
    high, low = _name(names, reason["player"]), _name(names, reason["opponent"])
    why = WHY_DOWN.get(reason["why"], "so that the round as a whole comes out best")
    return f"{high} ({points(reason['from'])}) is paired down to {low} ({reason['to']}): {why}."


def _rematch_unavoidable(reason: Json, names: Names) -> str:
    fewest = reason["fewest"]
    again = "rematch" if fewest == 1 else "rematches"
    return f"They have met before: this round cannot be paired with fewer than {fewest} {again}."


def _lower_had_bye(reason: Json, names: Names) -> str:
    lower = reason["lower_with_bye"]
    who = "1 player" if lower == 1 else f"{lower} players"
    had = f"{'has' if lower == 1 else 'have'} had a bye already."
    behind = (
        "further down"
        if reason["code"] == "lowest_place_without_bye"
        else f"with fewer than {points(reason['points'])}"
    )
    return f"The number of players is odd. {who} {behind} {had}"


def _others(over: int) -> str:
    return "another player" if over == 1 else f"any of {over} other players"


PAIRING: dict[str, Callable[[Json, Names], str]] = {
    "same_score": lambda reason, names: f"Both have {points(reason['points'])}.",
    "paired_down": _paired_down,
    "rematch_unavoidable": _rematch_unavoidable,
    "rematch": lambda reason, names: "They have met before.",
    "only_rematch_free": lambda reason, names: (
        f"Nobody else is left whom {_name(names, reason['player'])} has not met."
    ),
    "only_allowed_opponent": lambda reason, names: (
        f"Nobody else is left whom {_name(names, reason['player'])} has not met and may meet."
    ),
    "by_standing": lambda reason, names: (
        f"Place {reason['place']} meets place {reason['opponent_place']} of the standings, the best who have not met."
    ),
    "mended": lambda reason, names: (
        "Staff mended this round after it was paired: a mistake had come to light. The log says which."
    ),
    "by_hand": lambda reason, names: "Staff chose these players by hand. The log says why.",
    "paired_by_hand": lambda reason, names: "Staff paired this round by hand. The reason stands above the pairings.",
    "bye_by_hand": lambda reason, names: "Staff gave this bye by hand. The reason stands above the pairings.",
    "lowest_score": lambda reason, names: (
        f"The number of players is odd, and nobody has fewer points ({reason['points']})."
    ),
    "lowest_score_without_bye": _lower_had_bye,
    "lowest_place": lambda reason, names: (
        f"The number of players is odd, and nobody stands below place {reason['place']}."
    ),
    "lowest_place_without_bye": _lower_had_bye,
    "everyone_had_bye": lambda reason, names: "The number of players is odd, and everybody has had a bye already.",
    "other_bye_would_force_rematch": lambda reason, names: (
        f"The number of players is odd. A bye for {_others(reason['passed_over'])} would force a rematch elsewhere."
    ),
    "other_bye_would_break_demand": lambda reason, names: (
        f"The number of players is odd. A bye for {_others(reason['passed_over'])} would bring players together who "
        "were to be kept apart, or force a rematch."
    ),
}


def _name(names: Names, player: int) -> str:
    return names.get(player, f"player {player}")
