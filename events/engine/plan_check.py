"""Whether a pairing is what it says it is: checked from the plain facts, without the solver's code.

Nothing here shares a line with the search for the pairing: players, meetings and costs are counted anew, and what
can be proved to be least is proved by arguments that need no search. A plan that fails is never stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from events.engine.pairing_model import AvoidMode, Entrant, Pair, PairingCost, PairingOptions


class Pairing(Protocol):
    """What is checked of a plan; ``pairs`` need only the ids of their players."""

    @property
    def bye(self) -> int | None: ...
    @property
    def cost(self) -> PairingCost: ...
    @property
    def lower_bound(self) -> PairingCost: ...
    @property
    def certified(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class PlanFault:
    """One thing that does not hold. Codes: ``not_paired``, ``paired_twice``, ``stranger``, ``paired_with_self``,
    ``bye_in_even_field``, ``no_bye_in_odd_field``, ``cost``, ``bound_above_cost``, ``certified_without_bound``,
    ``wrong_order``."""

    code: str
    facts: dict[str, object] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        return {"code": self.code, **self.facts}


@dataclass(frozen=True, slots=True)
class PlanCheck:
    """``faults`` is empty when the plan holds. ``proved`` names the levels of the cost, most important first, that are
    proved here to be the least possible, each given the levels before it."""

    faults: tuple[PlanFault, ...]
    proved: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.faults


def verify_plan(
    entrants: Iterable[Entrant],
    history: Sequence[Pair],
    options: PairingOptions,
    plan: Pairing,
    pairs: Sequence[Pair],
) -> PlanCheck:
    """Check a plan for ``entrants``; ``pairs`` are its pairs of ids and ``history`` every earlier meeting, as often as
    it happened. Linear in players and meetings; no exception for whatever is wrong with the plan."""
    by_id = {entrant.id: entrant for entrant in entrants}
    faults = list(_who_is_paired(by_id, pairs, plan.bye))
    if faults:
        return PlanCheck(tuple(faults), ())
    counted = _count(by_id, history, pairs, plan.bye)
    if counted != plan.cost:
        faults.append(PlanFault("cost", {"counted": counted.as_json(), "stated": plan.cost.as_json()}))
    if plan.lower_bound.key(options) > counted.key(options):
        faults.append(
            PlanFault("bound_above_cost", {"bound": plan.lower_bound.as_json(), "counted": counted.as_json()})
        )
    if plan.certified and plan.lower_bound != counted:
        faults.append(PlanFault("certified_without_bound", {"bound": plan.lower_bound.as_json()}))
    faults += [
        PlanFault("wrong_order", {"above": b, "below": a}) for a, b in pairs if by_id[a].points < by_id[b].points
    ]
    return PlanCheck(tuple(faults), tuple(_proved(by_id, counted, plan.bye, options)))


def _who_is_paired(by_id: dict[int, Entrant], pairs: Sequence[Pair], bye: int | None) -> Iterator[PlanFault]:
    seated = Counter(player for pair in pairs for player in pair)
    if bye is not None:
        seated[bye] += 1
    for a, b in pairs:
        if a == b:
            yield PlanFault("paired_with_self", {"player": a})
    for player, times in sorted(seated.items()):
        if player not in by_id:
            yield PlanFault("stranger", {"player": player})
        elif times > 1:
            yield PlanFault("paired_twice", {"player": player, "times": times})
    for player in sorted(by_id.keys() - seated.keys()):
        yield PlanFault("not_paired", {"player": player})
    odd = len(by_id) % 2 == 1
    if odd and bye is None:
        yield PlanFault("no_bye_in_odd_field", {"players": len(by_id)})
    if not odd and bye is not None:
        yield PlanFault("bye_in_even_field", {"players": len(by_id), "bye": bye})


def _count(by_id: dict[int, Entrant], history: Sequence[Pair], pairs: Sequence[Pair], bye: int | None) -> PairingCost:
    meetings = Counter((a, b) if a < b else (b, a) for a, b in history)
    rematches = avoided = gaps = floats = 0
    for a, b in pairs:
        high, low = by_id[a], by_id[b]
        if high.points < low.points:
            high, low = low, high
        rematches += meetings[min(a, b), max(a, b)]
        avoided += b in by_id[a].avoid or a in by_id[b].avoid
        gap = high.points - low.points
        gaps += gap * gap
        floats += high.paired_down + low.paired_up if gap else 0
    receiver = by_id[bye] if bye is not None else None
    return PairingCost(
        rematches,
        receiver.byes if receiver else 0,
        receiver.points if receiver else 0,
        avoided,
        gaps,
        floats,
    )


def _proved(by_id: dict[int, Entrant], cost: PairingCost, bye: int | None, options: PairingOptions) -> Iterator[str]:
    """Levels that cannot be less, one after the other, until the first that needs a search to tell."""
    least_bye = min(((entrant.byes, entrant.points) for entrant in by_id.values()), default=(0, 0))
    rematches = ("rematches", cost.rematches == 0)
    byes = ("bye", bye is None or (cost.bye_earlier_byes, cost.bye_points) == least_bye)
    avoided = ("avoided", cost.avoided == 0)
    gaps = ("score_gap", cost.score_gap == least_score_gap(e.points for e in by_id.values() if e.id != bye))
    first = (byes, rematches) if options.bye_before_rematch else (rematches, byes)
    then = (avoided, gaps) if options.avoid_mode is AvoidMode.STRICT else (gaps, avoided)
    for level, is_least in (*first, *then, ("repeated_floats", cost.repeated_floats == 0)):
        if not is_least:
            return
        yield level


def least_score_gap(points: Iterable[int]) -> int:
    """No pairing of an even number of players with these points has a smaller sum of squared differences.

    Where an odd number of players stands above a step from one score to the next, some pair crosses that step. A pair
    that crosses several steps costs the square of their sum, which is at least the sum of their squares.
    """
    ranked = sorted(points, reverse=True)
    return sum((ranked[place] - ranked[place + 1]) ** 2 for place in range(0, len(ranked) - 1, 2))
