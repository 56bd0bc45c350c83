from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from itertools import product
from time import process_time

import pytest

from config.errors import DomainError
from events.engine.outcomes import GameScore, Outcome
from events.engine.pairing import Reason
from events.engine.standings import PlayerEntry, Result, StandingsPolicy, standings
from events.engine.whatif import Chance, OpenMatch, PlayerOutlook, Scoreline, outlook_for_cut, scorelines

EVENTS = int(os.environ.get("WHATIF_EVENTS", "60"))
A, B, C, D, E, F, G, H = range(1, 9)
POINTS_ONLY = StandingsPolicy(metrics=("match_points",))
POLICIES = (
    POINTS_ONLY,
    StandingsPolicy(metrics=("match_points", "omw")),
    StandingsPolicy(metrics=("match_points", "opponents_points", "seed")),
    StandingsPolicy(metrics=("match_points", "gw")),
    StandingsPolicy(metrics=("match_wins", "match_points")),
)


def entries(count: int) -> list[PlayerEntry]:
    return [PlayerEntry(player) for player in range(1, count + 1)]


def won(round_: int, winner: int, loser: int) -> Result:
    return Result(round_, winner, loser, Outcome.WIN, Outcome.LOSS, GameScore(2, 0))


def after_two_rounds() -> list[Result]:
    """A and B have 6 points, C to F 3, G and H none."""
    first = [won(1, A, C), won(1, B, D), won(1, E, G), won(1, F, H)]
    return [*first, won(2, A, E), won(2, B, F), won(2, C, G), won(2, D, H)]


THIRD_ROUND = (OpenMatch(3, A, B), OpenMatch(3, C, D), OpenMatch(3, E, F), OpenMatch(3, G, H))


def test_a_draw_of_the_leaders_is_safe_when_too_few_can_come_level() -> None:
    outlook = outlook_for_cut(entries(8), after_two_rounds(), THIRD_ROUND, POINTS_ONLY, cut=2)
    assert outlook.draw_is_safe(THIRD_ROUND[0])
    assert not outlook.draw_is_safe(THIRD_ROUND[1])
    assert outlook.chance(A) is Chance.ALIVE
    assert outlook.chance(G) is Chance.ELIMINATED
    assert outlook.after_draw[THIRD_ROUND[0]][0] == PlayerOutlook(
        A, Chance.CLINCHED, 7, 7, Reason("out_of_reach", {"cut": 2, "can_reach": 1})
    )


def test_a_place_is_clinched_on_points_before_the_last_match() -> None:
    outlook = outlook_for_cut(entries(8), after_two_rounds(), THIRD_ROUND, POINTS_ONLY, cut=4)
    assert {player: str(outlook.chance(player)) for player in range(1, 9)} == {
        A: "clinched",
        B: "clinched",
        C: "alive",
        D: "alive",
        E: "alive",
        F: "alive",
        G: "eliminated",
        H: "eliminated",
    }
    assert outlook.exact


def test_who_cannot_get_past_enough_others_is_eliminated() -> None:
    outlook = outlook_for_cut(entries(8), after_two_rounds(), THIRD_ROUND, POINTS_ONLY, cut=2)
    assert outlook.players[G] == PlayerOutlook(
        G, Chance.ELIMINATED, 0, 3, Reason("too_many_ahead", {"cut": 2, "must_pass": 4})
    )


def test_who_left_takes_no_place() -> None:
    players = [PlayerEntry(player, dropped=player == A) for player in range(1, 9)]
    outlook = outlook_for_cut(players, after_two_rounds(), THIRD_ROUND[1:], POINTS_ONLY, cut=1)
    assert outlook.chance(B) is Chance.ALIVE
    assert A not in outlook.players
    assert outlook_for_cut(players, after_two_rounds(), (), POINTS_ONLY, cut=1).chance(B) is Chance.CLINCHED


def test_everybody_is_in_a_cut_that_holds_everybody() -> None:
    outlook = outlook_for_cut(entries(4), [], (), POINTS_ONLY, cut=4, later=3)
    assert {outlook.chance(player) for player in range(1, 5)} == {Chance.CLINCHED}


