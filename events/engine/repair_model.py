"""The words of a repair: a round as it stands, what was found to be wrong, and a plan that mends it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from events.engine.pairing import Entrant, Pair, PairingCost, PairingOptions, Reason


class TableStatus(StrEnum):
    """How far a table has got. Reported and finished tables stay, whatever a repair does."""

    NOT_BEGUN = "not_begun"
    PLAYING = "playing"
    REPORTED = "reported"
    FINISHED = "finished"

    @property
    def stays(self) -> bool:
        return self in (TableStatus.REPORTED, TableStatus.FINISHED)


class RoundStatus(StrEnum):
    """Of a drafted round nobody knows yet, so that changing it stops nobody."""

    DRAFTED = "drafted"
    POSTED = "posted"
    PLAYING = "playing"


@dataclass(frozen=True, slots=True)
class RoundTable:
    """One match of the round. Its result, if any, belongs to the match and needs no place here."""

    number: int
    a: int
    b: int
    status: TableStatus = TableStatus.NOT_BEGUN

    @property
    def players(self) -> Pair:
        return self.a, self.b

    def opponent(self, player: int) -> int:
        return self.b if player == self.a else self.a

    def as_json(self) -> dict[str, object]:
        return {"table": self.number, "a": self.a, "b": self.b, "status": str(self.status)}


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round of Swiss as it was paired, before the correction.

    ``entrants`` are the players the round was paired from (points and counts before the round, as they were believed
    to be), ``history`` the meetings of earlier rounds. Who has a bye by hand is left out, as in ``pair_round``; a pod
    is a round by itself.
    ``spare_playing`` makes stopping one table that plays worse than changing any number that do not.
    """

    number: int
    status: RoundStatus
    tables: tuple[RoundTable, ...]
    bye: int | None
    entrants: tuple[Entrant, ...]
    history: tuple[Pair, ...] = ()
    options: PairingOptions = PairingOptions()
    spare_playing: bool = True


@dataclass(frozen=True, slots=True)
class WrongResult:
    """A result of an earlier round was wrong: ``points`` are the true ones of the players it concerns."""

    points: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class MistakenDrop:
    """A player counted as gone, who is not: must play this round."""

    entrant: Entrant


@dataclass(frozen=True, slots=True)
class LateEntry:
    """A player who comes after the round was paired, and may play it or miss it."""

    entrant: Entrant


@dataclass(frozen=True, slots=True)
class Gone:
    """A player who dropped or did not appear, and was paired all the same."""

    player: int


@dataclass(frozen=True, slots=True)
class WrongBye:
    """The bye went out by wrong counts: ``byes`` are the true numbers of earlier byes."""

    byes: Mapping[int, int]


Correction = WrongResult | MistakenDrop | LateEntry | Gone | WrongBye


class Role(StrEnum):
    """What a plan is for. A plan that serves two ends carries the first of them."""

    LEAVE = "leave"
    FEWEST_STOPPED = "fewest_stopped"
    BEST_PAIRING = "best_pairing"
    BETWEEN = "between"
    WHOLE_ROUND = "whole_round"


