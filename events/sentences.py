"""The log's entries, rounds and results as plain English, made at the edge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from events.engine.listing import listed
from events.models import Match, Stage
from events.sentences_attendance import ATTENDANCE_LOG
from events.sentences_clocks import CLOCK_LOG
from events.sentences_event import EVENT_WORDS
from events.sentences_games import GAMES_LOG, duel_words, how_words
from events.sentences_late import LATE_LOG
from events.sentences_notices import NOTICE_WORDS
from events.sentences_players import PLAYERS
from events.sentences_staff import STAFF_LOG
from events.sentences_standings import STANDINGS

Json = Mapping[str, Any]
Names = Mapping[int, str]

STAGES = {
    Stage.Kind.DRAFT: "the draft",
    Stage.Kind.SEALED: "sealed packs",
    Stage.Kind.DECK_BUILDING: "deck building",
    Stage.Kind.SWISS: "the Swiss rounds",
    Stage.Kind.SINGLE_ELIMINATION: "single elimination",
    Stage.Kind.ROUND_ROBIN: "the round robin",
    Stage.Kind.TABLES: "the multiplayer tables",
    Stage.Kind.TEAMS: "the team games",
}


def points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"


def score(wins: int, losses: int, draws: int = 0) -> str:
    return f"{wins}-{losses}-{draws}" if draws else f"{wins}-{losses}"


# -- the log ----------------------------------------------------------------------------------------------------------


def log_sentence(kind: str, payload: Json, names: Names) -> str:
    """What happened, without who did it."""
    said = _LOG.get(kind)
    return said(payload, names) if said is not None else kind.replace(".", " ").replace("_", " ").capitalize()


def _stage(payload: Json, names: Names) -> str:
    said = f"{STAGES[Stage.Kind(payload['kind'])]} began".capitalize()
    if payload.get("seeds") and payload["kind"] == Stage.Kind.SINGLE_ELIMINATION:
        return f"{said}, cut to {listed([_name(names, player) for player in payload['seeds']])}"
    return f"{said}: {payload['rounds']} rounds" if payload.get("rounds") else said


def _dropped(payload: Json, names: Names) -> str:
    after = payload["after_round"]
    return f"{_name(names, payload['player'])} dropped" + (f" after round {after}" if after else "")


def _registered(payload: Json, names: Names) -> str:
    """Older entries hold the name, too."""
    name = names.get(payload["player"]) or payload.get("name") or _name(names, payload["player"])
    return f"{name} registered"


def _waits(payload: Json) -> str:
    return ", on the waitlist" if payload.get("waits") else ""


def _confirmed(payload: Json, names: Names) -> str:
    return f"{_table(payload)}: {scores_words(payload['scores'], names)}{how_words(payload.get('how', ''))}"


def scores_words(scores: Sequence[Json], names: Names) -> str:
    """A stored result: "Ada 2-1 Bela", "1 Ada, 2 Bela and 2 Cleo", "Light won", "Light and Dark are level"."""
    first, *others = scores
    if "place" in first:
        return listed([f"{seat['place']} {_name(names, seat['player'])}" for seat in scores])
    if "side" in first:
        won = [seat["side"] for seat in scores if seat["outcome"] == "win"]
        return f"{won[0]} won" if won else f"{listed(list(dict.fromkeys(seat['side'] for seat in scores)))} are level"
    result = f"{_name(names, first['player'])} {score(first['wins'], first['losses'], first['draws'])}"
    return result + "".join(f" {_name(names, other['player'])}" for other in others)


def _corrected(payload: Json, names: Names) -> str:
    result = _confirmed({**payload, "scores": payload["after"]}, names)
    moved = f"{_moved(payload, names)} ({payload['reason']})"
    return f"Round {payload['round']}, {result[:1].lower()}{result[1:]}, is the corrected result{moved}"


def _moved(payload: Json, names: Names) -> str:
    """What a plan made of the open round, "" where it changed no seat or may not be told."""
    made = [_pair(players, names) for players in payload.get("made", ())]
    return f"; now in round {payload['mended_round']}: {listed(made)}" if made else ""


def _pair(players: Sequence[int], names: Names) -> str:
    return (
        f"{_name(names, players[0])} has the bye"
        if len(players) == 1
        else " against ".join(_name(names, player) for player in players)
    )


def _seats_changed(payload: Json, names: Names) -> str:
    why = f" ({payload['reason']})" if payload.get("reason") else ""
    made = listed([_pair(players, names) for players in payload["made"]])
    return f"The draft of round {payload['round']} was changed: {made}{why}"


def _reported(payload: Json, names: Names) -> str:
    return f"{_table(payload)}: {_name(names, payload['player'])} reports {score(*payload['games'])}"


def _decklist(payload: Json, names: Names) -> str:
    late = " after the deadline" if payload.get("late") else ""
    return f"{_name(names, payload['player'])} handed in a decklist{late}: {payload['outcome']}"


def _table(payload: Json) -> str:
    return f"Table {payload['table']}" if payload.get("table") else "A match"


def _settled(payload: Json, names: Names) -> str:
    changed = [f"{_name(names, one['player'])}'s is {one['to']} now" for one in payload["changed"]]
    return f"Decklists were judged by the rules that hold from the start on; {listed(changed)}"


def _judged_again(payload: Json, names: Names) -> str:
    version = f", the event is held by version {payload['format_version']}" if payload["format_version"] else ""
    changed = listed([f"{_name(names, one['player'])}'s is {one['to']} now" for one in payload["changed"]])
    told = (
        f"of {payload['judged']} decklist{_s(payload['judged'])} that it meets, {changed or 'none changes its verdict'}"
    )
    return f"“{payload['title']}” was published{version}; {told}"


_LOG: dict[str, Callable[[Json, Names], str]] = {
    **EVENT_WORDS,
    **NOTICE_WORDS,
    **STAFF_LOG,
    "player.registered": _registered,
    "player.public_name": lambda payload, names: f"{_name(names, payload['player'])} chose the name that others read",
    "player.claimed": lambda payload, names: f"{_name(names, payload['player'])} claimed the entry",
    "player.waitlisted": lambda payload, names: (
        f"{_name(names, payload['player'])} registered and waits for a place, as number {payload['place']}"
    ),
    "player.promoted": lambda payload, names: f"{_name(names, payload['player'])} got a place from the waitlist",
    "player.checked_in": lambda payload, names: f"{_name(names, payload['player'])} checked in{_waits(payload)}",
    "player.check_in_undone": lambda payload, names: f"The check-in of {_name(names, payload['player'])} was undone",
    "player.dropped": _dropped,
    "player.reinstated": lambda payload, names: (
        f"{_name(names, payload['player'])} is back in the event{_waits(payload)}"
    ),
    "stage.begun": _stage,
    "stage.complete": lambda payload, names: f"{STAGES[Stage.Kind(payload['kind'])]} ended".capitalize(),
    "draft.seated": lambda payload, names: (
        f"Seats for the draft were drawn: {len(payload['pods'])} pod{_s(len(payload['pods']))}"
    ),
    "draft.picked": lambda payload, names: (
        f"Pod {payload['pod']}, seat {payload['seat'] + 1}: pick {payload['pick'] + 1} of pack {payload['pack']}"
    ),
    "sealed.opened": lambda payload, names: f"{payload['players']} players opened {payload['packs']} packs each",
    "round.drafted": lambda payload, names: f"Round {payload['round']} was drafted",
    "round.drafted_by_hand": lambda payload, names: f"Round {payload['round']} was paired by hand: {payload['reason']}",
    "round.discarded": lambda payload, names: f"The draft of round {payload['round']} was thrown away",
    "round.posted": lambda payload, names: (
        f"Round {payload['round']} was posted: {len(payload['matches'])} match{_es(len(payload['matches']))}"
    ),
    "round.time_called": lambda payload, names: (
        f"Time in round {payload['round']}: {payload['extra_turns']} extra turns"
    ),
    "round.completed": lambda payload, names: f"Round {payload['round']} is complete",
    "round.unposted": lambda payload, names: f"Round {payload['round']} was taken back into a draft",
    "round.time_taken_back": lambda payload, names: f"Time in round {payload['round']} was taken back",
    "round.reopened": lambda payload, names: f"Round {payload['round']} was opened again",
    "round.seats_changed": _seats_changed,
    "round.mended": lambda payload, names: (
        f"Round {payload['round']} was mended: {_name(names, payload['player'])} "
        f"{'is back' if payload['returns'] else 'is gone'}{_moved(payload, names)} ({payload['reason']})"
    ),
    "result.corrected": _corrected,
    "result.reported": _reported,
    "result.withdrawn": lambda payload, names: (
        f"{_table(payload)}: {_name(names, payload['player'])} took the report back"
    ),
    "result.disputed": lambda payload, names: f"{_table(payload)}: the players disagree",
    "result.confirmed": _confirmed,
    "result.taken_back": lambda payload, names: (
        f"{_table(payload)}: {scores_words(payload['scores'], names)} was taken back"
    ),
    **GAMES_LOG,
    "decklist.submitted": _decklist,
    "decklist.withdrawn": lambda payload, names: f"{_name(names, payload['player'])} withdrew the decklist",
    "decklist.consent": lambda payload, names: (
        f"{_name(names, payload['player'])} {'agreed' if payload['shows'] else 'no longer agrees'} "
        "that the decklist is public from the cut on"
    ),
    "decklists.judged_again": _judged_again,
    "decklists.settled": _settled,
    **PLAYERS,
    **STANDINGS,
    **ATTENDANCE_LOG,
    **CLOCK_LOG,
    **LATE_LOG,
}


def round_name(stage: Stage, number: int, sequence: int) -> str:
    """ "Round 3" of Swiss; "Quarter-finals", "Semi-finals", "Final" of elimination."""
    if stage.kind != Stage.Kind.SINGLE_ELIMINATION:
        return f"Round {sequence}"
    left = (stage.rounds_planned or number) - number
    return {0: "Final", 1: "Semi-finals", 2: "Quarter-finals"}.get(left, f"Round of {2 ** (left + 1)}")


def result_words(match: Match) -> str:
    """From the first seat's side: "2-1", "bye", and "" while nothing is confirmed; of tables and sides who won. Give
    seats and players with the match."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    first = seats[0]
    if len(seats) == 1:
        return "bye"
    if match.state == Match.State.CONFIRMED and (first.place or first.side):
        winners = [seat for seat in seats if seat.outcome == "win" or seat.place == 1]
        if first.side:
            return f"{winners[0].side} won" if winners else "tie"
        return f"{listed([seat.player.shown_name for seat in winners])} won"
    if match.state != Match.State.CONFIRMED or first.game_wins is None:
        return ""
    games = score(first.game_wins, first.game_losses or 0, first.game_draws or 0)
    return duel_words(games, {seat.player.shown_name: seat.outcome or "" for seat in seats})


def _name(names: Names, player: int) -> str:
    return names.get(player, f"player {player}")


def _s(number: int) -> str:
    return "" if number == 1 else "s"


def _es(number: int) -> str:
    return "" if number == 1 else "es"
