"""A match game by game in plain English: who begins, what was played, whose turn it is, and what that comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.engine.games import FirstTurn, Proposal, Why
from events.engine.outcomes import GameScore

Json = Mapping[str, Any]
Names = Mapping[int, str]

HOW = {
    "concession": ", by concession",
    "agreed_draw": ", by agreement to draw",
    "play_off": ", by a play-off",
    "higher_seed": ", for the higher seed",
    "no_show": ", by no-show",
    "disqualification": ", by disqualification",
    "judge": ", by a judge",
}


def duel_words(games: str, outcomes: Mapping[str, str]) -> str:
    """A confirmed duel for who reads no more of it: its ``games``, and what they do not tell. ``outcomes`` by name."""
    if "intentional_draw" in outcomes.values():
        return "agreed draw"
    wins, _, rest = games.partition("-")
    winner = next((name for name, outcome in outcomes.items() if outcome == "win"), "")
    return f"{games}, {winner} won" if winner and wins == rest.partition("-")[0] else games


def how_words(how: str) -> str:
    """Behind a result: what decided it, "" for games and time."""
    return HOW.get(how, "")


def first_sentence(turn: FirstTurn, number: int, names: Names, chosen: int | None = None) -> str:
    """Who begins game ``number``, or who says so, and why."""
    if turn.first is not None:
        return f"{_begins(_name(names, turn.first))} game {number}: drawn by lot."
    if turn.chooser is None:
        return f"The policy names no rule for who begins game {number}: agree on it."
    chooser = _name(names, turn.chooser)
    if chosen is not None:
        return f"{_begins(_name(names, chosen))} game {number}: {_mid(_own(chooser))} choice."
    match turn.reason.code if turn.reason is not None else "":
        case "lost_previous_game":
            why = "who lost the game before"
        case "previous_game_drawn":
            why = "who chose before the drawn game"
        case _:
            why = "drawn by lot"
    verb = "choose" if chooser == "You" else "chooses"
    return f"{chooser}, {why}, {verb} who begins game {number}."


def turns_sentence(taken: int | None, most: int, player: str) -> str:
    """Where the extra turns stand. ``player`` takes the one that is being played, "" where nobody said whose it is."""
    if taken is None:
        return f"Time. Finish the turn, then {_turns(most)}."
    if taken >= most:
        return f"The {_turns(most)} are over." if most != 1 else "The extra turn is over."
    whose = f", {_mid(_own(player))} turn" if player else ""
    return f"Turn {taken + 1} of {most}{whose}."


def progress_words(score: GameScore, number: int | None, turns: str) -> str:
    """A match that is being played, for who watches many: "1-1, game 3; turn 2 of 5, Mira’s turn". ``number`` is the
    next game's, ``turns`` a sentence of ``turns_sentence``; what is "" is left out, and games where none was played."""
    games = "" if score == GameScore() else f"{score}{f', game {number}' if number else ''}"
    return "; ".join(part for part in (games, (turns[:1].lower() + turns[1:]).rstrip(".")) if part)


def proposal_sentence(found: Proposal) -> str:
    """Why the games come to this result, or why they alone do not."""
    match found.why:
        case Why.GAMES:
            return "The match is won by these games."
        case Why.TIME:
            return "Time is over: the games stand as they are."
        case Why.UNFINISHED_DRAWN:
            return "The extra turns are over, and the game that is still open is drawn."
        case Why.UNFINISHED_NOT_COUNTED:
            return "The extra turns are over, and the game that is still open does not count."
        case Why.POLICY_SILENT:
            return "The extra turns are over. The policy names no rule for the game that is still open: call a judge."
        case Why.OPEN_GAME_DECIDES:
            return (
                "The extra turns are over. In elimination whoever has more left to lose with wins the open game, and "
                "if that is level the next loss decides: write its winner down."
            )
        case Why.WINNER_NEEDED:
            return "Somebody has to go on, and the games are level. Call a judge: staff enter who does, and why."


def game_words(ending: str, winner: str) -> str:
    """How a game ended: "Mira won", "You won, conceded", "drawn", "left open by time"."""
    match ending:
        case "won":
            return f"{winner} won"
        case "conceded":
            return f"{winner} won, conceded"
        case "drawn":
            return "drawn"
        case _:
            return "left open by time"


def _recorded(payload: Json, names: Names) -> str:
    winner = _name(names, payload["winner"]) if payload["winner"] is not None else ""
    return f"{_table(payload)}, game {payload['game']}: {game_words(payload['ending'], winner)}"


def _turn(payload: Json, names: Names) -> str:
    if payload["turns"] is None:
        return f"{_table(payload)}: the count of extra turns was taken back"
    if payload["turns"] == 0:
        return f"{_table(payload)}: the turn is finished, the extra turns begin"
    return f"{_table(payload)}: extra turn {payload['turns']}"


GAMES_LOG: dict[str, Callable[[Json, Names], str]] = {
    "match.extra_turns": _turn,
    "sideboarding.recorded": lambda payload, names: (
        f"{_table(payload)}: {_name(names, payload['player'])} sideboarded for game {payload['game']}"
    ),
    "game.recorded": _recorded,
    "game.taken_back": lambda payload, names: f"{_table(payload)}, game {payload['game']} was taken back",
    "game.first_chosen": lambda payload, names: (
        f"{_table(payload)}, game {payload['game']}: {_name(names, payload['first'])} begins, by choice"
    ),
    "result.draw_offered": lambda payload, names: (
        f"{_table(payload)}: {_name(names, payload['player'])} says that both agree to draw"
    ),
}
"""What the log says of games and turns, by kind of entry."""


def _table(payload: Json) -> str:
    return f"Table {payload['table']}" if payload.get("table") else "A match"


def _name(names: Names, player: int) -> str:
    return names.get(player, f"player {player}")


def _own(name: str) -> str:
    return "Your" if name == "You" else f"{name}’s"


def _mid(word: str) -> str:
    """Inside a sentence."""
    return "your" if word == "Your" else word


def _begins(name: str) -> str:
    return f"{name} begin" if name == "You" else f"{name} begins"


def _turns(count: int) -> str:
    return f"{count} extra turn{'' if count == 1 else 's'}"
