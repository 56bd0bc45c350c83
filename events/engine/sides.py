"""Who plays on which side and where they sit, as Epic Duels has it: roll, choose, sit down in turns.

Sections are those of the pack's document (DUELS), readings those of the pack (DUELS R).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from cards.engine.streams import Stream
from config.errors import Conflict, DomainError


@dataclass(frozen=True, slots=True)
class RollOrder:
    """``players`` in the order in which they choose, as far as the rolls part them; ``again`` are those who must roll
    again, because they are level with somebody (DUELS R5)."""

    players: tuple[int, ...]
    again: tuple[int, ...] = ()


def roll_order(players: Collection[int], rolls: Sequence[Mapping[int, int]]) -> RollOrder:
    """The order of choosing by rolls, highest first (DUELS 2.5).

    ``rolls`` holds one mapping of player to number for each time that dice were rolled: everybody's at first, then
    those of the players who were still level. Raises DomainError ``sides.wrong_rolls`` when another set of players
    rolled than had to.
    """
    keys: dict[int, tuple[int, ...]] = dict.fromkeys(players, ())
    due = frozenset(players)
    for number, rolled in enumerate(rolls, start=1):
        if set(rolled) != due:
            raise DomainError(
                "sides.wrong_rolls",
                f"Throw {number} is for players {_shown(due)}, and {_shown(rolled)} rolled. Enter a number for each of "
                "them.",
                {"throw": number, "expected": sorted(due), "rolled": sorted(rolled)},
            )
        keys |= {player: (*keys[player], value) for player, value in rolled.items()}
        level = Counter(keys.values())
        due = frozenset(player for player, key in keys.items() if level[key] > 1)
    # Whoever rolled again stays inside the place of the earlier roll: tuples compare so.
    ordered = sorted(players, key=lambda player: [-value for value in keys[player]])
    if not rolls:
        return RollOrder((), tuple(sorted(players)))
    return RollOrder(tuple(player for player in ordered if player not in due), tuple(sorted(due)))


def roll(players: Collection[int], rng: Stream, *, faces: int) -> tuple[dict[int, int], ...]:
    """Throws of one die for each player, and again for those who are level, until all are parted. The rules name no
    die, so that ``faces`` is the event's choice (two or more)."""
    if faces < 2:
        raise ValueError(f"a die of {faces} faces parts nobody")
    throws: list[dict[int, int]] = []
    while due := roll_order(players, throws).again if len(players) > 1 else ():
        throws.append({player: 1 + rng.below(faces) for player in due})
    return tuple(throws)


@dataclass(frozen=True, slots=True)
class SideChoices:
    """Sides being chosen: ``order`` of the players by their rolls, ``chosen`` the sides taken so far.

    Only the next in order may choose, and only a side that isn't full (DUELS 2.5). Each side has as many players as
    every other: ``per_side``, 1 to 3 by the pack's reading (DUELS R7).
    """

    sides: tuple[str, ...]
    order: tuple[int, ...]
    chosen: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.sides)) != len(self.sides) or len(self.sides) < 2:
            raise ValueError(f"{self.sides} are no sides")
        if not self.order or len(self.order) % len(self.sides) or len(set(self.order)) != len(self.order):
            raise DomainError(
                "sides.not_balanced",
                f"{len(self.order)} players don't make {len(self.sides)} sides of the same number. Add or leave out "
                "somebody.",
                {"players": len(self.order), "sides": list(self.sides), "cite": "DUELS 2.5, R7"},
            )

    @property
    def per_side(self) -> int:
        return len(self.order) // len(self.sides)

    @property
    def next(self) -> int | None:
        """Who chooses now, or None when all have a side."""
        return self.order[len(self.chosen)] if len(self.chosen) < len(self.order) else None

    @property
    def open(self) -> tuple[str, ...]:
        """Sides that may still be chosen."""
        return tuple(side for side in self.sides if self.chosen.count(side) < self.per_side)

    @property
    def teams(self) -> dict[str, tuple[int, ...]]:
        """Players of each side, in the order in which they chose it."""
        taken = list(zip(self.order, self.chosen, strict=False))
        return {side: tuple(player for player, choice in taken if choice == side) for side in self.sides}

    def choose(self, player: int, side: str) -> SideChoices:
        """With one more choice; where a single side is left open, the rest follow by themselves.

        Raises Conflict ``sides.not_your_turn`` or ``sides.full``, DomainError ``sides.unknown``.
        """
        if player != self.next:
            raise Conflict(
                "sides.not_your_turn",
                "All sides are chosen." if self.next is None else f"It is player {self.next}'s turn to choose.",
                {"player": player, "next": self.next, "cite": "DUELS 2.5"},
            )
        if side not in self.sides:
            raise DomainError(
                "sides.unknown", f"The sides are {' and '.join(self.sides)}.", {"side": side, "sides": list(self.sides)}
            )
        if side not in self.open:
            raise Conflict(
                "sides.full",
                f"{side} has its {self.per_side} players already. Choose {' or '.join(self.open)}.",
                {"side": side, "open": list(self.open), "cite": "DUELS 2.5"},
            )
        after = SideChoices(self.sides, self.order, (*self.chosen, side))
        if len(after.open) == 1:
            left = len(self.order) - len(after.chosen)
            return SideChoices(self.sides, self.order, after.chosen + after.open * left)
        return after


@dataclass(frozen=True, slots=True)
class SideSeating:
    """Players in the order of their turns; ``after_team_mate`` are those whose turn at the start follows a
    team-mate's, as few as these teams allow."""

    players: tuple[int, ...]
    after_team_mate: tuple[int, ...] = ()


def seat_sides(teams: Mapping[str, Sequence[int]], rng: Stream) -> SideSeating:
    """Turns in which nobody follows a team-mate, whenever that can be done (DUELS 2.7).

    It can unless one team has more players than all others together; then as many must as it has more. Who starts, and
    in which order a team's players come, is drawn. Raises ``ValueError`` for a player in two teams, or none at all.
    """
    players = [player for members in teams.values() for player in members]
    if not players or len(set(players)) != len(players):
        raise ValueError("everybody plays in exactly one team")
    drawn = rng.shuffled(side for side in sorted(teams) if teams[side])
    drawn.sort(key=lambda side: -len(teams[side]))
    queue = [player for side in drawn for player in rng.shuffled(sorted(teams[side]))]
    # Every other seat first, then those between: only a team of more than half fills seats next to each other.
    seats = [*range(0, len(queue), 2), *range(1, len(queue), 2)]
    around = [player for _, player in sorted(zip(seats, queue, strict=True))]
    start = rng.below(len(around))
    around = around[start:] + around[:start]
    return SideSeating(tuple(around), _after_team_mate(around, teams))


def _after_team_mate(around: Sequence[int], teams: Mapping[str, Sequence[int]]) -> tuple[int, ...]:
    side_of = {player: side for side, members in teams.items() for player in members}
    if len(around) == 1:
        return ()
    return tuple(player for seat, player in enumerate(around) if side_of[around[seat - 1]] == side_of[player])


def _shown(players: Collection[int]) -> str:
    return ", ".join(map(str, sorted(players))) or "nobody"
