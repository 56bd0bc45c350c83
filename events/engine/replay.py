"""An event as it stood after an entry of its log: read from the log alone, entry after entry.

What is not in the log is not in the state: the seats of a draft that the engine made (they are posted later), decks,
picks, the games of a match one by one. Kinds that change the event and are not known here are counted in
``passed_over``, so that whoever reads the state knows that it may be incomplete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = Mapping[str, Any]

DRAFT, POSTED, PLAYING, TIME, COMPLETE = "draft", "posted", "playing", "time", "complete"
FACTS = frozenset(f"player.{fact}" for fact in ("paid", "byes", "table", "team", "claimed", "public_name"))
"""Kinds of players that change nothing that a state shows."""


@dataclass
class TableState:
    """A match: who sits there, and what came of it. ``word`` is open, reported, disputed, confirmed or bye."""

    players: tuple[int, ...]
    table: int | None = None
    word: str = "open"
    scores: tuple[Json, ...] = ()
    reporters: set[int] = field(default_factory=set)


@dataclass
class RoundState:
    """``matches`` is None while only the engine knows them. ``standings`` are [player, match points] by rank, as they
    were counted when the round was completed."""

    sequence: int
    stage: int | None = None
    word: str = DRAFT
    matches: list[TableState] | None = None
    standings: list[list[Any]] | None = None

    def at_table(self, number: int | None) -> TableState | None:
        return next((match for match in self.matches or () if match.table == number and number is not None), None)

    def of_players(self, players: Iterable[int]) -> TableState | None:
        wanted = set(players)
        return next((match for match in self.matches or () if set(match.players) == wanted), None)


@dataclass
class EventState:
    """``word`` is registration, running, finished or cancelled; ``players`` are states by id; ``stage`` is
    (number, kind); ``lists`` are the players of lists that came in, by the list's token."""

    word: str = "registration"
    players: dict[int, str] = field(default_factory=dict)
    stage: tuple[int, str] | None = None
    rounds: dict[int, RoundState] = field(default_factory=dict)
    lists: dict[str, list[int]] = field(default_factory=dict)
    passed_over: Counter[str] = field(default_factory=Counter)

    @property
    def newest(self) -> RoundState | None:
        """The newest round that there is."""
        return self.rounds[max(self.rounds)] if self.rounds else None

    @property
    def last_complete(self) -> RoundState | None:
        """Whose standings counted."""
        done = [number for number, round_ in self.rounds.items() if round_.standings is not None]
        return self.rounds[max(done)] if done else None

    def in_state(self, word: str) -> int:
        """How many players are registered, waitlisted, checked_in or dropped."""
        return sum(state == word for state in self.players.values())


def replay(entries: Iterable[tuple[str, Json]]) -> EventState:
    """The state after ``entries``, which are (kind, payload) in the order of the log, from its first on. Entries may
    be left out whose kind the reader may not know: what they did is then not in the state."""
    state = EventState()
    for kind, payload in entries:
        _apply(state, kind, payload)
    return state


def _apply(state: EventState, kind: str, said: Json) -> None:
    family = kind.partition(".")[0]
    if family == "event":
        _event(state, kind, said)
    elif family in ("player", "players") and kind not in FACTS:
        _player(state, kind, said)
    elif kind == "decklists.dropped":
        state.players |= dict.fromkeys(said["players"], "dropped")
    elif kind == "stage.begun":
        state.stage = (said["stage"], said["kind"])
    elif family == "round" or kind == "clock.started":
        _round(state, kind, said)
    elif family == "result":
        _result(state, kind, said)


def _event(state: EventState, kind: str, said: Json) -> None:
    word = {"event.started": "running", "event.finished": "finished", "event.cancelled": "cancelled"}.get(kind)
    state.word = word or state.word
    for player in said.get("no_shows", ()) if kind == "event.started" else ():
        state.players[player] = "dropped"


