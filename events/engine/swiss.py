"""How many rounds of Swiss, and what a set-up cannot promise."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ROUNDS_SOURCE = "house setting"


@dataclass(frozen=True, slots=True)
class SwissWarning:
    """A doubt about a set-up, as data. Codes: ``swiss.rematches_possible``, ``swiss.rematches_certain``,
    ``swiss.too_few_rounds``."""

    code: str
    players: int
    rounds: int
    limit: int


class WayOut(StrEnum):
    """What can be done when a round cannot be paired without a rematch."""

    FEWEST_REMATCHES = "fewest_rematches"
    END_EARLY = "end_early"


@dataclass(frozen=True, slots=True)
class RematchChoice:
    """Every pairing of ``round`` has ``rematches`` or more: the organiser chooses one of ``ways``, nothing happens in
    silence. Ending early leaves the standings after the round before."""

    round: int
    rematches: int
    ways: tuple[WayOut, ...]


def choice_before(round_number: int, fewest_rematches: int) -> RematchChoice | None:
    """The choice to be made before a round whose certified plan has ``fewest_rematches``; None when it has none.

    Round 1 cannot be left out: an event has one at least.
    """
    if not fewest_rematches:
        return None
    ways = (WayOut.FEWEST_REMATCHES, WayOut.END_EARLY) if round_number > 1 else (WayOut.FEWEST_REMATCHES,)
    return RematchChoice(round_number, fewest_rematches, ways)


def number_of_rounds(players: int) -> int:
    """Rounds after which one player at most can have won every match: the least k with 2^k >= players (house
    setting). No rounds below two players."""
    return max(players - 1, 0).bit_length()


def rounds_without_rematch(players: int) -> int:
    """Rounds that a round robin of the field has: as many as can exist at all without a rematch (an odd field needs
    one more, because somebody sits out each time)."""
    if players < 2:
        return 0
    return players - 1 if players % 2 == 0 else players


def guaranteed_rounds(players: int) -> int:
    """Rounds that can always be paired without a rematch, whatever was paired before.

    In the graph of pairs that have not met everybody keeps n - 1 - r opponents after r rounds; with at least n / 2 of
    them a complete pairing exists (Dirac's theorem). So r + 1 rounds are safe while r <= n / 2 - 1. An odd field
    counts the bye as one more player.
    """
    field = players + players % 2
    return field // 2 if players >= 2 else 0


def check_rounds(players: int, rounds: int) -> tuple[SwissWarning, ...]:
    """Warnings for ``rounds`` of Swiss with ``players``; empty when nothing can go wrong."""
    warnings = []
    possible, guaranteed = rounds_without_rematch(players), guaranteed_rounds(players)
    if rounds > possible:
        warnings.append(SwissWarning("swiss.rematches_certain", players, rounds, possible))
    elif rounds > guaranteed:
        warnings.append(SwissWarning("swiss.rematches_possible", players, rounds, guaranteed))
    if 0 < rounds < number_of_rounds(players):
        warnings.append(SwissWarning("swiss.too_few_rounds", players, rounds, number_of_rounds(players)))
    return tuple(warnings)
