"""Which entries of the log can still be undone, and on which page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from events.models import Event, LogEntry, Player, Round
from events.queries.access import Viewer
from events.queries.log_undo import OF_ROUND, Now, now_of

OPEN = (Event.State.REGISTRATION, Event.State.RUNNING)
ROUND_WORDS = {
    "round.drafted": "Discard the draft",
    "round.drafted_by_hand": "Discard the draft",
    "round.seats_changed": "Discard the draft",
    "round.posted": "Take the posting back",
    "round.time_called": "Take time back",
    "round.completed": "Open the round again",
}
FACTS = ("player.paid", "player.byes", "player.table", "player.team", "player.public_name")


@dataclass(frozen=True)
class Undo:
    """A link: the page where an entry is undone, and what is done there."""

    url: str
    words: str


def undo_of(event: Event, viewer: Viewer, entries: Sequence[LogEntry]) -> dict[int, Undo]:
    """By number of the entry; nothing for who may not undo, and in an event that is over. 3 queries, or none."""
    if event.state not in OPEN or not viewer.decides_results:
        return {}
    now = now_of(event, entries)
    found = {entry.seq: _undo(event, viewer, entry, now) for entry in entries}
    return {seq: undo for seq, undo in found.items() if undo is not None}


def _undo(event: Event, viewer: Viewer, entry: LogEntry, now: Now) -> Undo | None:
    if entry.kind in ("result.confirmed", "result.corrected"):
        return _result(event, viewer, entry, now)
    if entry.kind == "deck.checked" and viewer.checks_decks:
        return Undo(_at(event, "desk_deck_checks"), "Check again")
    if viewer.runs_rounds:
        if entry.kind in OF_ROUND:
            current = entry.payload["round"] == now.newest and OF_ROUND[entry.kind] == now.state
            return Undo(_at(event, "desk_round", now.newest), ROUND_WORDS[entry.kind]) if current else None
        if entry.kind.startswith("player."):
            return _player(event, entry, now)
        if entry.kind == "avoidance.added":
            return Undo(_at(event, "desk_player", entry.payload["players"][0]), "Let them meet")
    if viewer.runs_event:
        places = {"staff.added": ("desk_staff", "Take the role away"), "staff.invited": ("desk_staff", "Revoke it")}
        places["event.changed"] = ("desk_settings", "Change it back")
        if entry.kind in places:
            name, words = places[entry.kind]
            return Undo(_at(event, name), words)
    return None


def _result(event: Event, viewer: Viewer, entry: LogEntry, now: Now) -> Undo | None:
    """Of a round that is open the result is decided again; of one that is complete it is corrected with a plan."""
    match = entry.payload.get("match")
    if entry.kind == "result.corrected":
        return Undo(_at(event, "correct_result", match), "Correct it again") if match and viewer.runs_rounds else None
    if match not in now.rounds_of or event.state != Event.State.RUNNING:
        return None
    if now.rounds_of[match][1] != Round.State.COMPLETE:
        return Undo(_at(event, "floor_match", match), "Decide it again")
    return Undo(_at(event, "correct_result", match), "Correct it") if viewer.runs_rounds else None


def _player(event: Event, entry: LogEntry, now: Now) -> Undo | None:
    player = entry.payload["player"]
    state = now.players.get(player)
    listed = f"{_at(event, 'desk_players')}#player-{player}"
    if entry.kind in FACTS and state is not None:
        return Undo(_at(event, "desk_player", player), "Change it back")
    if entry.kind == "player.dropped" and state == Player.State.DROPPED:
        if now.state in (Round.State.DRAFT, Round.State.POSTED) and event.state == Event.State.RUNNING:
            return Undo(_at(event, "mend_round", now.newest, player), "Bring them back")
        return Undo(listed, "Take back the drop")
    if entry.kind == "player.checked_in" and state == Player.State.CHECKED_IN:
        return Undo(listed, "Undo the check-in") if event.state == Event.State.REGISTRATION else None
    return None


def _at(event: Event, name: str, *numbers: int) -> str:
    return reverse(f"events:{name}", args=[event.code, *numbers])
