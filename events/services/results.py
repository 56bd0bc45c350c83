"""Results: players' reports as claims, confirmation, disputes, decisions by staff."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from config.errors import Conflict, DomainError, NotAllowed, NotFound
from events.engine.claims import Claim, ClaimState, agree
from events.engine.outcomes import GameScore, Outcome, outcome_of
from events.models import Event, Match, Result, ResultReport, Round, Seat, Stage
from events.services.transaction import (
    Actor,
    Change,
    Command,
    EventTransaction,
    event_transaction,
    refuse_not_running,
    stale,
)

LONGEST_REASON = 300
PLAYABLE = (Round.State.POSTED, Round.State.PLAYING, Round.State.TIME)


@dataclass(frozen=True)
class Table:
    """A locked match with its seats in order, two or more."""

    match: Match
    seats: list[Seat]

    @property
    def elimination(self) -> bool:
        return self.match.round.stage.kind == Stage.Kind.SINGLE_ELIMINATION

    @property
    def at_time(self) -> bool:
        return self.match.round.state == Round.State.TIME


def report_result(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    player_id: int,
    wins: int,
    losses: int,
    draws: int = 0,
    match_version: int | None = None,
    command: Command | None = None,
) -> Change:
    """A player's word on their own match, seen from their side. The first is a claim, an equal one by the opponent
    confirms it, a different one makes a dispute that staff decide. What was claimed is for the table and staff to know.

    Raises NotFound "match.unknown" (also for a match of a round that is not posted), NotAllowed "match.not_yours",
    Conflict "match.decided", "round.closed", "event.stale", DomainError "score.*".
    """
    with event_transaction(event_id, actor=actor, mode="shared", command=command) as tx:
        table = lock_table(tx, match_id, match_version)
        match = table.match
        if player_id not in [seat.player_id for seat in table.seats]:
            raise NotAllowed("match.not_yours", "Only the two players of a match can report it.")
        refuse_decided(table)
        _outcomes(tx.event, table, GameScore(wins, losses, draws))  # refuses scores that can't be, from either seat
        ResultReport.objects.update_or_create(
            match=match,
            player_id=player_id,
            defaults={"wins": wins, "losses": losses, "draws": draws, "reported_at": tx.now},
        )
        tx.log(
            "result.reported",
            {"match": match.pk, "table": match.table, "player": player_id, "games": [wins, losses, draws]},
            public=False,
        )
        agreement = agree(_claims(tx.event, table))
        if agreement.state is ClaimState.CONFIRMED and agreement.games is not None:
            _confirm(tx, table, agreement.games, source=Result.Source.PLAYERS)
        else:
            match.state = Match.State.DISPUTED if agreement.state is ClaimState.DISPUTED else Match.State.REPORTED
            if match.state == Match.State.DISPUTED:
                tx.log("result.disputed", {"match": match.pk, "table": match.table}, public=False)
        _bump(match)
        return tx.done(match=match.pk, state=match.state, match_version=match.version)


def withdraw_report(
    *, event_id: int, actor: Actor, match_id: int, player_id: int, command: Command | None = None
) -> Change:
    """Take back one's own report, until the opponent has confirmed it.

    Raises NotFound "match.unknown", NotAllowed "match.not_yours", Conflict "match.decided", "match.not_reported".
    """
    with event_transaction(event_id, actor=actor, mode="shared", command=command) as tx:
        table = lock_table(tx, match_id, None)
        match = table.match
        if player_id not in [seat.player_id for seat in table.seats]:
            raise NotAllowed("match.not_yours", "Only the two players of a match can report it.")
        refuse_decided(table)
        deleted, _ = ResultReport.objects.filter(match=match, player_id=player_id).delete()
        if not deleted:
            raise Conflict("match.not_reported", "You have not reported this match.")
        left = match.reports.exists()
        match.state = Match.State.REPORTED if left else Match.State.OPEN
        tx.log("result.withdrawn", {"match": match.pk, "table": match.table, "player": player_id}, public=False)
        _bump(match)
        return tx.done(match=match.pk, state=match.state, match_version=match.version)


def decide_result(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    wins_a: int,
    wins_b: int,
    draws: int = 0,
    reason: str = "",
    match_version: int | None = None,
    command: Command | None = None,
) -> Change:
    """Staff enter a result, seen from seat A. A disputed or already confirmed match needs a reason; what counted
    before stays in the history as superseded.

    Raises NotFound "match.unknown", Conflict "round.closed", "event.stale", DomainError "result.reason", "score.*".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        table = lock_table(tx, match_id, match_version)
        match = table.match
        check_reason(match, reason)
        score = GameScore(wins_a, wins_b, draws)
        _confirm(tx, table, score, source=Result.Source.STAFF, reason=reason.strip())
        _bump(match)
        return tx.done(match=match.pk, state=match.state, match_version=match.version)


def check_reason(match: Match, reason: str) -> None:
    """Raises DomainError "result.reason" for one that is too long, or for none where one is needed."""
    if len(reason) > LONGEST_REASON:
        raise DomainError("result.reason", f"Say why in at most {LONGEST_REASON} characters.")
    if match.state in (Match.State.DISPUTED, Match.State.CONFIRMED) and not reason.strip():
        raise DomainError("result.reason", "Say why: the players disagree, or another result was confirmed before.", {})


