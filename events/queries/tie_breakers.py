"""What another order of tie-breakers would change: tried on events that never were, as large as this one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cards.engine.streams import Stream
from config.errors import Conflict, DomainError
from events.engine.metrics import check_metrics, metric
from events.engine.standings_presets import STANDINGS_PRESETS
from events.engine.standings_preview import compare_policies, example_results
from events.engine.swiss import number_of_rounds
from events.models import Event
from events.queries.registration import HOLDING
from events.queries.scoring import standings_policy

EXAMPLES = 10
FEWEST, MOST = 8, 128
"""Players of an example."""
MOST_METRICS = 6
ONLY_OF_TABLES = frozenset({"victory_points", "tournament_points"})
OFFERED = ("magic", "pokemon", "yugioh", "fide")


@dataclass(frozen=True)
class OrderChange:
    """What an order changes against the event's, over all examples. ``cuts``: examples with another cut;
    ``moved``: of 100 players, who would have another place; ``farthest``: places moved at most."""

    name: str
    metrics: tuple[str, ...]
    moved: int
    farthest: int
    cuts: int


@dataclass(frozen=True)
class Preview:
    players: int
    rounds: int
    cut: int
    examples: int
    metrics: tuple[str, ...]
    changes: tuple[OrderChange, ...]


def order_of(metrics: Sequence[str]) -> tuple[str, ...]:
    """An order of tie-breakers that a Swiss event can have.

    Raises DomainError "standings.no_metrics", "standings.too_many_metrics", "standings.only_of_tables", and as
    ``check_metrics``.
    """
    if not metrics:
        raise DomainError("standings.no_metrics", "Choose at least one tie-breaker.")
    if len(metrics) > MOST_METRICS:
        raise DomainError("standings.too_many_metrics", f"Choose at most {MOST_METRICS} tie-breakers.")
    check_metrics(metrics)
    of_tables = [metric(key).name for key in metrics if key in ONLY_OF_TABLES]
    if of_tables:
        raise DomainError("standings.only_of_tables", f"{' and '.join(of_tables)} are for tables of several players.")
    return tuple(metrics)


def preview(event: Event, own: Sequence[str] = ()) -> Preview:
    """The event's order against those of publishers, and against ``own`` where there is one. 1 query.

    Raises Conflict "standings.not_swiss", and as ``order_of``.
    """
    swiss = next((stage for stage in event.rules["stages"] if stage["kind"] == "swiss"), None)
    if swiss is None:
        raise Conflict("standings.not_swiss", "Only events with Swiss rounds can be tried out like this.")
    there = event.players.filter(state__in=HOLDING).count()
    players = min(MOST, max(FEWEST, there, event.capacity or 0))
    rounds = swiss["rounds"] or number_of_rounds(players)
    goes_on = next((stage for stage in event.rules["stages"] if stage.get("cut")), None)
    cut = min(goes_on["cut"], players // 2) if goes_on is not None else 0
    base = standings_policy(event)
    orders = _orders(base.metrics, own)
    policies = {name: replace(base, metrics=order) for name, order in orders.items()}
    moved, farthest, cuts = (dict.fromkeys(orders, 0) for _ in range(3))
    for number in range(EXAMPLES):
        rng = Stream(b"examples of events", f"{players} {rounds} {number}")
        entries, results = example_results(players, rounds, rng, best_of_three=event.rules["match"]["best_of"] > 1)
        for change in compare_policies(entries, results, {"": base, **policies}, cut=cut).changes:
            moved[change.policy] += len(change.moves)
            farthest[change.policy] = max(farthest[change.policy], *(abs(move.gained) for move in change.moves), 0)
            cuts[change.policy] += bool(change.into_cut or change.out_of_cut)
    changes = [
        OrderChange(name, order, round(100 * moved[name] / (players * EXAMPLES)), farthest[name], cuts[name])
        for name, order in orders.items()
    ]
    return Preview(players, rounds, cut, EXAMPLES, base.metrics, tuple(changes))


def _orders(base: tuple[str, ...], own: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """By name, each order once, without the event's."""
    named = {"Your order": order_of(own)} if own else {}
    named |= {STANDINGS_PRESETS[key].name: STANDINGS_PRESETS[key].policy.metrics for key in OFFERED}
    named |= {"Points, then lots": ("match_points",)}
    found: dict[str, tuple[str, ...]] = {}
    for name, order in named.items():
        if order != base and order not in found.values():
            found[name] = order
    return found


def has_own_order(event: Event) -> bool:
    """Whether the organiser chose another order than the template has. No query, given the policy."""
    return list(event.rules["standings"]["metrics"]) != list(event.policy.definition["standings"]["metrics"])
