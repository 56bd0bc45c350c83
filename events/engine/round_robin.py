"""Everybody against everybody, in one group or in pools, and who goes on from pools."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from config.errors import DomainError
from events.engine.brackets import rounds_of, seed_order
from events.engine.cuts import Cut, check_cut_size
from events.engine.pairing_model import Pair, Reason

LARGEST_GROUP = 128


@dataclass(frozen=True, slots=True)
class RobinRound:
    """``pairs`` are (home, away): home chooses who begins where the policy says so. ``bye`` is None in an even
    group."""

    number: int
    pairs: tuple[Pair, ...]
    bye: int | None = None


def berger(players: Sequence[int]) -> tuple[RobinRound, ...]:
    """The round robin of ``players`` by the Berger tables of chess (FIDE Handbook C.05, annex 1), in which every two
    meet once, everybody in an odd group has one bye, and homes and aways differ by one at most (not at all in an odd
    group).

    Numbers i and j below the last meet in the round r in which i + j = r + 1 modulo n - 1; the last meets who would
    meet themselves. Raises DomainError ``round_robin.size`` outside 2..128, ``ValueError`` for a player named twice.
    """
    if not 2 <= len(players) <= LARGEST_GROUP:
        raise DomainError(
            "round_robin.size",
            f"A round robin has 2 to {LARGEST_GROUP} players, not {len(players)}. Play pools or Swiss rounds.",
            {"players": len(players), "least": 2, "most": LARGEST_GROUP},
        )
    if len(set(players)) != len(players):
        raise ValueError("a player is named twice")
    cycle = len(players) - 1 + len(players) % 2
    ring = [*players[:cycle], *players[:cycle]]
    last = players[cycle] if len(players) > cycle else None
    return tuple(_round(ring, number, cycle, last) for number in range(1, cycle + 1))


def _round(ring: Sequence[int], number: int, cycle: int, last: int | None) -> RobinRound:
    """Around the one who would meet themselves the others pair off, one place on against one place back, and so on:
    who comes after is at home. ``ring`` holds everybody but the last twice over."""
    alone = (number - 1) * (cycle + 1) // 2 % cycle
    half = cycle // 2
    pairs = tuple(
        zip(ring[alone + 1 : alone + half + 1], ring[cycle + alone - half : cycle + alone][::-1], strict=True)
    )
    one = ring[alone]
    if last is None:
        return RobinRound(number, pairs, one)
    return RobinRound(number, ((one, last) if alone <= half else (last, one), *pairs))


def robin_reason(number: int, rounds: int) -> Reason:
    """Why two meet in round ``number`` of a round robin."""
    return Reason("round_robin", {"round": number, "rounds": rounds})


@dataclass(frozen=True, slots=True)
class PresentRound:
    """A round of those who are still there. ``byes`` say why somebody has no opponent."""

    pairs: tuple[Pair, ...]
    byes: tuple[tuple[int, Reason], ...]


def present_round(order: Sequence[int], number: int, there: Collection[int]) -> PresentRound:
    """Round ``number`` of the round robin of ``order`` without those who left: whoever was to meet one of them has a
    bye. Raises as ``berger``, and ``ValueError`` for a round that there isn't."""
    rounds = berger(order)
    if not 1 <= number <= len(rounds):
        raise ValueError(f"there is no round {number} of {len(rounds)}")
    planned = rounds[number - 1]
    pairs = tuple(pair for pair in planned.pairs if pair[0] in there and pair[1] in there)
    byes = [
        (player, Reason("opponent_left", {"opponent": other}))
        for home, away in planned.pairs
        for player, other in ((home, away), (away, home))
        if player in there and other not in there
    ]
    if planned.bye is not None and planned.bye in there:
        byes.append((planned.bye, Reason("round_robin_bye", {"round": number, "rounds": len(rounds)})))
    return PresentRound(pairs, tuple(byes))


def snake_pools(seeds: Sequence[int], pools: int) -> tuple[tuple[int, ...], ...]:
    """Players in order of seed dealt to pools forth and back (1 2 3, 3 2 1, ...), so that pools differ by one player
    at most and are about equally strong. Raises DomainError ``pools.too_many`` when a pool would have fewer than two
    players."""
    if pools < 1 or len(seeds) < 2 * pools:
        most = len(seeds) // 2
        raise DomainError(
            "pools.too_many",
            f"{len(seeds)} players fill at most {most} pools of two or more, not {pools}. Ask for fewer pools.",
            {"players": len(seeds), "pools": pools, "most": most},
        )
    dealt: list[list[int]] = [[] for _ in range(pools)]
    for index, player in enumerate(seeds):
        turn, place = divmod(index, pools)
        dealt[place if turn % 2 == 0 else pools - 1 - place].append(player)
    return tuple(tuple(pool) for pool in dealt)