def test_ties_that_only_a_tie_breaker_settles_are_unknown_when_not_played_through() -> None:
    policy = StandingsPolicy(metrics=("match_points", "omw"))
    results = [won(1, A, C), won(1, B, D)]
    outlook = outlook_for_cut(entries(4), results, (), policy, cut=1, play_through=0)
    assert {player: str(outlook.chance(player)) for player in (A, C)} == {A: "unknown", C: "eliminated"}
    assert outlook.players[A].reason == Reason("tie_breakers_decide", {"cut": 1})
    assert not outlook.exact


def test_a_tie_breaker_settles_what_points_leave_open() -> None:
    policy = StandingsPolicy(metrics=("match_points", "seed"))
    players = [PlayerEntry(player, seed=player) for player in range(1, 5)]
    outlook = outlook_for_cut(players, [won(1, A, C), won(1, B, D)], (), policy, cut=1)
    assert [outlook.chance(player) for player in (A, B)] == [Chance.CLINCHED, Chance.ELIMINATED]
    assert outlook.players[A].reason == Reason("every_end", {"cut": 1, "ends": 1})


def test_lots_still_to_be_drawn_leave_both_alive() -> None:
    outlook = outlook_for_cut(entries(4), [won(1, A, C), won(1, B, D)], (), POINTS_ONLY, cut=1)
    assert [outlook.chance(player) for player in (A, B)] == [Chance.ALIVE, Chance.ALIVE]


def test_an_order_that_does_not_begin_with_points_is_never_judged_by_points() -> None:
    policy = StandingsPolicy(metrics=("match_wins", "match_points"))
    far = outlook_for_cut(entries(8), after_two_rounds(), THIRD_ROUND, policy, cut=2, later=1)
    assert {far.chance(player) for player in range(1, 9)} == {Chance.UNKNOWN}


@pytest.mark.parametrize(("metrics", "count"), [(("match_points", "omw"), 3), (("match_points", "gw"), 6)])
def test_scores_are_told_apart_only_where_a_tie_breaker_looks_at_games(metrics: tuple[str, ...], count: int) -> None:
    assert len(scorelines(StandingsPolicy(metrics=metrics))) == count


def test_without_draws_no_scoreline_is_one() -> None:
    assert scorelines(POINTS_ONLY, best_of=1, draws=False) == (
        Scoreline(Outcome.WIN, GameScore(1, 0)),
        Scoreline(Outcome.LOSS, GameScore(0, 1)),
    )


def test_a_cut_without_places_is_refused() -> None:
    with pytest.raises(DomainError) as refused:
        outlook_for_cut(entries(4), [], (), POINTS_ONLY, cut=0)
    assert refused.value.code == "whatif.cut"


def test_a_player_in_two_open_matches_is_no_state() -> None:
    with pytest.raises(ValueError, match="in one of them"):
        outlook_for_cut(entries(4), [], (OpenMatch(1, A, B), OpenMatch(1, B, C)), POINTS_ONLY, cut=2)


def test_an_outlook_is_the_same_as_data() -> None:
    outlook = outlook_for_cut(entries(8), after_two_rounds(), THIRD_ROUND, POINTS_ONLY, cut=2)
    shown = outlook.as_json()
    assert (shown["cut"], shown["exact"]) == (2, True)
    assert outlook.players[G].as_json() == {
        "player": G,
        "chance": "eliminated",
        "least": 0,
        "most": 3,
        "reason": {"code": "too_many_ahead", "cut": 2, "must_pass": 4},
    }


# ---------------------------------------------------------------------------------------------- against the whole truth


