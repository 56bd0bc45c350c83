"""What players are told, in one line that fits the lock screen of a phone, and where to look."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from events.engine.listing import listed

Json = Mapping[str, Any]
Names = Mapping[int, str]
NOTICE_WORDS: dict[str, Callable[[Json, Names], str]] = {
    "deliveries.retried": lambda payload, names: (
        f"{payload['number']} message{'' if payload['number'] == 1 else 's'} that did not arrive will be tried again"
    ),
    "webhook.added": lambda payload, names: f"{payload['url']} is told what is new",
    "webhook.removed": lambda payload, names: f"{payload['url']} is told nothing any more",
}
"""By kind of log entry."""
DETAILS = {
    "round_posted": "Find your table and sit down.",
    "round_unposted": "Staff pair it again. Stay near the tables: you are told of your place.",
    "players_moved": "Staff mended the round after it was posted. Go to the place named here.",
    "time_called": "Finish the turn that is being played, then take the extra turns of this event.",
    "event_started": "The pairings of the first round come next, or your seat in the draft.",
    "decklist_reminder": "Hand in a legal decklist before the deadline of the event.",
    "player_dropped": "Ask at the desk if that is a mistake: it can be taken back for a while.",
    "place_won": "Somebody gave up a place, and you were next.",
    "event_cancelled": "The organiser called it off; the page of the event says more.",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody sits in a round. ``table`` is None for a bye."""

    table: int | None
    others: tuple[str, ...]

    def as_json(self) -> list[Any]:
        return [self.table, list(self.others)]

    @property
    def words(self) -> str:
        """ "table 12 against Mira Okafor", "table 3 with A, B and C", "a bye"."""
        if self.table is None:
            return "a bye"
        if not self.others:
            return f"table {self.table}"
        return f"table {self.table} {'against' if len(self.others) == 1 else 'with'} {listed(self.others)}"


def place_from_json(value: Sequence[Any]) -> Place:
    return Place(value[0], tuple(value[1]))


def posted_line(round_words: str, place: Place) -> str:
    if place.table is None:
        return f"{round_words}: you have the bye"
    return f"{round_words}: {place.words}"


def moved_line(round_words: str, before: Place | None, after: Place | None) -> str:
    """From where to where; one of them may be nowhere."""
    if after is None:
        return f"{round_words}, changed: you no longer play in it"
    now = "you have the bye" if after.table is None else after.words
    if before is None:
        return f"{round_words}, changed: you play after all, {now}"
    return f"{round_words}, changed: {now}, no longer {before.words}"


def dropped_line(event_name: str, why: str) -> str:
    """``why`` is "decklist", "absent" or "" for what staff decided."""
    match why:
        case "decklist":
            return f"You are out of {event_name}: it has no legal decklist of yours"
        case "absent":
            return f"You are out of {event_name}: you were not checked in when it began"
        case _:
            return f"Staff have taken you out of {event_name}"


def plain_line(kind: str, event_name: str, round_words: str = "") -> str:
    match kind:
        case "round_unposted":
            return f"{round_words}: the pairings are taken back"
        case "event_cancelled":
            return f"{event_name} is called off"
        case "time_called":
            return f"{round_words}: time is called"
        case "event_started":
            return f"{event_name} has started"
        case "decklist_reminder":
            return f"{event_name} waits for your decklist"
        case "place_won":
            return f"You have a place in {event_name}"
        case _:
            raise ValueError(kind)
