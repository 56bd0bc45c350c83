"""What a round is made of: pairs from the engine, seated at tables and stored, all rows of a kind at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from config.errors import Conflict
from events.engine.outcomes import Outcome, games_to_win
from events.engine.pairing import Pair
from events.engine.plan_check import PlanCheck
from events.engine.tables import assign_tables
from events.models import Match, Pod, Result, Round, RoundPlan, Seat, Stage
from events.queries.swiss_round import SwissRound, swiss_round
from events.services.transaction import EventTransaction


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
    by_hand: bool = False


def pair_swiss(tx: EventTransaction, stage: Stage, round_: Round) -> None:
    """Pair the whole field, or each pod by itself, seat the pairs at tables and store the round with its plan.

    The plan is checked by code that shares nothing with the engine. Raises Conflict "round.too_few_players",
    "round.plan_does_not_hold" (with the faults): nothing is drafted then.
    """
    swiss = swiss_round(tx.event, stage, number=round_.number, sequence=round_.sequence)
    for group in swiss.paired:
        _refuse_faults(round_, group.check)
    groups = [{**group.facts(group.entrants), **group.answer()} for group in swiss.paired]
    content = {"kind": stage.kind, "groups": groups, "assigned_byes": list(swiss.wishes.awarded)}
    RoundPlan.objects.create(round=round_, content=content, history=[group.met for group in swiss.paired])
    store_seatings(tx, round_, [*_seatings(swiss), *map(assigned_bye, swiss.wishes.awarded)])


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
            by_hand=seating.by_hand,
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


def _refuse_faults(round_: Round, check: PlanCheck) -> None:
    if not check.holds:
        raise Conflict(
            "round.plan_does_not_hold",
            f"Round {round_.sequence} was not drafted: the pairing failed the check that every pairing has to pass. "
            "Nothing was stored. Pair it by hand at the desk, and tell whoever runs this site, with the event's log.",
            {"round": round_.sequence, "by_hand": True, "faults": [fault.as_json() for fault in check.faults]},
        )


def _seatings(swiss: SwissRound) -> list[Seating]:
    """Pairs at their tables, pod after pod; who has a fixed table keeps it, and byes have none."""
    tables = iter(tables_for([group.pairs for group in swiss.paired], swiss))
    seatings = []
    for group in swiss.paired:
        for pair in group.plan.pairs:
            table = next(tables)
            reasons = [reason.as_json() for reason in pair.reasons] + kept_tables((pair.a, pair.b), table, swiss)
            seatings.append(Seating((pair.a, pair.b), table, reasons, group.pod))
        if group.plan.bye is not None:
            reasons = [reason.as_json() for reason in group.plan.bye_reasons]
            seatings.append(Seating((group.plan.bye,), None, reasons, group.pod))
    return seatings


def tables_for(blocks: Sequence[Sequence[Pair]], swiss: SwissRound) -> Sequence[int]:
    """A table for each pair, those of a block beside each other."""
    numbers = [number for number, pairs in enumerate(blocks) for _ in pairs]
    pairs = [pair for block in blocks for pair in block]
    return assign_tables(pairs, swiss.points, swiss.wishes.seats, blocks=numbers).tables


def kept_tables(pair: Pair, table: int, swiss: SwissRound) -> list[dict[str, Any]]:
    """That a player sits at the fixed table, as a reason."""
    kept = {(seat.player, seat.table) for seat in swiss.wishes.seats}
    return [{"code": "fixed_table", "player": player, "table": table} for player in pair if (player, table) in kept]


def assigned_bye(player: int) -> Seating:
    return Seating((player,), None, [{"code": "bye_assigned"}], alone=Outcome.ASSIGNED_BYE)
