"""The words of a round of multiplayer tables: who may sit with whom, at which cost, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from cards.engine.streams import Stream
from events.engine.multiplayer_sizes import SizeRules
from events.engine.pairing_model import Pair, Reason

PastTable = Sequence[int]
"""Ids of the players of an earlier table, in the order of their seats"""


@dataclass(frozen=True, slots=True)
class TableEntrant:
    """A player to seat. ``points`` are whole numbers (double half points); ``byes`` counts earlier rounds without a
    table, byes and turns at sitting out alike; ``avoid`` holds ids this player should be kept apart from."""

    id: int
    points: int
    byes: int = 0
    avoid: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class TablesOptions:
    """``repeat_weight`` is what meeting again costs in squared points of spread, and ``uneven_weight`` what one more
    table of an uneven size does: by default no spread is ever worth either of them. ``kicks`` is how often the search
    starts again from shaken tables; a number of steps and no time, so that a stream gives the same tables everywhere.
    """

    sizes: SizeRules = field(default_factory=SizeRules)
    repeat_weight: int | None = None
    uneven_weight: int | None = None
    kicks: int = 200


@dataclass(frozen=True, slots=True)
class TablesCost:
    """What a round of tables costs; compare with ``key``. All are sums of whole numbers.

    ``byes`` and ``bye_points``: earlier byes and points of those left without a table. ``repeats``: over all pairs at a
    table, the square of how often they have met. ``avoided``: pairs to be kept apart that sit together. ``uneven``:
    over all players at a table that isn't of the preferred size, how many such tables they had before. ``spread``: over
    all pairs at a table, the squared difference of their points.
    """

    byes: int = 0
    bye_points: int = 0
    repeats: int = 0
    avoided: int = 0
    uneven: int = 0
    spread: int = 0

    def key(self, options: TablesOptions) -> tuple[int, ...]:
        """Smaller is better, compared from left to right."""
        last = self.spread
        if options.uneven_weight is not None:
            last += options.uneven_weight * self.uneven
        ahead = [] if options.uneven_weight is not None else [self.uneven]
        if options.repeat_weight is not None:
            last += options.repeat_weight * self.repeats
            return self.byes, self.bye_points, self.avoided, *ahead, last
        return self.byes, self.bye_points, self.repeats, self.avoided, *ahead, last

    def as_json(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """``players`` in the order of their seats: the first one's turn comes first."""

    players: tuple[int, ...]
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class TablesPlan:
    """A proposed round: every entrant exactly once, best tables first.

    ``lower_bound`` is a cost below which no seating of this field at tables of these sizes can go in any one of its
    parts; ``certified`` says that nothing better exists, and ``fewest_repeats`` that no seating has fewer repeats.
    """

    tables: tuple[PlannedTable, ...]
    left_over: tuple[int, ...]
    left_over_reasons: tuple[Reason, ...]
    cost: TablesCost
    lower_bound: TablesCost
    certified: bool
    fewest_repeats: bool


class TableField:
    """Entrants in seating order (points descending, drawn by ``rng`` inside a score), addressed by position."""

    def __init__(
        self, entrants: Iterable[TableEntrant], history: Iterable[PastTable], options: TablesOptions, rng: Stream | None
    ) -> None:
        # Sorted by id before the draw: the result may depend on the stream, never on the order of the input.
        by_id = sorted(entrants, key=lambda entrant: entrant.id)
        if len({entrant.id for entrant in by_id}) != len(by_id):
            raise ValueError("an entrant appears twice")
        drawn = rng.shuffled(by_id) if rng is not None else by_id
        self.entrants: list[TableEntrant] = sorted(drawn, key=lambda entrant: -entrant.points)
        self.options = options
        self.position = {entrant.id: place for place, entrant in enumerate(self.entrants)}
        self.points = [entrant.points for entrant in self.entrants]
        self.uneven = [0] * len(self.entrants)
        self.past: list[list[int | None]] = []
        """Earlier tables by position; None is somebody who isn't an entrant any more."""
        self.met: Counter[Pair] = Counter()
        preferred = options.sizes.preferred
        for table in history:
            if len(set(table)) != len(table):
                raise ValueError("a player sat twice at one earlier table")
            places = [self.position.get(player) for player in table]
            self.past.append(places)
            here = sorted(place for place in places if place is not None)
            self.met.update(combinations(here, 2))
            if len(table) != preferred:
                for place in here:
                    self.uneven[place] += 1
        self.apart: set[Pair] = set()
        for place, entrant in enumerate(self.entrants):
            for other in entrant.avoid:
                other_place = self.position.get(other, place)
                if other_place != place:
                    self.apart.add((min(place, other_place), max(place, other_place)))

    def __len__(self) -> int:
        return len(self.entrants)

    def pairs_again(self, table: Sequence[int]) -> list[Pair]:
        """Pairs of positions at this table who have met before."""
        return [pair for pair in combinations(sorted(table), 2) if pair in self.met]

    def cost(self, tables: Iterable[Sequence[int]], left_over: Sequence[int] = ()) -> TablesCost:
        """Cost of tables given by positions, counted pair by pair."""
        repeats = avoided = uneven = spread = 0
        for table in tables:
            for pair in combinations(sorted(table), 2):
                repeats += self.met.get(pair, 0) ** 2
                avoided += pair in self.apart
                spread += (self.points[pair[0]] - self.points[pair[1]]) ** 2
            if len(table) != self.options.sizes.preferred:
                uneven += sum(self.uneven[place] for place in table)
        byes = sum(self.entrants[place].byes for place in left_over)
        points = sum(self.points[place] for place in left_over)
        return TablesCost(byes, points, repeats, avoided, uneven, spread)
