"""What the entries of a log are about, as it is now: whether they can still be undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from events.models import Event, LogEntry, Match, Player, Round

OF_ROUND: Mapping[str, str] = {
    "round.drafted": Round.State.DRAFT,
    "round.drafted_by_hand": Round.State.DRAFT,
    "round.seats_changed": Round.State.DRAFT,
    "round.posted": Round.State.POSTED,
    "round.time_called": Round.State.TIME,
    "round.completed": Round.State.COMPLETE,
}
"""The state in which the newest round still has to be, for a kind to be undone."""


@dataclass(frozen=True)
class Now:
    """``newest`` is the number of the newest round and ``state`` its; ``rounds_of`` are (number, state) of the rounds
    by match; ``players`` are states by id."""

    newest: int
    state: str
    rounds_of: Mapping[int, tuple[int, str]]
    players: Mapping[int, str]


def now_of(event: Event, entries: Sequence[LogEntry]) -> Now:
    """What matters for undoing these entries. 3 queries."""
    last = Round.objects.filter(event=event).order_by("-sequence").values_list("sequence", "state").first()
    matches = {entry.payload["match"] for entry in entries if entry.kind == "result.confirmed"}
    people = {entry.payload["player"] for entry in entries if entry.kind.startswith("player.")}
    rounds = Match.objects.filter(event=event, pk__in=matches).values_list("pk", "round__sequence", "round__state")
    players = Player.objects.filter(event=event, pk__in=people).values_list("pk", "state")
    newest, state = last or (0, "")
    return Now(newest, state, {match: (number, word) for match, number, word in rounds}, dict(players))
