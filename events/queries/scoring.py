"""What the engines need to know, as plain data."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Q
from django.db.models.functions import Coalesce

from events.engine.latecomers import with_missed_rounds
from events.engine.pairing import AvoidMode, Entrants, History, Pair, PairingOptions
from events.engine.standings import StandingRow, StandingsPolicy, policy_of, rank_table
from events.engine.standings_table import ResultTable
from events.engine.stored_results import table_of_seats
from events.engine.swiss_state import swiss_state
from events.engine.tables import FixedSeat, SeatKind
from events.models import Event, Match, Player, Round, Seat, Stage


def standings_policy(event: Event) -> StandingsPolicy:
    """The event's scoring, from its own copy of the policy. No query."""
    return policy_of(event.rules)


def result_table(event: Event, *, up_to: int | None = None, entered_by: int | None = None) -> ResultTable:
    """Everybody who has been in the event, dropped or not, and the confirmed results of the rounds that count in
    standings, up to and with round ``up_to`` of the event. Rounds that a latecomer missed are missed there, too. Who
    came in for a round after ``entered_by`` is left out. 2 queries, no object for a player or a seat."""
    people = event.players.filter(lot__gt=0).order_by("pk").values_list("pk", "lot", "state", "late_entries")
    players = [(pk, lot, state == Player.State.DROPPED, late) for pk, lot, state, late in people]
    seats = Seat.objects.filter(
        round__event=event, match__state=Match.State.CONFIRMED, round__stage__kind__in=Stage.RANKED
    )
    if up_to is not None:
        seats = seats.filter(round__sequence__lte=up_to)
    # Aggregates of one SELECT are fed the same rows in the same order, so that the columns stay side by side.
    found = seats.order_by().aggregate(
        player=ArrayAgg("player_id"),
        match=ArrayAgg("match_id"),
        round=ArrayAgg("round__sequence"),
        outcome=ArrayAgg("outcome"),
        side=ArrayAgg("side"),
        **{name: ArrayAgg(Coalesce(name, 0)) for name in ("game_wins", "game_losses", "game_draws")},
    )
    columns = {name: column or [] for name, column in found.items()}
    late = {pk: entries for pk, _, _, entries in players if entries}
    if late:
        out = with_missed_rounds(late, columns, up_to=up_to, entered_by=entered_by)
        players = [player for player in players if player[0] not in out]
    ids, lots, dropped, _ = zip(*players, strict=True) if players else ((), (), (), ())
    return table_of_seats(ids=ids, lots=lots, dropped=dropped, seats=columns)


def started_players(event: Event) -> list[Player]:
    """Everybody who has been in the event, dropped or not. 1 query."""
    return list(event.players.filter(lot__gt=0).order_by("pk"))


def current_standings(event: Event, *, up_to: int | None = None) -> list[StandingRow]:
    """Standings recomputed from the results; after round ``up_to`` of those who had come in by then. 2 queries."""
    return rank_table(result_table(event, up_to=up_to, entered_by=up_to), standings_policy(event)).rows()


def pairing_state(event: Event, avoid: Collection[Pair] = (), *, up_to: int | None = None) -> tuple[Entrants, History]:
    """Who is to be paired in the next Swiss round, and every meeting so far, or up to and with round ``up_to`` of the
    event. ``avoid`` are players to be kept apart, by id. 3 queries."""
    table = result_table(event, up_to=up_to)
    checked_in = event.players.filter(state=Player.State.CHECKED_IN).values_list("pk", flat=True)
    pairs = np.array(sorted(avoid), np.int64).reshape(-1, 2)
    rows = np.searchsorted(table.ids, pairs[np.isin(pairs, table.ids).all(axis=1)])
    return swiss_state(table, standings_policy(event), np.isin(table.ids, list(checked_in)), rows)


@dataclass(frozen=True)
class Wishes:
    """What is known of players beside their results: ``apart`` are pairs of ids, ``awarded`` have an assigned bye in
    the round, ``seats`` are fixed tables."""

    apart: frozenset[Pair]
    options: PairingOptions
    awarded: tuple[int, ...]
    seats: tuple[FixedSeat, ...]


def wishes_of(event: Event, *, sequence: int) -> Wishes:
    """For the round ``sequence`` of the event. Team-mates and soft avoidances are wishes, and stand back where one
    avoidance is strict: the engine weighs all of a round alike. 2 queries."""
    avoidances = list(event.avoidances.values_list("one_id", "other_id", "is_strict"))
    strict = any(is_strict for _, _, is_strict in avoidances)
    apart = {(one, other) for one, other, is_strict in avoidances if is_strict or not strict}
    teams: dict[int, list[int]] = {}
    awarded, seats = [], []
    facts = event.players.filter(
        Q(team__isnull=False) | Q(assigned_byes__gte=sequence) | Q(fixed_table__isnull=False),
        state=Player.State.CHECKED_IN,
    )
    for pk, team, byes, table, kind in facts.order_by("pk").values_list(
        "pk", "team_id", "assigned_byes", "fixed_table", "fixed_table_kind"
    ):
        if team is not None:
            teams.setdefault(team, []).append(pk)
        if byes >= sequence:
            awarded.append(pk)
        if table is not None:
            seats.append(FixedSeat(pk, table, SeatKind(kind or SeatKind.ACCESSIBILITY)))
    if not strict:
        apart |= {pair for members in teams.values() for pair in combinations(members, 2)}
    mode = AvoidMode.STRICT if strict else AvoidMode.SOFT
    return Wishes(frozenset(apart), PairingOptions(mode), tuple(awarded), tuple(seats))


def missing_results(round_: Round) -> list[Match]:
    """Matches of the round without a confirmed result, by table. 2 queries."""
    return list(
        round_.matches.filter(~Q(state=Match.State.CONFIRMED)).prefetch_related("seats__player").order_by("table")
    )
