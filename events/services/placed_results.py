"""Results of games that no score of two players tells: tables with places, and games of sides. Staff enter them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from config.errors import DomainError
from events.engine.melee import Kind, Sheet, place_melee
from events.engine.outcomes import Outcome
from events.engine.placings import outcomes_by_place
from events.models import Match, Result, Seat, Stage
from events.services.results import Table, check_reason, keep_result, lock_match
from events.services.transaction import Actor, Change, Command, EventTransaction, event_transaction

MELEE = "epic-melee"
"""The game whose sheets are counted here."""


def decide_table(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    places: Mapping[int, int],
    reason: str = "",
    match_version: int | None = None,
    command: Command | None = None,
) -> Change:
    """The places of a table, by player; who are level share one. The first has won, several firsts have drawn, and
    everybody else has lost: that makes the points. A result that is there already needs a reason to be replaced.

    Raises as ``decide_result``; DomainError "match.not_a_table", "placings.players", "placings.impossible".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        table = _locked(tx, match_id, match_version, reason, Stage.Kind.TABLES)
        _place(tx, table, places, {}, reason)
        return _done(tx, table.match)


def decide_melee(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    sheets: Sequence[Sheet],
    reason: str = "",
    match_version: int | None = None,
    command: Command | None = None,
) -> Change:
    """The score sheets of a table of Epic Melee; places follow from them.

    Raises as ``decide_table`` and ``place_melee``; DomainError "melee.other_game".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        if tx.event.game.slug != MELEE:
            raise DomainError("melee.other_game", "Score sheets are for Epic Melee. Enter places instead.")
        table = _locked(tx, match_id, match_version, reason, Stage.Kind.TABLES)
        _refuse_others(table, [sheet.player for sheet in sheets])
        sizes = table.match.round.stage.config
        placed = place_melee(sheets, players=range(sizes["min_players"], sizes["max_players"] + 1))
        stored = {sheet.player: _stored(sheet) for sheet in sheets}
        _place(tx, table, {row.player: row.place for row in placed}, stored, reason)
        return _done(tx, table.match)


def decide_sides(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    winner: str,
    reason: str = "",
    match_version: int | None = None,
    command: Command | None = None,
) -> Change:
    """Which side has won, or "" for a tie.

    Raises as ``decide_result``; DomainError "match.not_of_sides", "sides.unknown", "outcome.draws_not_allowed".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        table = _locked(tx, match_id, match_version, reason, Stage.Kind.TEAMS)
        sides = sorted({seat.side for seat in table.seats})
        if winner and winner not in sides:
            raise DomainError("sides.unknown", f"The sides are {' and '.join(sides)}.", {"sides": sides})
        if not winner and not tx.event.rules["match"]["draws"]:
            raise DomainError("outcome.draws_not_allowed", "This event has no drawn matches. Enter the side that won.")
        for seat in table.seats:
            seat.outcome = Outcome.DRAW if not winner else Outcome.WIN if seat.side == winner else Outcome.LOSS
        Seat.objects.bulk_update(table.seats, ["outcome"])
        scores = [{"player": seat.player_id, "side": seat.side, "outcome": seat.outcome} for seat in table.seats]
        keep_result(tx, table.match, scores, source=Result.Source.STAFF, reason=reason.strip())
        return _done(tx, table.match)


def _locked(tx: EventTransaction, match_id: int, match_version: int | None, reason: str, kind: Stage.Kind) -> Table:
    table = lock_match(tx, match_id, match_version)
    if table.match.round.stage.kind != kind:
        code, words = {
            Stage.Kind.TABLES: ("match.not_a_table", "This match has no places. Enter its score or its side."),
            Stage.Kind.TEAMS: ("match.not_of_sides", "This match has no sides. Enter its score or its places."),
        }[kind]
        raise DomainError(code, words, {"match": match_id})
    check_reason(table.match, reason)
    return table


def _refuse_others(table: Table, players: Sequence[int]) -> None:
    seated = [seat.player_id for seat in table.seats]
    if sorted(players) != sorted(seated):
        raise DomainError(
            "placings.players",
            "Enter every player of the table, each once, and nobody else.",
            {"seated": seated, "entered": sorted(players)},
        )


def _place(
    tx: EventTransaction, table: Table, places: Mapping[int, int], sheets: Mapping[int, dict[str, Any]], reason: str
) -> None:
    _refuse_others(table, list(places))
    outcomes = outcomes_by_place(places)
    for seat in table.seats:
        seat.place, seat.outcome = places[seat.player_id], outcomes[seat.player_id]
        seat.sheet = sheets.get(seat.player_id)
    Seat.objects.bulk_update(table.seats, ["place", "outcome", "sheet"])
    scores = []
    for seat in sorted(table.seats, key=lambda seat: (seat.place or 0, seat.index)):
        score = {"player": seat.player_id, "place": seat.place, "outcome": seat.outcome}
        scores.append(score if seat.sheet is None else {**score, "sheet": seat.sheet})
    keep_result(tx, table.match, scores, source=Result.Source.STAFF, reason=reason.strip())


def _stored(sheet: Sheet) -> dict[str, Any]:
    loot = {kind.value: [sheet.loot(kind).tokens, sheet.loot(kind).value] for kind in Kind}
    return {**loot, "symbols": dict(sheet.symbols), "total": sheet.total}


def _done(tx: EventTransaction, match: Match) -> Change:
    match.version += 1
    match.save(update_fields=["state", "version"])
    return tx.done(match=match.pk, state=match.state, match_version=match.version)
