"""Swiss rounds paired once more from what was kept of them, and those by hand graded once more."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cards.engine.streams import Stream
from events.engine.hand_pairing import grade_by_hand
from events.engine.pairing import AvoidMode, Entrant, Entrants, History, Pair, PairingOptions, PairingPlan, pair_round


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """What was kept of a round: ``content`` and ``history`` as ``RoundPlan`` has them, and its number."""

    sequence: int
    content: Mapping[str, Any]
    history: Sequence[Any]


def drawn_again(secret: bytes, kept: KeptPlan) -> list[tuple[int, ...]]:
    """What the engine gives for a Swiss round, byes that were assigned before the event included; sorted."""
    drawn: list[tuple[int, ...]] = [(player,) for player in kept.content.get("assigned_byes", ())]
    for group, meetings in _groups(kept):
        plan = _paired(secret, group, meetings)
        drawn += [(pair.a, pair.b) for pair in plan.pairs]
        drawn += [(plan.bye,)] if plan.bye is not None else []
    return sorted(drawn)


def hand_faults(secret: bytes, kept: KeptPlan) -> list[str]:
    """Where the engine's proposal beside a round by hand, or the cost of that round, is not what it comes to."""
    awarded = set(kept.content["assigned_byes"])
    faults = []
    for group, meetings in _groups(kept):
        pairs = [(a, b) for a, b in group["pairs"]]
        byes = [player for player in group["byes"] if player not in awarded]
        entrants = Entrants.of(_entrants(group))
        cost = grade_by_hand(entrants, History.of(meetings, entrants.ids), _options(group), pairs, byes)
        if cost.as_json() != group["cost"]:
            faults.append(f"Round {kept.sequence} by hand does not cost what is written beside it.")
        told = group["proposal"]
        if told is not None:
            plan = _paired(secret, group, meetings, without=awarded)
            if [[pair.a, pair.b] for pair in plan.pairs] != told["pairs"] or plan.bye != told["bye"]:
                faults.append(f"What the engine proposed for round {kept.sequence} is not what its seed gives.")
    return faults


def _groups(kept: KeptPlan) -> Iterator[tuple[Mapping[str, Any], list[Pair]]]:
    for group, meetings in zip(kept.content["groups"], kept.history, strict=True):
        yield group, [(a, b) for a, b in meetings]


def _paired(
    secret: bytes, group: Mapping[str, Any], meetings: Sequence[Pair], without: Collection[int] = ()
) -> PairingPlan:
    entrants = [entrant for entrant in _entrants(group) if entrant.id not in without]
    return pair_round(entrants, meetings, _options(group), Stream(secret, group["label"]))


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
