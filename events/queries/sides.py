"""What the engine of team games needs to know, as plain data."""

from __future__ import annotations

from typing import Any

from config.errors import Conflict
from events.engine.team_rounds import PastMatch, Team
from events.models import Event, Player, Round, Seat, Stage
from events.queries.scoring import pairing_state


def team_of_player(event: Event) -> dict[int, int]:
    """The team of everybody who started, called by the lowest id of its players; without a team everybody is one of
    their own. 1 query."""
    rows = event.players.filter(lot__gt=0).order_by("pk").values_list("pk", "team_id")
    first: dict[int, int] = {}
    return {pk: pk if team is None else first.setdefault(team, pk) for pk, team in rows}


def teams_to_pair(event: Event, stage: Stage) -> tuple[list[Team], dict[int, int]]:
    """Who plays for which team next, and the points of every player. 4 queries.

    Raises Conflict "teams.sizes" (with the players by size) unless all teams have as many, one of the sizes that the
    stage allows.
    """
    team_of = team_of_player(event)
    entrants, _ = pairing_state(event)
    members: dict[int, list[Any]] = {}
    for entrant in entrants.single():
        members.setdefault(team_of[entrant.id], []).append(entrant)
    sizes = {len(team) for team in members.values()}
    allowed = stage.config["players_per_side"]
    if len(sizes) > 1 or not sizes <= set(allowed):
        by_size = {str(size): [team for team in members if len(members[team]) == size] for size in sorted(sizes)}
        names = dict(Player.objects.filter(pk__in=members).values_list("pk", "name"))
        shown = "; ".join(f"{size}: {', '.join(names[team] for team in found)}" for size, found in by_size.items())
        raise Conflict(
            "teams.sizes",
            f"All teams need as many players, {' or '.join(map(str, allowed))}. Teams by size, called by a player: "
            f"{shown}. Change teams, or drop players.",
            {"teams": by_size, "allowed": allowed},
        )
    teams = [
        Team(
            team,
            tuple(entrant.id for entrant in found),
            byes=found[0].byes,
            paired_down=found[0].paired_down,
            paired_up=found[0].paired_up,
        )
        for team, found in sorted(members.items())
    ]
    return teams, {entrant.id: entrant.points for found in members.values() for entrant in found}


def past_matches(event: Event, sides: list[str]) -> list[PastMatch]:
    """Team games so far, in order, each with its teams by side. 2 queries."""
    team_of = team_of_player(event)
    seats = Seat.objects.filter(
        round__event=event, round__state=Round.State.COMPLETE, round__stage__kind=Stage.Kind.TEAMS
    ).exclude(side="")
    played: dict[int, dict[str, int]] = {}
    for match, side, player in seats.order_by("match_id", "index").values_list("match_id", "side", "player_id"):
        played.setdefault(match, {})[side] = team_of[player]
    return [PastMatch(teams[sides[0]], teams[sides[1]]) for teams in played.values()]
