"""Rounds of fixed teams: who meets whom by the Swiss engine, and which side each team plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.pairing import Entrant, PairingOptions, PairingPlan, pair_round
from events.engine.pairing_model import Reason


@dataclass(frozen=True, slots=True)
class Team:
    """``byes``, ``paired_down`` and ``paired_up`` count earlier rounds."""

    id: int
    members: tuple[int, ...]
    byes: int = 0
    paired_down: int = 0
    paired_up: int = 0


@dataclass(frozen=True, slots=True)
class PastMatch:
    """An earlier match of two teams, the first on the first side of the event (Light), the other on the second."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """``sides`` holds the team on each side, in the order of the event's sides."""

    sides: tuple[int, int]
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class TeamRound:
    matches: tuple[TeamMatch, ...]
    bye: int | None
    pairing: PairingPlan


def pair_teams(
    teams: Iterable[Team],
    points: Mapping[int, int],
    history: Sequence[PastMatch],
    options: PairingOptions,
    rng: Stream,
) -> TeamRound:
    """Pair teams by the sum of their members' match points (``points`` by player), then give each pair its sides.

    Sides come out as even as this pairing allows: the team that has been on the first side less often, compared with
    the second, plays it; if that is level, the one that was on the second side last; then the draw. No tournament rule
    that we know says how; a house setting. Raises DomainError ``teams.shared_player``.
    """
    ordered = sorted(teams, key=lambda team: team.id)
    seen: dict[int, int] = {}
    for team in ordered:
        for player in team.members:
            if player in seen:
                raise DomainError(
                    "teams.shared_player",
                    f"Player {player} is in two teams. Take them out of one.",
                    {"player": player, "teams": [seen[player], team.id]},
                )
            seen[player] = team.id
    entrants = [
        Entrant(
            team.id,
            sum(points.get(player, 0) for player in team.members),
            byes=team.byes,
            paired_down=team.paired_down,
            paired_up=team.paired_up,
        )
        for team in ordered
    ]
    plan = pair_round(entrants, [(match.first, match.second) for match in history], options, rng)
    balance: Counter[int] = Counter()
    last: dict[int, int] = {}
    for match in history:
        balance[match.first] += 1
        balance[match.second] -= 1
        last |= {match.first: 1, match.second: -1}
    matches = []
    for pair in plan.pairs:
        first, why = _first_side(pair.a, pair.b, balance, last, rng)
        second = pair.b if first == pair.a else pair.a
        matches.append(TeamMatch((first, second), (*pair.reasons, Reason(why, {"team": first}))))
    return TeamRound(tuple(matches), plan.bye, plan)


def _first_side(a: int, b: int, balance: Mapping[int, int], last: Mapping[int, int], rng: Stream) -> tuple[int, str]:
    """Which of two teams plays the first side, and why. Every pair by itself: the least sum of squares of the balances
    is that of the pairs."""
    if balance[a] != balance[b]:
        return min(a, b, key=lambda team: balance[team]), "less_often_on_side"
    if last.get(a, 0) != last.get(b, 0):
        return min(a, b, key=lambda team: last.get(team, 0)), "other_side_last"
    return rng.choice((a, b)), "side_by_lot"
