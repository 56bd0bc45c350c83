"""Single elimination after a cut: who is in, who meets whom, who goes on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from config.errors import Conflict, DomainError

LARGEST_CUT = 64


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match in bracket order. ``slot`` counts from 0 within the round; ``b`` is None for a bye, and then ``a`` has
    already won. Seeds travel with the players: the better one is ``a``."""

    slot: int
    a: int
    b: int | None
    seed_a: int
    seed_b: int | None = None

    @property
    def players(self) -> tuple[int, ...]:
        return (self.a,) if self.b is None else (self.a, self.b)


@dataclass(frozen=True, slots=True)
class Cut:
    """Players in order of seed, and who ranked high enough but had left before the cut."""

    seeds: tuple[int, ...]
    dropped_before_cut: tuple[int, ...] = ()


def make_cut(ranking: Sequence[int], size: int, dropped: Collection[int] = ()) -> Cut:
    """The best ``size`` players of ``ranking`` (first to last) who are still there; who left is replaced by the next.

    A smaller field makes a smaller cut. Raises DomainError ``cut.size`` for a cut outside 2..64 and
    ``cut.too_few_players`` when fewer than two are left.
    """
    _check_size(size)
    seeds: list[int] = []
    left_early: list[int] = []
    for player in ranking:
        if len(seeds) == size:
            break
        (left_early if player in dropped else seeds).append(player)
    if len(seeds) < 2:
        raise DomainError(
            "cut.too_few_players",
            "A cut needs at least two players who are still in the event. Finish the event on the standings instead.",
            {"players": len(seeds), "size": size},
        )
    return Cut(tuple(seeds), tuple(left_early))


def rounds_of(size: int) -> int:
    """Rounds of elimination for ``size`` players."""
    return max(size - 1, 0).bit_length()


def seed_order(slots: int) -> tuple[int, ...]:
    """Seeds by place in a bracket of ``slots`` (a power of two): 1 and 2 can meet only in the final, 1 to 4 not before
    the semi-finals, and so on; for eight 1-8, 4-5, 2-7, 3-6."""
    if slots < 1 or slots & (slots - 1):
        raise ValueError(f"a bracket has a power of two of places, not {slots}")
    order = [1]
    while len(order) < slots:
        total = 2 * len(order) + 1
        order = [seed for best in order for seed in (best, total - best)]
    return tuple(order)


def first_round(seeds: Sequence[int]) -> tuple[BracketMatch, ...]:
    """Matches of the first round for players in order of seed; the best seeds have the byes of a bracket that is not
    full. Raises DomainError ``cut.size``, ``ValueError`` when a player appears twice."""
    _check_size(len(seeds))
    if len(set(seeds)) != len(seeds):
        raise ValueError("a player is seeded twice")
    order = seed_order(1 << rounds_of(len(seeds)))
    matches = []
    for slot, (left, right) in enumerate(zip(order[::2], order[1::2], strict=True)):
        high, low = min(left, right), max(left, right)
        if low <= len(seeds):
            matches.append(BracketMatch(slot, seeds[high - 1], seeds[low - 1], high, low))
        else:
            matches.append(BracketMatch(slot, seeds[high - 1], None, high))
    return tuple(matches)


def next_round(previous: Sequence[BracketMatch], winners: Mapping[int, int]) -> tuple[BracketMatch, ...]:
    """The round after ``previous``; ``winners`` maps slot to player (byes win by themselves). Empty after the final.

    Raises Conflict ``bracket.winner_missing`` naming the slots, DomainError ``bracket.not_in_match``.
    """
    missing = [match.slot for match in previous if match.b is not None and match.slot not in winners]
    if missing:
        raise Conflict(
            "bracket.winner_missing",
            "Every match of elimination needs a winner before the next round; "
            f"{len(missing)} of {len(previous)} have none yet.",
            {"slots": missing},
        )
    ordered = sorted(previous, key=lambda match: match.slot)
    going_on = [_winner(match, winners.get(match.slot, match.a)) for match in ordered]
    if len(going_on) < 2:
        return ()
    matches = []
    for slot, (left, right) in enumerate(zip(going_on[::2], going_on[1::2], strict=True)):
        (seed_a, a), (seed_b, b) = sorted((left, right))
        matches.append(BracketMatch(slot, a, b, seed_a, seed_b))
    return tuple(matches)


def champion(final: Sequence[BracketMatch], winners: Mapping[int, int]) -> int | None:
    """Winner of the last round, None while it is open or when there are rounds to come."""
    if len(final) != 1:
        return None
    (match,) = final
    return match.a if match.b is None else winners.get(match.slot)


@dataclass(frozen=True, slots=True)
class Placing:
    """``rank`` is the place after the Swiss rounds; ``lost_in`` the round of elimination, from 1, that the player lost,
    None for the winner and for who was not in the cut."""

    place: int
    player: int
    rank: int
    lost_in: int | None = None


def final_placing(ranking: Sequence[int], winner: int, lost_in: Mapping[int, int]) -> tuple[Placing, ...]:
    """Everybody's place when elimination is over: the winner, the other finalist, then those who lost a round earlier,
    and so on; below them who was not in the cut. Who got equally far stands by the place after the Swiss rounds.

    ``ranking`` holds the players in that order, ``lost_in`` those of the cut but the winner. Raises ValueError for a
    player of the cut who is not ranked.
    """
    if strangers := {winner, *lost_in} - set(ranking):
        raise ValueError(f"players without a rank: {sorted(strangers)}")
    ranked = [(player != winner, -lost_in.get(player, 0), rank, player) for rank, player in enumerate(ranking, 1)]
    return tuple(
        Placing(place, player, rank, lost_in.get(player)) for place, (*_, rank, player) in enumerate(sorted(ranked), 1)
    )


def _winner(match: BracketMatch, winner: int) -> tuple[int, int]:
    if winner == match.a:
        return match.seed_a, match.a
    if match.b is not None and match.seed_b is not None and winner == match.b:
        return match.seed_b, match.b
    raise DomainError(
        "bracket.not_in_match",
        "The winner of a match is one of its two players. Enter one of them.",
        {"slot": match.slot, "players": list(match.players), "winner": winner},
    )


def _check_size(size: int) -> None:
    if not 2 <= size <= LARGEST_CUT:
        raise DomainError(
            "cut.size",
            f"A cut has 2 to {LARGEST_CUT} players, not {size}. Choose 4, 8 or 16 for most events.",
            {"size": size, "least": 2, "most": LARGEST_CUT},
        )
