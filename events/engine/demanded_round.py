"""A round in which everything holds that was demanded of it: taken out or barred first, the rest paired as usual."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from cards.engine.streams import Stream
from events.engine.demands import Demand, GiveBye, PairUp, SitOut, check_demands, kept_apart, pods_of
from events.engine.feasibility import barred_by, can_pair
from events.engine.pairing import Entrant, Pair, PairingOptions, PairingPlan, PlannedPair, Reason, pair_round
from events.engine.pairing_model import Explanation
from events.engine.tables import TableLayout

Solver = Callable[[Iterable[Entrant], Sequence[Pair], PairingOptions, Stream], PairingPlan]


@dataclass(frozen=True, slots=True)
class RoundPair:
    """``a`` has at least as many points as ``b``."""

    a: int
    b: int
    pod: int | None
    by_hand: bool
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class RoundBye:
    """``demanded`` byes were given before the pairing; the others come from an odd number of players."""

    player: int
    pod: int | None
    demanded: bool
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """What the solver was given and what it said: enough to verify it and to pair it again."""

    pod: int | None
    entrants: tuple[Entrant, ...]
    history: tuple[Pair, ...]
    plan: PairingPlan


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A whole round: every entrant exactly once, pod after pod; in each the pairs by hand come last."""

    pairs: tuple[RoundPair, ...]
    byes: tuple[RoundBye, ...]
    sitting_out: tuple[int, ...]
    groups: tuple[GroupPlan, ...]

    @property
    def certified(self) -> bool:
        return all(group.plan.certified for group in self.groups)


def pair_with_demands(
    entrants: Iterable[Entrant],
    history: Sequence[Pair],
    demands: Sequence[Demand],
    options: PairingOptions,
    rng_of: Callable[[int | None], Stream],
    *,
    layout: TableLayout | None = None,
    solver: Solver = pair_round,
) -> RoundPlan:
    """Pair a round so that every demand holds. ``entrants`` are all who are there; ``rng_of`` makes the stream of a pod
    (None: outside of pods), the same each time. ``layout`` are the tables that seats may be demanded at.

    Raises ImpossibleDemands, and ``ValueError`` when two demands have one id.
    """
    there = {entrant.id: entrant for entrant in entrants}
    check_demands(there.keys(), demands, layout=layout)
    out = {demand.player for demand in demands if isinstance(demand, SitOut)} & there.keys()
    byes = [demand for demand in demands if isinstance(demand, GiveBye)]
    by_hand = [demand for demand in demands if isinstance(demand, PairUp)]
    busy = out | {bye.player for bye in byes} | {player for pair in by_hand for player in (pair.a, pair.b)}
    pods = pods_of(demands)
    apart = kept_apart(demands)

    pairs: list[RoundPair] = []
    all_byes: list[RoundBye] = []
    groups: list[GroupPlan] = []
    for pod in sorted({pods.get(player) for player in there}, key=lambda pod: (pod is None, pod)):
        members = tuple(e for e in sorted(there.values(), key=lambda e: e.id) if pods.get(e.id) == pod)
        free = tuple(entrant for entrant in members if entrant.id not in busy)
        if free:
            ids = {entrant.id for entrant in free}
            met = tuple((a, b) for a, b in history if a in ids and b in ids)
            plan = _solve(free, met, apart, options, partial(rng_of, pod), solver)
            groups.append(GroupPlan(pod, free, met, plan))
            pairs += [RoundPair(pair.a, pair.b, pod, False, pair.reasons) for pair in plan.pairs]
            if plan.bye is not None:
                all_byes.append(RoundBye(plan.bye, pod, False, plan.bye_reasons))
        for pair in by_hand:
            if pods.get(pair.a) == pod:
                a, b = sorted((there[pair.a], there[pair.b]), key=lambda entrant: -entrant.points)
                pairs.append(RoundPair(a.id, b.id, pod, True, (_reason("paired_by_hand", pair),)))
        for bye in byes:
            if pods.get(bye.player) == pod:
                all_byes.append(RoundBye(bye.player, pod, True, (_reason(str(bye.kind), bye),)))
    return RoundPlan(tuple(pairs), tuple(all_byes), tuple(sorted(out)), tuple(groups))


def _reason(code: str, demand: Demand) -> Reason:
    return Reason(code, {"demand": demand.id})


def _solve(
    entrants: tuple[Entrant, ...],
    history: tuple[Pair, ...],
    apart: AbstractSet[Pair],
    options: PairingOptions,
    rng: Callable[[], Stream],
    solver: Solver,
) -> PairingPlan:
    """The best plan in which nobody meets whom he may not.

    A barred pair is shown to the solver as one that has met. A plan without barred pairs that is best at this price is
    best among all without them; where the price is too low it is raised.
    """
    ids = {entrant.id for entrant in entrants}
    barred_pairs = sorted((a, b) for a, b in apart if a in ids and b in ids)
    if not barred_pairs:
        return solver(entrants, history, options, rng())
    shown, spoiled = entrants, 0
    if options.bye_before_rematch and len(entrants) % 2:
        shown, spoiled = _mark_spoiled_byes(entrants, barred_by(barred_pairs))
    price = 1
    while True:
        plan = solver(shown, (*history, *chain.from_iterable([barred_pairs] * price)), options, rng())
        if apart.isdisjoint((min(pair), max(pair)) for pair in plan.seating.tolist()):
            limited = frozenset(chain.from_iterable(barred_pairs))
            return replace(plan, explanation=_ToldTruly(plan.explanation, limited, spoiled))
        price *= 4


def _mark_spoiled_byes(
    entrants: tuple[Entrant, ...], barred: Mapping[int, AbstractSet[int]]
) -> tuple[tuple[Entrant, ...], int]:
    """Entrants among whom a better receiver's bye would leave others unpaired, shown as if they had had more byes than
    anybody; and how many these are."""
    ids = {entrant.id for entrant in entrants}
    most = max(entrant.byes for entrant in entrants) + 1
    spoiled: set[int] = set()
    found: tuple[int, int] | None = None
    for entrant in sorted(entrants, key=lambda entrant: (entrant.byes, entrant.points)):
        if found is not None and (entrant.byes, entrant.points) != found:
            break
        if can_pair(ids - {entrant.id}, barred):
            found = entrant.byes, entrant.points
        else:
            spoiled.add(entrant.id)
    return tuple(replace(e, byes=most) if e.id in spoiled else e for e in entrants), len(spoiled)


@dataclass(frozen=True, slots=True)
class _ToldTruly:
    """The solver's reasons, without calling a barred opponent one who was met."""

    solver: Explanation
    limited: frozenset[int]
    spoiled: int

    def pairs(self) -> tuple[PlannedPair, ...]:
        return tuple(
            replace(pair, reasons=tuple(self._told(pair, reason) for reason in pair.reasons))
            for pair in self.solver.pairs()
        )

    def _told(self, pair: PlannedPair, reason: Reason) -> Reason:
        if reason.code == "only_rematch_free" and reason.facts["player"] in self.limited:
            return Reason("only_allowed_opponent", reason.facts)
        if reason.code == "paired_down" and reason.facts["why"] == "met_everyone_on_score" and pair.a in self.limited:
            return Reason(reason.code, {**reason.facts, "why": "no_allowed_opponent_on_score"})
        return reason

    def bye_reasons(self) -> tuple[Reason, ...]:
        return tuple(
            Reason("other_bye_would_break_demand", {"passed_over": self.spoiled, **reason.facts})
            if self.spoiled or reason.code == "other_bye_would_force_rematch"
            else reason
            for reason in self.solver.bye_reasons()
        )
