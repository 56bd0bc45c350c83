"""What staff read of a match game by game."""

from __future__ import annotations

from typing import Any

from events.forms_games import WinnerForm
from events.models import Event, Match, Stage
from events.queries.access import Viewer
from events.queries.desk import TableRow
from events.sentences_games import first_sentence, game_words, proposal_sentence, turns_sentence


def play_at_floor(event: Event, viewer: Viewer, row: TableRow) -> dict[str, Any] | None:
    """Of a duel without a result, else None. No query."""
    play, match = row.play, row.match
    if play is None or match.state == Match.State.CONFIRMED:
        return None
    names = {seat.player_id: seat.player.name for seat in row.seats}
    most, taken = play.most_turns, play.turns_taken
    cites = play.rules.cite
    shown: dict[str, Any] = {
        "score": play.score,
        "number": play.next_number,
        "games": [
            (
                game.number,
                game_words(game.ending, names.get(game.winner_id or 0, "")),
                names.get(game.first_id or 0, ""),
            )
            for game in play.games
        ],
        "last": play.games[-1].number if play.games else None,
        "at_time": play.at_time,
        "players": list(names.items()),
        "prize_cite": cites.get("prize_concession", ""),
        "may_permit": "head_judge" in viewer.roles or viewer.runs_event,
        "begun": match.round.state != match.round.State.POSTED,
        "allows_draws": event.agreed_draws,
        "winner_form": WinnerForm() if match.round.stage.kind == Stage.Kind.SINGLE_ELIMINATION else None,
    }
    if play.next_number is not None and play.proposal is None:
        shown["first"] = first_sentence(play.first, play.next_number, names, play.chosen_first)
        shown["first_cite"] = cites.get(play.first.rule, "")
        shown["somebody_chooses"] = play.first.chooser is not None
    if play.proposal is not None:
        shown["proposal"], shown["proposed"] = proposal_sentence(play.proposal), play.proposal.score
        shown["proposal_cite"] = cites.get(play.proposal.rule, "")
    if play.at_time and most:
        shown["turns"] = turns_sentence(taken, most, names.get(play.turn_of or 0, ""))
        shown["next_turn"] = None if play.turns_over else (0 if taken is None else taken + 1)
        shown["turn_back"] = play.last_turn.number if play.last_turn is not None else None
    return shown
