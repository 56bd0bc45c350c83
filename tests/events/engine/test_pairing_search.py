"""The fast way to a pairing against the slow ones. ``TILTYARD_PAIRING_STATES=full`` tries all the states."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from cards.engine.streams import Stream
from events.engine.pairing import AvoidMode, Entrant, PairingCost, PairingOptions, pair_round
from events.engine.pairing_columns import Entrants, History
from events.engine.pairing_field import Field
from events.engine.pairing_matching import Neighbours
from events.engine.pairing_pools import Pool
from events.engine.pairing_search import Found, best_pairing
from events.engine.pairing_segments import Segment
from tests.events.engine.brute import complete_pairings, least_cost
from tests.events.engine.pairing_states import State, random_state

FULL = os.environ.get("TILTYARD_PAIRING_STATES") == "full"
SHARES = 20
CASES = json.loads((Path(__file__).parents[2] / "data" / "pairing_cases.json").read_text())


def field_of(state: State, seed: str) -> Field:
    entrants, history, options = state
    columns = Entrants.of(entrants)
    return Field(columns, History.of(history, columns.ids), options, Stream(b"field", seed))


def assert_best(field: Field, found: Found, least: tuple[int, ...], what: object) -> None:
    seated = found.pairs.ravel().tolist() + ([] if found.bye is None else [found.bye])
    assert sorted(seated) == list(range(len(field))), what
    assert field.cost(found.pairs, found.bye) == found.cost, what
    assert (found.cost.key(field.options), found.bound) == (least, found.cost), what


def ways(field: Field, chance: random.Random, seed: str) -> list[Found]:
    """As one matching, by pools, and by pools of which too many or too few were made."""
    sizes = (field.stop - field.start).tolist()
    wild = [chance.choice((0, 0, min(2, size), size)) for size in sizes]
    return [
        best_pairing(field, Stream(b"s", seed)),
        best_pairing(field, Stream(b"s", seed), whole_up_to=0),
        best_pairing(field, Stream(b"s", seed), whole_up_to=0, named=[0] * len(sizes)),
        best_pairing(field, Stream(b"s", seed), whole_up_to=0, named=wild),
    ]


@pytest.mark.parametrize("share", range(SHARES))
def test_every_way_costs_what_all_pairings_of_a_small_field_cost_at_least(share: int) -> None:
    for number in range(500 if FULL else 12):
        seed = f"{share}|{number}"
        chance = random.Random(seed)
        size = chance.randint(0, 10)
        state = random_state(chance, size, chance.randint(0, min(max(size - 1, 0), 8)))
        least = least_cost(*state)
        field = field_of(state, seed)
        for found in ways(field, chance, seed):
            assert_best(field, found, least, seed)


@pytest.mark.parametrize(
    ("smallest", "largest", "full", "few"), [(8, 40, 2000, 60), (41, 100, 200, 4), (100, 250, 30, 1), (400, 512, 3, 0)]
)
def test_pools_cost_what_one_complete_matching_costs(smallest: int, largest: int, full: int, few: int) -> None:
    for number in range(full if FULL else few):
        seed = f"{smallest}|{number}"
        chance = random.Random(seed)
        size = chance.randint(smallest, largest)
        state = random_state(chance, size, chance.randint(0, min(size // 2, 15)))
        field = field_of(state, seed)
        least = best_pairing(field, Stream(b"s", seed), whole_up_to=size).cost.key(state[2])
        assert_best(field, best_pairing(field, Stream(b"s", seed), whole_up_to=0), least, seed)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_hard_cases_come_out_the_same_on_every_way(case: dict) -> None:
    avoid: dict[int, set[int]] = {}
    for left, right in case["avoid"]:
        avoid.setdefault(left, set()).add(right)
    entrants = [Entrant(*row, avoid=frozenset(avoid.get(row[0], ()))) for row in case["entrants"]]
    state = (entrants, [(a, b) for a, b in case["history"]], PairingOptions(AvoidMode(case["avoid_mode"])))
    for seed in "abcd":
        field = field_of(state, seed)
        for found in ways(field, random.Random(seed), seed):
            assert (found.cost, found.bound) == (
                PairingCost(**{key: case["expect"].get(key, 0) for key in PairingCost().as_json()}),
            ) * 2


def test_the_excess_of_a_pair_is_what_it_adds_to_the_least_sum_of_squares() -> None:
    chance = random.Random("excess")
    for _ in range(150):
        scores = np.array(sorted((chance.randrange(14) for _ in range(2 * chance.randint(1, 5))), reverse=True))
        neighbours = Neighbours(scores)

        values = scores.tolist()
        if len(values) <= 8:
            every = [pairs for pairs, _ in complete_pairings(range(len(values)))]
            assert neighbours.least == min(sum((values[a] - values[b]) ** 2 for a, b in pairs) for pairs in every)
        excess = {}
        for a, b in combinations(range(len(values)), 2):
            rest = [value for place, value in enumerate(values) if place not in (a, b)]
            excess[a, b] = (values[a] - values[b]) ** 2 + sum(
                (high - low) ** 2 for high, low in zip(rest[::2], rest[1::2], strict=True)
            )
        for limit in (0, 5, 40):
            a, b, complete = neighbours.within(limit, 1000)
            assert complete
            within = {pair for pair, cost in excess.items() if cost <= neighbours.least + limit}
            assert set(zip(a.tolist(), b.tolist(), strict=True)) == within


@pytest.mark.parametrize("mode", list(AvoidMode))
def test_a_club_that_outnumbers_the_rest_meets_itself_no_more_than_it_must(mode: AvoidMode) -> None:
    club = frozenset(range(600))
    entrants = [Entrant(number, 0, avoid=club - {number} if number in club else frozenset()) for number in range(1000)]
    plan = pair_round(entrants, [], PairingOptions(mode), Stream(b"s", "club"))
    assert plan.cost == plan.lower_bound == PairingCost(avoided=100)


def test_a_club_in_one_score_is_taken_away_by_those_who_come_to_it() -> None:
    club = frozenset(range(400))
    entrants = [
        Entrant(number, 3 if number < 600 else 6, avoid=club - {number} if number in club else frozenset())
        for number in range(711)
    ]
    plan = pair_round(entrants, [], PairingOptions(), Stream(b"s", "club"))
    # Of 111 leaders one comes down, and the bye is of the lower score: 398 of the club and 200 others are left for it.
    assert plan.cost == plan.lower_bound == PairingCost(bye_points=3, score_gap=9, avoided=99)


def test_a_pool_has_as_many_members_as_are_asked_of_it() -> None:
    above = list(combinations(range(12), 2))
    entrants = [Entrant(number, 7 if number < 12 else 6) for number in range(12 + 500)]
    field = field_of((entrants, above, PairingOptions()), "asked")
    named = np.arange(12)
    pool = Pool(field, 1, np.arange(12, 512))
    found = Segment(field, named, [pool], {}, None, Stream(b"s", "asked")).solve()
    assert found is not None
    assert (found.gap, sorted(found.wanted)) == (12, [(place, 1) for place in range(12)])


def test_clubs_of_every_size_cost_what_one_complete_matching_costs() -> None:
    for number in range(400 if FULL else 25):
        chance = random.Random(f"club|{number}")
        entrants, history, options = random_state(chance, chance.randint(12, 70), chance.randint(0, 4))
        share, most = chance.random(), chance.choice((99, 6))
        club = frozenset(entrant.id for entrant in entrants if chance.random() < share)
        entrants = [
            replace(one, points=min(one.points, most), avoid=club - {one.id} if one.id in club else frozenset())
            for one in entrants
        ]
        field = field_of((entrants, history, options), str(number))
        least = best_pairing(field, Stream(b"s", "whole"), whole_up_to=99).cost.key(options)
        for named in (None, [0] * len(field.start)):
            found = best_pairing(field, Stream(b"s", "pools"), whole_up_to=0, named=named)
            assert_best(field, found, least, number)


@pytest.mark.parametrize("players", [600, 601])
def test_a_field_of_single_scores_whose_neighbours_have_met_is_proved_too(players: int) -> None:
    entrants = [Entrant(number, number) for number in range(players)]
    plan = pair_round(entrants, list(pairwise(range(players))), PairingOptions(), Stream(b"s", "chain"))
    assert plan.cost == plan.lower_bound == PairingCost(score_gap=4 * 600 // 2)


def test_no_point_of_a_large_field_costs_too_much_for_the_matching() -> None:
    chance = random.Random("wide")
    entrants = [Entrant(number, chance.randrange(10**6), byes=number % 5) for number in range(401)]
    plan = pair_round(entrants, [], PairingOptions(), Stream(b"s", "wide"))
    assert plan.certified


def partners(entrants: list[Entrant], history: list[tuple[int, int]], draws: int) -> Counter[frozenset[frozenset[int]]]:
    counts: Counter[frozenset[frozenset[int]]] = Counter()
    for number in range(draws):
        plan = pair_round(entrants, history, PairingOptions(), Stream(b"fair", str(number)))
        counts[frozenset(frozenset(pair) for pair in plan.seating.tolist())] += 1
    return counts


def test_the_pairings_of_six_with_one_clash_are_drawn_about_equally_often() -> None:
    draws = 20_000 if FULL else 1_200
    counts = partners([Entrant(number, 0) for number in range(6)], [(0, 1)], draws)
    expected = draws / 12
    assert len(counts) == 12
    # A matching by random costs is a little less than uniform: each within a tenth, and what 1200 draws scatter.
    assert max(abs(count - expected) for count in counts.values()) < 0.1 * expected + 4 * expected**0.5


def test_the_pairings_of_a_large_score_are_drawn_equally_often() -> None:
    # 30 players on one score, one meeting: each of the other 28 meets the first equally often. Chi-square, p = 0.001.
    draws = 10_000 if FULL else 1_400
    entrants = [Entrant(number, 0) for number in range(30)]
    met: Counter[int] = Counter()
    for number in range(draws):
        plan = pair_round(entrants, [(0, 1)], PairingOptions(), Stream(b"fair", str(number)))
        ((pair),) = [set(pair) for pair in plan.seating.tolist() if 0 in pair]
        met += Counter(pair - {0})
    assert set(met) == set(range(2, 30))
    assert sum((count - draws / 28) ** 2 / (draws / 28) for count in met.values()) < 55.5


SCRIPT = """
import hashlib, random
from cards.engine.streams import Stream
from events.engine.pairing import pair_round
from tests.events.engine.pairing_states import random_state
digest = hashlib.sha256()
for number in range(40):
    chance = random.Random(number)
    plan = pair_round(*random_state(chance, chance.randint(2, 90), chance.randint(0, 12)), Stream(b"s", str(number)))
    digest.update(repr((plan.pairs, plan.bye, plan.bye_reasons, plan.cost)).encode())
