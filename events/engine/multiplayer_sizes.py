"""How many tables of which size: for tables of three to seven players, each for themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from config.errors import DomainError

SMALLEST_TABLE = 3
LARGEST_TABLE = 7

_Split = tuple[int, int, int]
"""Squared distances from the preferred size, tables, size of the last table"""


class LeftOver(StrEnum):
    """What happens to players for whom no table of an allowed size can be made."""

    REFUSE = "refuse"
    BYE = "bye"
    SIT_OUT = "sit_out"


@dataclass(frozen=True, slots=True)
class SizeRules:
    """Allowed sizes of a table, of which ``preferred`` is the best. ``byes`` is the most that one round may have, or
    None. Sizes of a game pack are cited there; without one they are a house setting.

    Raises DomainError ``tables.bad_sizes`` for sizes outside 3 to 7, or a preferred one that isn't allowed.
    """

    preferred: int = 4
    allowed: tuple[int, ...] = (3, 4)
    left_over: LeftOver = LeftOver.BYE
    byes: int | None = None

    def __post_init__(self) -> None:
        if (
            self.preferred not in self.allowed
            or not SMALLEST_TABLE <= min(self.allowed) <= max(self.allowed) <= LARGEST_TABLE
        ):
            raise DomainError(
                "tables.bad_sizes",
                f"Tables have {SMALLEST_TABLE} to {LARGEST_TABLE} players, and the preferred size is one of the "
                "allowed ones.",
                {"preferred": self.preferred, "allowed": list(self.allowed)},
            )
        object.__setattr__(self, "allowed", tuple(sorted(set(self.allowed))))

    @classmethod
    def between(cls, smallest: int, largest: int, left_over: LeftOver = LeftOver.BYE) -> SizeRules:
        """All sizes from one to another, as a stage of a policy names them; without a word on which is best, it is the
        middle, or the larger of the two in the middle (house setting: 5 of 3 to 6, 4 of 3 to 4).

        A stage may name up to 20 players; tables are planned for 3 to 7, and ``tables.bad_sizes`` refuses the others.
        """
        return cls((smallest + largest + 1) // 2, tuple(range(smallest, largest + 1)), left_over)


@dataclass(frozen=True, slots=True)
class SizePlan:
    """Sizes of one round's tables, largest first, and how many players have none."""

    sizes: tuple[int, ...]
    left_over: int = 0


@dataclass(frozen=True, slots=True)
class Stagger:
    """Rounds in which players take turns at sitting out: after the last one each has played ``games``.

    ``rounds`` holds the sizes of every round and how many sit out in it.
    """

    games: int
    rounds: tuple[SizePlan, ...]


def table_sizes(players: int, rules: SizeRules) -> SizePlan:
    """The tables of one round (house setting): the fewest without a table, then sizes nearest to the preferred one by
    least squares, then the fewest tables. A full table is never kept at the price of one too small to be allowed.

    Raises DomainError ``tables.too_few_players`` where not even one table can be made, and ``tables.cannot_split`` when
    somebody would be left over and the rules refuse that, or want fewer byes. Its context names every way out:
    ``byes``, ``stagger`` (players sitting out each round) and ``other_sizes``.
    """
    if players < rules.allowed[0]:
        raise DomainError(
            "tables.too_few_players",
            f"A table needs at least {rules.allowed[0]} players. Wait for more, or allow smaller tables.",
            {"players": players, "smallest": rules.allowed[0]},
        )
    for left_over in range(players):
        sizes = _split(players - left_over, rules.allowed, rules.preferred)
        if sizes:
            break
    plan = SizePlan(sizes, left_over)
    most = {LeftOver.REFUSE: 0, LeftOver.SIT_OUT: players, LeftOver.BYE: rules.byes}[rules.left_over]
    if most is not None and left_over > most:
        raise _cannot_split(players, rules, plan)
    return plan


def rounds_of_tables(players: int, size: int) -> int:
    """Rounds after which one player at most can have won every game at tables of ``size``: the least k with
    size^k >= players, 1 at least (house setting)."""
    rounds = 1
    while size**rounds < players:
        rounds += 1
    return rounds


