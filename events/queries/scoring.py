"""What the engines need to know, as plain data."""

from __future__ import annotations

import numpy as np
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Q
from django.db.models.functions import Coalesce

from events.engine.pairing import Entrants, History
from events.engine.standings import StandingRow, StandingsPolicy, policy_of, rank_table
from events.engine.standings_table import ResultTable
from events.engine.stored_results import table_of_seats
from events.engine.swiss_state import swiss_state
from events.models import Event, Match, Player, Round, Seat, Stage


def standings_policy(event: Event) -> StandingsPolicy:
    """The event's scoring, from its own copy of the policy. No query."""
    return policy_of(event.rules)


def result_table(event: Event, *, up_to: int | None = None) -> ResultTable:
    """Everybody who was in the event when it started, dropped or not, and the confirmed results of the rounds that
    count in standings, up to and with round ``up_to`` of the event. 2 queries, no object for a player or a seat."""
    started = event.players.filter(lot__gt=0).order_by("pk").values_list("pk", "lot", "state")
    players = [(pk, lot, state == Player.State.DROPPED) for pk, lot, state in started]
    ids, lots, dropped = zip(*players, strict=True) if players else ((), (), ())
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
    return table_of_seats(ids=ids, lots=lots, dropped=dropped, seats=columns)


def started_players(event: Event) -> list[Player]:
    """Everybody who was in the event when it started, dropped or not. 1 query."""
    return list(event.players.filter(lot__gt=0).order_by("pk"))


def current_standings(event: Event, *, up_to: int | None = None) -> list[StandingRow]:
    """Standings recomputed from the results. 2 queries."""
    return rank_table(result_table(event, up_to=up_to), standings_policy(event)).rows()


def pairing_state(event: Event) -> tuple[Entrants, History]:
    """Who is to be paired in the next Swiss round, and every meeting so far. 3 queries."""
    table = result_table(event)
    checked_in = event.players.filter(state=Player.State.CHECKED_IN).values_list("pk", flat=True)
    return swiss_state(table, standings_policy(event), np.isin(table.ids, list(checked_in)))


def missing_results(round_: Round) -> list[Match]:
    """Matches of the round without a confirmed result, by table. 2 queries."""
    return list(
        round_.matches.filter(~Q(state=Match.State.CONFIRMED)).prefetch_related("seats__player").order_by("table")
    )
