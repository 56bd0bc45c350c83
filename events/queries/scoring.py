"""What the engines need to know, as plain data."""

from __future__ import annotations

from django.db.models import Q

from events.engine.outcomes import GameScore, Outcome
from events.engine.pairing import Entrant, Pair
from events.engine.standings import PlayerEntry, Result, StandingRow, StandingsPolicy, policy_of, standings
from events.models import Event, Match, Player, Round, Stage


def standings_policy(event: Event) -> StandingsPolicy:
    """The event's scoring, from its own copy of the policy. No query."""
    return policy_of(event.rules)


def swiss_results(event: Event, *, up_to: int | None = None) -> list[Result]:
    """Confirmed results of the Swiss rounds, up to and with round ``up_to`` of the event. 2 queries."""
    matches = (
        Match.objects.filter(event=event, state=Match.State.CONFIRMED, round__stage__kind=Stage.Kind.SWISS)
        .select_related("round")
        .prefetch_related("seats")
        .order_by("round__sequence", "pk")
    )
    if up_to is not None:
        matches = matches.filter(round__sequence__lte=up_to)
    return [_result(match) for match in matches]


def _result(match: Match) -> Result:
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    first = seats[0]
    games = GameScore(first.game_wins or 0, first.game_losses or 0, first.game_draws or 0)
    if len(seats) == 1:
        return Result(match.round.sequence, first.player_id, None, Outcome(first.outcome or ""), None, games)
    second = seats[1]
    return Result(
        match.round.sequence,
        first.player_id,
        second.player_id,
        Outcome(first.outcome or ""),
        Outcome(second.outcome or ""),
        games,
    )


def started_players(event: Event) -> list[Player]:
    """Everybody who was in the event when it started, dropped or not. 1 query."""
    return list(event.players.filter(lot__gt=0).order_by("pk"))


def current_standings(event: Event, *, up_to: int | None = None) -> list[StandingRow]:
    """Standings recomputed from the results. 3 queries."""
    players = started_players(event)
    results = swiss_results(event, up_to=up_to)
    return rank_players(players, results, event)


def rank_players(players: list[Player], results: list[Result], event: Event) -> list[StandingRow]:
    """No query."""
    entries = [
        PlayerEntry(id=player.pk, dropped=player.state == Player.State.DROPPED, lot=player.lot) for player in players
    ]
    return standings(entries, results, standings_policy(event))


def pairing_state(event: Event) -> tuple[list[Entrant], list[Pair]]:
    """Who is to be paired in the next Swiss round, and every meeting so far. 3 queries."""
    players = started_players(event)
    results = swiss_results(event)
    rows = {row.player: row for row in rank_players(players, results, event)}
    points: dict[int, int] = {player.pk: 0 for player in players}
    down: dict[int, int] = dict.fromkeys(points, 0)
    up: dict[int, int] = dict.fromkeys(points, 0)
    policy = standings_policy(event)
    history: list[Pair] = []
    for result in results:  # by round: what a player had when they were paired decides whether it was a float
        if result.b is not None:
            history.append((result.a, result.b))
            if points[result.a] != points[result.b]:
                high, low = sorted((result.a, result.b), key=lambda player: -points[player])
                down[high] += 1
                up[low] += 1
        points[result.a] += policy.points(result.outcome_a)
        if result.b is not None and result.outcome_b is not None:
            points[result.b] += policy.points(result.outcome_b)
    entrants = [
        Entrant(
            id=player.pk,
            points=int(rows[player.pk].values["match_points"]),
            byes=rows[player.pk].record.byes,
            paired_down=down[player.pk],
            paired_up=up[player.pk],
        )
        for player in players
        if player.state == Player.State.CHECKED_IN
    ]
    return entrants, history


def missing_results(round_: Round) -> list[Match]:
    """Matches of the round without a confirmed result, by table. 2 queries."""
    return list(
        round_.matches.filter(~Q(state=Match.State.CONFIRMED)).prefetch_related("seats__player").order_by("table")
    )
