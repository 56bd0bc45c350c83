"""The life of a round: draft, post, play, time, complete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import F

from config.errors import Conflict, NotFound
from events.engine.health import Severity
from events.models import (
    ClockInterval,
    Event,
    Notice,
    Player,
    Round,
    Seat,
    Stage,
    Standing,
)
from events.queries.notices import posted_lines
from events.queries.round_health import draft_of_round, health_of
from events.queries.scoring import current_standings, missing_results
from events.queries.swiss_round import NextRound, next_round, still_open
from events.services.brackets_stage import pair_bracket
from events.services.late_entry import bring_forward
from events.services.missing_lists import drop_without, lose_without, refuse_gaps
from events.services.pairing import pair_swiss
from events.services.robin_stage import pair_robin
from events.services.tables_stage import pair_tables
from events.services.teams_stage import pair_sides
from events.services.transaction import (
    Actor,
    Change,
    Command,
    EventTransaction,
    event_transaction,
    refuse_not_running,
)

PAIRED_BY: dict[Stage.Kind, Callable[[EventTransaction, Stage, Round], None]] = {
    Stage.Kind.SWISS: pair_swiss,
    Stage.Kind.SINGLE_ELIMINATION: pair_bracket,
    Stage.Kind.ROUND_ROBIN: pair_robin,
    Stage.Kind.TABLES: pair_tables,
    Stage.Kind.TEAMS: pair_sides,
}


def draft_round(*, event_id: int, actor: Actor, command: Command | None = None) -> Change:
    """Pair the next round of the active stage. Only staff see it until it is posted. Before round 1, players without a
    decklist are dropped where the event has it so.

    Raises Conflict "event.not_running", "round.open" (with its number), "stage.no_rounds", "stage.rounds_played",
    "round.too_few_players".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        refuse_not_running(tx)
        upcoming = next_round(tx.event)
        if upcoming.draft is not None:
            raise still_open(upcoming.draft)
        if upcoming.sequence == 1:
            drop_without(tx, list(tx.event.players.filter(state=Player.State.CHECKED_IN).order_by("pk")))
        round_ = open_round(tx, upcoming)
        PAIRED_BY[Stage.Kind(upcoming.stage.kind)](tx, upcoming.stage, round_)
        tx.log("round.drafted", {"round": round_.sequence, "stage": upcoming.stage.number}, public=False)
        return tx.done(round=round_.sequence)


def open_round(tx: EventTransaction, upcoming: NextRound, *, hand_reason: str = "") -> Round:
    """The round itself, without a match."""
    return Round.objects.create(
        event=tx.event,
        stage=upcoming.stage,
        number=upcoming.number,
        sequence=upcoming.sequence,
        seconds=tx.event.rules["match"]["minutes"] * 60,
        hand_reason=hand_reason,
    )


def discard_draft(*, event_id: int, actor: Actor, round_number: int, command: Command | None = None) -> Change:
    """Throw a draft away, so that the round can be paired anew after a drop. Raises as ``post_round``."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        round_ = _round(tx, round_number, Round.State.DRAFT)
        throw_away(tx, round_)
        return tx.done(round=round_number)


def throw_away(tx: EventTransaction, round_: Round) -> None:
    """Delete a draft. Who dropped while it lay there left after the round before it: nothing of this one was played."""
    number = round_.sequence
    round_.delete()
    Player.objects.filter(event=tx.event, dropped_after_round=number).update(dropped_after_round=number - 1)
    bring_forward(tx, number)
    tx.log("round.discarded", {"round": number}, public=False)


def post_round(*, event_id: int, actor: Actor, round_number: int, command: Command | None = None) -> Change:
    """Show the pairings to everybody. From here on they stand.

    Raises NotFound "round.unknown", Conflict "round.state", "round.has_dropped" (a paired player left meanwhile),
    "round.unfit" (the findings of the health check that stop it), and
    before round 1 "event.decklists_missing", because decklists could be replaced until now. Where the event has it so,
    whoever has none loses the match instead.
    In a bracket whoever left keeps the place: pairing again would give the same, so staff enter the opponent's win.
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        round_ = _round(tx, round_number, Round.State.DRAFT)
        if round_.sequence == 1:
            refuse_gaps(tx.event)
        left = Seat.objects.filter(round=round_, player__state=Player.State.DROPPED).order_by("player__name")
        gone = list(left.values_list("player__name", flat=True))
        if gone and round_.stage.kind in Stage.RANKED:
            raise Conflict(
                "round.has_dropped",
                f"{', '.join(gone)} dropped after this round was drafted. Discard the draft and pair again.",
                {"players": gone},
            )
        if round_.stage.kind == Stage.Kind.SWISS:
            _refuse_unfit(tx, round_)
        round_.state, round_.posted_at = Round.State.POSTED, tx.now
        round_.save(update_fields=["state", "posted_at"])
        tx.log("round.posted", {"round": round_.sequence, "matches": _matches_of(round_)})
        if round_.sequence == 1:
            lose_without(tx, round_)
        tx.tell(Notice.ROUND_POSTED, {"round": round_.sequence, "posted_at": tx.now.isoformat()})
        tx.news = posted_lines(round_)
        return tx.done(round=round_.sequence)


