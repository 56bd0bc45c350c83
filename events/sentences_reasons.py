"""Every reason that the engine gives, of whatever it decides, as plain English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.sentences import points
from events.sentences_pairing import PAIRING, pairing_sentence
from events.sentences_seated import SEATED

Json = Mapping[str, Any]
Names = Mapping[int, str]
Said = Callable[[Json, Names], str]

SIDES = {"winners": "the winners’ side", "losers": "the losers’ side", "final": "the final"}


def reason_sentence(reason: Json, names: Names) -> str:
    """One reason of the engine as a sentence; a code that nobody knows any more is told as it is."""
    said = _SAID.get(reason["code"])
    return said(reason, names) if said is not None else pairing_sentence(reason, names)


def known_reasons() -> frozenset[str]:
    """Codes that have a sentence of their own."""
    return frozenset({*_SAID, *PAIRING, *SEATED})


def _name(reason: Json, names: Names, key: str = "player") -> str:
    return names.get(reason[key], f"player {reason[key]}")


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _seed(reason: Json, names: Names) -> str:
    moved = reason["moved_up"]
    up = f": {_counted(moved, 'player')} ahead had left" if moved else ""
    return f"Seed {reason['seed']}, from place {reason['rank']} of the standings{up}."


def _pod(reason: Json, names: Names) -> str:
    gap = f", {_counted(reason['gap'], 'point')} apart" if reason["gap"] else ", level on points"
    again = "; they have met before" if reason["rematch"] else ""
    return f"They sat {_counted(reason['apart'], 'seat')} apart in the pod{gap}{again}."


def _double_elimination(reason: Json, names: Names) -> str:
    again = " They have met in this bracket before." if reason["rematch"] else ""
    return f"Seed {reason['seed']} meets seed {reason['opponent_seed']} on {SIDES[reason['side']]}.{again}"


def _loot(reason: Json, names: Names) -> str:
    figure = {"total": "points", "gold": "gold", "silver": "silver"}[reason["figure"]]
    word = "Ahead of" if reason["code"] == "won_by" else "Behind"
    return f"{word} {_name(reason, names)} by {figure}: {reason['own']} against {reason['against']}."


def _shared(reason: Json, names: Names) -> str:
    others = [int(player) for player in str(reason["with"]).split(", ")]
    told = " and ".join(names.get(player, f"player {player}") for player in others)
    what = "the victory" if reason["code"] == "shared_victory" else "the place"
    return f"Shares {what} with {told}: level in points, gold and silver."


def _points_corrected(reason: Json, names: Names) -> str:
    told = [f"{names.get(int(p), f'player {p}')} has {points(v)}" for p, v in reason.items() if p != "code"]
    return f"A result was corrected: {', '.join(told)}."


def _byes_corrected(reason: Json, names: Names) -> str:
    told = [
        f"{names.get(int(p), f'player {p}')} has had {_counted(v, 'bye')}" for p, v in reason.items() if p != "code"
    ]
    return f"A bye was corrected: {', '.join(told)}."


def _new_pair(reason: Json, names: Names) -> str:
    gap = f", {_counted(reason['gap'], 'point')} apart" if reason["gap"] else ", level on points"
    again = ", who have met before" if reason["meetings"] else ""
    return f"New at table {reason['table']}: {_name(reason, names, 'a')} and {_name(reason, names, 'b')}{gap}{again}."


def _round_costs(reason: Json, names: Names) -> str:
    rematches = "1 rematch" if reason["rematches"] == 1 else f"{reason['rematches']} rematches"
    return f"The round as a whole then has {rematches} and gaps of {reason['score_gap']}, squared and summed."


def _slot(reason: Json) -> str:
    return f"match {reason['slot'] + 1} of round {reason['round']}"


_SAID: dict[str, Said] = {
    # cuts
    "seed": _seed,
    "dropped_before_cut": lambda reason, names: f"Place {reason['rank']}, but left before the cut.",
    "tied_outside_cut": lambda reason, names: (
        f"Place {reason['rank']}: as many points as the last who got in, and behind by the tie-breakers."
    ),
    "outside_cut": lambda reason, names: f"Place {reason['rank']}, below the cut.",
    # other ways to meet
    "double_elimination": _double_elimination,
    "pod": _pod,
    # who begins
    "home": lambda reason, names: "The player named first chooses who begins.",
    "higher_seed": lambda reason, names: (
        f"Seed {reason['seed']} is above seed {reason['opponent_seed']}, and chooses who begins."
    ),
    "chosen_by_lot": lambda reason, names: "Lots decided who chooses who begins.",
    "lost_previous_game": lambda reason, names: f"Whoever lost game {reason['game']} chooses who begins.",
    "previous_game_drawn": lambda reason, names: (
        f"Game {reason['game']} was drawn: whoever chose before it chooses again."
    ),
    # tables and sides
    "won_by": _loot,
    "behind_by": _loot,
    "shared_victory": _shared,
    "shared_place": _shared,
    "all_defeated": lambda reason, names: "No side has a character left: a tie.",
    "defeated": lambda reason, names: f"{reason['side']} has no character left.",
    "most_damage_left": lambda reason, names: (
        f"{_name(reason, names)} went through the deck twice; the winners have {points(reason['most'])} of damage "
        f"left, against {reason['next']}."
    ),
    "equal_damage_left": lambda reason, names: (
        f"{_name(reason, names)} went through the deck twice, and the sides have {points(reason['most'])} of damage "
        "left each: a tie."
    ),
    # repairs of a round
    "points_corrected": _points_corrected,
    "byes_corrected": _byes_corrected,
    "reinstated": lambda reason, names: f"{_name(reason, names)} is back, with {points(reason['points'])}.",
    "late_entry": lambda reason, names: f"{_name(reason, names)} enters late, with {points(reason['points'])}.",
    "player_gone": lambda reason, names: (
        f"{_name(reason, names)} left" + (f" table {reason['table']}." if "table" in reason else ".")
    ),
    "match_is_over": lambda reason, names: (
        f"Table {reason['table']} against {_name(reason, names, 'opponent')} is over, and stays as it is."
    ),
    "table_can_be_finished": lambda reason, names: (
        f"Table {reason['table']} against {_name(reason, names, 'opponent')} can be played to its end."
    ),
    "opponent_wins_by_absence": lambda reason, names: (
        f"{_name(reason, names, 'opponent')} stays at table {reason['table']} and wins without playing."
    ),
    "reported_tables_stay": lambda reason, names: f"Tables with a result stay: {reason['tables']}.",
    "misses_the_round": lambda reason, names: f"{_name(reason, names)} misses this round.",
    "new_pair": _new_pair,
    "new_bye": lambda reason, names: (
        f"{_name(reason, names)} gets the bye, with {points(reason['points'])} and "
        f"{_counted(reason['earlier_byes'], 'bye')} before."
    ),
    "round_costs": _round_costs,
    # repairs of a bracket
    "winner_corrected": lambda reason, names: (
        f"{_name(reason, names, 'winner')} won {_slot(reason)}, not {_name(reason, names, 'entered')}."
    ),
    "takes_seat": lambda reason, names: f"The winner takes the other’s seat in {_slot(reason)}.",
    "plays_again": lambda reason, names: f"What was played in {_slot(reason)} is played again.",
    "result_stands": lambda reason, names: f"The result of {_slot(reason)} stands.",
    # the way to a cut
    "out_of_reach": lambda reason, names: (
        f"At most {reason['can_reach']} others can come level on points, and {reason['cut']} get in."
    ),
    "every_end": lambda reason, names: (
        f"In the cut in each of the {reason['ends']} ways in which the round can end when matches are played out."
    ),
    "too_many_ahead": lambda reason, names: (
        f"At least {reason['must_pass']} others end with more points, and {reason['cut']} get in."
    ),
    "no_end": lambda reason, names: (
        f"Outside the cut in each of the {reason['ends']} ways in which the round can end when matches are played out."
    ),
    "some_ends": lambda reason, names: (
        f"In the cut in some of the {reason['ends']} ways in which the round can end, and not in others."
    ),
    "results_decide": lambda reason, names: "The results to come decide.",
    "tie_breakers_decide": lambda reason, names: (
        "Points alone don’t tell: tie-breakers will decide, and too many matches are open to play them all through."
    ),
    "later_rounds_decide": lambda reason, names: "Too many rounds are still to come to tell.",
    "dropped": lambda reason, names: "Left the event.",
}
