"""What the desk does next, and what stands in the way: decided from plain facts, worst first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from events.engine.decklist_rules import Without


class StepCode(StrEnum):
    START_EVENT = "start_event"
    DRAFT_ROUND = "draft_round"
    POST_ROUND = "post_round"
    START_CLOCK = "start_clock"
    CALL_TIME = "call_time"
    COMPLETE_ROUND = "complete_round"
    BEGIN_STAGE = "begin_stage"
    FINISH_EVENT = "finish_event"


ROUND_STAGES = ("swiss", "single_elimination", "round_robin", "tables", "teams")
STAGE_WORDS = {
    "draft": "the draft",
    "sealed": "opening packs",
    "deck_building": "deck building",
    "swiss": "the Swiss rounds",
    "single_elimination": "the cut",
    "round_robin": "the round robin",
    "tables": "the tables",
    "teams": "the team games",
}


def cut_words(config: Mapping[str, Any]) -> str:
    """Who gets into the elimination that a stage's ``config`` describes: "the top 8"."""
    match config.get("cut_by", "rank"):
        case "points":
            return f"everybody with {_count(config['cut_points'], 'point')} or more"
        case "clean_break":
            return f"the top {config['cut']} or fewer, where the points fall"
        case "full_bracket":
            return f"a full bracket of {config['cut']} or more"
    return f"the top {config['cut']}"