def _refuse_unfit(tx: EventTransaction, round_: Round) -> None:
    """Raises Conflict "round.unfit" with what stops the posting."""
    stops = [found for found in health_of(tx.event, draft_of_round(round_)) if found.severity is Severity.STOPS]
    if stops:
        raise Conflict(
            "round.unfit",
            f"Round {round_.sequence} can't be posted: {' '.join(found.message for found in stops)} "
            "Mend it, or discard the draft and pair again.",
            {"findings": [found.as_json() for found in stops]},
        )


def start_clock(*, event_id: int, actor: Actor, round_number: int, command: Command | None = None) -> Change:
    """Start the round clock, or let it go on after a pause. Raises NotFound "round.unknown", Conflict "round.state",
    "clock.running"."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        round_ = _round(tx, round_number, Round.State.POSTED, Round.State.PLAYING)
        if round_.intervals.filter(stopped_at=None).exists():
            raise Conflict("clock.running", "The clock is running already.")
        ClockInterval.objects.create(round=round_, started_at=tx.now)
        round_.state = Round.State.PLAYING
        round_.save(update_fields=["state"])
        tx.log("clock.started", {"round": round_.sequence})
        return tx.done(round=round_.sequence)


def pause_clock(*, event_id: int, actor: Actor, round_number: int, command: Command | None = None) -> Change:
    """Raises NotFound "round.unknown", Conflict "round.state", "clock.not_running"."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        round_ = _round(tx, round_number, Round.State.PLAYING)
        if not round_.intervals.filter(stopped_at=None).update(stopped_at=tx.now):
            raise Conflict("clock.not_running", "The clock is not running.")
        tx.log("clock.paused", {"round": round_.sequence})
        return tx.done(round=round_.sequence)


def call_time(*, event_id: int, actor: Actor, round_number: int, command: Command | None = None) -> Change:
    """End the round clock: matches that still play finish the turn and take the policy's extra turns.

    Raises NotFound "round.unknown", Conflict "round.state".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        round_ = _round(tx, round_number, Round.State.POSTED, Round.State.PLAYING)
        round_.intervals.filter(stopped_at=None).update(stopped_at=tx.now)
        round_.state, round_.time_called_at = Round.State.TIME, tx.now
        round_.save(update_fields=["state", "time_called_at"])
        tx.log("round.time_called", {"round": round_.sequence, "extra_turns": tx.event.rules["match"]["extra_turns"]})
        tx.tell(Notice.TIME_CALLED, {"round": round_.sequence})
        return tx.done(round=round_.sequence)


def complete_round(*, event_id: int, actor: Actor, round_number: int, command: Command | None = None) -> Change:
    """Close a round and store the standings after it.

    Raises NotFound "round.unknown", Conflict "round.state", "round.results_missing" (tables and names in the context).
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        round_ = _round(tx, round_number, Round.State.POSTED, Round.State.PLAYING, Round.State.TIME)
        missing = missing_results(round_)
        if missing:
            tables = [
                {
                    "table": match.table,
                    "state": match.state,
                    "players": [seat.player.name for seat in match.seats.all()],
                }
                for match in missing
            ]
            raise Conflict(
                "round.results_missing",
                f"{_counted(len(missing))} missing: table {', '.join(str(match.table) for match in missing)}.",
                {"matches": tables},
            )
        round_.intervals.filter(stopped_at=None).update(stopped_at=tx.now)
        round_.state, round_.completed_at = Round.State.COMPLETE, tx.now
        round_.save(update_fields=["state", "completed_at"])
        rows = store_standings(tx.event, round_)
        tx.log("round.completed", {"round": round_.sequence, "standings": rows})
        return tx.done(round=round_.sequence)


def _counted(results: int) -> str:
    return "1 result is" if results == 1 else f"{results} results are"


def store_standings(event: Event, round_: Round) -> list[list[Any]]:
    """Recompute the standings after ``round_`` and keep them; ``[[player, match points], ...]`` by rank."""
    rows = current_standings(event, up_to=round_.sequence)
    Standing.objects.filter(round=round_).delete()
    Standing.objects.bulk_create(
        Standing(
            event=event,
            round=round_,
            player_id=row.player,
            rank=row.rank,
            values={key: str(value) for key, value in row.values.items()},
            record={
                "wins": row.record.wins,
                "losses": row.record.losses,
                "draws": row.record.draws,
                "byes": row.record.byes,
            },
        )
        for row in rows
    )
    return [[row.player, int(row.values["match_points"])] for row in rows]


def _round(tx: EventTransaction, number: int, *states: Round.State) -> Round:
    """The round of this running event, in one of ``states``.

    Raises Conflict "event.not_running", NotFound "round.unknown", Conflict "round.state".
    """
    refuse_not_running(tx)
    round_ = Round.objects.filter(event=tx.event, sequence=number).first()
    if round_ is None:
        raise NotFound("round.unknown", f"There is no round {number} in this event.", {"round": number})
    if round_.state not in states:
        raise Conflict(
            "round.state",
            f"Round {number} is {round_.get_state_display().lower()}; this needs it to be "
            f"{' or '.join(state.label.lower() for state in states)}.",
            {"round": number, "state": round_.state},
        )
    return round_


def _matches_of(round_: Round) -> list[dict[str, Any]]:
    rows = Seat.objects.filter(round=round_).order_by(F("match__table").asc(nulls_last=True), "match_id", "index")
    matches: dict[int, dict[str, Any]] = {}
    for match, table, player in rows.values_list("match", "match__table", "player"):
        matches.setdefault(match, {"table": table, "players": []})["players"].append(player)
    return list(matches.values())
