from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.pairing_model import Pair, Reason
from events.engine.pod_pairing import PodMember, PodPair, PodRound, pod_first_round, pod_round

Cost = tuple[int, int, int, int, int]


def stream(label: object) -> Stream:
    return Stream(b"s", f"pod|{label}")


def pairings(players: list[int]) -> Iterator[tuple[list[Pair], int | None]]:
    """Every complete pairing; in an odd pod with every bye."""
    if len(players) % 2:
        for bye in players:
            for pairs, _ in pairings([player for player in players if player != bye]):
                yield pairs, bye
    elif not players:
        yield [], None
    else:
        first, *rest = players
        for other in rest:
            for pairs, _ in pairings([player for player in rest if player != other]):
                yield [(first, other), *pairs], None


def cost(members: dict[int, PodMember], size: int, history: list[Pair], pairs: list[Pair], bye: int | None) -> Cost:
    met = sum(sorted(pair) == sorted(old) for pair in pairs for old in history)
    gaps = sum((members[a].points - members[b].points) ** 2 for a, b in pairs)
    near = 0
    for a, b in pairs:
        steps = abs(members[a].seat - members[b].seat)
        near += (size // 2 - min(steps, size - steps)) ** 2
    receiver = (0, 0) if bye is None else (members[bye].byes, members[bye].points)
    return (met, *receiver, gaps, near)


@pytest.mark.parametrize("size", range(2, 12))
def test_the_first_round_is_as_far_apart_as_can_be(size: int) -> None:
    members = {player: PodMember(player, player) for player in range(size)}
    for draw in range(20):
        pairs, bye = pod_first_round(range(size), stream(draw))
        assert sorted([*(player for pair in pairs for player in pair), *([] if bye is None else [bye])]) == list(
            range(size)
        )
        assert cost(members, size, [], list(pairs), bye)[-1] == 0
        found = pod_round(list(members.values()), size, [], stream(draw))
        assert {pair.apart for pair in found.pairs} == {size // 2}


def test_even_pods_play_exactly_opposite_and_anybody_may_have_the_bye_of_an_odd_one() -> None:
    assert pod_first_round(range(1, 9), stream(0)) == (((1, 5), (2, 6), (3, 7), (4, 8)), None)
    drawn = {pod_first_round([1, 2, 3, 4, 5], stream(draw)) for draw in range(60)}
    assert {bye for _, bye in drawn} == {1, 2, 3, 4, 5}
    assert (((4, 1), (5, 2)), 3) in drawn


def random_state(draw: int) -> tuple[list[PodMember], int, list[Pair]]:
    rng = stream(draw)
    size = 2 + rng.below(7)
    there = [seat for seat in range(size) if rng.below(8)] if size > 4 else list(range(size))
    players = {seat: 100 - seat for seat in there}
    members = [PodMember(players[seat], seat, rng.below(4) * 3, rng.below(2)) for seat in there]
    met = [pair for pair in combinations(sorted(players.values()), 2) if rng.below(3) == 0]
    return rng.shuffled(members), size, met + [(b, a) for a, b in met if rng.below(4) == 0]


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**9))
def test_a_round_is_the_best_of_all_complete_pairings(draw: int) -> None:
    members, size, history = random_state(draw)
    if len(members) < 2:
        return
    by_player = {member.player: member for member in members}
    found = pod_round(members, size, history, stream("lots"))
    best = min(cost(by_player, size, history, pairs, bye) for pairs, bye in pairings(sorted(by_player)))
    assert cost(by_player, size, history, [(pair.a, pair.b) for pair in found.pairs], found.bye) == best
    assert pod_round(members[::-1], size, history[::-1], stream("lots")) == found


def test_three_rounds_of_eight_bring_no_rematch() -> None:
    for draw in range(30):
        rng, history = stream(draw), list[Pair]()
        points = dict.fromkeys(range(8), 0)
        for _ in range(3):
            members = [PodMember(player, player, points[player]) for player in range(8)]
            for pair in pod_round(members, 8, history, rng).pairs:
                assert not pair.rematch
                history.append((pair.a, pair.b))
                points[rng.choice((pair.a, pair.b))] += 3
        assert len(set(history)) == 12


def test_equal_points_come_before_distance_and_the_pair_says_so() -> None:
    members = [PodMember(10, 0, 3), PodMember(11, 1, 3), PodMember(12, 2), PodMember(13, 3)]
    found = pod_round(members, 4, [(10, 12), (11, 13)], stream(0))
    assert found == PodRound((PodPair(10, 11, 1, False, 0), PodPair(12, 13, 1, False, 0)))
    assert found.pairs[0].reason == Reason("pod", {"apart": 1, "gap": 0, "rematch": 0})


def test_an_unavoidable_rematch_is_said() -> None:
    (pair,) = pod_round([PodMember(1, 0, 3), PodMember(2, 1, 6)], 2, [(1, 2)], stream(0)).pairs
    assert pair == PodPair(2, 1, 1, True, 3)


def test_a_pod_of_one_and_seats_that_cannot_be_are_refused() -> None:
    with pytest.raises(DomainError) as refused:
        pod_round([PodMember(1, 0)], 8, [], stream(0))
    assert refused.value.code == "pods.too_few_players"
    for members, size in (
        ([PodMember(1, 0), PodMember(2, 0)], 8),
        ([PodMember(1, 0), PodMember(2, 8)], 8),
        ([PodMember(1, 0), PodMember(2, 8)], 65),
    ):
        with pytest.raises(ValueError):
            pod_round(members, size, [], stream(0))
