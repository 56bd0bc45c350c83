"""Results: players' reports as claims, confirmation, disputes, decisions by staff."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from config.errors import Conflict, DomainError, NotAllowed, NotFound
from config.prepared import prepared
from events.engine.claims import Claim, ClaimState, agree
from events.engine.elimination import SAID_BY_STAFF, DecidedBy, decide
from events.engine.games import PlayRules, tally
from events.engine.outcomes import GameScore, Outcome, games_to_win, outcome_of
from events.models import Event, Match, Result, ResultReport, Round, Seat, Stage
from events.queries.clocks import is_at_time
from events.queries.games import played
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
Outcomes = tuple[Outcome, Outcome]
BY_SCORE = (Result.How.GAMES, Result.How.TIME)
"""What a score tells by itself."""


@dataclass(frozen=True)
class Table:
    """A locked match with its seats in order, two or more, as it is at ``now``."""

    match: Match
    seats: list[Seat]
    now: datetime

    @property
    def players(self) -> tuple[int, int]:
        """Of a duel."""
        return self.seats[0].player_id, self.seats[1].player_id

    @property
    def elimination(self) -> bool:
        return self.match.round.stage.kind == Stage.Kind.SINGLE_ELIMINATION

    @property
    def at_time(self) -> bool:
        """Whether time is over at this very table."""
        return is_at_time(self.match, self.now)


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
    "results.by_staff" (where players enter nothing), Conflict "match.decided", "round.closed", "event.stale",
    DomainError "score.*".
    """
    with event_transaction(event_id, actor=actor, mode="shared", command=command) as tx:
        table = lock_table(tx, match_id, match_version)
        refuse_stranger(table, player_id)
        refuse_report(tx.event)
        refuse_decided(table)
        score = GameScore(wins, losses, draws)
        _outcomes(tx.event, table, score)  # refuses scores that can't be, from either seat
        return claim(tx, table, player_id, score)


def claim(tx: EventTransaction, table: Table, player_id: int, score: GameScore, *, agreed_draw: bool = False) -> Change:
    """Keep a player's word, and confirm the result that two of them make. ``score`` is from the player's side."""
    match = table.match
    reports = {report.player_id: report for report in _reports(match.pk)}
    report = reports.setdefault(player_id, ResultReport(match=match, player_id=player_id))
    report.wins, report.losses, report.draws = score.wins, score.losses, score.draws
    report.agreed_draw, report.reported_at = agreed_draw, tx.now
    report.save()
    said = {"match": match.pk, "table": match.table, "player": player_id}
    games = [score.wins, score.losses, score.draws]
    if agreed_draw:
        tx.log("result.draw_offered", said, public=False)
    else:
        tx.log("result.reported", {**said, "games": games}, public=False)
    agreement = agree(claims_of(tx.event, table, reports.values()))
    if agreement.state is ClaimState.CONFIRMED and agreement.games is not None and agreement.outcome_a is not None:
        if agreement.outcome_a is Outcome.INTENTIONAL_DRAW:
            outcomes, how = (Outcome.INTENTIONAL_DRAW, Outcome.INTENTIONAL_DRAW), Result.How.AGREED_DRAW
        else:
            outcomes, how = _outcomes(tx.event, table, agreement.games), _by_games(tx.event, agreement.games)
        confirm(tx, table, agreement.games, outcomes, source=Result.Source.PLAYERS, how=how)
    else:
        match.state = Match.State.DISPUTED if agreement.state is ClaimState.DISPUTED else Match.State.REPORTED
        if match.state == Match.State.DISPUTED:
            tx.log("result.disputed", {"match": match.pk, "table": match.table}, public=False)
    return changed(tx, match)


def withdraw_report(
    *, event_id: int, actor: Actor, match_id: int, player_id: int, command: Command | None = None
) -> Change:
    """Take back one's own report, until the opponent has confirmed it.

    Raises NotFound "match.unknown", NotAllowed "match.not_yours", Conflict "match.decided", "match.not_reported".
    """
    with event_transaction(event_id, actor=actor, mode="shared", command=command) as tx:
        table = lock_table(tx, match_id, None)
        match = table.match
        refuse_stranger(table, player_id)
        refuse_decided(table)
        deleted, _ = ResultReport.objects.filter(match=match, player_id=player_id).delete()
        if not deleted:
            raise Conflict("match.not_reported", "You have not reported this match.")
        left = match.reports.exists()
        match.state = Match.State.REPORTED if left else Match.State.OPEN
        tx.log("result.withdrawn", {"match": match.pk, "table": match.table, "player": player_id}, public=False)
        return changed(tx, match)


