from __future__ import annotations

import random
from collections import Counter

import pytest

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.pairing import PairingOptions
from events.engine.pairing_model import Reason
from events.engine.team_rounds import PastMatch, Team, pair_teams

TEAMS = [Team(number, (10 * number, 10 * number + 1)) for number in range(1, 9)]


def _stream(label: object) -> Stream:
    return Stream(b"teams", str(label))


def test_teams_meet_by_the_sum_of_their_members_points() -> None:
    points = {player: 3 for team in TEAMS[:4] for player in team.members} | {80: 3, 50: 6, 51: 0}
    teams = pair_teams(TEAMS, points, [], PairingOptions(), _stream(1))
    strong = {frozenset(match.sides) for match in teams.matches if set(match.sides) <= {1, 2, 3, 4, 5}}
    assert len(strong) == 2
    assert teams.bye is None
    assert teams == pair_teams(TEAMS[::-1], points, [], PairingOptions(), _stream(1))


def test_nobody_meets_again_and_sides_stay_even_over_seven_rounds() -> None:
    rng = random.Random(1)
    points: Counter[int] = Counter()
    history: list[PastMatch] = []
    for number in range(7):
        found = pair_teams(TEAMS, points, history, PairingOptions(), _stream(number))
        for match in found.matches:
            history.append(PastMatch(*match.sides))
            winner = TEAMS[rng.choice(match.sides) - 1]
            points.update(dict.fromkeys(winner.members, 3))
    assert set(Counter(frozenset((match.first, match.second)) for match in history).values()) == {1}
    balance = Counter(match.first for match in history)
    assert all(abs(2 * balance[team.id] - 7) <= 3 for team in TEAMS)
    assert sum((2 * balance[team.id] - 7) ** 2 for team in TEAMS) <= 16


@pytest.mark.parametrize(
    ("history", "first", "why"),
    [
        ([PastMatch(1, 3), PastMatch(4, 2)], 2, "less_often_on_side"),
        ([PastMatch(3, 1), PastMatch(2, 4)], 1, "less_often_on_side"),
        ([PastMatch(1, 3), PastMatch(3, 1), PastMatch(4, 2), PastMatch(2, 4)], 1, "other_side_last"),
    ],
)
def test_the_team_with_fewer_turns_on_the_first_side_gets_it(history: list[PastMatch], first: int, why: str) -> None:
    for number in range(5):
        (match,) = pair_teams(TEAMS[:2], {}, history, PairingOptions(), _stream(number)).matches
        assert match.sides[0] == first
        assert match.reasons[-1] == Reason(why, {"team": first})


def test_level_teams_draw_for_sides() -> None:
    firsts = Counter(
        pair_teams(TEAMS[:2], {}, [], PairingOptions(), _stream(number)).matches[0].sides[0] for number in range(60)
    )
    assert min(firsts[1], firsts[2]) > 15


def test_odd_teams_have_a_bye_and_no_player_is_in_two() -> None:
    assert pair_teams(TEAMS[:3], {10: 3, 20: 3}, [], PairingOptions(), _stream(1)).bye == 3
    with pytest.raises(DomainError) as refused:
        pair_teams([Team(1, (1, 2)), Team(2, (2, 3))], {}, [], PairingOptions(), _stream(1))
    assert refused.value.code == "teams.shared_player"
