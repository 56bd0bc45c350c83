"""How a game between sides ends, as Epic Duels has it: by elimination, or by the damage that is left.

Sections are those of the pack's document (DUELS), readings those of the pack (DUELS R).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from config.errors import DomainError
from events.engine.outcomes import Outcome
from events.engine.pairing_model import Fact, Reason

PASSES_TO_END = 2
"""Of one player through their deck (DUELS 2.16)."""


class DeckEnd(StrEnum):
    """How a deck came to its end: only drawing the last card goes through it; a card that searches doesn't."""

    DRAWN = "drawn"
    SEARCHED = "searched"


def passes(ends: Iterable[DeckEnd]) -> int:
    """How often a player has gone through the deck (DUELS 2.16)."""
    return sum(end is DeckEnd.DRAWN for end in ends)


@dataclass(frozen=True, slots=True)
class Character:
    """``left`` is the damage that the hit counter still shows: 0 is defeated. Minor characters count like major ones,
    both for being alive (DUELS 2.3) and for damage (2.16)."""

    player: int
    name: str
    left: int
    minor: bool = False


@dataclass(frozen=True, slots=True)
class SideResult:
    """``winner`` is None for a tie. ``left`` is the damage remaining by side, ``eliminated`` the players without a
    character, who use no card any more (DUELS 3.5)."""

    winner: str | None
    left: Mapping[str, int]
    eliminated: tuple[int, ...]
    reason: Reason

    def outcomes(self, teams: Mapping[str, Sequence[int]]) -> dict[int, Outcome]:
        """For each player, by the side played on."""
        return {
            player: Outcome.DRAW if self.winner is None else Outcome.WIN if side == self.winner else Outcome.LOSS
            for side, members in teams.items()
            for player in members
        }


def side_result(sides: Mapping[str, Sequence[Character]], passes: Mapping[int, int] | None = None) -> SideResult:
    """Who has won, from what stands on the board; ``passes`` counts how often each player went through the deck.

    A side that has lost all its characters, minor ones too, has lost (DUELS 2.3); if none has any left it is a tie
    (3.4). Otherwise, once a player went through the deck twice, the side with the most points of damage remaining wins
    (2.16), and as many on both are a tie (R4). Points count: neither a share of the full ones nor the hits taken.
    Raises DomainError ``sides.not_finished`` while neither is so, ``sides.negative`` for less than no damage left, and
    ``sides.two_sides`` unless two sides or more have characters to begin with.
    """
    passes = passes or {}
    if len(sides) < 2 or not all(sides.values()):
        raise DomainError(
            "sides.two_sides",
            "A game has at least two sides. Enter the characters of each, the defeated ones with 0.",
            {"sides": sorted(sides), "cite": "DUELS 2.1"},
        )
    for side, characters in sides.items():
        for character in characters:
            if character.left < 0:
                raise DomainError(
                    "sides.negative",
                    f"{character.name} cannot have {character.left} left: a defeated character has 0.",
                    {"side": side, "character": character.name, "left": character.left},
                )
    left = {side: sum(character.left for character in characters) for side, characters in sides.items()}
    standing = [side for side, points in left.items() if points]
    eliminated = _eliminated(sides)
    if not standing:
        return SideResult(None, left, eliminated, Reason("all_defeated", {"cite": "DUELS 3.4"}))
    if len(standing) == 1:
        beaten = ", ".join(side for side in sides if side != standing[0])
        return SideResult(standing[0], left, eliminated, Reason("defeated", {"side": beaten, "cite": "DUELS 2.3"}))
    through = sorted(player for player, times in passes.items() if times >= PASSES_TO_END)
    if not through:
        raise DomainError(
            "sides.not_finished",
            f"{' and '.join(standing)} have characters left, and nobody went through the deck {PASSES_TO_END} times. "
            "The game goes on.",
            {
                "left": left,
                "passes": {str(player): times for player, times in passes.items()},
                "cite": "DUELS 2.3, 2.16",
            },
        )
    most = max(left.values())
    best = [side for side in standing if left[side] == most]
    facts: dict[str, Fact] = {"player": through[0], "most": most}
    if len(best) > 1:
        return SideResult(None, left, eliminated, Reason("equal_damage_left", {**facts, "cite": "DUELS R4"}))
    facts |= {"next": max(points for side, points in left.items() if side != best[0]), "cite": "DUELS 2.16"}
    return SideResult(best[0], left, eliminated, Reason("most_damage_left", facts))


def _eliminated(sides: Mapping[str, Sequence[Character]]) -> tuple[int, ...]:
    characters = [character for members in sides.values() for character in members]
    alive = {character.player for character in characters if character.left}
    return tuple(sorted({character.player for character in characters} - alive))
