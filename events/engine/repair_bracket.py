"""Mending elimination: the wrong player went on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from config.errors import DomainError
from events.engine.pairing import Reason
from events.engine.repair_model import TableStatus


@dataclass(frozen=True, slots=True)
class BracketTable:
    """One match of elimination. ``round`` counts up in the order of play, also over both halves of a double
    elimination; ``slot`` tells the matches of a round apart. A bye has ``b`` None and its player as the winner."""

    round: int
    slot: int
    a: int
    b: int | None
    status: TableStatus = TableStatus.NOT_BEGUN
    winner: int | None = None

    @property
    def players(self) -> tuple[int, ...]:
        return (self.a,) if self.b is None else (self.a, self.b)


class BracketRole(StrEnum):
    """``correct``: nobody has been paired on it yet. ``replace``: the right player takes the seat. ``stand``: the match
    played with the wrong player counts. ``replay``: it is played again with the right one."""

    CORRECT = "correct"
    REPLACE = "replace"
    STAND = "stand"
    REPLAY = "replay"


@dataclass(frozen=True, slots=True)
class BracketRepair:
    """One way to mend a bracket. ``tables`` are the tables as they shall be, in the place of those of their round and
    slot; ``undone`` later ones that wait for a match played again. ``stopped`` are in play and end, ``replayed`` are
    over and count no more; both as they were. ``told`` are the players whom it concerns."""

    role: BracketRole
    tables: tuple[BracketTable, ...]
    undone: tuple[BracketTable, ...]
    stopped: tuple[BracketTable, ...]
    replayed: tuple[BracketTable, ...]
    told: tuple[int, ...]
    reasons: tuple[Reason, ...]

    @property
    def cost(self) -> tuple[int, int, int]:
        """(finished matches that count no more, matches in play stopped, players told); smaller is better."""
        return len(self.replayed), len(self.stopped), len(self.told)

    def apply(self, tables: Iterable[BracketTable]) -> tuple[BracketTable, ...]:
        """The bracket afterwards, by round and slot."""
        places = {(table.round, table.slot): table for table in tables}
        for table in self.undone:
            del places[table.round, table.slot]
        places |= {(table.round, table.slot): table for table in self.tables}
        return tuple(places[place] for place in sorted(places))


def plan_bracket_repair(
    tables: Sequence[BracketTable], *, round: int, slot: int, winner: int
) -> tuple[BracketRepair, ...]:
    """Ways to mend that ``winner`` won the match of ``round`` and ``slot`` and somebody else was entered.

    Both players change seats in the first match that each has afterwards: the next round, the match for third place,
    the other half of a double elimination; a bye is passed through. As long as none of these is reported, there is one
    plan. After that there are two, for the head judge to choose from: let it stand, or play again what was played with
    the wrong player, and undo what came of it.

    Raises DomainError "repair.unknown_match", "repair.not_in_match", "repair.nothing_wrong".
    """
    match = _match(tables, round, slot, winner)
    (loser,) = (player for player in match.players if player != winner)
    reached = [*_next(tables, loser, round), *_next(tables, winner, round)]
    corrected = replace(match, winner=winner)
    reason = Reason("winner_corrected", {"round": round, "slot": slot, "winner": winner, "entered": loser})
    if not reached:
        return (BracketRepair(BracketRole.CORRECT, (corrected,), (), (), (), (loser, winner), (reason,)),)
    over = tuple(table for table in reached if table.b is not None and table.status.stays)
    swapped = tuple(_swapped(table, loser, winner) for table in reached)
    undone = _follow(tables, over, reached)
    stopped = tuple(table for table in (*reached, *undone) if table.status is TableStatus.PLAYING)
    replayed = tuple(table for table in (*over, *undone) if table.b is not None and table.status.stays)
    told = sorted({player for table in (*reached, *undone) for player in table.players} | {loser, winner})
    moves = [Reason("takes_seat", {"round": table.round, "slot": table.slot}) for table in reached]
    mend = BracketRepair(
        BracketRole.REPLAY if over else BracketRole.REPLACE,
        (corrected, *swapped),
        undone,
        stopped,
        replayed,
        tuple(told),
        (reason, *moves, *(Reason("plays_again", {"round": table.round, "slot": table.slot}) for table in over)),
    )
    if not over:
        return (mend,)
    stands = [Reason("result_stands", {"round": table.round, "slot": table.slot}) for table in over]
    stand = BracketRepair(BracketRole.STAND, (), (), (), (), (loser, winner), (reason, *stands))
    return stand, mend


def _match(tables: Sequence[BracketTable], round: int, slot: int, winner: int) -> BracketTable:
    match = next((table for table in tables if (table.round, table.slot) == (round, slot)), None)
    place = {"round": round, "slot": slot}
    if match is None or match.b is None or match.winner is None:
        raise DomainError(
            "repair.unknown_match", "There is no match with a result at this place of the bracket.", place
        )
    if winner not in match.players:
        raise DomainError(
            "repair.not_in_match",
            "The winner of a match is one of its two players. Name one of them.",
            {**place, "players": list(match.players), "winner": winner},
        )
    if winner == match.winner:
        raise DomainError("repair.nothing_wrong", "This player is entered as the winner already.", place)
    return match


def _next(tables: Sequence[BracketTable], player: int, after: int) -> list[BracketTable]:
    """The first match of a player after a round, with the byes before it."""
    way: list[BracketTable] = []
    for table in sorted((table for table in tables if table.round > after), key=lambda table: table.round):
        if player in table.players:
            way.append(table)
            if table.b is not None:
                break
    return way


def _swapped(table: BracketTable, one: int, other: int) -> BracketTable:
    seats = {one: other, other: one}
    a = seats.get(table.a, table.a)
    if table.b is None:
        return replace(table, a=a, winner=a)
    return BracketTable(table.round, table.slot, a, seats.get(table.b, table.b))


def _follow(
    tables: Sequence[BracketTable], over: Sequence[BracketTable], reached: Sequence[BracketTable]
) -> tuple[BracketTable, ...]:
    """Every later match that somebody plays as a result of the matches that count no more."""
    undone: list[BracketTable] = []
    pending = list(over)
    while pending:
        table = pending.pop()
        for player in table.players:
            for later in _next(tables, player, table.round):
                if later not in undone and later not in reached:
                    undone.append(later)
                    pending.append(later)
    return tuple(sorted(undone, key=lambda table: (table.round, table.slot)))
