"""Standings from results: exact fractions, a total order, and the reason of every place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from cards.engine.streams import Stream
from events.engine.metrics import METRICS, Metric
from events.engine.outcomes import GameScore
from events.engine.standings_model import PlayerEntry, Record, Result, StandingsPolicy, Tally

__all__ = [
    "METRICS",
    "Comparison",
    "Metric",
    "PlayerEntry",
    "Record",
    "Result",
    "StandingRow",
    "StandingsPolicy",
    "draw_lots",
    "standings",
    "why_above",
]


@dataclass(frozen=True, slots=True)
class StandingRow:
    """``rank`` is a total order from 1; ``shared_rank`` is the best rank of those equal in every metric but the lot.
    ``decided_by`` is the metric that puts this row below the one above (None for the first)."""

    player: int
    rank: int
    shared_rank: int
    values: Mapping[str, Fraction]
    record: Record
    dropped: bool = False
    decided_by: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Why ``above`` stands over ``below``: ``equal`` metrics were tied, ``decided_by`` was not."""

    above: int
    below: int
    equal: tuple[str, ...]
    decided_by: str
    above_value: Fraction
    below_value: Fraction
    ranks: tuple[int, int]

    def as_json(self) -> dict[str, object]:
        return {
            "above": self.above,
            "below": self.below,
            "equal": list(self.equal),
            "decided_by": self.decided_by,
            "above_value": str(self.above_value),
            "below_value": str(self.below_value),
            "ranks": list(self.ranks),
        }


def draw_lots(ids: Iterable[int], rng: Stream) -> dict[int, int]:
    """Place of each player in the drawing of lots, from 1; depends on the stream and the set of ids only."""
    return {player: place for place, player in enumerate(rng.shuffled(sorted(ids)), start=1)}


def standings(players: Iterable[PlayerEntry], results: Iterable[Result], policy: StandingsPolicy) -> list[StandingRow]:
    """Rows from first to last. Unfinished matches count for nothing and make no opponents yet.

    Ties left by the policy's metrics are broken by the lot, then by id, so that the order is total. Raises
    ``ValueError`` for a result of somebody who is not a player.
    """
    entries = {entry.id: entry for entry in players}
    tallies = _tally(entries, results, policy)
    values = _values(entries, tallies, policy)
    keys = [key for key in policy.metrics if key != "lot"]

    def order(player: int) -> tuple[Fraction | int, ...]:
        own = values[player]
        return (*(-own[key] if METRICS[key].descending else own[key] for key in keys), own["lot"], player)

    rows: list[StandingRow] = []
    shown = dict.fromkeys((*policy.metrics, "lot"))
    for rank, player in enumerate(sorted(entries, key=order), start=1):
        previous = rows[-1] if rows else None
        decided_by = None
        if previous is not None:
            decided_by = next((key for key in keys if values[player][key] != previous.values[key]), "lot")
        rows.append(
            StandingRow(
                player=player,
                rank=rank,
                shared_rank=previous.shared_rank if previous is not None and decided_by == "lot" else rank,
                values={key: values[player][key] for key in shown},
                record=tallies[player].record(),
                dropped=entries[player].dropped,
                decided_by=decided_by,
            )
        )
    return rows


def why_above(rows: Sequence[StandingRow], a: int, b: int) -> Comparison:
    """Compare two players of finished standings, whichever is above. Raises ``ValueError`` for an unknown one."""
    by_player = {row.player: row for row in rows}
    if a == b or a not in by_player or b not in by_player:
        raise ValueError(f"{a} and {b} are not two players of these standings")
    above, below = sorted((by_player[a], by_player[b]), key=lambda row: row.rank)
    decided_by = next((key for key in above.values if above.values[key] != below.values[key]), "lot")
    keys = list(above.values)
    return Comparison(
        above.player,
        below.player,
        tuple(keys[: keys.index(decided_by)]),
        decided_by,
        above.values[decided_by],
        below.values[decided_by],
        (above.rank, below.rank),
    )


def _tally(entries: Mapping[int, PlayerEntry], results: Iterable[Result], policy: StandingsPolicy) -> dict[int, Tally]:
    tallies = {player: Tally() for player in entries}
    for result in results:
        if result.a not in tallies or (result.b is not None and result.b not in tallies):
            raise ValueError(
                f"round {result.round} has a result of {result.a} and {result.b}, who are not both players"
            )
        if not result.outcome_a.is_final:
            continue
        bye = result.outcome_a.is_bye
        games = GameScore(policy.bye_games) if bye else result.games
        tallies[result.a].add(result.outcome_a, games, policy.points(result.outcome_a))
        if result.b is not None and result.outcome_b is not None:
            tallies[result.b].add(result.outcome_b, result.games.reversed, policy.points(result.outcome_b))
            tallies[result.a].opponents.append((result.round, result.b))
            tallies[result.b].opponents.append((result.round, result.a))
    return tallies


def _values(
    entries: Mapping[int, PlayerEntry], tallies: Mapping[int, Tally], policy: StandingsPolicy
) -> dict[int, dict[str, Fraction]]:
    match_win = {player: _match_win(tally, policy) for player, tally in tallies.items()}
    game_win = {player: _game_win(tally, policy) for player, tally in tallies.items()}
    counted = dict(match_win)
    if policy.dropped_cap is not None:
        for player, entry in entries.items():
            if entry.dropped:
                counted[player] = min(counted[player], policy.dropped_cap)
    opponents_match = _opponents_mean(tallies, counted)
    opponents_game = _opponents_mean(tallies, game_win)
    no_seed = max((entry.seed for entry in entries.values() if entry.seed is not None), default=0) + 1
    return {
        player: {
            "match_points": Fraction(tally.points),
            "omw": opponents_match[player],
            "gw": game_win[player],
            "ogw": opponents_game[player],
            "mw": match_win[player],
            "match_wins": Fraction(tally.wins),
            "opponents_points": Fraction(sum(tallies[opponent].points for _, opponent in tally.opponents)),
            "seed": Fraction(no_seed if entries[player].seed is None else entries[player].seed or 0),
            "lot": Fraction(entries[player].lot),
        }
        for player, tally in tallies.items()
    }


def _match_win(tally: Tally, policy: StandingsPolicy) -> Fraction:
    rounds, points = tally.wins + tally.losses + tally.draws, tally.points
    if not policy.byes_in_percentages:
        rounds, points = rounds - tally.byes, points - policy.bye * tally.byes
    if not rounds or not policy.win:
        return policy.floor
    return max(policy.floor, Fraction(points, policy.win * rounds))


def _game_win(tally: Tally, policy: StandingsPolicy) -> Fraction:
    wins = tally.game_wins - (0 if policy.byes_in_percentages else policy.bye_games * tally.byes)
    games = wins + tally.game_losses + tally.game_draws
    return max(policy.floor, Fraction(3 * wins + tally.game_draws, 3 * games)) if games else policy.floor


def _opponents_mean(tallies: Mapping[int, Tally], values: Mapping[int, Fraction]) -> dict[int, Fraction]:
    # One common denominator: adding fractions one by one would spend most of the time on common divisors.
    whole = lcm(*(value.denominator for value in values.values()))
    scaled = {player: value.numerator * (whole // value.denominator) for player, value in values.items()}
    return {
        player: Fraction(sum(scaled[other] for _, other in tally.opponents), whole * len(tally.opponents))
        if tally.opponents
        else Fraction(0)
        for player, tally in tallies.items()
    }
