"""Who is not there: said by the opponent or by staff, and what the event's rule gives for it.

Neither rulebook says how long a table waits, so it is the organiser who does; without a rule nobody loses by it.
"""

from __future__ import annotations

from typing import Any

from config.errors import Conflict, DomainError, NotAllowed, NotFound
from events.engine.outcomes import Outcome, games_to_win
from events.models import Absence, Event, Match, Notice, Player, Result, Round, Seat
from events.queries.attendance import door_closes, due, may_be_missed
from events.queries.registration import HOLDING
from events.services.results import Table, changed, keep_result, lock_match
from events.services.transaction import Actor, Change, Command, EventTransaction, event_transaction, refuse_not_running
from events.services.waitlist import give_places

MOST_MINUTES = 120


def set_no_show_rule(
    *, event_id: int, actor: Actor, minutes: int | None, drops: bool = False, command: Command | None = None
) -> Change:
    """After how many minutes of a round's clock who is not there loses the match, and whether they are dropped then.
    None: no rule, staff decide. It holds for sweeps from now on.

    Raises DomainError "no_show.minutes", Conflict "event.over".
    """
    if minutes is not None and not 1 <= minutes <= MOST_MINUTES:
        raise DomainError("no_show.minutes", f"Wait 1 to {MOST_MINUTES} minutes, or leave it empty: then staff decide.")
    with event_transaction(event_id, actor=actor, command=command) as tx:
        event = tx.event
        if event.state not in (Event.State.REGISTRATION, Event.State.RUNNING):
            raise Conflict("event.over", "The event is over.", {"state": event.state})
        event.no_show_minutes, event.no_show_drops = minutes, drops and minutes is not None
        event.save(update_fields=["no_show_minutes", "no_show_drops"])
        tx.log("event.no_show_rule", {"minutes": minutes, "drops": event.no_show_drops})
        return tx.done(minutes=minutes, drops=event.no_show_drops)


def say_absent(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    player_id: int,
    by_player_id: int | None = None,
    command: Command | None = None,
) -> Change:
    """Say that a player is not at their table; ``by_player_id`` is the opponent who says it, None for staff. Nothing
    is decided by it: staff see it, and the rule of the event counts from it. Said twice it is said once.

    Raises NotFound "match.unknown", "player.unknown", NotAllowed "match.not_yours", Conflict "event.not_running",
    "round.closed", "match.decided".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        table = _missable(tx, match_id)
        seat = _seat(table, player_id)
        sitting = [other.player_id for other in table.seats if other is not seat]
        if by_player_id is not None and by_player_id not in sitting:
            raise NotAllowed("match.not_yours", "Only your own opponent can be missed by you.")
        absence, new = Absence.objects.get_or_create(
            match=table.match, player_id=player_id, defaults={"said_at": tx.now, "said_by_id": actor.user_id}
        )
        if new:
            tx.log("match.absent", {**_facts(table.match), "player": player_id}, public=False)
        return tx.done(match=table.match.pk, player=player_id, absent=True)


def take_absence_back(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    player_id: int,
    by_player_id: int | None = None,
    command: Command | None = None,
) -> Change:
    """Say that a player who was missed has come: by staff, or by either player of the table. Raises as ``say_absent``,
    and Conflict "match.not_missed"."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        table = _missable(tx, match_id)
        _seat(table, player_id)
        if by_player_id is not None and by_player_id not in [seat.player_id for seat in table.seats]:
            raise NotAllowed("match.not_yours", "Only the two players of a table can say who has come.")
        deleted, _ = Absence.objects.filter(match=table.match, player_id=player_id).delete()
        if not deleted:
            raise Conflict("match.not_missed", "Nobody has said that this player is not there.")
        tx.log("match.arrived", {**_facts(table.match), "player": player_id}, public=False)
        return tx.done(match=table.match.pk, player=player_id, absent=False)


def sweep_no_shows(*, event_id: int, actor: Actor, round_number: int, command: Command | None = None) -> Change:
    """Give the match to whoever waited, at every table whose opponent is said not to be there, once the round's clock
    has run for the event's minutes; where nobody came both lose, except in a bracket, where staff decide. Dropped, too,
    where the event says so.

    Raises NotFound "round.unknown", Conflict "event.not_running", "no_show.no_rule", "no_show.too_early",
    "no_show.nobody".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        refuse_not_running(tx)
        round_ = Round.objects.select_related("stage").filter(event=tx.event, sequence=round_number).first()
        if round_ is None or round_.state == Round.State.DRAFT:
            raise NotFound("round.unknown", f"There is no round {round_number} in this event.", {"round": round_number})
        _refuse_early(tx, round_)
        swept = []
        found = Absence.objects.filter(match__round=round_, match__state=Match.State.OPEN)
        for match_id in found.order_by("match__table").values_list("match_id", flat=True).distinct():
            table = _missable(tx, match_id)
            gone = [row.player_id for row in Absence.objects.filter(match_id=match_id)]
            if not gone or (table.elimination and len(gone) == len(table.seats)):
                continue
            _give_loss(tx, table, gone)
            swept.append(table.match.table)
        if not swept:
            raise Conflict("no_show.nobody", "No table is waiting for anybody.")
        tx.concerned = None  # everybody's pages: several tables, and perhaps who has left
        return tx.done(round=round_number, tables=swept)


def take_no_show_back(*, event_id: int, actor: Actor, match_id: int, command: Command | None = None) -> Change:
    """Open a match again that was decided by a sweep, until the round is complete. Who was dropped by it is back.

    Raises NotFound "match.unknown", Conflict "event.not_running", "round.closed", "no_show.not_swept".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        table = lock_match(tx, match_id, None)
        match = table.match
        result = Result.objects.filter(match=match, superseded_at=None, how=Result.How.NO_SHOW).first()
        if result is None:
            raise Conflict("no_show.not_swept", f"{match} was not decided by somebody's absence.")
        swept = tx.event.log.filter(kind="match.no_show", payload__match=match.pk).order_by("-seq").first()
        result.superseded_at = tx.now
        result.save(update_fields=["superseded_at"])
        for seat in table.seats:
            seat.outcome = seat.game_wins = seat.game_losses = seat.game_draws = None
        Seat.objects.bulk_update(table.seats, ["outcome", "game_wins", "game_losses", "game_draws"])
        back = swept.payload["dropped"] if swept is not None else []
        Player.objects.filter(
            event=tx.event,
            pk__in=back,
            state=Player.State.DROPPED,
            dropped_after_round=match.round.sequence,
        ).update(state=Player.State.CHECKED_IN, dropped_after_round=None)
        Absence.objects.filter(match=match).delete()
        match.state = Match.State.OPEN
        tx.log("match.no_show_taken_back", {**_facts(match), "back": back})
        tx.concerned = None if back else tx.concerned
        return changed(tx, match)


