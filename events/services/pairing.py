"""What a round is made of: pairs from the engine, seated at tables and stored, all rows of a kind at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cards.engine.streams import Stream
from config.errors import Conflict
from events.engine.fairness import pairing_label
from events.engine.outcomes import Outcome, games_to_win
from events.engine.pairing import Entrant, Entrants, Pair, PairingOptions, PairingPlan, pair_round
from events.engine.plan_check import PlanCheck, verify_plan
from events.engine.tables import FixedSeat, assign_tables
from events.models import Match, Pod, PodSeat, Result, Round, RoundPlan, Seat, Stage
from events.queries.scoring import pairing_state, wishes_of
from events.services.transaction import EventTransaction

ENTRANT_COLUMNS = ("id", "points", "byes", "paired_down", "paired_up")


@dataclass(frozen=True, slots=True)
class Seating:
    """A match to store: one player has a bye, two a duel. ``reasons`` say why, as data."""

    players: tuple[int, ...]
    table: int | None
    reasons: list[dict[str, Any]]
    pod: Pod | None = None
    slot: int | None = None
    sides: tuple[str, ...] = ()
    alone: Outcome = Outcome.BYE


def pair_swiss(tx: EventTransaction, stage: Stage, round_: Round) -> None:
    """Pair the whole field, or each pod by itself, seat the pairs at tables and store the round with its plan.

    The plan is checked by code that shares nothing with the engine. Raises Conflict "round.too_few_players",
    "round.plan_does_not_hold" (with the faults): nothing is drafted then.
    """
    wishes = wishes_of(tx.event, sequence=round_.sequence)
    everybody, history = pairing_state(tx.event, wishes.apart)
    if everybody.count < 2:
        raise Conflict("round.too_few_players", "A round needs at least two players who are still in the event.")
    entrants = everybody.without(wishes.awarded)
    made: list[tuple[Pod | None, PairingPlan, list[Pair]]] = []
    points: dict[int, int] = {}
    groups, meetings = [], []
    for pod, group in _groups(tx, stage, entrants):
        label = pairing_label(stage.number, round_.number, pod=pod.number if pod else None)
        plan = pair_round(group, history, wishes.options, Stream(bytes(tx.event.secret), label))
        rows, met = group.single(), history.among(group)
        pairs = [(pair.a, pair.b) for pair in plan.pairs]
        _refuse_faults(round_, verify_plan(rows, met, wishes.options, plan, pairs))
        made.append((pod, plan, pairs))
        points.update((entrant.id, entrant.points) for entrant in rows)
        groups.append(_plan_record(label, pod, rows, wishes.options, plan, pairs))
        meetings.append(met)
    content = {"kind": stage.kind, "groups": groups, "assigned_byes": list(wishes.awarded)}
    RoundPlan.objects.create(round=round_, content=content, history=meetings)
    store_seatings(tx, round_, [*_seatings(made, points, wishes.seats), *map(_assigned_bye, wishes.awarded)])


def store_seatings(tx: EventTransaction, round_: Round, seatings: Iterable[Seating]) -> None:
    """Matches with their seats; a bye is decided by the pairing itself. 3 queries, whatever the number of players."""
    seatings = list(seatings)
    best_of = tx.event.rules["match"]["best_of"]
    # Keys, not objects: giving a row its relatives one by one took a third of the time of a large round.
    matches = Match.objects.bulk_create(
        Match(
            event_id=tx.event.pk,
            round_id=round_.pk,
            table=seating.table,
            pod_id=seating.pod.pk if seating.pod else None,
            bracket_slot=seating.slot,
            reasons=seating.reasons,
            state=Match.State.CONFIRMED if len(seating.players) == 1 else Match.State.OPEN,
        )
        for seating in seatings
    )
    wins = games_to_win(best_of)
    won = {"game_wins": wins, "game_losses": 0, "game_draws": 0}
    Seat.objects.bulk_create(
        Seat(
            event_id=tx.event.pk,
            round_id=round_.pk,
            match_id=match.pk,
            player_id=player,
            index=index,
            side=seating.sides[index] if seating.sides else "",
            **({"outcome": seating.alone, **won} if len(seating.players) == 1 else {}),
        )
        for match, seating in zip(matches, seatings, strict=True)
        for index, player in enumerate(seating.players)
    )
    Result.objects.bulk_create(
        Result(
            match=match,
            scores=[{"player": seating.players[0], "wins": wins, "losses": 0, "draws": 0, "outcome": seating.alone}],
            source=Result.Source.PAIRING,
            decided_at=tx.now,
        )
        for match, seating in zip(matches, seatings, strict=True)
        if len(seating.players) == 1
    )


def _groups(tx: EventTransaction, stage: Stage, entrants: Entrants) -> list[tuple[Pod | None, Entrants]]:
    """Who is paired among themselves: everybody, or each pod."""
    if not stage.config.get("within_pods"):
        return [(None, entrants)] if entrants.count else []
    seats = PodSeat.objects.filter(pod__event=tx.event).select_related("pod").order_by("pod__number")
    members: dict[Pod, list[int]] = {}
    for seat in seats:
        members.setdefault(seat.pod, []).append(seat.player_id)
    groups = [(pod, entrants.only(players)) for pod, players in members.items()]
    return [(pod, group) for pod, group in groups if group.count]


def _refuse_faults(round_: Round, check: PlanCheck) -> None:
    if not check.holds:
        raise Conflict(
            "round.plan_does_not_hold",
            f"Round {round_.sequence} was not drafted: the pairing failed the check that every pairing has to pass. "
            "Nothing was stored. Tell whoever runs this site, with the event's log.",
            {"round": round_.sequence, "faults": [fault.as_json() for fault in check.faults]},
        )


def _seatings(
    made: Sequence[tuple[Pod | None, PairingPlan, list[Pair]]], points: Mapping[int, int], seats: Sequence[FixedSeat]
) -> list[Seating]:
    """Pairs at their tables, pod after pod; who has a fixed table keeps it, and byes have none."""
    blocks = [number for number, (_, _, pairs) in enumerate(made) for _ in pairs]
    tables = iter(assign_tables([pair for _, _, pairs in made for pair in pairs], points, seats, blocks=blocks).tables)
    kept = {(seat.player, seat.table) for seat in seats}
    seatings = []
    for pod, plan, _ in made:
        for pair in plan.pairs:
            table = next(tables)
            reasons = [reason.as_json() for reason in pair.reasons]
            reasons += [
                {"code": "fixed_table", "player": player, "table": table}
                for player in (pair.a, pair.b)
                if (player, table) in kept
            ]
            seatings.append(Seating((pair.a, pair.b), table, reasons, pod))
        if plan.bye is not None:
            seatings.append(Seating((plan.bye,), None, [reason.as_json() for reason in plan.bye_reasons], pod))
    return seatings


def _assigned_bye(player: int) -> Seating:
    return Seating((player,), None, [{"code": "bye_assigned"}], alone=Outcome.ASSIGNED_BYE)


def _plan_record(
    label: str,
    pod: Pod | None,
    group: Sequence[Entrant],
    options: PairingOptions,
    plan: PairingPlan,
    pairs: Sequence[Pair],
) -> dict[str, Any]:
    """Input and output of the engine, but for the meetings: enough to pair again and compare."""
    return {
        "label": label,
        "pod": pod.number if pod else None,
        "entrants": {column: [getattr(entrant, column) for entrant in group] for column in ENTRANT_COLUMNS},
        "avoid": sorted([one.id, other] for one in group for other in one.avoid if one.id < other),
        "avoid_mode": options.avoid_mode,
        "pairs": [list(pair) for pair in pairs],
        "bye": plan.bye,
        "cost": plan.cost.as_json(),
        "lower_bound": plan.lower_bound.as_json(),
        "certified": plan.certified,
    }
