"""The Swiss round that comes next: its place in the event, who is to be in it, and what the engine makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cards.engine.streams import Stream
from config.errors import Conflict
from events.engine.fairness import pairing_label
from events.engine.pairing import Entrants, History, Pair, PairingOptions, PairingPlan, pair_round
from events.engine.plan_check import PlanCheck, verify_plan
from events.models import Event, Pod, PodSeat, Round, Stage
from events.queries.scoring import Wishes, pairing_state, wishes_of

ENTRANT_COLUMNS = ("id", "points", "byes", "paired_down", "paired_up")


@dataclass(frozen=True)
class NextRound:
    """``draft`` is the round itself where it lies there already, and only staff see it."""

    stage: Stage
    number: int
    sequence: int
    draft: Round | None


@dataclass(frozen=True)
class Group:
    """Who is paired among themselves: ``everybody`` of the field or of a pod, and the ``entrants`` of these whom the
    engine is to pair. ``history`` holds all meetings of the event."""

    pod: Pod | None
    label: str
    everybody: Entrants
    entrants: Entrants
    history: History
    options: PairingOptions
    secret: bytes

    @cached_property
    def met(self) -> list[Pair]:
        return self.history.among(self.entrants)

    @cached_property
    def plan(self) -> PairingPlan:
        """What the engine makes of the group: the same each time."""
        return pair_round(self.entrants, self.history, self.options, Stream(self.secret, self.label))

    @cached_property
    def pairs(self) -> list[Pair]:
        return [(pair.a, pair.b) for pair in self.plan.pairs]

    @cached_property
    def check(self) -> PlanCheck:
        """Of the plan, by code that shares nothing with the engine."""
        return verify_plan(self.entrants.single(), self.met, self.options, self.plan, self.pairs)

    def facts(self, entrants: Entrants) -> dict[str, Any]:
        """Input of the engine with these entrants, but for the meetings: enough to pair again."""
        rows = entrants.single()
        return {
            "label": self.label,
            "pod": self.pod.number if self.pod else None,
            "entrants": {column: [getattr(entrant, column) for entrant in rows] for column in ENTRANT_COLUMNS},
            "avoid": sorted([one.id, other] for one in rows for other in one.avoid if one.id < other),
            "avoid_mode": self.options.avoid_mode,
        }

    def answer(self) -> dict[str, Any]:
        """Output of the engine."""
        return {
            "pairs": [list(pair) for pair in self.pairs],
            "bye": self.plan.bye,
            "cost": self.plan.cost.as_json(),
            "lower_bound": self.plan.lower_bound.as_json(),
            "certified": self.plan.certified,
        }


@dataclass(frozen=True)
class SwissRound:
    """``there`` are all who are to be in the round, and ``groups`` divide them."""

    there: Entrants
    history: History
    wishes: Wishes
    groups: tuple[Group, ...]

    @cached_property
    def points(self) -> Mapping[int, int]:
        rows = self.there.playing_rows
        return dict(zip(self.there.ids[rows].tolist(), self.there.points[rows].tolist(), strict=True))

    @property
    def paired(self) -> list[Group]:
        """Groups in which somebody has no assigned bye."""
        return [group for group in self.groups if group.entrants.count]


def next_round(event: Event) -> NextRound:
    """3 queries at most. Raises Conflict "stage.no_rounds", "round.open" (with its number), "stage.rounds_played"."""
    stage = event.stages.filter(state=Stage.State.ACTIVE).first()
    if stage is None or stage.kind not in Stage.PLAYED:
        raise Conflict("stage.no_rounds", "The stage that is under way has no rounds. Begin the next stage.")
    last = event.rounds.order_by("-sequence").first()
    if last is not None and last.state == Round.State.DRAFT:
        return NextRound(stage, last.number, last.sequence, last)
    if last is not None and last.state != Round.State.COMPLETE:
        raise still_open(last)
    number = stage.rounds.count() + 1
    if number > (stage.rounds_planned or 0):
        raise Conflict(
            "stage.rounds_played",
            f"All {stage.rounds_planned} rounds of this stage are played. Begin the next stage or end the event.",
        )
    return NextRound(stage, number, (last.sequence if last else 0) + 1, None)


def still_open(round_: Round) -> Conflict:
    return Conflict(
        "round.open",
        f"Round {round_.sequence} is still {round_.get_state_display().lower()}. Complete it before the next one.",
        {"round": round_.sequence, "state": round_.state},
    )


def swiss_round(event: Event, stage: Stage, *, number: int, sequence: int) -> SwissRound:
    """Who is in a Swiss round by what was played before it. 5 queries, 6 with pods.

    Raises Conflict "round.too_few_players".
    """
    wishes = wishes_of(event, sequence=sequence)
    there, history = pairing_state(event, wishes.apart, up_to=sequence - 1)
    if there.count < 2:
        raise Conflict("round.too_few_players", "A round needs at least two players who are still in the event.")
    secret = bytes(event.secret)
    groups = tuple(
        Group(
            pod,
            pairing_label(stage.number, number, pod=pod.number if pod else None),
            everybody,
            everybody.without(wishes.awarded),
            history,
            wishes.options,
            secret,
        )
        for pod, everybody in _divided(event, stage, there)
    )
    return SwissRound(there, history, wishes, groups)


def _divided(event: Event, stage: Stage, there: Entrants) -> list[tuple[Pod | None, Entrants]]:
    """Everybody, or each pod by itself."""
    if not stage.config.get("within_pods"):
        return [(None, there)]
    groups = [(pod, there.only(players)) for pod, players in _members_of_pods(event).items()]
    return [(pod, group) for pod, group in groups if group.count]


def _members_of_pods(event: Event) -> dict[Pod, list[int]]:
    """1 query."""
    members: dict[Pod, list[int]] = {}
    for seat in PodSeat.objects.filter(pod__event=event).select_related("pod").order_by("pod__number"):
        members.setdefault(seat.pod, []).append(seat.player_id)
    return members
