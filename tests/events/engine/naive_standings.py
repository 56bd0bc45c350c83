"""Standings by fractions alone, a player at a time, straight from the definitions, and slow."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from events.engine.outcomes import Outcome
from events.engine.standings import PlayerEntry, Result, StandingsPolicy, TableResult

WINS = {Outcome.WIN, Outcome.FORFEIT_WIN, Outcome.BYE, Outcome.ASSIGNED_BYE}
BYES = {Outcome.BYE, Outcome.ASSIGNED_BYE}
DRAWS = {Outcome.DRAW, Outcome.INTENTIONAL_DRAW}
LOSSES = {Outcome.LOSS, Outcome.FORFEIT_LOSS, Outcome.DOUBLE_LOSS}
FORFEITS = {Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS}


@dataclass
class Seat:
    round: int
    outcome: Outcome
    points: int
    games: tuple[int, int, int] = (0, 0, 0)
    opponents: list[int] = field(default_factory=list)
    duel: bool = True
    victory: Fraction = Fraction(0)
    tournament: Fraction = Fraction(0)


class Naive:
    def __init__(
        self, players: list[PlayerEntry], results: list[Result | TableResult], policy: StandingsPolicy
    ) -> None:
        self.players = {player.id: player for player in players}
        self.policy = policy
        self.seats: dict[int, list[Seat]] = {player.id: [] for player in players}
        for result in results:
            self._enter(result)
        for name in ("match_win", "game_win", "per_round", "points", "omw", "sos", "value"):
            setattr(self, name, cache(getattr(self, name)))  # or the opponents' opponents take minutes
        self.rounds = len({seat.round for seats in self.seats.values() for seat in seats})

    def _worth(self, outcome: Outcome) -> int:
        policy = self.policy
        if outcome in BYES:
            return policy.bye
        return policy.win * (outcome in WINS) + policy.draw * (outcome in DRAWS) + policy.loss * (outcome in LOSSES)

    def _enter(self, result: Result | TableResult) -> None:
        if isinstance(result, TableResult):
            for seat in result.seats:
                if seat.outcome is Outcome.UNFINISHED:
                    continue
                others = [other.player for other in result.seats if other != seat]
                points = self._worth(seat.outcome) if seat.points is None else seat.points
                self.seats[seat.player].append(
                    Seat(
                        result.round,
                        seat.outcome,
                        points,
                        opponents=others,
                        duel=False,
                        victory=seat.victory_points,
                        tournament=seat.tournament_points,
                    )
                )
            return
        if result.outcome_a is Outcome.UNFINISHED:
            return
        games = result.games
        for player, other, outcome, score in (
            (result.a, result.b, result.outcome_a, (games.wins, games.losses, games.draws)),
            (result.b, result.a, result.outcome_b, (games.losses, games.wins, games.draws)),
        ):
            if player is None or outcome is None:
                continue
            seat = Seat(result.round, outcome, self._worth(outcome), score)
            if outcome in BYES:
                seat.games = (self.policy.bye_games, 0, 0)
            if other is not None and (self.policy.forfeits_make_opponents or outcome not in FORFEITS):
                seat.opponents = [other]
            self.seats[player].append(seat)

    def opponents(self, player: int) -> list[int]:
        return [other for seat in self.seats[player] for other in seat.opponents]

    def points(self, player: int) -> int:
        return sum(seat.points for seat in self.seats[player])

    def match_win(self, player: int) -> Fraction:
        policy, byes = self.policy, self.policy.byes_in_percentages
        earned, rounds = Fraction(0), 0
        for seat in self.seats[player]:
            if (seat.outcome in BYES and not byes) or (
                seat.outcome is Outcome.ABSENT and not policy.missed_rounds_count
            ):
                continue
            rounds += 1
            if policy.draw_share is None:
                earned += Fraction(seat.points, policy.win) if policy.win else 0
            else:
                earned += (seat.outcome in WINS) + policy.draw_share * (seat.outcome in DRAWS)
        return (
            max(policy.floor, earned / rounds)
            if rounds and (policy.win or policy.draw_share is not None)
            else policy.floor
        )

    def counted(self, player: int) -> Fraction:
        cap = self.policy.dropped_cap
        own = self.match_win(player)
        return min(own, cap) if cap is not None and self.players[player].dropped else own

    def game_win(self, player: int) -> Fraction:
        policy = self.policy
        seats = [seat for seat in self.seats[player] if policy.byes_in_percentages or seat.outcome not in BYES]
        games = sum(sum(seat.games) for seat in seats)
        earned = sum(policy.game_win * seat.games[0] + policy.game_draw * seat.games[2] for seat in seats)
        if not games or not policy.game_win:
            return policy.floor
        return max(policy.floor, Fraction(earned, policy.game_win * games))

    def per_round(self, player: int) -> Fraction:
        return Fraction(self.points(player), len(self.seats[player])) if self.seats[player] else Fraction(0)

    def mean(self, player: int, figure, extra: tuple[Fraction, ...] = ()) -> Fraction:
        values = [figure(other) for other in self.opponents(player)] + list(extra)
        return sum(values, Fraction(0)) / len(values) if values else Fraction(0)

    def omw(self, player: int) -> Fraction:
        byes = sum(seat.outcome in BYES for seat in self.seats[player])
        return self.mean(player, self.counted, (self.policy.bye_opponent_value,) * (self.policy.bye_opponents * byes))

    def sos(self, player: int) -> Fraction:
        return self.mean(player, self.per_round)

    def buchholz(self, player: int, low: int, high: int) -> int:
        worth = [self.points(other) for other in self.opponents(player)]
        if self.policy.unplayed_rounds == "own_points":
            met = sum(bool(seat.opponents) for seat in self.seats[player])
            worth += [self.points(player)] * (self.rounds - met)
        worth.sort()
        return sum(worth[low : len(worth) - high])

    def head_to_head(self, player: int) -> int:
        keys = self.policy.metrics[: self.policy.metrics.index("head_to_head")]
        own = [self.value(player, key) for key in keys]
        tied = {other for other in self.players if [self.value(other, key) for key in keys] == own}
        for one in tied:
            met = {other for seat in self.seats[one] if seat.duel for other in seat.opponents}
            if not tied - {one} <= met:
                return 0
        return sum(seat.points for seat in self.seats[player] if seat.duel and tied & set(seat.opponents))

    def value(self, player: int, key: str) -> Fraction:
        seats, policy = self.seats[player], self.policy
        cuts = {"buchholz": (0, 0), "buchholz_cut_1": (1, 0), "buchholz_cut_2": (2, 0), "buchholz_median": (1, 1)}
        if key in cuts:
            return Fraction(self.buchholz(player, *cuts[key]))
        seeds = [entry.seed for entry in self.players.values() if entry.seed is not None]
        seed = self.players[player].seed
        match key:
            case "match_points":
                found = self.points(player)
            case "mw":
                found = self.match_win(player)
            case "omw":
                found = self.omw(player)
            case "gw":
                found = self.game_win(player)
            case "ogw":
                found = self.mean(player, self.game_win)
            case "oomw":
                found = self.mean(player, self.omw)
            case "sos":
                found = self.sos(player)
            case "esos":
                found = self.mean(player, self.sos)
            case "match_wins":
                found = sum(seat.outcome in WINS for seat in seats)
            case "game_points":
                found = sum(policy.game_win * seat.games[0] + policy.game_draw * seat.games[2] for seat in seats)
            case "victory_points":
                found = sum(seat.victory for seat in seats)
            case "tournament_points":
                found = sum(seat.tournament for seat in seats)
            case "opponents_points":
                found = sum(self.points(other) for other in self.opponents(player))
            case "head_to_head":
                found = self.head_to_head(player)
            case "seed":
                found = max(seeds, default=0) + 1 if seed is None else seed
            case "lot":
                found = self.players[player].lot
            case _:
                raise AssertionError(key)
        return Fraction(found)

    def order(self) -> list[tuple[int, dict[str, Fraction]]]:
        """Players from first to last with their figures."""
        keys = [*(key for key in self.policy.metrics if key != "lot"), "lot"]
        shown = {*keys, "match_points"}
        values = {player: {key: self.value(player, key) for key in shown} for player in self.players}

        def place(player: int):
            own = values[player]
            return [own[key] if key in ("seed", "lot") else -own[key] for key in keys] + [player]

        return [(player, values[player]) for player in sorted(self.players, key=place)]