print(digest.hexdigest())
"""


def test_three_processes_pair_alike_whatever_their_hash_seeds() -> None:
    root = Path(__file__).parents[3]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            cwd=root,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1


def test_columns_and_objects_give_the_same_plan_whatever_their_order() -> None:
    entrants, history, options = random_state(random.Random("columns"), 120, 6)
    plan = pair_round(entrants, history, options, Stream(b"s", "columns"))
    order = list(range(120))
    random.Random("order").shuffle(order)
    columns = Entrants.of([entrants[place] for place in order] + [Entrant(500, 3), Entrant(501, 900)])
    columns = replace(columns, playing=np.array([True] * 120 + [False] * 2))
    rows = History.of([*history, (500, 1), (501, 500), (7, 999)], columns.ids)
    assert pair_round(columns, rows, options, Stream(b"s", "columns")) == plan


def test_columns_that_do_not_fit_are_a_bug() -> None:
    one, two = np.zeros(1, np.int64), np.array([4, 4])
    with pytest.raises(ValueError, match="unequal"):
        Entrants(np.arange(2), one, one, one, one)
    with pytest.raises(ValueError, match="twice"):
        Entrants(two, two, two, two, two)
    with pytest.raises(ValueError, match="isn't there"):
        Entrants(np.arange(2), two, two, two, two, np.array([[0, 2]]))
    with pytest.raises(ValueError, match="itself"):
        History(np.array([[0], [-1]]))
    with pytest.raises(ValueError, match="one row"):
        pair_round([Entrant(1, 0)], History(np.empty((2, 0), np.int64)), PairingOptions(), Stream(b"s", "x"))


def play(players: int, rounds: int, *, drops: float = 0.03) -> None:
    """A whole event: proved in every round, no rematch, no second bye."""
    chance = random.Random(players)
    points, byes, down, up = ([0] * players for _ in range(4))
    history: list[tuple[int, int]] = []
    active = set(range(players))
    for number in range(rounds):
        entrants = [Entrant(i, points[i], byes[i], down[i], up[i]) for i in sorted(active)]
        plan = pair_round(entrants, history, PairingOptions(), Stream(b"s", f"pairing|{number}"))
        assert (plan.certified, plan.cost.rematches, plan.cost.bye_earlier_byes) == (True, 0, 0)
        seating = plan.seating.tolist()
        seated = [player for pair in seating for player in pair] + ([] if plan.bye is None else [plan.bye])
        assert sorted(seated) == sorted(active)
        if plan.bye is not None:
            points[plan.bye] += 3
            byes[plan.bye] += 1
        for a, b in seating:
            down[a] += points[a] > points[b]
            up[b] += points[a] > points[b]
            history.append((a, b))
            luck = chance.random()
            points[a] += 3 * (luck > 0.52) or luck <= 0.05
            points[b] += 3 * (0.05 < luck <= 0.52) or luck <= 0.05
        active = {player for player in active if chance.random() >= drops}


@pytest.mark.parametrize(("players", "rounds"), [(129, 8), (300, 9), (1001, 11)])
def test_large_events_are_paired_with_proof_in_every_round(players: int, rounds: int) -> None:
    play(players, rounds)


@pytest.mark.parametrize(("players", "rounds"), [(64, 32), (200, 60 if FULL else 25)])
def test_leagues_are_paired_with_proof_in_every_round(players: int, rounds: int) -> None:
    play(players, rounds, drops=0)