def decide_result(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    wins_a: int,
    wins_b: int,
    draws: int = 0,
    reason: str = "",
    winner_id: int | None = None,
    decided_by: str | None = None,
    match_version: int | None = None,
    command: Command | None = None,
) -> Change:
    """Staff enter a result, seen from seat A. A disputed or already confirmed match needs a reason; what counted
    before stays in the history as superseded. In elimination, where games may leave the match level, they say who goes
    on, ``winner_id``, and how that was ``decided_by`` (``events.engine.elimination.SAID_BY_STAFF``).

    Raises NotFound "match.unknown", Conflict "round.closed", "event.stale", DomainError "result.reason", "score.*",
    "bracket.*" and "result.no_elimination".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        table = lock_table(tx, match_id, match_version)
        match = table.match
        check_reason(match, reason)
        score = GameScore(wins_a, wins_b, draws)
        if winner_id is None and decided_by is None:
            outcomes, how = _outcomes(tx.event, table, score, by_staff=True), _by_games(tx.event, score)
        else:
            outcomes, how = _said(tx.event, table, score, winner_id, decided_by)
        confirm(tx, table, score, outcomes, source=Result.Source.STAFF, how=how, reason=reason.strip())
        return changed(tx, match)


def check_reason(match: Match, reason: str) -> None:
    """Raises DomainError "result.reason" for one that is too long, or for none where one is needed."""
    if len(reason) > LONGEST_REASON:
        raise DomainError("result.reason", f"Say why in at most {LONGEST_REASON} characters.")
    if match.state in (Match.State.DISPUTED, Match.State.CONFIRMED) and not reason.strip():
        raise DomainError("result.reason", "Say why: the players disagree, or another result was confirmed before.", {})


def lock_table(tx: EventTransaction, match_id: int, match_version: int | None) -> Table:
    """A duel, locked. Raises as ``lock_match``, and Conflict "match.no_duel" for what isn't decided by a score."""
    table = lock_match(tx, match_id, match_version)
    if table.match.round.stage.kind in (Stage.Kind.TABLES, Stage.Kind.TEAMS):
        raise Conflict("match.no_duel", "This game has no score of two players. The staff enter who won.")
    return table


def lock_match(tx: EventTransaction, match_id: int, match_version: int | None) -> Table:
    """The match, locked, if people may know of it. Raises Conflict "event.not_running" and what the services name."""
    refuse_not_running(tx)
    match = _locked.first(tx.event.pk, match_id)
    if match is None:
        raise NotFound("match.unknown", "There is no such match in this event.", {"match": match_id})
    if match_version is not None and match_version != match.version:
        raise stale(tx.event.version)
    if match.round.state not in PLAYABLE:
        raise Conflict("round.closed", f"Round {match.round.sequence} is complete. Ask the staff for a correction.")
    seats = _seats(match.pk)
    if len(seats) < 2:
        raise Conflict("match.decided", "A bye is decided by the pairing.")
    tx.concerned = {seat.player_id for seat in seats}
    return Table(match, seats, tx.now)


@prepared
def _locked(event: int, match: int) -> QuerySet[Match]:
    known = Match.objects.filter(event=event, pk=match).exclude(round__state=Round.State.DRAFT)
    return known.select_for_update(of=("self",)).select_related("round__stage")


@prepared
def _seats(match: int) -> QuerySet[Seat]:
    return Seat.objects.filter(match=match).order_by("index")


@prepared
def _reports(match: int) -> QuerySet[ResultReport]:
    return ResultReport.objects.filter(match=match)


def refuse_decided(table: Table) -> None:
    if table.match.state == Match.State.CONFIRMED:
        raise Conflict("match.decided", "This match has its result. Call a judge if it is wrong.")


def refuse_stranger(table: Table, player_id: int) -> None:
    """Raises NotAllowed "match.not_yours"."""
    if player_id not in [seat.player_id for seat in table.seats]:
        raise NotAllowed("match.not_yours", "Only the two players of a match can report it.")


