"""Random states of a Swiss event, most of them nastier than a real one."""

from __future__ import annotations

import random

from events.engine.pairing import AvoidMode, Entrant, Pair, PairingOptions

State = tuple[list[Entrant], list[Pair], PairingOptions]


def random_state(chance: random.Random, size: int, rounds: int) -> State:
    """``size`` players with up to ``rounds`` rounds behind them: scores few, as in an event, nearly all distinct, or in
    two clumps; meetings near in score or anywhere, dense or thin; byes, floats; teams in half of the states."""
    entrants_points = _points(chance, size, rounds)
    history: list[Pair] = []
    byes = [0] * size
    density = chance.random()
    near = chance.random() < 0.7
    for _ in range(rounds):
        noise = chance.random() * 5
        keys = [points + noise * chance.random() if near else chance.random() for points in entrants_points]
        order = sorted(range(size), key=keys.__getitem__)
        for a, b in zip(order[::2], order[1::2], strict=False):
            if chance.random() < 0.3 + 0.7 * density:
                history.append((a, b))
        if size % 2 and chance.random() < 0.7:
            byes[order[-1]] += 1
    avoid: dict[int, set[int]] = {number: set() for number in range(size)}
    if chance.random() < 0.5:
        teams = [chance.randrange(max(2, size // 3)) for _ in range(size)]
        thin = chance.random() < 0.5
        for number in range(size):
            for other in range(number):
                if teams[number] == teams[other] and not (thin and chance.random() < 0.7):
                    avoid[number].add(other)
    floats = [(_few(chance, rounds), _few(chance, rounds)) for _ in range(size)]
    entrants = [
        Entrant(number, entrants_points[number], byes[number], *floats[number], avoid=frozenset(avoid[number]))
        for number in range(size)
    ]
    return entrants, history, PairingOptions(chance.choice(list(AvoidMode)), chance.random() < 0.3)


def _points(chance: random.Random, size: int, rounds: int) -> list[int]:
    kind = chance.randrange(4)
    if kind == 0:
        most = chance.randrange(5)
        return [3 * chance.randint(0, most) for _ in range(size)]
    if kind == 1:
        return [sum(chance.choice((0, 0, 0, 3, 3, 3, 1)) for _ in range(rounds)) for _ in range(size)]
    if kind == 2:
        return [chance.randrange(46) for _ in range(size)]
    return [3 * chance.randrange(2) if chance.random() < 0.7 else chance.randrange(30) for _ in range(size)]


def _few(chance: random.Random, rounds: int) -> int:
    return sum(chance.random() < 0.1 for _ in range(rounds))
