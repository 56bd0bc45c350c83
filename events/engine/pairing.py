"""Swiss pairing: the whole round at once, the best there is, with reasons.

What "best" means, most important first: no rematch while one can be avoided; the bye to who had fewest, then to the
lowest score; players to be kept apart (when strict); equal scores, as the least sum of squared differences; players
to be kept apart (when soft); nobody floats twice; then the draw. No tournament document that we know orders these;
the order is a house setting, and ``PairingOptions`` holds the choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from cards.engine.streams import Stream
from events.engine.pairing_columns import Entrants, History
from events.engine.pairing_field import Field
from events.engine.pairing_model import (
    AvoidMode,
    Entrant,
    Fact,
    Pair,
    PairingCost,
    PairingOptions,
    PairingPlan,
    PlannedPair,
    Reason,
)
from events.engine.pairing_reasons import Explainer
from events.engine.pairing_search import best_pairing

__all__ = [
    "AvoidMode",
    "Entrant",
    "Entrants",
    "Fact",
    "History",
    "Pair",
    "PairingCost",
    "PairingOptions",
    "PairingPlan",
    "PlannedPair",
    "Reason",
    "grade",
    "pair_round",
]


def pair_round(
    entrants: Iterable[Entrant] | Entrants, history: Sequence[Pair] | History, options: PairingOptions, rng: Stream
) -> PairingPlan:
    """Pair everybody who plays this round; leave out forced pairs, awarded byes and the dropped beforehand.

    ``history`` lists every earlier meeting as a pair of ids, each as often as it happened; ids of players who are
    not entrants are ignored. Large fields are faster as columns: ``Entrants``, with a ``History`` of the same rows.

    Always complete: when no pairing without a rematch exists, one with the fewest. The same entrants, history and
    stream give the same plan, whatever the order of the input. ``certified`` says whether it is proved to be the best.
    """
    field = _field(entrants, history, options, rng)
    found = best_pairing(field, rng)
    pairs = np.sort(found.pairs, axis=1)
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    certified = found.cost == found.bound
    return PairingPlan(
        seating=field.ids[pairs],
        bye=int(field.ids[found.bye]) if found.bye is not None else None,
        cost=found.cost,
        lower_bound=found.bound,
        certified=certified,
        explanation=Explainer(field, pairs, found.bye, certified=certified),
    )


def grade(
    entrants: Iterable[Entrant] | Entrants,
    history: Sequence[Pair] | History,
    options: PairingOptions,
    pairs: Sequence[Pair],
) -> PairingCost:
    """Cost of a pairing made by hand, to set beside the engine's. ``pairs`` are ids; who is in none has the bye.

    Raises ``ValueError`` when a player is in two pairs, unknown, or more than one is left over.
    """
    field = _field(entrants, history, options, None)
    position = {player: place for place, player in enumerate(field.ids.tolist())}
    try:
        placed = [(position[a], position[b]) for a, b in pairs]
    except KeyError as unknown:
        raise ValueError(f"{unknown} is not an entrant") from None
    seated = [place for pair in placed for place in pair]
    left = set(range(len(field))) - set(seated)
    if len(seated) != len(set(seated)) or len(left) > 1:
        raise ValueError("every entrant belongs to exactly one pair, at most one to none")
    return field.cost(np.array(placed, np.int64).reshape(-1, 2), left.pop() if left else None)


def _field(
    entrants: Iterable[Entrant] | Entrants,
    history: Sequence[Pair] | History,
    options: PairingOptions,
    rng: Stream | None,
) -> Field:
    columns = entrants if isinstance(entrants, Entrants) else Entrants.of(entrants)
    rows = history if isinstance(history, History) else History.of(history, columns.ids)
    return Field(columns, rows, options, rng)