def sweep_door(*, event_id: int, actor: Actor, command: Command | None = None) -> Change:
    """Before the start and after the hour that was set for it, drop everybody who has not checked in; who waits gets
    their places. Each drop can be taken back as any other.

    Raises Conflict "event.not_open", "no_show.too_early", "no_show.nobody".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        event = tx.event
        if event.state != Event.State.REGISTRATION:
            raise Conflict("event.not_open", "The event has started: who was not there is dropped.")
        if tx.now < door_closes(event):
            raise Conflict(
                "no_show.too_early",
                "It is not time yet: players may still come.",
                {"from": door_closes(event).isoformat()},
            )
        absent = list(event.players.filter(state=Player.State.REGISTERED).order_by("name"))
        if not absent:
            raise Conflict("no_show.nobody", "Everybody who is registered has checked in.")
        for player in absent:
            player.state, player.dropped_after_round = Player.State.DROPPED, 0
        Player.objects.bulk_update(absent, ["state", "dropped_after_round"])
        dropped = [player.pk for player in absent]
        tx.log("players.not_there", {"players": dropped})
        tx.tell(Notice.PLAYER_DROPPED, {"players": dropped})
        let_in = give_places(tx)
        return tx.done(
            dropped=[player.name for player in absent],
            let_in=[player.name for player in let_in],
            places=event.players.filter(state__in=HOLDING).count(),
        )


def _refuse_early(tx: EventTransaction, round_: Round) -> None:
    minutes = tx.event.no_show_minutes
    if minutes is None:
        raise Conflict(
            "no_show.no_rule", "This event has no rule for who is not there. Set one, or decide at the table."
        )
    is_due, _ = due(tx.event, round_, tx.now)
    if not is_due:
        raise Conflict(
            "no_show.too_early",
            f"A table waits {minutes} minutes of the round's clock, and they have not run yet.",
            {"minutes": minutes},
        )


def _give_loss(tx: EventTransaction, table: Table, gone: list[int]) -> None:
    match, minutes = table.match, tx.event.no_show_minutes
    need = games_to_win(tx.event.rules["match"]["best_of"])
    both = len(gone) == len(table.seats)
    scores: list[dict[str, Any]] = []
    for seat in table.seats:
        missed = seat.player_id in gone
        seat.outcome = Outcome.DOUBLE_LOSS if both else Outcome.FORFEIT_LOSS if missed else Outcome.FORFEIT_WIN
        seat.game_wins, seat.game_losses = (0, 0 if both else need) if missed else (need, 0)
        seat.game_draws = 0
        games = {"wins": seat.game_wins, "losses": seat.game_losses, "draws": 0}
        scores.append({"player": seat.player_id, **games, "outcome": seat.outcome.value})
    Seat.objects.bulk_update(table.seats, ["outcome", "game_wins", "game_losses", "game_draws"])
    dropped = _drop(tx, gone, after=match.round.sequence) if tx.event.no_show_drops else []
    tx.log("match.no_show", {**_facts(match), "players": gone, "minutes": minutes, "dropped": dropped})
    why = f"Not there after {minutes} minutes."
    keep_result(tx, match, scores, source=Result.Source.STAFF, how=Result.How.NO_SHOW, reason=why)
    match.version += 1
    match.save(update_fields=["state", "version"])


def _drop(tx: EventTransaction, players: list[int], *, after: int) -> list[int]:
    """Those of ``players`` who had not dropped before."""
    staying = Player.objects.select_for_update().filter(event=tx.event, pk__in=players, state=Player.State.CHECKED_IN)
    leaving = [player.pk for player in staying.order_by("pk")]
    Player.objects.filter(pk__in=leaving).update(state=Player.State.DROPPED, dropped_after_round=after)
    if leaving:
        tx.tell(Notice.PLAYER_DROPPED, {"players": leaving})
    return leaving


def _missable(tx: EventTransaction, match_id: int) -> Table:
    table = lock_match(tx, match_id, None)
    if not may_be_missed(table.match, table.seats, table.match.round):
        raise Conflict("match.decided", "This table has told a result already, or staff enter it in another way.")
    return table


def _seat(table: Table, player_id: int) -> Seat:
    for seat in table.seats:
        if seat.player_id == player_id:
            return seat
    raise NotFound("player.unknown", "This player does not sit at this table.", {"player": player_id})


def _facts(match: Match) -> dict[str, int | None]:
    return {"match": match.pk, "round": match.round.sequence, "table": match.table}
