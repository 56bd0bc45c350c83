from __future__ import annotations

import random
from itertools import pairwise

import pytest

from cards.engine.streams import Stream
from events.engine.pairing import EXACT_UP_TO, AvoidMode, Entrant, PairingCost, PairingOptions, pair_round
from events.engine.pairing_exact import pair_exactly
from events.engine.pairing_large import pair_by_kernel
from events.engine.pairing_model import Field

SCORES = ([0, 3, 6], [0, 1, 3, 4, 6, 9], [0], list(range(12)), [0] * 6 + [3] * 4 + [6, 7, 9, 12])


def random_field(seed: int) -> Field:
    """20 to 90 players, up to six rounds behind them, some who avoid somebody."""
    chance = random.Random(seed)
    size = chance.randint(20, 90)
    scores = chance.choice(SCORES)
    entrants = [
        Entrant(
            number,
            chance.choice(scores),
            byes=int(chance.random() < 0.3),
            paired_down=int(chance.random() < 0.2),
            paired_up=int(chance.random() < 0.2),
            avoid=frozenset({chance.randrange(size)} if chance.random() < 0.1 else ()) - {number},
        )
        for number in range(size)
    ]
    history = []
    for _ in range(chance.randint(0, 6)):
        spread = chance.choice([1, 10])
        keys = {entrant.id: entrant.points + spread * chance.random() for entrant in entrants}
        order = sorted(keys, key=keys.__getitem__)
        history += list(zip(order[::2], order[1::2], strict=False))
    options = PairingOptions(chance.choice(list(AvoidMode)), chance.random() < 0.3)
    return Field(entrants, history, options, Stream(b"s", str(seed)))


@pytest.mark.parametrize("least_kernel", [2, 8])
def test_the_kernel_finds_what_the_complete_matching_finds(least_kernel: int) -> None:
    certified = 0
    for seed in range(60):
        field = random_field(seed)
        found = pair_by_kernel(field, Stream(b"s", "kernel"), least_kernel=least_kernel)
        seated = [place for pair in found.pairs for place in pair] + ([found.bye] if found.bye is not None else [])
        assert sorted(seated) == list(range(len(field)))
        cost = field.cost(found.pairs, found.bye)
        best = field.cost(*pair_exactly(field, Stream(b"s", "exact")))
        assert found.bound is not None
        assert found.bound.key(field.options) <= best.key(field.options) <= cost.key(field.options)
        certified += cost == found.bound
    assert certified >= 58


def play(players: int, rounds: int) -> None:
    chance = random.Random(players)
    points, byes, down, up = ([0] * players for _ in range(4))
    history: list[tuple[int, int]] = []
    for number in range(rounds):
        entrants = [Entrant(i, points[i], byes[i], down[i], up[i]) for i in range(players)]
        plan = pair_round(entrants, history, PairingOptions(), Stream(b"s", f"pairing|{number}"))
        assert plan.certified
        assert plan.rematch_free
        seated = [player for pair in plan.pairs for player in (pair.a, pair.b)]
        assert sorted([*seated, plan.bye] if plan.bye is not None else seated) == list(range(players))
        if plan.bye is not None:
            assert not byes[plan.bye]
            points[plan.bye] += 3
            byes[plan.bye] += 1
        for pair in plan.pairs:
            if points[pair.a] > points[pair.b]:
                down[pair.a] += 1
                up[pair.b] += 1
        for pair in plan.pairs:
            history.append((pair.a, pair.b))
            luck = chance.random()
            for player, won in ((pair.a, 3 * (luck > 0.52)), (pair.b, 3 * (0.05 < luck <= 0.52))):
                points[player] += won or (luck <= 0.05)


@pytest.mark.parametrize(("players", "rounds"), [(EXACT_UP_TO + 1, 8), (300, 9), (1001, 11)])
def test_large_events_are_paired_with_proof_in_every_round(players: int, rounds: int) -> None:
    play(players, rounds)


def test_input_order_does_not_matter_in_a_large_field() -> None:
    entrants = [Entrant(number, 3 * (number % 5)) for number in range(300)]
    history = [(number, number + 5) for number in range(0, 290, 10)]
    options = PairingOptions()
    plan = pair_round(entrants, history, options, Stream(b"s", "pairing"))
    assert pair_round(entrants[::-1], history[::-1], options, Stream(b"s", "pairing")) == plan
    assert plan.cost == plan.lower_bound == PairingCost()


def test_a_field_of_single_scores_is_paired_with_neighbours_and_without_a_claim() -> None:
    entrants = [Entrant(number, number) for number in range(600)]
    plan = pair_round(entrants, list(pairwise(range(600))), PairingOptions(), Stream(b"s", "pairing"))
    assert plan.cost == PairingCost(score_gap=4 * 600 // 2)
    assert (plan.certified, plan.lower_bound) == (False, PairingCost())