@dataclass(frozen=True, slots=True)
class StageFacts:
    """``cut`` is the size of an elimination stage, 0 elsewhere, and ``goes_on`` who gets into it, where that is not the
    top so many; rounds are those of this stage."""

    kind: str
    rounds_planned: int = 0
    rounds_played: int = 0
    cut: int = 0
    goes_on: str = ""


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """The round that is not complete yet. Tables are numbers; ``clock`` is none, running, paused or over.

    ``players`` are those that posting tells; ``gone`` dropped after the draft was made, or after the round was posted
    and before its clock runs.
    """

    number: int
    state: str
    clock: str = "none"
    players: int = 0
    playing: tuple[int, ...] = ()
    reported: tuple[int, ...] = ()
    disputed: tuple[int, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def missing(self) -> int:
        return len(self.playing) + len(self.reported) + len(self.disputed)


@dataclass(frozen=True, slots=True)
class DeskFacts:
    """An event as its desk sees it. ``drafting`` has a row of waiting players for each pod that has not finished.

    ``stage`` is the active one, before the start the first one; ``next_stage`` the one after it.
    ``decklists_missing`` and ``decklists_illegal`` name players who play; empty where no decklist is needed.
    ``without_decklist`` is what becomes of them: wait, drop or loss.
    """

    state: str
    checked_in: int
    expected: int
    stage: StageFacts | None = None
    next_stage: StageFacts | None = None
    round: RoundFacts | None = None
    last_round: int = 0
    decklists_missing: tuple[str, ...] = ()
    decklists_illegal: tuple[str, ...] = ()
    without_decklist: Without = "wait"
    drafting: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Blocker:
    """Something to see to. ``stops`` says that the next step is refused while it lasts; else it is good to know.

    Codes: disputed, dropped_in_draft, dropped_after_posting, playing, reported, drafting, decklists_illegal,
    decklists_missing, too_few_players, not_checked_in.
    """

    code: str
    text: str
    stops: bool
    tables: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """The next step, or None once the event is over. ``round`` is the number that the step is about."""

    code: StepCode | None
    label: str
    blockers: tuple[Blocker, ...] = ()
    round: int | None = None

    @property
    def is_possible(self) -> bool:
        return self.code is not None and not any(blocker.stops for blocker in self.blockers)


def next_step(facts: DeskFacts) -> Step:
    """The one step that the event waits for. Blockers come worst first: those that stop it, then those that do not."""
    if facts.state == "registration":
        return _before_start(facts)
    if facts.state != "running":
        return Step(None, "The event is over." if facts.state == "finished" else "The event was cancelled.")
    if facts.round is not None:
        return _in_round(facts, facts.round)
    return _between_rounds(facts)


def _before_start(facts: DeskFacts) -> Step:
    asks_for_decklists = facts.stage is not None and facts.stage.kind in ROUND_STAGES
    blockers = list(_decklists(facts, "when you start")) if asks_for_decklists else []
    staying = facts.checked_in
    if asks_for_decklists and facts.without_decklist == "drop":
        staying -= len(facts.decklists_missing) + len(facts.decklists_illegal)
    if staying < 2:
        words = f"{staying} checked in{' with a decklist' if staying < facts.checked_in else ''}"
        blockers.append(Blocker("too_few_players", f"{words}, and an event needs at least two", stops=True))
    if facts.expected:
        blockers.append(
            Blocker("not_checked_in", f"{facts.expected} not checked in: starting drops them as no-shows", stops=False)
        )
    blockers.sort(key=lambda blocker: not blocker.stops)
    who = f"{staying} player" if staying == 1 else f"{staying} players"
    return Step(StepCode.START_EVENT, f"Start the event with {who}", tuple(blockers))


def _in_round(facts: DeskFacts, round_: RoundFacts) -> Step:
    number = round_.number
    if round_.state == "draft":
        gone = round_.gone
        left: tuple[Blocker, ...] = (
            (Blocker("dropped_in_draft", f"{_names(gone)} dropped after the draft: pair again", True, names=gone),)
            if gone
            else ()
        )
        lists = _decklists(facts, "when you post it", drops=False) if number == 1 else []
        return Step(StepCode.POST_ROUND, f"Post round {number}", (*left, *lists), number)
    blockers = tuple(_results(round_))
    if not round_.missing:
        return Step(StepCode.COMPLETE_ROUND, f"Complete round {number}", (), number)
    if round_.state == "posted":
        disputes = tuple(blocker for blocker in blockers if blocker.code == "disputed")
        known = [Blocker(b.code, b.text, False, b.tables, b.names) for b in disputes]
        if gone := round_.gone:
            text = f"{_names(gone)} dropped after the round was posted: mend it while nobody plays"
            known.append(Blocker("dropped_after_posting", text, False, names=gone))
        return Step(StepCode.START_CLOCK, f"Start the clock of round {number}", tuple(known), number)
    if round_.state == "playing" and round_.clock == "over":
        waiting = tuple(Blocker(b.code, b.text, False, b.tables, b.names) for b in blockers)
        return Step(StepCode.CALL_TIME, f"Call time in round {number}", waiting, number)
    return Step(StepCode.COMPLETE_ROUND, f"Complete round {number}", blockers, number)


def _results(round_: RoundFacts) -> list[Blocker]:
    blockers = []
    if round_.disputed:
        tables = round_.disputed
        text = f"{len(tables)} disputed: {_tables(tables)}"
        blockers.append(Blocker("disputed", text, True, tables))
    if round_.playing:
        tables = round_.playing
        text = f"{_count(len(tables), 'result')} missing: {_tables(tables)}"
        blockers.append(Blocker("playing", text, True, tables))
    if round_.reported:
        tables = round_.reported
        text = f"{len(tables)} reported, not confirmed by the other player: {_tables(tables)}"
        blockers.append(Blocker("reported", text, True, tables))
    return blockers


def _between_rounds(facts: DeskFacts) -> Step:
    stage, following = facts.stage, facts.next_stage
    if stage is not None and stage.kind in ROUND_STAGES and stage.rounds_played < stage.rounds_planned:
        number = facts.last_round + 1
        short = stage.kind != "single_elimination" and facts.checked_in < 2
        text = f"{_count(facts.checked_in, 'player')} left, and a round needs two"
        alone = (Blocker("too_few_players", text, stops=True),) if short else ()
        drops = number == 1 and facts.without_decklist == "drop"
        lists = _decklists(facts, "when you draft it") if drops else []
        return Step(StepCode.DRAFT_ROUND, f"Draft round {number}", (*alone, *lists), number)
    blockers = tuple(_in_the_stage(facts))
    if following is None:
        return Step(StepCode.FINISH_EVENT, "Finish the event", blockers)
    if following.kind == "single_elimination":
        return Step(StepCode.BEGIN_STAGE, f"Cut to {following.goes_on or f'the top {following.cut}'}", blockers)
    return Step(StepCode.BEGIN_STAGE, f"Begin {STAGE_WORDS[following.kind]}", blockers)


def _in_the_stage(facts: DeskFacts) -> list[Blocker]:
    """What holds a stage without rounds open."""
    kind = facts.stage.kind if facts.stage is not None else ""
    if kind == "draft":
        return [
            Blocker("drafting", f"A pod is still drafting: {_names(waiting)} to pick", True, names=waiting)
            for waiting in facts.drafting
        ]
    return _decklists(facts, "when the rounds begin") if kind == "deck_building" else []


def _decklists(facts: DeskFacts, when: str, *, drops: bool = True) -> list[Blocker]:
    """Who has none, and what becomes of them ``when``. A round that is paired drops nobody any more: it waits."""
    words = {"drop": "they will be dropped", "loss": "they will lose round 1"}.get(facts.without_decklist, "")
    stops = facts.without_decklist == "wait" or (facts.without_decklist == "drop" and not drops)
    then = "" if stops else f"; {words} {when}"
    blockers = []
    if facts.decklists_illegal:
        names = facts.decklists_illegal
        text = f"{_count(len(names), 'decklist')} illegal: {_names(names)}{then}"
        blockers.append(Blocker("decklists_illegal", text, stops, names=names))
    if facts.decklists_missing:
        names = facts.decklists_missing
        text = f"{len(names)} without a decklist: {_names(names)}{then}"
        blockers.append(Blocker("decklists_missing", text, stops, names=names))
    return blockers


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _tables(tables: tuple[int, ...]) -> str:
    shown = ", ".join(str(table) for table in tables[:12])
    more = f" and {len(tables) - 12} more" if len(tables) > 12 else ""
    return f"table {shown}" if len(tables) == 1 else f"tables {shown}{more}"


def _names(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:6])
    return f"{shown} and {len(names) - 6} more" if len(names) > 6 else shown
