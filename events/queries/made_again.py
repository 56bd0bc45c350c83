"""Rounds that are not Swiss, made once more from their seed and the results before them."""

from __future__ import annotations

from cards.engine.streams import Stream
from events.engine.multiplayer import TableEntrant, plan_tables
from events.engine.pairing import PairingOptions
from events.engine.round_robin import present_round
from events.engine.sides import seat_sides
from events.engine.team_rounds import PastMatch, Team, pair_teams
from events.models import Event, Round, Stage
from events.queries.brackets import matches_to_play
from events.queries.multiplayer import tables_options


def made_again(event: Event, round_: Round) -> list[tuple[int, ...]]:
    """The players of every match in the order of their seats, sorted. Queries grow with nothing but the kind."""
    match round_.stage.kind:
        case Stage.Kind.SINGLE_ELIMINATION:
            return sorted(match.players for match in matches_to_play(round_.stage, round_.number))
        case Stage.Kind.ROUND_ROBIN:
            stored = round_.plan.content
            made = present_round(stored["order"], round_.number, set(stored["there"]))
            return sorted([*made.pairs, *((player,) for player, _ in made.byes)])
        case Stage.Kind.TABLES:
            return _tables(event, round_)
        case Stage.Kind.TEAMS:
            return _sides(event, round_)
    raise ValueError(f"nothing is known of rounds of {round_.stage.kind}")


def _tables(event: Event, round_: Round) -> list[tuple[int, ...]]:
    stored = round_.plan.content
    entrants = [
        TableEntrant(player, points, byes, frozenset(avoid)) for player, points, byes, avoid in stored["entrants"]
    ]
    stream = Stream(bytes(event.secret), stored["label"])
    plan = plan_tables(entrants, round_.plan.history, tables_options(round_.stage), stream)
    return sorted([table.players for table in plan.tables] + [(player,) for player in plan.left_over])


def _sides(event: Event, round_: Round) -> list[tuple[int, ...]]:
    stored = round_.plan.content
    teams = [Team(team, tuple(members), *counts) for team, members, *counts in stored["teams"]]
    history = [PastMatch(first, second) for first, second in round_.plan.history]
    rng = Stream(bytes(event.secret), stored["label"])
    plan = pair_teams(teams, dict(stored["points"]), history, PairingOptions(), rng)
    members = {team.id: team.members for team in teams}
    made = []
    for match in plan.matches:
        by_side = {side: members[team] for side, team in zip(stored["sides"], match.sides, strict=True)}
        made.append(seat_sides(by_side, rng).players)
    return sorted(made + [(player,) for player in members.get(plan.bye or 0, ())])
