from __future__ import annotations

import random
from itertools import product

from events.engine.standings import StandingsPolicy
from events.engine.whatif_bounds import Later, Rivals, later_rounds
from events.engine.whatif_model import OpenMatch

ENDS = ((3, 0), (0, 3), (1, 1))


def most_by_trying(
    points: dict[int, int], matches: list[OpenMatch], later: Later, player: int, opponent_end: int, target: int
) -> int:
    """Every end of the other matches; then the later points go to those who lack least."""
    own = next((match for match in matches if player in match.players), None)
    others = [match for match in matches if match is not own]
    best = 0
    for ends in product(ENDS, repeat=len(others)):
        after = dict(points)
        for match, end in zip(others, ends, strict=True):
            for one, gain in zip(match.players, end, strict=True):
                if one in after:
                    after[one] += gain
        if own is not None:
            opponent = own.b if player == own.a else own.a
            if opponent in after:
                after[opponent] += opponent_end
        del after[player]
        lacks = sorted(max(target - own_points, 0) for own_points in after.values())
        budget, reached = later.pool - later.least, 0
        for lack in lacks:
            budget -= lack
            if lack > later.most or budget < 0:
                break
            reached += 1
        best = max(best, reached)
    return best


def test_never_fewer_are_counted_than_can_come_level_and_seldom_more() -> None:
    more = 0
    for seed in range(600):
        draw = random.Random(seed)
        points = {player: draw.choice((0, 1, 3, 3, 4, 6, 6, 9)) for player in range(1, draw.randint(3, 9))}
        seats = draw.sample(sorted(points), len(points) // 2 * 2)
        matches = [OpenMatch(1, a, b) for a, b in zip(seats[::2], seats[1::2], strict=True)][: draw.randint(0, 4)]
        later = Later(0, draw.choice((0, 3, 6)), draw.choice((0, 3, 6, 9, 12)))
        if draw.random() < 0.3:
            del points[seats[0]]
        player, target = draw.choice(sorted(points)), draw.randint(1, 14)
        gain = draw.choice((0, 1, 3))
        found = Rivals(points, matches, ENDS, later).most_later_but(player, gain, target)
        truth = most_by_trying(points, matches, later, player, gain, target)
        assert found >= truth, f"seed {seed}"
        more += found - truth
    assert more <= 30


def test_later_rounds_bring_what_matches_and_byes_bring() -> None:
    policy = StandingsPolicy(win=3, draw=1, loss=0, bye=3)
    assert later_rounds(policy, 2, 8, draws=True) == Later(0, 6, 24)
    assert later_rounds(policy, 1, 5, draws=True) == Later(0, 3, 9)
    assert later_rounds(StandingsPolicy(win=2, draw=2, loss=1), 1, 4, draws=True) == Later(1, 2, 8)
    assert later_rounds(policy, 0, 8, draws=True) == Later(0, 0, 0)