def stagger(players: int, games: int, rules: SizeRules) -> Stagger:
    """The fewest rounds in which each of ``players`` plays exactly ``games`` games, and the sizes of their tables.

    Of plans with as many rounds, the one whose numbers of players sitting out differ least; the most sit out first, so
    that somebody who comes late misses nothing. Where all can sit down at once, that is ``games`` full rounds.
    Raises DomainError ``tables.too_few_players``, or ``tables.cannot_stagger`` when no number of rounds up to four
    times as many comes out even; its context has ``other_games`` that would.
    """
    if games < 1:
        raise ValueError(f"{games} games are none")
    table_sizes(players, SizeRules(rules.preferred, rules.allowed, LeftOver.SIT_OUT))
    rounds = _staggered(players, games, rules)
    if rounds is None:
        others = [
            other for other in range(1, 2 * games + players) if other != games and _staggered(players, other, rules)
        ]
        nearest = sorted(sorted(others, key=lambda other: (abs(other - games), other))[:2])
        or_play = f"Play {' or '.join(map(str, nearest))}, or allow" if nearest else "Allow"
        raise DomainError(
            "tables.cannot_stagger",
            f"No number of rounds gives each of {players} players {games} games. {or_play} other sizes.",
            {"players": players, "games": games, "allowed": list(rules.allowed), "other_games": nearest},
        )
    return Stagger(games, rounds)


def _staggered(players: int, games: int, rules: SizeRules) -> tuple[SizePlan, ...] | None:
    splits = {
        left_over: sizes
        for left_over in range(players)
        if (sizes := _split(players - left_over, rules.allowed, rules.preferred))
    }
    for rounds in range(games, 4 * games + 1):
        chosen = _evenest(tuple(splits), rounds, players * (rounds - games))
        if chosen is not None:
            return tuple(SizePlan(splits[out], out) for out in sorted(chosen, reverse=True))
    return None


def _evenest(choices: Sequence[int], count: int, total: int) -> tuple[int, ...] | None:
    """``count`` numbers, each one of ``choices``, that add up to ``total`` with the least sum of squares."""
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for _ in range(count):
        further: dict[int, tuple[int, tuple[int, ...]]] = {}
        for so_far, (squares, chosen) in best.items():
            for choice in choices:
                reached = so_far + choice
                plan = (squares + choice * choice, (*chosen, choice))
                if reached <= total and (reached not in further or plan < further[reached]):
                    further[reached] = plan
        best = further
    return best[total][1] if total in best else None


@lru_cache(maxsize=4096)
def _split(players: int, allowed: tuple[int, ...], preferred: int) -> tuple[int, ...]:
    """No sizes where the players cannot be split."""
    best: list[_Split | None] = [(0, 0, 0), *([None] * players)]
    for total in range(1, players + 1):
        for size in allowed:
            before = best[total - size] if size <= total else None
            if before is not None:
                plan = (before[0] + (size - preferred) ** 2, before[1] + 1, size)
                known = best[total]
                best[total] = plan if known is None else min(plan, known)
    sizes = []
    while players and (last := best[players]) is not None:
        sizes.append(last[2])
        players -= last[2]
    return tuple(sorted(sizes, reverse=True))


def _cannot_split(players: int, rules: SizeRules, plan: SizePlan) -> DomainError:
    others = {}
    for size in range(SMALLEST_TABLE, LARGEST_TABLE + 1):
        if size not in rules.allowed:
            sizes = _split(players, tuple(sorted((*rules.allowed, size))), rules.preferred)
            if sizes:
                others[str(size)] = list(sizes)
    choices: dict[str, Any] = {
        "byes": {"count": plan.left_over, "sizes": list(plan.sizes)},
        "stagger": {"sitting_out": plan.left_over, "sizes": list(plan.sizes)},
        "other_sizes": others,
    }
    shown = " or ".join(map(str, rules.allowed))
    extra = f"; or allow tables of {' or '.join(others)}" if others else ""
    byes = "1 bye" if plan.left_over == 1 else f"{plan.left_over} byes"
    return DomainError(
        "tables.cannot_split",
        f"{players} players cannot all sit at tables of {shown}. Give {byes} a round; or let players take turns at "
        f"sitting out, so that all play as many games{extra}.",
        {"players": players, "allowed": list(rules.allowed), "choices": choices},
    )