def _player(state: EventState, kind: str, said: Json) -> None:
    if kind == "players.imported":
        state.lists[said["list"]] = said["players"]
        state.players |= dict.fromkeys(said["players"], "registered")
        if said["waiting"]:  # the log doesn't say who of them
            state.passed_over[kind] += 1
        return
    if kind == "players.import_undone":
        for player in set(state.lists.get(said["list"], ())) - set(said["kept"]):
            state.players.pop(player, None)
        return
    waits = bool(said.get("waits"))
    word = {
        "player.registered": "registered",
        "player.waitlisted": "waitlisted",
        "player.promoted": "registered",
        "player.checked_in": "waitlisted" if waits else "checked_in",
        "player.check_in_undone": "waitlisted" if waits else "registered",
        "player.dropped": "dropped",
        "player.reinstated": "waitlisted" if waits else "checked_in" if state.word == "running" else "registered",
    }.get(kind)
    if word is None:
        state.passed_over[kind] += 1
    else:
        state.players[said["player"]] = word


def _round(state: EventState, kind: str, said: Json) -> None:
    number = said["round"]
    if kind == "round.discarded":
        state.rounds.pop(number, None)
        return
    round_ = state.rounds.setdefault(number, RoundState(number))
    match kind:
        case "round.drafted" | "round.drafted_by_hand":
            state.rounds[number] = RoundState(number, said["stage"], DRAFT, _seated(said.get("made")))
        case "round.posted":
            round_.word = POSTED
            round_.matches = [_table(tuple(match["players"]), match["table"]) for match in said["matches"]]
        case "round.unposted":
            round_.word = DRAFT
        case "clock.started":
            round_.word = PLAYING
        case "round.time_called":
            round_.word = TIME
        case "round.time_taken_back":
            round_.word = PLAYING
        case "round.completed":
            round_.word, round_.standings = COMPLETE, said["standings"]
        case "round.reopened":
            round_.word, round_.standings = PLAYING, None
        case "round.seats_changed":
            _reseat(state, number, said)
        case "round.mended":
            if said["returns"]:
                state.players[said["player"]] = "checked_in"
            _reseat(state, said.get("mended_round", number), said)
        case _:
            state.passed_over[kind] += 1


def _result(state: EventState, kind: str, said: Json) -> None:
    if kind == "result.corrected":
        _corrected(state, said)
        return
    newest = next((round_ for _, round_ in sorted(state.rounds.items(), reverse=True) if round_.word != DRAFT), None)
    if newest is None:
        return
    if kind == "result.confirmed":
        found = newest.of_players(score["player"] for score in said["scores"])
        if found is None:
            state.passed_over[kind] += 1
            return
        found.word, found.scores = "confirmed", tuple(said["scores"])
        found.table = found.table or said["table"]
        return
    found = newest.at_table(said.get("table"))
    if found is None or kind not in ("result.reported", "result.disputed", "result.withdrawn"):
        state.passed_over[kind] += 1
        return
    if kind == "result.reported":
        found.reporters.add(said["player"])
        found.word = "reported" if found.word == "open" else found.word
    elif kind == "result.disputed":
        found.word = "disputed"
    else:
        found.reporters.discard(said["player"])
        found.word = "reported" if found.reporters else "open"


def _corrected(state: EventState, said: Json) -> None:
    round_ = state.rounds.get(said["round"])
    found = None if round_ is None else round_.of_players(score["player"] for score in said["after"])
    if found is None:
        state.passed_over["result.corrected"] += 1
    else:
        found.word, found.scores = "confirmed", tuple(said["after"])
    if "mended_round" in said:
        _reseat(state, said["mended_round"], said)


def _reseat(state: EventState, number: int, said: Json) -> None:
    """Matches that staff ended and made; those of a draft that nobody has seen stay unknown."""
    round_ = state.rounds.get(number)
    if round_ is None or round_.matches is None:
        return
    ended = Counter(tuple(players) for players in said.get("ended", ()))
    free = [match.table for match in round_.matches if match.players in ended and len(match.players) > 1]
    round_.matches = [match for match in round_.matches if match.players not in ended]
    free.sort(key=lambda table: table or 0)
    for players in said.get("made", ()):
        table = free.pop(0) if free and len(players) > 1 else None
        round_.matches.append(_table(tuple(players), table))


def _seated(made: Sequence[Sequence[int]] | None) -> list[TableState] | None:
    return None if made is None else [_table(tuple(players), None) for players in made]


def _table(players: tuple[int, ...], table: int | None) -> TableState:
    return TableState(players, table, "bye" if len(players) == 1 else "open")
