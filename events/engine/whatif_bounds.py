"""How many others can, and how many must, reach a number of points: counts that hold whatever comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from events.engine.standings import StandingsPolicy
from events.engine.whatif_model import OpenMatch

Ends = tuple[tuple[int, int], ...]
"""What both players of a match can get from it: points of ``a`` and of ``b``."""


@dataclass(frozen=True, slots=True)
class Later:
    """What rounds not yet paired can bring. ``each`` player gets between ``least`` and ``most`` of all of them; all
    players together at most ``pool``."""

    least: int
    most: int
    pool: int


def later_rounds(policy: StandingsPolicy, rounds: int, players: int, *, draws: bool) -> Later:
    """Every player plays or has the bye, one at most a round; nobody leaves."""
    odd = players % 2
    single = [policy.win, policy.loss] + ([policy.draw] if draws else []) + ([policy.bye] if odd else [])
    match = max(policy.win + policy.loss, 2 * policy.draw if draws else 0)
    return Later(rounds * min(single), rounds * max(single), rounds * (players // 2 * match + odd * policy.bye))


class Rivals:
    """Everybody who competes for the cut, with the open matches among them.

    The open matches do not depend on each other, because everybody is in one at most: the extremes over all their ends
    are sums of the extremes of each. Players who left are in ``points`` no more; a match of theirs brings the opponent
    points all the same.
    """

    def __init__(self, points: Mapping[int, int], matches: Sequence[OpenMatch], ends: Ends, later: Later) -> None:
        self.points = points
        self.ends = ends
        self.later = later
        self.match_of = {player: match for match in matches for player in match.players}
        self.matches = list(matches)
        self.others = [own for player, own in points.items() if player not in self.match_of]
        self.most = cache(self._most)
        self.fewest = cache(self._fewest)
        self._rises = cache(self._all_rises)

    def most_but(self, player: int, opponent_end: int | None, target: int) -> int:
        """How many others can reach ``target`` in the open matches."""
        match = self.match_of.get(player)
        if match is None:
            return self.most(target) - (self.points[player] >= target)
        return (
            self.most(target) - max(self._counts(match, target)) + self._opponent(match, player, opponent_end, target)
        )

    def fewest_but(self, player: int, opponent_end: int | None, target: int) -> int:
        """How many others must reach ``target`` in the open matches."""
        match = self.match_of.get(player)
        if match is None:
            return self.fewest(target) - (self.points[player] >= target)
        least = min(self._counts(match, target))
        return self.fewest(target) - least + self._opponent(match, player, opponent_end, target)

    def most_later_but(self, player: int, opponent_end: int | None, target: int) -> int:
        """How many others can reach ``target`` by the end of the later rounds: never fewer than really can.

        The points still to be had are shared out to those who lack least. Of a match, one may come in at what one
        lacks, and the other at what both then lack more: in whichever order they are counted, their sum is what a real
        end costs at least.
        """
        own = self.match_of.get(player)
        reached, rises = self._rises(target)
        budget = self.later.pool - self.later.least
        if own is None:
            lacks = self._lack(self.points[player], target)
            drop = None if lacks is None or lacks <= 0 else lacks
            reached -= lacks is not None and lacks <= 0
        else:
            drop = None
            reached -= self._free(own, target)
            opponent = own.b if player == own.a else own.a
            if opponent in self.points and opponent_end is not None:
                lacks = self._lack(self.points[opponent] + opponent_end, target)
                if lacks is not None and lacks <= 0:
                    reached += 1
                elif lacks is not None and lacks <= budget:
                    # Whoever else comes in, this one takes a place in the queue at its own price.
                    rises = sorted((*rises, (lacks, None)), key=lambda rise: rise[0])
        for rise, match in rises:
            if match is own and match is not None:
                continue
            if drop is not None and rise == drop and match is None:
                drop = None
                continue
            budget -= rise
            if budget < 0:
                break
            reached += 1
        return reached

    def _counts(self, match: OpenMatch, target: int) -> list[int]:
        a, b = (self.points.get(player) for player in match.players)
        return [
            (a is not None and a + end_a >= target) + (b is not None and b + end_b >= target)
            for end_a, end_b in self.ends
        ]

    def _most(self, target: int) -> int:
        inside = sum(own >= target for own in self.others)
        return inside + sum(max(self._counts(match, target)) for match in self.matches)

    def _fewest(self, target: int) -> int:
        inside = sum(own >= target for own in self.others)
        return inside + sum(min(self._counts(match, target)) for match in self.matches)

    def _opponent(self, match: OpenMatch, player: int, end: int | None, target: int) -> int:
        opponent = match.b if player == match.a else match.a
        return int(opponent in self.points and end is not None and self.points[opponent] + end >= target)

    def _lack(self, points: int, target: int) -> int | None:
        """Points missing; None when the later rounds cannot bring them."""
        lack = target - points
        return None if lack > self.later.most else lack

    def _needs(self, match: OpenMatch, target: int) -> tuple[int | None, int | None]:
        """What one of a match, and what both, lack at least."""
        one: list[int] = []
        both: list[int] = []
        for end in self.ends:
            lacks = [
                self._lack(self.points[player] + gain, target)
                for player, gain in zip(match.players, end, strict=True)
                if player in self.points
            ]
            possible = [max(lack, 0) for lack in lacks if lack is not None]
            one += possible
            if len(possible) == 2:
                both.append(sum(possible))
        return min(one, default=None), min(both, default=None)

    def _free(self, match: OpenMatch, target: int) -> int:
        one, both = self._needs(match, target)
        return 2 if both == 0 else int(one == 0)

    def _all_rises(self, target: int) -> tuple[int, list[tuple[int, OpenMatch | None]]]:
        """Who reaches ``target`` without later rounds, and what each further one costs, ascending."""
        reached = 0
        rises: list[tuple[int, OpenMatch | None]] = []
        for points in self.others:
            lack = self._lack(points, target)
            if lack is not None and lack <= 0:
                reached += 1
            elif lack is not None:
                rises.append((lack, None))
        for match in self.matches:
            one, both = self._needs(match, target)
            free = self._free(match, target)
            reached += free
            if one is None or free == 2:
                continue
            if free == 1:
                rises += [] if both is None else [(both, match)]
            else:
                rises += [(one, match)] + ([] if both is None else [(both - one, match)])
        return reached, sorted(rises, key=lambda rise: rise[0])
