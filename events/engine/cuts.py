"""Who goes on after the Swiss rounds: by rank, by points, or as many as fill a bracket without byes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from config.errors import DomainError
from events.engine.pairing_model import Reason

LARGEST_CUT = 64


@dataclass(frozen=True, slots=True)
class Cut:
    """Players in order of seed, and who ranked high enough but had left before the cut. ``tied_outside`` are those who
    have as many points as the last seed and are not in, by tie-breakers alone; known only to cuts that look at points,
    and empty when the break is clean."""

    seeds: tuple[int, ...]
    dropped_before_cut: tuple[int, ...] = ()
    tied_outside: tuple[int, ...] = ()


def make_cut(ranking: Sequence[int], size: int, dropped: Collection[int] = ()) -> Cut:
    """The best ``size`` players of ``ranking`` (first to last) who are still there; who left is replaced by the next.

    A smaller field makes a smaller cut. Raises DomainError ``cut.size`` for a cut outside 2..64 and
    ``cut.too_few_players`` when fewer than two are left.
    """
    check_cut_size(size)
    seeds: list[int] = []
    left_early: list[int] = []
    for player in ranking:
        if len(seeds) == size:
            break
        (left_early if player in dropped else seeds).append(player)
    if len(seeds) < 2:
        raise _too_few(len(seeds), {"size": size})
    return Cut(tuple(seeds), tuple(left_early))


def points_of_record(rounds: int, losses: int, *, win: int = 3) -> int:
    """Points of who won all of ``rounds`` but ``losses``: the bar of a cut to "X-2 or better". A draw costs what it
    costs in points. Raises ``ValueError`` for more losses than rounds."""
    if not 0 <= losses <= rounds:
        raise ValueError(f"{losses} losses in {rounds} rounds")
    return (rounds - losses) * win


def cut_by_points(ranking: Sequence[int], points: Mapping[int, int], least: int, dropped: Collection[int] = ()) -> Cut:
    """Everybody who is still there with ``least`` points or more, in order of ``ranking``. Nobody moves up for a
    player who left: the bar is the points, not the number.

    Raises DomainError ``cut.too_few_players`` and, above 64, ``cut.too_many_players`` with the nearest bar that fits.
    """
    reached = [player for player in ranking if points[player] >= least]
    seeds = [player for player in reached if player not in dropped]
    if len(seeds) < 2:
        raise _too_few(len(seeds), {"least": least})
    if len(seeds) > LARGEST_CUT:
        bar = points[seeds[LARGEST_CUT]] + 1
        raise DomainError(
            "cut.too_many_players",
            f"{len(seeds)} players have {least} points or more, and a cut has {LARGEST_CUT} at most. "
            f"Ask for {bar} points.",
            {"players": len(seeds), "least": least, "most": LARGEST_CUT, "suggested": bar},
        )
    return Cut(tuple(seeds), tuple(player for player in reached if player in dropped))


def cut_to_full_bracket(ranking: Sequence[int], wanted: int, dropped: Collection[int] = ()) -> Cut:
    """The next power of two from ``wanted`` on, so that nobody has a bye; where fewer are left, the largest power of
    two that they fill. Raises as ``make_cut``."""
    check_cut_size(wanted)
    left = sum(player not in dropped for player in ranking)
    size = 1 << (wanted - 1).bit_length()
    while size > max(left, 2):
        size //= 2
    return make_cut(ranking, size, dropped)


def cut_at_clean_break(
    ranking: Sequence[int], points: Mapping[int, int], most: int, dropped: Collection[int] = ()
) -> Cut:
    """The largest power of two up to ``most`` after which the points fall, so that nobody stays outside by
    tie-breakers alone. Raises DomainError ``cut.no_clean_break`` naming who would, besides what ``make_cut`` does."""
    check_cut_size(most)
    size = 1 << (most.bit_length() - 1)
    tied: dict[str, list[int]] = {}
    while size >= 2:
        cut = cut_by_rank_and_points(ranking, points, size, dropped)
        if len(cut.seeds) == size and not cut.tied_outside:
            return cut
        if len(cut.seeds) == size:
            tied[str(size)] = list(cut.tied_outside)
        size //= 2
    raise DomainError(
        "cut.no_clean_break",
        f"No cut to a power of two up to {most} parts players by points alone. Cut by rank, where tie-breakers decide, "
        "or by points, with byes.",
        {"most": most, "tied_outside": tied},
    )


def cut_by_rank_and_points(
    ranking: Sequence[int], points: Mapping[int, int], size: int, dropped: Collection[int] = ()
) -> Cut:
    """``make_cut`` that also names who stays outside with as many points as the last seed."""
    cut = make_cut(ranking, size, dropped)
    bar, inside = points[cut.seeds[-1]], set(cut.seeds)
    outside = (player for player in ranking if player not in inside and player not in dropped)
    return Cut(cut.seeds, cut.dropped_before_cut, tuple(player for player in outside if points[player] == bar))


def cut_reasons(cut: Cut, ranking: Sequence[int]) -> dict[int, Reason]:
    """Why each player of ``ranking`` is in the cut or is not. Codes: ``seed`` (with ``moved_up`` places for players
    who left), ``dropped_before_cut``, ``tied_outside_cut``, ``outside_cut``."""
    seed_of = {player: seed for seed, player in enumerate(cut.seeds, 1)}
    reasons = {}
    for rank, player in enumerate(ranking, 1):
        if player in seed_of:
            seed = seed_of[player]
            reasons[player] = Reason("seed", {"seed": seed, "rank": rank, "moved_up": rank - seed})
        elif player in cut.dropped_before_cut:
            reasons[player] = Reason("dropped_before_cut", {"rank": rank})
        elif player in cut.tied_outside:
            reasons[player] = Reason("tied_outside_cut", {"rank": rank})
        else:
            reasons[player] = Reason("outside_cut", {"rank": rank})
    return reasons


def check_cut_size(size: int) -> None:
    """Raises DomainError ``cut.size`` outside 2..64."""
    if not 2 <= size <= LARGEST_CUT:
        raise DomainError(
            "cut.size",
            f"A cut has 2 to {LARGEST_CUT} players, not {size}. Choose 4, 8 or 16 for most events.",
            {"size": size, "least": 2, "most": LARGEST_CUT},
        )


def _too_few(players: int, asked: Mapping[str, int]) -> DomainError:
    return DomainError(
        "cut.too_few_players",
        "A cut needs at least two players who are still in the event. Finish the event on the standings instead.",
        {"players": players, **asked},
    )