def refuse_report(event: Event) -> None:
    """Raises NotAllowed "results.by_staff" where players enter nothing themselves."""
    if not event.players_report:
        raise NotAllowed(
            "results.by_staff", "In this event staff enter the results. Fill in the slip of your table, or tell them."
        )


def _outcomes(event: Event, table: Table, score: GameScore, *, by_staff: bool = False) -> Outcomes:
    """Staff end a match as it stands once time is called, whatever its table was given.

    Raises DomainError "score.*".
    """
    at_time = table.match.round.state == Round.State.TIME if by_staff else table.at_time
    return outcome_of(score, event.rules["match"]["best_of"], at_time=at_time, elimination=table.elimination)


def _by_games(event: Event, score: GameScore) -> Result.How:
    finished = max(score.wins, score.losses) >= games_to_win(event.rules["match"]["best_of"])
    return Result.How.GAMES if finished else Result.How.TIME


def _said(
    event: Event, table: Table, score: GameScore, winner_id: int | None, decided_by: str | None
) -> tuple[Outcomes, Result.How]:
    """Raises DomainError "result.no_elimination", "bracket.*", and "score.*" for games that can't be."""
    if not table.elimination:
        raise DomainError("result.no_elimination", "Only in elimination somebody has to go on. Enter the games.")
    best_of = event.rules["match"]["best_of"]
    by = decided_by if decided_by in SAID_BY_STAFF else None
    decision = decide(table.players, score=score, best_of=best_of, winner=winner_id, by=by)
    outcome_of(score, best_of, at_time=True)
    outcomes = (Outcome.WIN, Outcome.LOSS) if decision.winner == table.players[0] else (Outcome.LOSS, Outcome.WIN)
    return outcomes, Result.How.TIME if decision.by is DecidedBy.AHEAD_AT_TIME else Result.How(decision.by.value)


def score_so_far(event: Event, table: Table) -> GameScore:
    """Of the games that were written down one by one, from the first seat's side. 1 query."""
    return tally(table.players, played(table.match.games.all()), PlayRules.of(event.rules))


def claims_of(event: Event, table: Table, reports: Iterable[ResultReport]) -> list[Claim]:
    """What the players of a duel said, in the order in which they did. No query, 1 with an agreed draw."""
    index_of = {seat.player_id: seat.index for seat in table.seats}
    claims = []
    for seq, report in enumerate(sorted(reports, key=lambda report: (report.reported_at, report.pk))):
        own = GameScore(report.wins, report.losses, report.draws)
        score = own if index_of[report.player_id] == 0 else own.reversed
        if report.agreed_draw:  # two who agree to draw agree, though a game was written down between their words
            claims.append(Claim(report.player_id, seq, Outcome.INTENTIONAL_DRAW, score_so_far(event, table)))
        else:
            claims.append(Claim(report.player_id, seq, _outcomes(event, table, score)[0], score))
    return claims


def confirm(
    tx: EventTransaction,
    table: Table,
    score: GameScore,
    outcomes: Outcomes,
    *,
    source: Result.Source,
    how: Result.How,
    reason: str = "",
) -> None:
    """Let a result of a duel count, seen from the first seat. The match is not saved."""
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
        seat.save(update_fields=["outcome", "game_wins", "game_losses", "game_draws"])
    keep_result(tx, table.match, scores, source=source, how=how, reason=reason)


def keep_result(
    tx: EventTransaction,
    match: Match,
    scores: list[dict[str, Any]],
    *,
    source: Result.Source,
    how: Result.How = Result.How.GAMES,
    reason: str = "",
) -> None:
    """Store what counts from now on, in place of what counted, and say it in the log. The match is not saved."""
    Result.objects.filter(match=match, superseded_at=None).update(superseded_at=tx.now)
    Result.objects.create(
        match=match,
        scores=scores,
        how=how,
        source=source,
        decided_by_id=tx.actor.user_id if source == Result.Source.STAFF else None,
        reason=reason,
        decided_at=tx.now,
    )
    match.state = Match.State.CONFIRMED
    told = {"match": match.pk, "table": match.table, "scores": scores, "source": source.value, "reason": reason}
    tx.log("result.confirmed", told if how in BY_SCORE else {**told, "how": how.value})


def changed(tx: EventTransaction, match: Match) -> Change:
    """Save where the match stands now, as its next version, and answer that."""
    match.version += 1
    match.save(update_fields=["state", "version"])
    return tx.done(match=match.pk, state=match.state, match_version=match.version)