def random_event(seed: int, largest: int) -> tuple[list[PlayerEntry], list[Result], list[OpenMatch], bool]:
    draw = random.Random(seed)
    count = draw.randint(3, largest)
    draws = draw.random() < 0.7
    players = [
        PlayerEntry(player, dropped=draw.random() < 0.1, seed=draw.choice((None, player)))
        for player in range(1, count + 1)
    ]
    if draw.random() < 0.3:
        lots = draw.sample(range(1, count + 1), count)
        players = [PlayerEntry(one.id, one.dropped, one.seed, lot) for one, lot in zip(players, lots, strict=True)]
    results: list[Result] = []
    rounds = draw.randint(0, 3)
    for number in range(1, rounds + 1):
        order = draw.sample([one.id for one in players], count)
        if count % 2:
            results.append(Result(number, order.pop(), None, Outcome.BYE))
        for a, b in zip(order[::2], order[1::2], strict=True):
            results.append(finished(number, a, b, draw.choice(scorelines(POLICIES[3], draws=draws))))
    there = [one.id for one in players if not one.dropped]
    draw.shuffle(there)
    if len(there) % 2:
        results.append(Result(rounds + 1, there.pop(), None, Outcome.BYE))
    open_matches = [OpenMatch(rounds + 1, a, b) for a, b in zip(there[::2], there[1::2], strict=True)]
    while open_matches and draw.random() < 0.4:
        match = open_matches.pop()
        results.append(finished(match.round, match.a, match.b, draw.choice(scorelines(POLICIES[3], draws=draws))))
    return players, results, open_matches, draws


def finished(round_: int, a: int, b: int, line: Scoreline) -> Result:
    return Result(round_, a, b, line.outcome, line.outcome.opposite, line.games)


def ends_of(matches: Sequence[OpenMatch], lines: Sequence[Scoreline]) -> Iterator[list[Result]]:
    for end in product(lines, repeat=len(matches)):
        yield [finished(match.round, match.a, match.b, line) for match, line in zip(matches, end, strict=True)]


def fates(
    players: Sequence[PlayerEntry], results: Sequence[Result], policy: StandingsPolicy, cut: int
) -> dict[int, set[bool]]:
    """In (True) or out, both where lots decide that nobody has drawn."""
    rows = [row for row in standings(players, results, policy) if not row.dropped]
    drawn = len({one.lot for one in players}) == len(players)
    fate = {}
    for place, row in enumerate(rows, 1):
        same = [other for other in rows if other.shared_rank == row.shared_rank]
        above = sum(other.shared_rank < row.shared_rank for other in rows)
        fate[row.player] = {place <= cut} if drawn else {above < cut, above + len(same) <= cut}
    return fate


@pytest.mark.parametrize("block", range(5))
def test_the_last_round_is_judged_as_all_its_ends_say(block: int) -> None:
    for seed in range(block * EVENTS, (block + 1) * EVENTS):
        policy = POLICIES[seed % len(POLICIES)]
        players, results, matches, draws = random_event(seed, 7)
        cut = random.Random(seed).randint(1, len(players))
        lines = scorelines(policy, draws=draws)
        fate: dict[int, set[bool]] = {one.id: set() for one in players if not one.dropped}
        drawn: dict[OpenMatch, list[bool]] = {match: [] for match in matches}
        for end in ends_of(matches, lines):
            one_end = fates(players, [*results, *end], policy, cut)
            for player, seen in one_end.items():
                fate[player] |= seen
            for match, result in zip(matches, end, strict=True):
                if result.outcome_a.is_draw:
                    drawn[match].append(one_end[match.a] == one_end[match.b] == {True})
        chances = {
            player: Chance.ALIVE if len(seen) == 2 else Chance.CLINCHED if True in seen else Chance.ELIMINATED
            for player, seen in fate.items()
        }
        outlook = outlook_for_cut(players, results, matches, policy, cut=cut, draws=draws)
        assert {player: one.chance for player, one in outlook.players.items()} == chances, f"seed {seed}"
        assert outlook.exact
        if draws:
            safe = {match: outlook.draw_is_safe(match) for match in matches}
            assert safe == {match: all(ends) for match, ends in drawn.items()}, f"seed {seed}"
        bounds = outlook_for_cut(players, results, matches, policy, cut=cut, draws=draws, play_through=0)
        for player, one in bounds.players.items():
            assert agrees(one.chance, fate[player]), f"seed {seed}"


def agrees(chance: Chance, seen: set[bool]) -> bool:
    """Whether a chance is no false claim."""
    match chance:
        case Chance.CLINCHED:
            return seen == {True}
        case Chance.ELIMINATED:
            return seen == {False}
        case Chance.ALIVE:
            return True in seen
        case Chance.UNKNOWN:
            return True


