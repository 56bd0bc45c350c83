"""What becomes of who has no decklist that may be played: the event waits, drops them, or has them lose round 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from config.errors import Conflict, DomainError
from events.engine.decklist_rules import MODES, WITHOUT, DecklistRules, decklist_rules
from events.engine.outcomes import Outcome, games_to_win
from events.models import Event, Match, Notice, Player, Result, Round, Seat, Stage
from events.queries.decklists import Gaps, gaps_among
from events.services.results import keep_result
from events.services.transaction import Actor, Change, Command, EventTransaction, event_transaction

LOST = "No legal decklist before round 1: a match loss, as this event has it."


def change_decklist_rules(
    *, event_id: int, actor: Actor, mode: str, without: str = "wait", command: Command | None = None
) -> Change:
    """Say whether decklists are asked for, and what becomes of who has none; until the event starts. What was handed
    in stays.

    Raises DomainError "decklist.mode", "decklist.without", "decklist.no_round_to_lose" (the first rounds are no duels
    that count in standings), Conflict "event.started".
    """
    if mode not in MODES:
        raise DomainError("decklist.mode", "Choose whether decklists are needed, welcome or not asked for.")
    if without not in WITHOUT:
        raise DomainError("decklist.without", "Choose what becomes of players without a decklist.")
    with event_transaction(event_id, actor=actor, command=command) as tx:
        event = tx.event
        if event.state != Event.State.REGISTRATION:
            raise Conflict(
                "event.started", "What is asked for is settled once the event has started.", {"state": event.state}
            )
        first = event.stages.filter(kind__in=Stage.PLAYED).order_by("number").first()
        if without == "loss" and (first is None or first.kind != Stage.Kind.SWISS):
            raise DomainError(
                "decklist.no_round_to_lose",
                "Only a Swiss round of two players can be lost for want of a decklist. Wait for them, or drop them.",
            )
        wanted = DecklistRules(mode, without)  # type: ignore[arg-type]  # both are among the words above
        if decklist_rules(event.rules) != wanted:
            event.rules["decklist"] |= wanted.as_json()
            event.save(update_fields=["rules"])
            tx.log("decklists.rules", {"mode": mode, "without": without})
        return tx.done(mode=mode, without=without)


def playing_without(event: Event) -> Gaps:
    """Who plays and has no decklist that may be played, where the event requires one. 2 queries, or none."""
    if not decklist_rules(event.rules).requires:
        return Gaps()
    return gaps_among(event, list(event.players.filter(state=Player.State.CHECKED_IN).order_by("pk")))


def settle_gaps(tx: EventTransaction) -> None:
    """Before a round can be made: drops who has no list where the event has it so. Raises as ``refuse_gaps``."""
    drop_without(tx, list(tx.event.players.filter(state=Player.State.CHECKED_IN).order_by("pk")))
    refuse_gaps(tx.event)


def drop_without(tx: EventTransaction, players: Sequence[Player]) -> list[Player]:
    """Those of ``players`` who are dropped for want of a decklist, marked and saved; nobody where the event does not
    have it so. As with every drop, staff can take it back until a round is paired."""
    rules = decklist_rules(tx.event.rules)
    if not rules.requires or rules.without != "drop":
        return []
    gone = sorted(gaps_among(tx.event, players).players, key=lambda player: player.pk)
    for player in gone:
        player.state, player.dropped_after_round = Player.State.DROPPED, 0
    if gone:
        Player.objects.bulk_update(gone, ["state", "dropped_after_round"])
        ids = [player.pk for player in gone]
        tx.log("decklists.dropped", {"players": ids})
        tx.tell(Notice.PLAYER_DROPPED, {"players": ids, "why": "decklist"})
    return gone


def refuse_gaps(event: Event) -> None:
    """Raises Conflict "event.decklists_missing" while somebody who plays has no decklist, or an illegal one, unless
    they lose round 1 for it."""
    rules = decklist_rules(event.rules)
    gaps = Gaps() if rules.without == "loss" else playing_without(event)
    if not gaps:
        return
    missing, illegal = ([player.name for player in players] for players in (gaps.missing, gaps.illegal))
    parts = []
    if missing:
        parts.append(f"no decklist from {', '.join(missing)}")
    if illegal:
        parts.append(f"an illegal decklist from {', '.join(illegal)}")
    mend = (
        "Get them in, or discard the draft and pair again: then they are dropped."
        if rules.without == "drop"
        else "Get them in, or drop these players."
    )
    raise Conflict(
        "event.decklists_missing", f"There is {' and '.join(parts)}. {mend}", {"missing": missing, "illegal": illegal}
    )


def lose_without(tx: EventTransaction, round_: Round) -> None:
    """Where the event has it so, whoever has no decklist loses the match of this round; two of them both lose. Who has
    a bye keeps it: there is no match to lose. Staff may enter another result as they may for every match."""
    rules = decklist_rules(tx.event.rules)
    gaps = playing_without(tx.event) if rules.without == "loss" else Gaps()
    without = {player.pk for player in gaps.players}
    if not without:
        return
    matches = round_.matches.filter(seats__player__in=without).exclude(table=None).distinct().order_by("table")
    for match in matches.prefetch_related("seats"):
        seats = sorted(match.seats.all(), key=lambda seat: seat.index)
        _lose(tx, match, seats, [seat.player_id in without for seat in seats])


def _lose(tx: EventTransaction, match: Match, seats: Sequence[Seat], lost: Sequence[bool]) -> None:
    games = games_to_win(tx.event.rules["match"]["best_of"])
    scores: list[dict[str, Any]] = []
    for seat, own in zip(seats, lost, strict=True):
        seat.outcome = Outcome.DOUBLE_LOSS if all(lost) else Outcome.LOSS if own else Outcome.WIN
        seat.game_wins, seat.game_draws = 0 if own else games, 0
        seat.game_losses = games if own and not all(lost) else 0
        scores.append(
            {
                "player": seat.player_id,
                "wins": seat.game_wins,
                "losses": seat.game_losses,
                "draws": 0,
                "outcome": seat.outcome.value,
            }
        )
    Seat.objects.bulk_update(seats, ["outcome", "game_wins", "game_losses", "game_draws"])
    keep_result(tx, match, scores, source=Result.Source.STAFF, reason=LOST)
    match.version += 1
    match.save(update_fields=["state", "version"])


def lost_matches(round_: Round) -> QuerySet[Match]:
    """Those that are decided by a missing decklist alone. 1 query when evaluated."""
    return round_.matches.filter(results__reason=LOST, results__superseded_at=None)


def take_losses_back(tx: EventTransaction, round_: Round) -> None:
    """As the round becomes a draft again: its matches are open, and lost anew only if the lists are missing then."""
    matches = list(lost_matches(round_))
    Result.objects.filter(match__in=matches, superseded_at=None).update(superseded_at=tx.now)
    Seat.objects.filter(match__in=matches).update(outcome=None, game_wins=None, game_losses=None, game_draws=None)
    for match in matches:
        match.state, match.version = Match.State.OPEN, match.version + 1
    Match.objects.bulk_update(matches, ["state", "version"])
