"""Swiss pairing: the whole round at once, the best there is, with reasons.

What "best" means, most important first: no rematch while one can be avoided; the bye to who had fewest, then to the
lowest score; players to be kept apart (when strict); equal scores, as the least sum of squared differences; players
to be kept apart (when soft); nobody floats twice; then the draw. No tournament document that we know orders these;
the order is a house setting, and ``PairingOptions`` holds the choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cards.engine.streams import Stream
from events.engine.pairing_exact import pair_exactly
from events.engine.pairing_large import pair_by_kernel
from events.engine.pairing_model import (
    AvoidMode,
    Entrant,
    Fact,
    Field,
    Pair,
    PairingCost,
    PairingOptions,
    PairingPlan,
    PlannedPair,
    Reason,
)
from events.engine.pairing_reasons import Explainer

__all__ = [
    "AvoidMode",
    "Entrant",
    "Fact",
    "Pair",
    "PairingCost",
    "PairingOptions",
    "PairingPlan",
    "PlannedPair",
    "Reason",
    "grade",
    "pair_round",
]

EXACT_UP_TO = 128
"""Players up to whom the whole field is one matching (30 ms)."""

EXACT_AS_RESCUE = 400
"""Players up to whom a large pairing without proof is done again as one matching (0.8 s)."""

_LEAST = PairingCost()


def pair_round(
    entrants: Iterable[Entrant], history: Sequence[Pair], options: PairingOptions, rng: Stream
) -> PairingPlan:
    """Pair everybody who plays this round; leave out forced pairs, awarded byes and the dropped beforehand.

    ``history`` lists every earlier meeting as a pair of ids, each as often as it happened; ids of players who are
    not entrants are ignored. Always complete: when no pairing without a rematch exists, one with the fewest. The same
    entrants, history and stream give the same plan, whatever the order of the input. Up to ``EXACT_AS_RESCUE`` players
    the plan is always certified; above, ``certified`` says whether it is proved to be the best.
    """
    field = Field(entrants, history, options, rng)
    if len(field) > EXACT_UP_TO:
        large = pair_by_kernel(field, rng)
        cost = field.cost(large.pairs, large.bye)
        if cost == large.bound or len(field) > EXACT_AS_RESCUE:
            return _plan(field, large.pairs, large.bye, cost, large.bound or _LEAST)
    pairs, bye = pair_exactly(field, rng)
    cost = field.cost(pairs, bye)
    return _plan(field, pairs, bye, cost, cost)


def grade(
    entrants: Iterable[Entrant], history: Sequence[Pair], options: PairingOptions, pairs: Sequence[Pair]
) -> PairingCost:
    """Cost of a pairing made by hand, to set beside the engine's. ``pairs`` are ids; who is in none has the bye.

    Raises ``ValueError`` when a player is in two pairs, unknown, or more than one is left over.
    """
    field = Field(entrants, history, options, None)
    try:
        placed = [(field.position[a], field.position[b]) for a, b in pairs]
    except KeyError as unknown:
        raise ValueError(f"{unknown} is not an entrant") from None
    seated = [place for pair in placed for place in pair]
    left = set(range(len(field))) - set(seated)
    if len(seated) != len(set(seated)) or len(left) > 1:
        raise ValueError("every entrant belongs to exactly one pair, at most one to none")
    return field.cost(placed, left.pop() if left else None)


def _plan(
    field: Field, pairs: Sequence[Pair], bye: int | None, cost: PairingCost, lower_bound: PairingCost
) -> PairingPlan:
    certified = cost == lower_bound
    explain = Explainer(field, pairs, bye, certified=certified)
    ordered = sorted((min(pair), max(pair)) for pair in pairs)
    return PairingPlan(
        pairs=tuple(PlannedPair(field.entrants[a].id, field.entrants[b].id, explain.pair(a, b)) for a, b in ordered),
        bye=field.entrants[bye].id if bye is not None else None,
        bye_reasons=explain.bye_reasons(),
        cost=cost,
        lower_bound=lower_bound,
        certified=certified,
    )
