"""What another way of breaking ties would change, before it is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cards.engine.streams import Stream
from events.engine.outcomes import GameScore, Outcome
from events.engine.standings import Ranking, rank_table
from events.engine.standings_model import PlayerEntry, Result, StandingsPolicy, TableResult
from events.engine.standings_table import ResultTable


@dataclass(frozen=True, slots=True)
class Move:
    """A player whose place would be another one. ``gained`` is positive for a better place."""

    player: int
    before: int
    after: int

    @property
    def gained(self) -> int:
        return self.before - self.after


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """``moves``: the farthest first. ``into_cut`` and ``out_of_cut`` by the new and by the old place."""

    policy: str
    moves: tuple[Move, ...]
    into_cut: tuple[int, ...]
    out_of_cut: tuple[int, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "policy": self.policy,
            "moves": [
                {"player": move.player, "before": move.before, "after": move.after, "gained": move.gained}
                for move in self.moves
            ],
            "into_cut": list(self.into_cut),
            "out_of_cut": list(self.out_of_cut),
        }


@dataclass(frozen=True, slots=True)
class PolicyPreview:
    """``base`` is the policy that the others are compared with, ``cut`` who would make the cut under it."""

    base: str
    cut: tuple[int, ...]
    changes: tuple[PolicyChange, ...]


def compare_policies(
    players: Iterable[PlayerEntry],
    results: Iterable[Result | TableResult],
    policies: Mapping[str, StandingsPolicy],
    *,
    cut: int = 0,
) -> PolicyPreview:
    """The standings of the same results under each policy, against the first one's.

    Results are taken as they are: that other points would have paired others isn't foreseen. Those who dropped are not
    in the cut. Before round 1 ``example_results`` has something to compare. Raises ``ValueError`` without a policy.
    """
    if not policies:
        raise ValueError("nothing to compare: no policy")
    table = ResultTable.of(players, results)
    (base, first), *others = ((name, _places(rank_table(table, policy))) for name, policy in policies.items())
    gone = set(table.ids[table.dropped].tolist())
    made_it = _cut(first, gone, cut)
    changes = []
    for name, places in others:
        moves = [Move(player, before, places[player]) for player, before in first.items() if places[player] != before]
        moves.sort(key=lambda move: (-abs(move.gained), move.before))
        now = _cut(places, gone, cut)
        changes.append(
            PolicyChange(
                name,
                tuple(moves),
                tuple(player for player in now if player not in made_it),
                tuple(player for player in made_it if player not in now),
            )
        )
    return PolicyPreview(base, made_it, tuple(changes))


def _places(ranking: Ranking) -> dict[int, int]:
    """Place by player, the first first."""
    ids = ranking.figures.table.ids[ranking.order].tolist()
    return {player: place for place, player in enumerate(ids, 1)}


def _cut(places: Mapping[int, int], gone: set[int], size: int) -> tuple[int, ...]:
    return tuple([player for player in places if player not in gone][:size])


def example_results(
    players: int, rounds: int, rng: Stream, *, best_of_three: bool = True
) -> tuple[list[PlayerEntry], list[Result]]:
    """An event that never was: players 1 to ``players``, of whom the better ones win more often.

    Neighbours by points meet, never mind rematches; a match in 25 is drawn, a player in 50 drops after each round.
    """
    ids = list(range(1, players + 1))
    strength = dict(zip(rng.shuffled(ids), range(players), strict=True))
    lots = dict(zip(rng.shuffled(ids), ids, strict=True))
    points = dict.fromkeys(ids, 0)
    active = list(ids)
    results: list[Result] = []
    for number in range(1, rounds + 1):
        waiting = sorted(rng.shuffled(active), key=lambda player: -points[player])
        if len(waiting) % 2:
            lucky = waiting.pop()
            points[lucky] += 3
            results.append(Result(number, lucky, None, Outcome.BYE))
        for a, b in zip(waiting[::2], waiting[1::2], strict=True):
            result = _played(number, a, b, strength[a] > strength[b], rng, games=best_of_three)
            results.append(result)
            points[a] += 1 if result.outcome_a.is_draw else 3 * result.outcome_a.is_win
            points[b] += 1 if result.outcome_a.is_draw else 3 * (not result.outcome_a.is_win)
        active = [player for player in active if rng.below(50)]
    still = set(active)
    return [PlayerEntry(player, dropped=player not in still, lot=lots[player]) for player in ids], results


def _played(number: int, a: int, b: int, a_is_better: bool, rng: Stream, *, games: bool) -> Result:
    chance = rng.below(100)
    if chance < 4:
        return Result(number, a, b, Outcome.DRAW, Outcome.DRAW, GameScore(1, 1, rng.below(2)) if games else GameScore())
    won = a_is_better == (chance < 72)
    lost = rng.below(2) if games else 0
    score = GameScore(1 + games, lost, int(rng.below(30) == 0))
    outcome = Outcome.WIN if won else Outcome.LOSS
    return Result(number, a, b, outcome, outcome.opposite, score if won else score.reversed)
