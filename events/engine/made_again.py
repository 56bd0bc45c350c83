"""Rounds of tables, of teams and of a bracket, made once more from their seed and the results before them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cards.engine.streams import Stream
from events.engine.brackets import BracketMatch, first_round, next_round
from events.engine.multiplayer import TableEntrant, TablesOptions, plan_tables
from events.engine.multiplayer_sizes import SizeRules
from events.engine.paired_again import KeptPlan
from events.engine.pairing import PairingOptions
from events.engine.round_robin import present_round
from events.engine.sides import seat_sides
from events.engine.team_rounds import PastMatch, Team, pair_teams


def robin_again(kept: KeptPlan, number: int) -> list[tuple[int, ...]]:
    """The players of every match of round ``number`` of a round robin, and those with a bye; sorted."""
    made = present_round(kept.content["order"], number, set(kept.content["there"]))
    return sorted([*made.pairs, *((player,) for player, _ in made.byes)])


def tables_again(secret: bytes, kept: KeptPlan, config: Mapping[str, Any]) -> list[tuple[int, ...]]:
    """The players of every table in the order of their seats, sorted. ``config`` is the stage's."""
    stored = kept.content
    entrants = [
        TableEntrant(player, points, byes, frozenset(avoid)) for player, points, byes, avoid in stored["entrants"]
    ]
    options = TablesOptions(SizeRules.between(config["min_players"], config["max_players"]))
    plan = plan_tables(entrants, kept.history, options, Stream(secret, stored["label"]))
    return sorted([table.players for table in plan.tables] + [(player,) for player in plan.left_over])


def teams_again(secret: bytes, kept: KeptPlan) -> list[tuple[int, ...]]:
    """The players of every match of two teams in the order of their seats, and of the team with the bye; sorted."""
    stored = kept.content
    teams = [Team(team, tuple(members), *counts) for team, members, *counts in stored["teams"]]
    history = [PastMatch(first, second) for first, second in kept.history]
    rng = Stream(secret, stored["label"])
    plan = pair_teams(teams, dict(stored["points"]), history, PairingOptions(), rng)
    members = {team.id: team.members for team in teams}
    made = []
    for match in plan.matches:
        by_side = {side: members[team] for side, team in zip(stored["sides"], match.sides, strict=True)}
        made.append(seat_sides(by_side, rng).players)
    return sorted(made + [(player,) for player in members.get(plan.bye or 0, ())])


def bracket_again(
    seeds: Sequence[int],
    config: Mapping[str, Any],
    previous: Sequence[BracketMatch] | None,
    winners: Mapping[int, int],
) -> list[tuple[int, ...]]:
    """The players of every match of a round of single elimination, sorted; ``previous`` is None for the first."""
    if previous is None:
        return sorted(match.players for match in first_round(seeds))
    reseed, third_place = (bool(config.get(option)) for option in ("reseed", "third_place"))
    return sorted(match.players for match in next_round(previous, winners, reseed=reseed, third_place=third_place))