def rounds_to_come(players: Sequence[int]) -> Iterator[list[tuple[int, int | None]]]:
    """Every pairing; None is the bye."""
    if not players:
        yield []
    elif len(players) % 2:
        for bye in players:
            for rest in rounds_to_come([one for one in players if one != bye]):
                yield [(bye, None), *rest]
    else:
        first, *others = players
        for other in others:
            for rest in rounds_to_come([one for one in others if one != other]):
                yield [(first, other), *rest]


Standing = tuple[tuple[int, int], ...]
"""(player, points) of everybody, by player."""


def played(
    standing: Standing, pairs: Sequence[tuple[int, int | None]], ends: Sequence[tuple[int, int]], bye: int
) -> set[Standing]:
    """Every standing that a round can lead to."""
    reached = {standing}
    for a, b in pairs:
        after = set()
        for before in reached:
            for gain_a, gain_b in ends if b is not None else [(bye, 0)]:
                after.add(
                    tuple(
                        (player, points + gain_a * (player == a) + gain_b * (player == b)) for player, points in before
                    )
                )
        reached = after
    return reached


def fates_by_points(standings_: set[Standing], cut: int) -> dict[int, set[bool]]:
    """Players level across the line may be in or out."""
    fate: dict[int, set[bool]] = {}
    for standing in standings_:
        for player, points in standing:
            above = sum(other > points for _, other in standing)
            level = sum(other == points for _, other in standing)
            fate.setdefault(player, set()).update({above < cut, above + level <= cut})
    return fate


@pytest.mark.parametrize("policy", [POINTS_ONLY, StandingsPolicy(metrics=("match_points",), win=2, draw=3, bye=1)])
@pytest.mark.parametrize(("later", "largest"), [(1, 6), (2, 4)])
def test_with_rounds_to_come_nothing_false_is_claimed(later: int, largest: int, policy: StandingsPolicy) -> None:
    claims = dict.fromkeys(Chance, 0)
    for seed in range(EVENTS):
        players, results, matches, draws = random_event(seed, largest)
        there = [one.id for one in players if not one.dropped]
        cut = random.Random(seed).randint(1, len(players))
        rows = standings(players, results, policy)
        begin = tuple(sorted((row.player, int(row.values["match_points"])) for row in rows if not row.dropped))
        ends = [(policy.win, 0), (0, policy.win)] + ([(policy.draw, policy.draw)] if draws else [])
        now = played(begin, [match.players for match in matches], ends, policy.bye)
        pairings = list(rounds_to_come(there))
        # By the pairings of all rounds to come: whoever is said to be alive is so whatever the pairings are.
        fates_of: list[dict[int, set[bool]]] = []
        for plan in product(pairings, repeat=later):
            reached = now
            for pairs in plan:
                reached = set().union(*(played(one, pairs, ends, policy.bye) for one in reached))
            fates_of.append(fates_by_points(reached, cut))
        outlook = outlook_for_cut(players, results, matches, policy, cut=cut, later=later, draws=draws)
        for player, one in outlook.players.items():
            assert all(agrees(one.chance, fate[player]) for fate in fates_of), f"seed {seed}"
            claims[one.chance] += 1
    assert min(claims[chance] for chance in (Chance.CLINCHED, Chance.ALIVE, Chance.ELIMINATED)) > 0


def test_a_hundred_and_twenty_eight_players_are_judged_at_once() -> None:
    draw = random.Random(1)
    players = entries(128)
    results = []
    for number in range(1, 7):
        order = draw.sample(range(1, 129), 128)
        results += [won(number, a, b) for a, b in zip(order[::2], order[1::2], strict=True)]
    matches = [OpenMatch(7, a, b) for a, b in zip(range(1, 128, 2), range(2, 129, 2), strict=True)]
    policy = StandingsPolicy()
    begun = process_time()
    standings(players, results, policy)
    floor = process_time() - begun
    begun = process_time()
    outlook = outlook_for_cut(players, results, matches, policy, cut=8)
    taken = process_time() - begun
    assert {one.chance for one in outlook.players.values()} >= {Chance.ALIVE, Chance.ELIMINATED}
    assert taken < 0.05 + 10 * floor
