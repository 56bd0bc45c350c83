"""Whole events, played by chance, and what must hold after every round."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from cards.engine.streams import Stream
from events.engine.fairness import pairing_label
from events.engine.outcomes import GameScore, Outcome
from events.engine.pairing import Entrant, PairingOptions, PairingPlan, pair_round
from events.engine.standings import PlayerEntry, Result, StandingsPolicy, standings
from events.engine.swiss import guaranteed_rounds, number_of_rounds

POLICY = StandingsPolicy()


@dataclass
class Event:
    """Plays rounds with results from one stream and pairings from others."""

    players: int
    seed: str
    chance: Stream = field(init=False)
    active: set[int] = field(init=False)
    results: list[Result] = field(default_factory=list)
    history: list[tuple[int, int]] = field(default_factory=list)
    byes: dict[int, int] = field(default_factory=dict)
    plans: list[PairingPlan] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = Stream(self.seed.encode(), "results")
        self.active = set(range(self.players))

    def points(self) -> dict[int, int]:
        rows = standings([PlayerEntry(number) for number in range(self.players)], self.results, POLICY)
        return {row.player: int(row.values["match_points"]) for row in rows}

    def play(self) -> PairingPlan:
        number = len(self.plans) + 1
        points = self.points()
        entrants = [Entrant(player, points[player], self.byes.get(player, 0)) for player in self.active]
        plan = pair_round(
            entrants, self.history, PairingOptions(), Stream(self.seed.encode(), pairing_label(1, number))
        )
        self.plans.append(plan)
        for pair in plan.pairs:
            kind = self.chance.below(10)
            games = [GameScore(2, 0), GameScore(0, 2), GameScore(2, 1), GameScore(1, 2)][kind % 4]
            outcome = Outcome.DRAW if kind == 9 else Outcome.WIN if games.wins > games.losses else Outcome.LOSS
            games = GameScore(1, 1, 1) if kind == 9 else games
            self.results.append(Result(number, pair.a, pair.b, outcome, outcome.opposite, games))
            self.history.append((pair.a, pair.b))
        if plan.bye is not None:
            self.byes[plan.bye] = self.byes.get(plan.bye, 0) + 1
            self.results.append(Result(number, plan.bye, None, Outcome.BYE))
        return plan


@pytest.mark.parametrize("players", range(5, 34))
def test_an_event_keeps_its_promises_in_every_round(players: int) -> None:
    event = Event(players, f"event {players}")
    rounds = min(number_of_rounds(players) + 1, guaranteed_rounds(players))
    for _ in range(rounds):
        plan = event.play()
        seated = [player for pair in plan.pairs for player in (pair.a, pair.b)]
        assert sorted(seated + ([plan.bye] if plan.bye is not None else [])) == list(range(players))
        assert (plan.bye is None) == (players % 2 == 0)
        assert plan.rematch_free
        assert plan.certified
        decided = [result for result in event.results if result.b is not None]
        drawn = sum(result.outcome_a is Outcome.DRAW for result in decided)
        byes = sum(event.byes.values())
        assert sum(event.points().values()) == 3 * (len(decided) - drawn + byes) + 2 * drawn
    assert len(set(event.history)) == len(event.history)
    assert max(event.byes.values(), default=0) <= 1


@pytest.mark.parametrize("players", [6, 11, 20])
def test_the_same_seed_plays_the_same_event(players: int) -> None:
    first, second = Event(players, "same"), Event(players, "same")
    assert [first.play() for _ in range(3)] == [second.play() for _ in range(3)]


@pytest.mark.parametrize("players", [8, 13])
def test_the_dropped_are_paired_no_more_and_still_count(players: int) -> None:
    event = Event(players, "drops 1")
    event.play()
    dropped = {0, 1, 2}
    event.active -= dropped
    for _ in range(2):
        plan = event.play()
        seated = {player for pair in plan.pairs for player in (pair.a, pair.b)} | {plan.bye}
        assert seated - {None} == event.active
    rows = standings(
        [PlayerEntry(number, dropped=number in dropped) for number in range(players)], event.results, POLICY
    )
    assert {row.player for row in rows if row.dropped} == dropped
    met = {opponent for row in rows if not row.dropped for opponent in row.record.opponents}
    assert met & dropped


def test_byes_do_not_attract_byes() -> None:
    """Who had a bye meets another who had one no more often than chance inside the score groups would have it.

    25 events of 15 players, five rounds. Expected: for every pair on equal points, the share of equal-point pairs of
    its group in which both had a bye.
    """
    seen, expected, pairs = 0, 0.0, 0
    for number in range(25):
        event = Event(15, f"byes {number}")
        for _ in range(5):
            before, points = dict(event.byes), event.points()
            plan = event.play()
            for pair in plan.pairs:
                if points[pair.a] != points[pair.b]:
                    continue
                group = [p for p in event.active if points[p] == points[pair.a] and p != plan.bye]
                had = sum(1 for player in group if before.get(player))
                pairs += 1
                seen += bool(before.get(pair.a)) and bool(before.get(pair.b))
                expected += had * (had - 1) / (len(group) * (len(group) - 1))
    assert pairs > 400
    assert abs(seen - expected) < 3 * expected**0.5 + 3, (seen, expected, pairs)