def note_extra_turns(
    *, event_id: int, actor: Actor, match_id: int, turns: int, command: Command | None = None
) -> Change:
    """How many of the policy's extra turns a match has taken since time was called.

    Raises NotFound "match.unknown", Conflict "round.not_at_time", DomainError "match.extra_turns".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        table = lock_match(tx, match_id, None)
        most = tx.event.rules["match"]["extra_turns"]
        if not table.at_time:
            raise Conflict("round.not_at_time", "Extra turns begin when time is called.")
        if not 0 <= turns <= most:
            raise DomainError(
                "match.extra_turns", f"This event plays {most} extra turns.", {"turns": turns, "limit": most}
            )
        match = table.match
        match.extra_turns = turns
        match.save(update_fields=["extra_turns"])
        tx.log("match.extra_turns", {"match": match.pk, "table": match.table, "turns": turns})
        _bump(match)
        return tx.done(match=match.pk, extra_turns=turns, match_version=match.version)


def lock_table(tx: EventTransaction, match_id: int, match_version: int | None) -> Table:
    """A duel, locked. Raises as ``lock_match``, and Conflict "match.no_duel" for what isn't decided by a score."""
    table = lock_match(tx, match_id, match_version)
    if table.match.round.stage.kind in (Stage.Kind.TABLES, Stage.Kind.TEAMS):
        raise Conflict("match.no_duel", "This game has no score of two players. The staff enter who won.")
    return table


def lock_match(tx: EventTransaction, match_id: int, match_version: int | None) -> Table:
    """The match, locked, if people may know of it. Raises Conflict "event.not_running" and what the services name."""
    refuse_not_running(tx)
    match = (
        Match.objects.select_for_update(of=("self",))
        .filter(event=tx.event, pk=match_id)
        .exclude(round__state=Round.State.DRAFT)
        .select_related("round__stage")
        .first()
    )
    if match is None:
        raise NotFound("match.unknown", "There is no such match in this event.", {"match": match_id})
    if match_version is not None and match_version != match.version:
        raise stale(tx.event.version)
    if match.round.state not in PLAYABLE:
        raise Conflict("round.closed", f"Round {match.round.sequence} is complete. Ask the staff for a correction.")
    seats = list(match.seats.order_by("index"))
    if len(seats) < 2:
        raise Conflict("match.decided", "A bye is decided by the pairing.")
    tx.concerned = {seat.player_id for seat in seats}
    return Table(match, seats)


def refuse_decided(table: Table) -> None:
    if table.match.state == Match.State.CONFIRMED:
        raise Conflict("match.decided", "This match has its result. Call a judge if it is wrong.")


def _outcomes(event: Event, table: Table, score: GameScore) -> tuple[Outcome, Outcome]:
    """Raises DomainError "score.*"."""
    return outcome_of(score, event.rules["match"]["best_of"], at_time=table.at_time, elimination=table.elimination)


def _claims(event: Event, table: Table) -> list[Claim]:
    index_of = {seat.player_id: seat.index for seat in table.seats}
    claims = []
    for seq, report in enumerate(table.match.reports.order_by("reported_at", "pk")):
        own = GameScore(report.wins, report.losses, report.draws)
        score = own if index_of[report.player_id] == 0 else own.reversed
        claims.append(Claim(report.player_id, seq, _outcomes(event, table, score)[0], score))
    return claims


def _confirm(tx: EventTransaction, table: Table, score: GameScore, *, source: Result.Source, reason: str = "") -> None:
    outcomes = _outcomes(tx.event, table, score)
    scores = []
    for seat, outcome, games in zip(table.seats, outcomes, (score, score.reversed), strict=True):
        seat.outcome = outcome
        seat.game_wins, seat.game_losses, seat.game_draws = games.wins, games.losses, games.draws
        scores.append(
            {
                "player": seat.player_id,
                "wins": games.wins,
                "losses": games.losses,
                "draws": games.draws,
                "outcome": outcome.value,
            }
        )
    Seat.objects.bulk_update(table.seats, ["outcome", "game_wins", "game_losses", "game_draws"])
    keep_result(tx, table.match, scores, source=source, reason=reason)


def keep_result(
    tx: EventTransaction, match: Match, scores: list[dict[str, Any]], *, source: Result.Source, reason: str = ""
) -> None:
    """Store what counts from now on, in place of what counted, and say it in the log. The match is not saved."""
    Result.objects.filter(match=match, superseded_at=None).update(superseded_at=tx.now)
    Result.objects.create(
        match=match,
        scores=scores,
        source=source,
        decided_by_id=tx.actor.user_id if source == Result.Source.STAFF else None,
        reason=reason,
        decided_at=tx.now,
    )
    match.state = Match.State.CONFIRMED
    tx.log(
        "result.confirmed",
        {"match": match.pk, "table": match.table, "scores": scores, "source": source.value, "reason": reason},
    )


def _bump(match: Match) -> None:
    match.version += 1
    match.save(update_fields=["state", "version"])
