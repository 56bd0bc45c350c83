"""The words of looking ahead: who is in the cut for certain, who can still come in, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from events.engine.outcomes import GameScore, Outcome
from events.engine.pairing import Reason


class Chance(StrEnum):
    """``alive``: can come into the cut, and is not shown to be in it; ``unknown``: neither is shown."""

    CLINCHED = "clinched"
    ALIVE = "alive"
    ELIMINATED = "eliminated"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A match of the current round without a result."""

    round: int
    a: int
    b: int

    @property
    def players(self) -> tuple[int, int]:
        return self.a, self.b


@dataclass(frozen=True, slots=True)
class Scoreline:
    """One way in which a match can end, seen from ``a``."""

    outcome: Outcome
    games: GameScore = GameScore()


@dataclass(frozen=True, slots=True)
class PlayerOutlook:
    """``least`` and ``most`` are match points at the end of the rounds, if the player stays.

    Reason codes: ``out_of_reach`` (at most ``can_reach`` others come level), ``too_many_ahead`` (at least ``must_pass``
    others end above), ``results_decide``, ``tie_breakers_decide``, ``later_rounds_decide``; after playing ``ends``
    through ``every_end``, ``no_end``, ``some_ends``; ``dropped``.
    """

    player: int
    chance: Chance
    least: int
    most: int
    reason: Reason

    def as_json(self) -> dict[str, object]:
        return {
            "player": self.player,
            "chance": str(self.chance),
            "least": self.least,
            "most": self.most,
            "reason": self.reason.as_json(),
        }


@dataclass(frozen=True, slots=True)
class CutOutlook:
    """Everybody's chance of the cut. ``exact``: every possible end was played through, so that nothing is unknown, and
    ``alive`` means that some ends bring the player in and some do not.

    ``after_draw`` holds, for each open match, what both players' chances are if it is drawn.
    """

    cut: int
    players: Mapping[int, PlayerOutlook]
    after_draw: Mapping[OpenMatch, tuple[PlayerOutlook, PlayerOutlook]]
    exact: bool

    def chance(self, player: int) -> Chance:
        return self.players[player].chance

    def draw_is_safe(self, match: OpenMatch) -> bool:
        """Whether both are certain of the cut when they draw. False means "not certain"; ``after_draw`` says whether
        it is known to be unsafe. Raises ``KeyError`` for a match that is not open."""
        return all(outlook.chance is Chance.CLINCHED for outlook in self.after_draw[match])

    def as_json(self) -> dict[str, object]:
        return {
            "cut": self.cut,
            "exact": self.exact,
            "players": [self.players[player].as_json() for player in sorted(self.players)],
            "draws": [
                {
                    "round": match.round,
                    "a": match.a,
                    "b": match.b,
                    "safe": self.draw_is_safe(match),
                    "players": [outlook.as_json() for outlook in outlooks],
                }
                for match, outlooks in self.after_draw.items()
            ],
        }
