"""What an organiser may demand of a round before it is paired: byes, pairs, players kept apart, pods, seats.

Demands that cannot hold together are refused with the fewest of them that clash; ``demanded_round`` pairs a round in
which all of them hold. Wishes (team-mates, family) are no demands: they
stay with the entrants, as ``Entrant.avoid``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum

from config.errors import Unprocessable
from events.engine.conflicts import Conflict, Members, smallest_conflict
from events.engine.feasibility import barred_by, can_pair
from events.engine.tables import SeatKind, TableLayout


class ByeKind(StrEnum):
    BY_HAND = "bye_by_hand"
    ASSIGNED = "bye_assigned"


@dataclass(frozen=True, slots=True)
class Demand:
    """``id`` names it in answers, ``words`` is what people read ("Ann and Bo meet")."""

    id: str
    words: str


@dataclass(frozen=True, slots=True)
class GiveBye(Demand):
    player: int
    kind: ByeKind = ByeKind.BY_HAND


@dataclass(frozen=True, slots=True)
class PairUp(Demand):
    """The two meet, also when they have met before."""

    a: int
    b: int


@dataclass(frozen=True, slots=True)
class KeepApart(Demand):
    """The two never meet, whatever that costs the round."""

    a: int
    b: int


@dataclass(frozen=True, slots=True)
class OnePod(Demand):
    """The players of pod ``number`` meet only each other; who is in no pod meets others who are in none."""

    number: int
    players: frozenset[int]


@dataclass(frozen=True, slots=True)
class SitOut(Demand):
    """Not in this round: no opponent, and no bye either."""

    player: int


@dataclass(frozen=True, slots=True)
class SeatAt(Demand):
    """Holds when the player plays. A table is demanded by one player, or by two whom ``PairUp`` brings together."""

    player: int
    table: int
    kind: SeatKind = SeatKind.ACCESSIBILITY


class ImpossibleDemands(Unprocessable):
    """Code ``pairing.impossible``. The context holds ``demands`` (id and words), the fewest that cannot hold together,
    and ``smallest``: false where they were too many to prove that no fewer clash."""

    def __init__(self, demands: Sequence[Demand], *, smallest: bool) -> None:
        named = "; ".join(demand.words for demand in demands)
        message = (
            f"This cannot be done: {named}. Take it back."
            if len(demands) == 1
            else f"These cannot hold together: {named}. Take one of them back."
        )
        rows = [{"id": demand.id, "words": demand.words} for demand in demands]
        super().__init__("pairing.impossible", message, {"demands": rows, "smallest": smallest})


def assigned_byes(
    awards: Mapping[int, int], round_number: int, names: Mapping[int, str] | None = None
) -> tuple[GiveBye, ...]:
    """Demands for byes in the first rounds: ``awards`` holds how many each player was given before the event.

    They go by the number of the round, so that nothing is used up: drafting a round again gives them again, and the
    round after the last awarded one gives none.
    """
    called = names or {}
    return tuple(
        GiveBye(
            f"assigned_bye:{player}",
            f"{called.get(player, f'Player {player}')} has an assigned bye in round {round_number}",
            player,
            ByeKind.ASSIGNED,
        )
        for player, rounds in sorted(awards.items())
        if round_number <= rounds
    )


def check_demands(there: AbstractSet[int], demands: Sequence[Demand], *, layout: TableLayout | None = None) -> None:
    """Refuse demands that no round of the players ``there`` can meet.

    ``layout`` are the tables that seats may be demanded at. Raises ImpossibleDemands, and ``ValueError`` when two
    demands have one id.
    """
    if len({demand.id for demand in demands}) != len(demands):
        raise ValueError("two demands have one id")
    conflict = _Question(there, demands, layout).conflict()
    if conflict is not None:
        raise ImpossibleDemands([demands[index] for index in conflict.members], smallest=conflict.smallest)


class _Question:
    """Which of the demands can hold together: asked for any subset, answered exactly.

    What is demanded may be done in a round even when the demand is left out of the subset (a player with a demanded
    bye may sit alone). So every round that meets some demands meets fewer of them too, as the search requires.
    """

    def __init__(self, there: AbstractSet[int], demands: Sequence[Demand], layout: TableLayout | None) -> None:
        self.there = there
        self.demands = demands
        self.layout = layout
        self.may_be_alone = {
            demand.player for demand in demands if isinstance(demand, GiveBye | SitOut) and demand.player in there
        }
        self.partner = {
            player: other
            for demand in demands
            if isinstance(demand, PairUp)
            for player, other in ((demand.a, demand.b), (demand.b, demand.a))
        }
        pods = pods_of(demands)
        self.pods_in_all = {player: pods.get(player) for player in there}

    def conflict(self) -> Conflict | None:
        """A demand that fails alone comes first, then two pods that share a player, then any other smallest set."""
        for index, demand in enumerate(self.demands):
            if not self._holds_alone(demand):
                return Conflict((index,), smallest=True)
        pod_of: dict[int, int] = {}
        for index, demand in enumerate(self.demands):
            for player in demand.players & self.there if isinstance(demand, OnePod) else ():
                if pod_of.setdefault(player, index) != index:
                    return Conflict((pod_of[player], index), smallest=True)
        return smallest_conflict(len(self.demands), self.holds)

    def _holds_alone(self, demand: Demand) -> bool:
        if isinstance(demand, GiveBye):
            return demand.player in self.there
        if isinstance(demand, PairUp):
            return demand.a != demand.b and demand.a in self.there and demand.b in self.there
        if isinstance(demand, SeatAt):
            return self.layout is None or demand.table in self.layout or demand.player not in self.there
        return True

    def holds(self, members: Members) -> bool:
        kept = [self.demands[index] for index in sorted(members)]
        out = {demand.player for demand in kept if isinstance(demand, SitOut)}
        busy = set(out)
        pods = pods_of(kept)
        for demand in kept:
            if isinstance(demand, GiveBye):
                occupied: tuple[int, ...] = (demand.player,)
            elif isinstance(demand, PairUp):
                occupied = (demand.a, demand.b)
                if pods.get(demand.a) != pods.get(demand.b):
                    return False
            else:
                continue
            if busy.intersection(occupied):
                return False
            busy.update(occupied)
        return self._seats_hold(kept) and self._rest_holds(kept, busy, pods)

    def _seats_hold(self, kept: Sequence[Demand]) -> bool:
        """One table for each player, and of one kind of seat one player for each table."""
        table_of: dict[int, int] = {}
        player_at: dict[tuple[int, SeatKind], int] = {}
        for demand in kept:
            if not isinstance(demand, SeatAt) or demand.player not in self.there - self.may_be_alone:
                continue
            player = demand.player
            if table_of.setdefault(player, demand.table) != demand.table:
                return False
            holder = player_at.setdefault((demand.table, demand.kind), player)
            if holder not in (player, self.partner.get(player)):
                return False
        return True

    def _rest_holds(self, kept: Sequence[Demand], busy: set[int], pods: Mapping[int, int]) -> bool:
        """Whether the others can be paired, in each pod all but one."""
        apart = kept_apart(kept)
        if not apart:
            return True
        if any((min(d.a, d.b), max(d.a, d.b)) in apart for d in kept if isinstance(d, PairUp)):
            return False
        barred = barred_by(apart)
        groups: dict[int | None, list[int]] = {}
        for player in sorted(self.there - busy):
            groups.setdefault(pods.get(player), []).append(player)
        for pod, players in groups.items():
            # Without a pod's demand its players may still keep to themselves, and have a bye of their own.
            inside = {self.pods_in_all[player] for player in self.there if pods.get(player) == pod}
            if not can_pair(players, barred, optional=self.may_be_alone, spare=len(inside)):
                return False
        return True


def pods_of(demands: Iterable[Demand]) -> dict[int, int]:
    """Number of the pod of each player who is in one."""
    return {player: demand.number for demand in demands if isinstance(demand, OnePod) for player in demand.players}


def kept_apart(demands: Iterable[Demand]) -> set[tuple[int, int]]:
    """Pairs that may not be, the smaller id first."""
    return {
        (min(demand.a, demand.b), max(demand.a, demand.b))
        for demand in demands
        if isinstance(demand, KeepApart) and demand.a != demand.b
    }
