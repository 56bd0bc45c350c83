"""Rounds of team games: which teams meet, who plays which side, and the order of turns."""

from __future__ import annotations

from cards.engine.streams import Stream
from config.errors import Conflict, DomainError
from events.engine.fairness import pairing_label
from events.engine.pairing import Entrant, PairingOptions
from events.engine.plan_check import verify_plan
from events.engine.sides import seat_sides
from events.engine.team_rounds import pair_teams
from events.models import Round, RoundPlan, Stage
from events.queries.sides import past_matches, teams_to_pair
from events.services.pairing import Seating, store_seatings
from events.services.transaction import EventTransaction


def check_sides(stage: Stage) -> None:
    """Raises DomainError "teams.two_sides": more cannot be paired."""
    if len(stage.config["sides"]) != 2:
        raise DomainError("teams.two_sides", "Team games are paired for two sides. Change the template's sides.")


def pair_sides(tx: EventTransaction, stage: Stage, round_: Round) -> None:
    """Pair the teams, give them sides and seats, and store the round with its plan; every player of a team that meets
    nobody has a bye. Raises as ``teams_to_pair``; Conflict "round.too_few_players", "round.plan_does_not_hold".
    """
    sides = stage.config["sides"]
    teams, points = teams_to_pair(tx.event, stage)
    if len(teams) < 2:
        raise Conflict("round.too_few_players", "A round needs at least two teams who are still in the event.")
    history = past_matches(tx.event, sides)
    label = pairing_label(stage.number, round_.number)
    rng = Stream(bytes(tx.event.secret), label)
    plan = pair_teams(teams, points, history, PairingOptions(), rng)
    entrants = [
        Entrant(team.id, sum(points[player] for player in team.members), team.byes, team.paired_down, team.paired_up)
        for team in teams
    ]
    met = [(match.first, match.second) for match in history]
    pairs = [(pair.a, pair.b) for pair in plan.pairing.pairs]
    faults = verify_plan(entrants, met, PairingOptions(), plan.pairing, pairs).faults
    if faults:
        raise Conflict(
            "round.plan_does_not_hold",
            f"Round {round_.sequence} was not drafted: the pairing failed the check that every pairing has to pass. "
            "Send the event's log to whoever runs this site.",
            {"round": round_.sequence, "faults": [fault.as_json() for fault in faults]},
        )
    members = {team.id: team.members for team in teams}
    seatings = []
    for number, match in enumerate(plan.matches, 1):
        by_side = {side: members[team] for side, team in zip(sides, match.sides, strict=True)}
        side_of = {player: side for side, players in by_side.items() for player in players}
        players = seat_sides(by_side, rng).players
        reasons = [reason.as_json() for reason in match.reasons]
        seatings.append(Seating(players, number, reasons, sides=tuple(side_of[player] for player in players)))
    if plan.bye is not None:
        why = [reason.as_json() for reason in plan.pairing.bye_reasons]
        seatings += [Seating((player,), None, why) for player in members[plan.bye]]
    content = {
        "kind": stage.kind,
        "label": label,
        "sides": sides,
        "teams": [[team.id, list(team.members), team.byes, team.paired_down, team.paired_up] for team in teams],
        "points": sorted(points.items()),
    }
    RoundPlan.objects.create(round=round_, content=content, history=met)
    store_seatings(tx, round_, seatings)