def pool_rounds(pools: Sequence[Sequence[int]]) -> tuple[tuple[RobinRound | None, ...], ...]:
    """Rounds of all pools side by side: by round, then by pool; None for a pool that has finished."""
    schedules = [berger(pool) for pool in pools]
    longest = max(map(len, schedules), default=0)
    return tuple(
        tuple(schedule[index] if index < len(schedule) else None for schedule in schedules) for index in range(longest)
    )


@dataclass(frozen=True, slots=True)
class PoolRow:
    """A player's record in a pool. ``points`` count from ``matches`` played, byes not among them, so that pools of
    unequal size compare; ``tie_breakers`` decide further, larger is better."""

    player: int
    points: int
    matches: int
    tie_breakers: tuple[Fraction, ...] = ()

    @property
    def strength(self) -> tuple[Fraction, tuple[Fraction, ...]]:
        return Fraction(self.points, self.matches or 1), self.tie_breakers


def cut_pools(
    standings: Sequence[Sequence[PoolRow]], each: int, *, wildcards: int = 0, dropped: Collection[int] = ()
) -> Cut:
    """Who goes on from pools, in order of seed: the best ``each`` of every pool, and the best ``wildcards`` of all
    others. ``standings`` hold each pool's players from first to last.

    Winners of pools are seeded before the second, and so on, wildcards last; equals by points per match, then by
    tie-breakers, then by the order of pools. In a pool who left is replaced by the next. Then, among those of one place
    but the winners, seeds are exchanged with the nearest that parts players of one pool in the first round of the
    bracket. Raises DomainError ``cut.size``; ``pools.too_few_players`` naming the pools that cannot send as many.
    """
    check_cut_size(each * len(standings) + wildcards)
    present = [[row for row in pool if row.player not in dropped] for pool in standings]
    short = [number for number, pool in enumerate(present, 1) if len(pool) < each]
    others = [(place, number, row) for number, pool in enumerate(present) for place, row in enumerate(pool)]
    others = [entry for entry in others if entry[0] >= each]
    if short or len(others) < wildcards:
        raise DomainError(
            "pools.too_few_players",
            "There are not enough players left in the pools for this cut. Let fewer go on.",
            {"each": each, "wildcards": wildcards, "short_pools": short, "others": len(others)},
        )
    pool_of = {row.player: number for number, pool in enumerate(standings) for row in pool}
    tiers = [
        [
            pool[place].player
            for _, pool in sorted(enumerate(present), key=lambda entry: _order(entry[0], entry[1][place]))
        ]
        for place in range(each)
    ]
    wild = sorted(others, key=lambda entry: (entry[0], *_order(entry[1], entry[2])))[:wildcards]
    tiers.append([row.player for _, _, row in wild])
    reached = {row.player for pool in standings for row in pool[:each]}
    seeds = _parted([player for tier in tiers for player in tier], [len(tier) for tier in tiers], pool_of)
    return Cut(tuple(seeds), tuple(player for player in pool_of if player in reached and player in dropped))


def _order(pool: int, row: PoolRow) -> tuple[Fraction, tuple[Fraction, ...], int]:
    share, tie_breakers = row.strength
    return -share, tuple(-figure for figure in tie_breakers), pool


def _parted(seeds: list[int], sizes: Sequence[int], pool_of: dict[int, int]) -> list[int]:
    """``seeds`` with the nearest swaps inside a tier that take pool-mates out of each other's first match."""
    order = seed_order(1 << rounds_of(len(seeds)))
    opponent = {}
    for high, low in zip(order[::2], order[1::2], strict=True):
        if max(high, low) <= len(seeds):
            opponent[high - 1], opponent[low - 1] = low - 1, high - 1

    def clash(place: int) -> bool:
        return place in opponent and pool_of[seeds[place]] == pool_of[seeds[opponent[place]]]

    tier_of = [tier for tier, size in enumerate(sizes) for _ in range(size)]
    for place in reversed(range(sizes[0], len(seeds))):
        if not clash(place):
            continue
        others = (other for other in range(len(seeds)) if tier_of[other] == tier_of[place] and other != place)
        for other in sorted(others, key=lambda other: (abs(other - place), other)):
            before = clash(place) + clash(other)
            seeds[place], seeds[other] = seeds[other], seeds[place]
            if clash(place) + clash(other) < before:
                break
            seeds[place], seeds[other] = seeds[other], seeds[place]
    return seeds
