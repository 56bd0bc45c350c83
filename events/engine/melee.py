"""The score sheet of Epic Melee: Loot counted at the end of a game, exactly as its rulebook says.

Sections are those of the pack's document (MELEE), readings those of the pack (MELEE R).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from config.errors import DomainError
from events.engine.pairing_model import Fact, Reason

BATTLE_ROUNDS = 6
"""MELEE 1.1"""

LEAST_VALUE, GREATEST_VALUE = 1, 3
"""Of a Loot token (MELEE 4.6)."""

HAND, DECK = 7, 54
"""Cards dealt to each player (MELEE 2.3), of those in the box (MELEE 1.2)."""


class Kind(StrEnum):
    GOLD = "gold"
    SILVER = "silver"
    GOBLIN = "goblin"


SUPPLY: Mapping[Kind, int] = {Kind.GOLD: 18, Kind.SILVER: 18, Kind.GOBLIN: 6}
"""Tokens in the box (MELEE 1.5, 1.6, 1.7)."""

_SUPPLY_CITE = {Kind.GOLD: "MELEE 1.5", Kind.SILVER: "MELEE 1.6", Kind.GOBLIN: "MELEE 1.7"}


@dataclass(frozen=True, slots=True)
class Loot:
    """Tokens of one kind: how many, and what they are worth together."""

    tokens: int = 0
    value: int = 0

    @classmethod
    def of(cls, values: Sequence[int]) -> Loot:
        """From the value of each token. Raises DomainError ``melee.token_value`` for one that doesn't exist."""
        for value in values:
            if not LEAST_VALUE <= value <= GREATEST_VALUE:
                raise DomainError(
                    "melee.token_value",
                    f"There is no Loot token worth {value}: they are worth {LEAST_VALUE} to {GREATEST_VALUE}.",
                    {"value": value, "cite": "MELEE 4.6"},
                )
        return cls(len(values), sum(values))


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one player holds when the game is over. ``symbols`` counts each kind of symbol on the tokens, by any name:
    the rulebook names none (MELEE R4)."""

    player: int
    gold: Loot = Loot()
    silver: Loot = Loot()
    goblin: Loot = Loot()
    symbols: Mapping[str, int] = field(default_factory=dict)

    def loot(self, kind: Kind) -> Loot:
        return {Kind.GOLD: self.gold, Kind.SILVER: self.silver, Kind.GOBLIN: self.goblin}[kind]

    @property
    def pairs(self) -> int:
        """Pairs of the same symbol: three of one are 1 pair, four are 2 (MELEE 4.8, R10)."""
        return sum(count // 2 for count in self.symbols.values())

    @property
    def total(self) -> int:
        """MELEE 4.2, with a point for each pair (4.8)."""
        return self.gold.value + self.silver.value + self.goblin.value + self.pairs

    @property
    def key(self) -> tuple[int, int, int]:
        """Greater is better: the total, then the value of Gold, then that of Silver, without pairs (R10)."""
        return self.total, self.gold.value, self.silver.value


@dataclass(frozen=True, slots=True)
class Placed:
    """``reasons`` say what put the player behind the one ahead, or level with others."""

    player: int
    place: int
    total: int
    gold: int
    silver: int
    goblin: int
    pairs: int
    reasons: tuple[Reason, ...]


def place_melee(sheets: Iterable[Sheet], *, players: Collection[int] = range(3, 7)) -> tuple[Placed, ...]:
    """The final order of one game, best first; players whom nothing parts share a place, and the victory if it is the
    first (MELEE 4.3 to 4.5). Places behind the first are told apart by the same comparisons.

    ``players`` are the allowed sizes of a table (MELEE R3, a setting). Raises DomainError as ``check_sheets`` does.
    """
    order = sorted(sheets, key=lambda sheet: (*(-figure for figure in sheet.key), sheet.player))
    check_sheets(order, players=players)
    placed: list[Placed] = []
    for index, sheet in enumerate(order):
        level = [other.player for other in order if other.key == sheet.key]
        place = 1 + sum(other.key > sheet.key for other in order)
        reasons = _behind(order[place - 2], sheet) if place > 1 else _ahead(order, sheet)
        if len(level) > 1:
            cite = "MELEE 4.5"
            others = ", ".join(str(player) for player in level if player != sheet.player)
            reasons = (
                *reasons,
                Reason("shared_victory" if place == 1 else "shared_place", {"with": others, "cite": cite}),
            )
        loot = (sheet.gold.value, sheet.silver.value, sheet.goblin.value)
        placed.append(Placed(order[index].player, place, sheet.total, *loot, sheet.pairs, reasons))
    return tuple(placed)


def check_sheets(sheets: Collection[Sheet], *, players: Collection[int] = range(3, 7)) -> None:
    """Refuses what no game can end with.

    Raises DomainError: ``melee.players`` for a table that is too small, too large or has somebody twice;
    ``melee.negative``; ``melee.loot_value`` for a value that so many tokens can't have; ``melee.too_many_earned`` for
    more Gold and Silver than there are battle rounds, as each brings a player 1 of them at most;
    ``melee.symbols_without_tokens``; ``melee.supply`` for more tokens at a table than the box holds.
    """
    seated = [sheet.player for sheet in sheets]
    if len(seated) not in players or len(set(seated)) != len(seated) or len(seated) * HAND > DECK:
        raise DomainError(
            "melee.players",
            f"A table of Epic Melee has {' or '.join(map(str, sorted(players)))} different players, one sheet each; "
            f"{DECK} cards are enough for {DECK // HAND}.",
            {"players": seated, "allowed": sorted(players), "cite": "MELEE R3"},
        )
    for sheet in sheets:
        _check_sheet(sheet)
    for kind, supply in SUPPLY.items():
        taken = sum(sheet.loot(kind).tokens for sheet in sheets)
        if taken > supply:
            raise DomainError(
                "melee.supply",
                f"The sheets of this table have {taken} {kind.capitalize()} tokens, and the box holds {supply}.",
                {"kind": str(kind), "tokens": taken, "supply": supply, "cite": _SUPPLY_CITE[kind]},
            )


def _check_sheet(sheet: Sheet) -> None:
    tokens = 0
    for kind in Kind:
        loot = sheet.loot(kind)
        if min(loot.tokens, loot.value) < 0:
            raise DomainError(
                "melee.negative",
                f"Player {sheet.player} has a negative number at {kind.capitalize()}: tokens are counted from 0.",
                {"player": sheet.player, "kind": str(kind)},
            )
        least, greatest = LEAST_VALUE * loot.tokens, GREATEST_VALUE * loot.tokens
        if not least <= loot.value <= greatest:
            raise DomainError(
                "melee.loot_value",
                f"{loot.tokens} {kind.capitalize()} tokens of player {sheet.player} are worth {least} to {greatest} "
                f"points together, not {loot.value}.",
                {
                    "player": sheet.player,
                    "kind": str(kind),
                    "tokens": loot.tokens,
                    "value": loot.value,
                    "cite": "MELEE 4.6",
                },
            )
        tokens += loot.tokens
    earned = sheet.gold.tokens + sheet.silver.tokens
    if earned > BATTLE_ROUNDS:
        raise DomainError(
            "melee.too_many_earned",
            f"Player {sheet.player} has {earned} Gold and Silver tokens, but each of the {BATTLE_ROUNDS} battle "
            "rounds brings 1 of them at most.",
            {"player": sheet.player, "tokens": earned, "most": BATTLE_ROUNDS, "cite": "MELEE 1.1, 3.7, 3.8"},
        )
    if any(count < 0 for count in sheet.symbols.values()):
        raise DomainError(
            "melee.negative",
            f"Player {sheet.player} has a negative number of a symbol: they are counted from 0.",
            {"player": sheet.player, "kind": "symbols"},
        )
    if any(sheet.symbols.values()) and not tokens:
        raise DomainError(
            "melee.symbols_without_tokens",
            f"Symbols are printed on Loot tokens, and player {sheet.player} has none. Enter the tokens too.",
            {"player": sheet.player, "symbols": dict(sheet.symbols), "cite": "MELEE 4.7"},
        )


def _ahead(order: Sequence[Sheet], sheet: Sheet) -> tuple[Reason, ...]:
    """Why the first is first: by what the best of the others is beaten."""
    behind = next((other for other in order if other.key < sheet.key), None)
    return () if behind is None else (_comparison("won_by", sheet, behind),)


def _behind(better: Sheet, sheet: Sheet) -> tuple[Reason, ...]:
    return (_comparison("behind_by", sheet, better),)


def _comparison(code: str, sheet: Sheet, other: Sheet) -> Reason:
    figures = zip(
        ("total", "gold", "silver"), ("MELEE 4.2", "MELEE 4.3", "MELEE 4.4"), sheet.key, other.key, strict=True
    )
    for figure, cite, own, against in figures:
        if own != against:
            facts: dict[str, Fact] = {
                "figure": figure,
                "own": own,
                "against": against,
                "player": other.player,
                "cite": cite,
            }
            return Reason(code, facts)
    raise AssertionError("equal sheets share a place")