@dataclass(frozen=True, slots=True)
class RepairCost:
    """What a plan costs; compare with ``key``.

    ``playing_stopped`` counts tables in play that are broken up, ``stopped`` all that are (none in a draft).
    ``idle`` players have no opponent in this round. ``pairing`` is the cost of the whole round as it comes out, tables
    that stay included. ``moved`` players get another opponent, the bye or their first opponent.
    """

    playing_stopped: int
    stopped: int
    idle: int
    pairing: PairingCost
    moved: int

    def key(self, options: PairingOptions, *, spare_playing: bool = True) -> tuple[int, ...]:
        """Smaller is better, compared from left to right."""
        playing = (self.playing_stopped,) if spare_playing else ()
        return (*playing, self.stopped, self.idle, *self.pairing.key(options), self.moved)

    def as_json(self) -> dict[str, object]:
        return {
            "playing_stopped": self.playing_stopped,
            "stopped": self.stopped,
            "idle": self.idle,
            "pairing": self.pairing.as_json(),
            "moved": self.moved,
        }


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player is in the round: both None is the bye; a table without an opponent is one the opponent left."""

    table: int | None = None
    opponent: int | None = None

    def as_json(self) -> dict[str, int | None]:
        return {"table": self.table, "opponent": self.opponent}


@dataclass(frozen=True, slots=True)
class Told:
    """Who must be told what; None is not being in the round."""

    player: int
    before: Place | None
    after: Place | None

    def as_json(self) -> dict[str, object]:
        return {
            "player": self.player,
            "before": self.before and self.before.as_json(),
            "after": self.after and self.after.as_json(),
        }


@dataclass(frozen=True, slots=True)
class RepairPlan:
    """One way to mend the round, complete: ``apply`` makes it.

    ``kept`` are the numbers of the tables that stay, ``stopped`` the tables that are broken up by choice, ``vacated``
    those that end because a player is gone, ``tables`` the new ones. ``sits_out`` are players of the event who miss
    the round. ``proved_best``: no other arrangement that stops as little pairs better, and none that pairs as well
    stops less.
    """

    role: Role
    kept: tuple[int, ...]
    stopped: tuple[RoundTable, ...]
    vacated: tuple[RoundTable, ...]
    tables: tuple[RoundTable, ...]
    told: tuple[Told, ...]
    bye_before: int | None
    bye_after: int | None
    sits_out: tuple[int, ...]
    cost: RepairCost
    proved_best: bool
    reasons: tuple[Reason, ...] = field(default=())

    @property
    def moved(self) -> tuple[int, ...]:
        """Players who get another opponent or the bye."""
        seated = {player for table in self.tables for player in table.players}
        bye = set() if self.bye_after in (None, self.bye_before) else {self.bye_after}
        return tuple(told.player for told in self.told if told.player in seated | bye)

    @property
    def pairs(self) -> frozenset[frozenset[int]]:
        """The new pairs only."""
        return frozenset(frozenset(table.players) for table in self.tables)

    def as_json(self) -> dict[str, object]:
        return {
            "role": str(self.role),
            "kept": list(self.kept),
            "stopped": [table.as_json() for table in self.stopped],
            "vacated": [table.as_json() for table in self.vacated],
            "tables": [table.as_json() for table in self.tables],
            "told": [told.as_json() for told in self.told],
            "bye_before": self.bye_before,
            "bye_after": self.bye_after,
            "sits_out": list(self.sits_out),
            "cost": self.cost.as_json(),
            "proved_best": self.proved_best,
            "reasons": [reason.as_json() for reason in self.reasons],
        }


class Ledger:
    """Costs of pairs and byes of the entrants, in the words of the pairing."""

    def __init__(self, entrants: Sequence[Entrant], history: Sequence[Pair], options: PairingOptions) -> None:
        self.entrants = {entrant.id: entrant for entrant in entrants}
        self.options = options
        self._met: dict[frozenset[int], int] = {}
        for pair in history:
            key = frozenset(pair)
            self._met[key] = self._met.get(key, 0) + 1
        self.most_meetings = max(self._met.values(), default=0)

    def meetings(self, a: int, b: int) -> int:
        return self._met.get(frozenset((a, b)), 0)

    def gap(self, a: int, b: int) -> int:
        return abs(self.entrants[a].points - self.entrants[b].points)

    def pair(self, a: int, b: int) -> PairingCost:
        high, low = self.entrants[a], self.entrants[b]
        if high.points < low.points:
            high, low = low, high
        gap = high.points - low.points
        return PairingCost(
            rematches=self.meetings(a, b),
            avoided=int(b in self.entrants[a].avoid or a in self.entrants[b].avoid),
            score_gap=gap * gap,
            repeated_floats=high.paired_down + low.paired_up if gap else 0,
        )

    def bye(self, player: int) -> PairingCost:
        return PairingCost(bye_earlier_byes=self.entrants[player].byes, bye_points=self.entrants[player].points)

    def total(self, pairs: Sequence[Pair], bye: int | None) -> PairingCost:
        costs = [self.pair(a, b) for a, b in pairs] + ([] if bye is None else [self.bye(bye)])
        return PairingCost(
            rematches=sum(cost.rematches for cost in costs),
            bye_earlier_byes=sum(cost.bye_earlier_byes for cost in costs),
            bye_points=sum(cost.bye_points for cost in costs),
            avoided=sum(cost.avoided for cost in costs),
            score_gap=sum(cost.score_gap for cost in costs),
            repeated_floats=sum(cost.repeated_floats for cost in costs),
        )
