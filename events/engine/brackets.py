"""Single elimination after a cut: who meets whom, who goes on, and where everybody ends."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from config.errors import Conflict, DomainError
from events.engine.pairing_model import Reason

LARGEST_BRACKET = 128


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match in bracket order. ``slot`` counts from 0 within the round; ``b`` is None for a bye, and then ``a`` has
    already won. Seeds travel with the players: the better one is ``a``. ``for_third`` marks the match of the two who
    lost a semi-final; nobody goes on from it."""

    slot: int
    a: int
    b: int | None
    seed_a: int
    seed_b: int | None = None
    for_third: bool = False

    @property
    def players(self) -> tuple[int, ...]:
        return (self.a,) if self.b is None else (self.a, self.b)


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


def check_seeds(seeds: Sequence[int]) -> None:
    """Raises DomainError ``bracket.size`` outside 2..128, ``ValueError`` when a player appears twice."""
    if not 2 <= len(seeds) <= LARGEST_BRACKET:
        raise DomainError(
            "bracket.size",
            f"A bracket has 2 to {LARGEST_BRACKET} players, not {len(seeds)}. Play Swiss rounds and a cut.",
            {"size": len(seeds), "least": 2, "most": LARGEST_BRACKET},
        )
    if len(set(seeds)) != len(seeds):
        raise ValueError("a player is seeded twice")


def first_round(seeds: Sequence[int]) -> tuple[BracketMatch, ...]:
    """Matches of the first round for players in order of seed; the best seeds have the byes of a bracket that is not
    full. Raises as ``check_seeds``."""
    check_seeds(seeds)
    order = seed_order(1 << rounds_of(len(seeds)))
    matches = []
    for slot, (left, right) in enumerate(zip(order[::2], order[1::2], strict=True)):
        high, low = min(left, right), max(left, right)
        if low <= len(seeds):
            matches.append(BracketMatch(slot, seeds[high - 1], seeds[low - 1], high, low))
        else:
            matches.append(BracketMatch(slot, seeds[high - 1], None, high))
    return tuple(matches)


def next_round(
    previous: Sequence[BracketMatch], winners: Mapping[int, int], *, reseed: bool = False, third_place: bool = False
) -> tuple[BracketMatch, ...]:
    """The round after ``previous``; ``winners`` maps slot to player (byes win by themselves). Empty after the final.

    ``reseed``: the best seed left meets the worst, the second best the second worst, and so on; otherwise the bracket
    stands as it was drawn. ``third_place`` adds that match to the final when two players lost a semi-final.
    Raises Conflict ``bracket.winner_missing`` naming the slots, DomainError ``bracket.not_in_match``.
    """
    played = sorted((match for match in previous if not match.for_third), key=lambda match: match.slot)
    missing = [match.slot for match in played if match.b is not None and match.slot not in winners]
    if missing:
        raise Conflict(
            "bracket.winner_missing",
            "Every match of elimination needs a winner before the next round; "
            f"{len(missing)} of {len(played)} have none yet.",
            {"slots": missing},
        )
    going_on = [_winner(match, winners.get(match.slot, match.a)) for match in played]
    if len(going_on) < 2:
        return ()
    if reseed:
        ranked, half = sorted(going_on), len(going_on) // 2
        pairs = list(zip(ranked[:half], reversed(ranked[half:]), strict=True))
    else:
        pairs = list(zip(going_on[::2], going_on[1::2], strict=True))
    matches = [_match(slot, *pair) for slot, pair in enumerate(pairs)]
    if third_place and len(played) == 2 and all(match.b is not None for match in played):
        first, second = (_loser(match, winner) for match, (_, winner) in zip(played, going_on, strict=True))
        matches.append(_match(1, first, second, for_third=True))
    return tuple(matches)


def champion(final: Sequence[BracketMatch], winners: Mapping[int, int]) -> int | None:
    """Winner of the last round, None while it is open or when there are rounds to come."""
    finals = [match for match in final if not match.for_third]
    if len(finals) != 1:
        return None
    (match,) = finals
    return match.a if match.b is None else winners.get(match.slot)


def bracket_reason(match: BracketMatch, players: int, *, reseeded: bool = False) -> Reason:
    """Why this match is as it is, in a bracket of ``players``: ``bracket_bye``, ``third_place``, ``bracket_reseeded``
    (from the second round of a re-seeded bracket on), ``bracket``."""
    if match.seed_b is None:
        return Reason("bracket_bye", {"seed": match.seed_a, "players": players, "places": 1 << rounds_of(players)})
    seeds = {"seed": match.seed_a, "opponent_seed": match.seed_b}
    if match.for_third:
        return Reason("third_place", seeds)
    return Reason("bracket_reseeded" if reseeded else "bracket", seeds)


@dataclass(frozen=True, slots=True)
class Placing:
    """``rank`` is the place after the Swiss rounds; ``lost_in`` the round of elimination, from 1, that the player lost,
    None for the winner and for who was not in the cut. ``through`` is the last of the places that the player shares
    ("5 to 8"), None for a place of one's own."""

    place: int
    player: int
    rank: int
    lost_in: int | None = None
    through: int | None = None


def final_placing(
    ranking: Sequence[int],
    winner: int,
    lost_in: Mapping[int, int],
    *,
    third: int | None = None,
    shared: bool = False,
    disqualified: Collection[int] = (),
) -> tuple[Placing, ...]:
    """Everybody's place when elimination is over: the winner, the other finalist, then those who lost a round earlier,
    and so on; below them who was not in the cut. Who got equally far stands by the place after the Swiss rounds, or
    with ``shared`` has the same place as the others.

    ``ranking`` holds the players in that order, ``lost_in`` those of the cut but the winner, by the round that put
    them out (a later round is better, in double elimination too). ``third`` won the match for third place.
    ``disqualified`` players have no place, and everybody below moves one up. Raises ValueError for a player of the cut
    who is not ranked.
    """
    if strangers := {winner, *lost_in, *(() if third is None else (third,))} - set(ranking):
        raise ValueError(f"players without a rank: {sorted(strangers)}")
    ranked = sorted(
        (_depth(player, winner, lost_in, third), rank, player)
        for rank, player in enumerate(ranking, 1)
        if player not in disqualified
    )
    placing: list[Placing] = []
    for _, group in groupby(ranked, lambda row: row[0] if shared and row[2] in lost_in else row[1]):
        equals = list(group)
        first, last = len(placing) + 1, len(placing) + len(equals)
        through = last if last > first else None
        placing += [Placing(first, player, rank, lost_in.get(player), through) for _, rank, player in equals]
    return tuple(placing)


def _depth(player: int, winner: int, lost_in: Mapping[int, int], third: int | None) -> tuple[bool, int, bool]:
    """Smaller for who got further."""
    return player != winner, -lost_in.get(player, 0), player != third


def _match(slot: int, left: tuple[int, int], right: tuple[int, int], *, for_third: bool = False) -> BracketMatch:
    (seed_a, a), (seed_b, b) = sorted((left, right))
    return BracketMatch(slot, a, b, seed_a, seed_b, for_third)


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


def _loser(match: BracketMatch, winner: int) -> tuple[int, int]:
    if match.b is None or match.seed_b is None:
        raise ValueError(f"nobody loses the bye in slot {match.slot}")
    return (match.seed_b, match.b) if winner == match.a else (match.seed_a, match.a)
