"""Swiss rounds paired once more from what was kept of them, and those by hand graded once more."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from cards.engine.streams import Stream
from events.engine.hand_pairing import grade_by_hand
from events.engine.pairing import AvoidMode, Entrant, Entrants, History, Pair, PairingOptions, PairingPlan, pair_round
from events.models import Event, Round


def drawn_again(event: Event, round_: Round) -> list[tuple[int, ...]]:
    """What the engine gives, byes that were assigned before the event included; sorted. No query."""
    drawn: list[tuple[int, ...]] = [(player,) for player in round_.plan.content.get("assigned_byes", ())]
    for group, meetings in _groups(round_):
        plan = _paired(event, group, meetings)
        drawn += [(pair.a, pair.b) for pair in plan.pairs]
        drawn += [(plan.bye,)] if plan.bye is not None else []
    return sorted(drawn)


def hand_faults(event: Event, round_: Round) -> list[str]:
    """Where the engine's proposal beside a round by hand, or the cost of that round, is not what it comes to.
    No query."""
    awarded = set(round_.plan.content["assigned_byes"])
    faults = []
    for group, meetings in _groups(round_):
        pairs = [(a, b) for a, b in group["pairs"]]
        byes = [player for player in group["byes"] if player not in awarded]
        entrants = Entrants.of(_entrants(group))
        cost = grade_by_hand(entrants, History.of(meetings, entrants.ids), _options(group), pairs, byes)
        if cost.as_json() != group["cost"]:
            faults.append(f"Round {round_.sequence} by hand does not cost what is written beside it.")
        told = group["proposal"]
        if told is not None:
            plan = _paired(event, group, meetings, without=awarded)
            if [[pair.a, pair.b] for pair in plan.pairs] != told["pairs"] or plan.bye != told["bye"]:
                faults.append(f"What the engine proposed for round {round_.sequence} is not what its seed gives.")
    return faults


def _groups(round_: Round) -> Iterator[tuple[Mapping[str, Any], list[Pair]]]:
    for group, meetings in zip(round_.plan.content["groups"], round_.plan.history, strict=True):
        yield group, [(a, b) for a, b in meetings]


def _paired(
    event: Event, group: Mapping[str, Any], meetings: Sequence[Pair], without: Collection[int] = ()
) -> PairingPlan:
    entrants = [entrant for entrant in _entrants(group) if entrant.id not in without]
    return pair_round(entrants, meetings, _options(group), Stream(bytes(event.secret), group["label"]))


def _entrants(group: Mapping[str, Any]) -> list[Entrant]:
    apart: dict[int, set[int]] = {}
    for one, other in group.get("avoid", ()):
        apart.setdefault(one, set()).add(other)
    rows = zip(*group["entrants"].values(), strict=True)
    return [
        Entrant(**facts, avoid=frozenset(apart.get(facts["id"], ())))
        for facts in (dict(zip(group["entrants"], row, strict=True)) for row in rows)
    ]


def _options(group: Mapping[str, Any]) -> PairingOptions:
    return PairingOptions(AvoidMode(group.get("avoid_mode", AvoidMode.SOFT)))
