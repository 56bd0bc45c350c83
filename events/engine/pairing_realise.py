"""Real members on the anonymous places of a pool, and the rest of it paired inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

import numpy as np

from cards.engine.streams import Stream
from events.engine.pairing_columns import Flags, Ints
from events.engine.pairing_field import Field
from events.engine.pairing_matching import best_matching, draws, packed
from events.engine.pairing_pools import Pool

LARGEST_MATCHING = 300
_REDRAWS = 12
_FEW_PAIRS = 40


@dataclass(slots=True)
class Demand:
    """What is asked of a pool: partners for the positions in ``partners``; with ``sends``, one member more for the
    pool below it; with ``receivers``, one of these for the bye."""

    partners: list[int] = field(default_factory=list)
    sends: int | None = None
    receivers: Ints | None = None

    @property
    def seats(self) -> int:
        return len(self.partners) + (self.sends is not None) + (self.receivers is not None)


@dataclass(frozen=True, slots=True)
class Clashes:
    """The most that one member of a score group has with others of it: meetings, and with those to be kept apart."""

    met: int
    avoided: int


@dataclass(slots=True)
class Taken:
    """``rest`` is to be paired inside, unless ``inner`` has these pairs already."""

    pairs: list[tuple[int, int]]
    sent: int | None
    bye: int | None
    rest: Ints
    inner: list[tuple[int, int]] | None = None


def take(pool: Pool, demand: Demand, clashes: Clashes, rng: Stream) -> Taken | None:
    """The members whom a demand takes, at least cost, so that the rest can be paired without a rematch.

    None: there are no such members, or too many to look for them.
    """
    left = len(pool) - demand.seats
    if left < 0 or left % 2:
        return None
    taken = _seat(pool, demand, rng)
    if taken is None or left >= 2 * clashes.avoided + 2:
        return taken
    if len(pool) > LARGEST_MATCHING:
        return taken if left >= 2 * clashes.met + 2 else None
    for _ in range(_REDRAWS):
        drawn = taken.rest[np.argsort(rng.words(left), kind="stable")]
        a, b = drawn[::2], drawn[1::2]
        if not (pool.field.meetings(a, b).any() or pool.field.apart(a, b).any()):
            taken.inner = list(zip(a.tolist(), b.tolist(), strict=True))
            return taken
    return _match_all(pool, demand, rng)


Options = list[list[tuple[int, int, int]]]
"""For each seat (avoided, repeated floats, member), best first."""


def _options(pool: Pool, demand: Demand, most: int | None) -> Options:
    options: Options = [list(islice(pool.partners(place), most)) for place in demand.partners]
    if demand.sends is not None:
        senders = sorted(pool.by_down, key=lambda member: member not in pool.club) if pool.club else pool.by_down
        options.append([(0, int(pool.field.down[member]), member) for member in senders[:most]])
    if demand.receivers is not None:
        receivers = sorted(demand.receivers.tolist(), key=lambda member: member not in pool.club)
        options.append([(0, 0, member) for member in receivers[:most]])
    return options


def _seat(pool: Pool, demand: Demand, rng: Stream) -> Taken | None:
    """Each seat its best member; where two want the same, the cheapest assignment. With k seats the k best of each are
    enough: one of them is always free."""
    options = _options(pool, demand, demand.seats)
    if any(not options_of for options_of in options):
        return None
    chosen = [options_of[0][2] for options_of in options]
    if len(set(chosen)) < len(chosen):
        seats = len(options)
        members = sorted({member for options_of in options for _, _, member in options_of})
        node = {member: seats + number for number, member in enumerate(members)}
        edges = [(seat, *option) for seat, options_of in enumerate(options) for option in options_of]
        seat, avoided, floats, member = np.array(edges, np.int64).T
        nodes = np.array([node[one] for one in member.tolist()], np.int64)
        costs = packed([avoided, floats], draws(rng, len(edges)), seats)
        mate = best_matching(seats + len(members), seat, nodes, costs)[:seats]
        if (mate < 0).any():
            return None
        chosen = [members[one - seats] for one in mate.tolist()]
    return _taken(pool, demand, chosen)


def _taken(pool: Pool, demand: Demand, chosen: Sequence[int]) -> Taken:
    partners = len(demand.partners)
    return Taken(
        pairs=list(zip(demand.partners, chosen, strict=False)),
        sent=chosen[partners] if demand.sends is not None else None,
        bye=chosen[-1] if demand.receivers is not None else None,
        rest=np.delete(pool.members, np.searchsorted(pool.members, chosen)) if len(chosen) else pool.members,
    )


def _match_all(pool: Pool, demand: Demand, rng: Stream) -> Taken | None:
    """Seats and inner pairs in one matching."""
    field, members, size = pool.field, pool.members, len(pool)
    options = _options(pool, demand, None)
    a, b = np.triu_indices(size, 1)
    fresh = field.meetings(members[a], members[b]) == 0
    a, b = a[fresh], b[fresh]
    edges = [
        (size + seat, avoided, floats, int(np.searchsorted(members, member)))
        for seat, options_of in enumerate(options)
        for avoided, floats, member in options_of
    ]
    seat, avoided, floats, member = np.array(edges, np.int64).reshape(-1, 4).T
    levels = [
        np.concatenate((field.apart(members[a], members[b]).astype(np.int64), avoided)),
        np.concatenate((np.zeros(len(a), np.int64), floats)),
    ]
    a, b = np.concatenate((a, member)), np.concatenate((b, seat))
    mate = best_matching(size + len(options), a, b, packed(levels, draws(rng, len(a)), size) if len(a) else [])
    if (mate < 0).any():
        return None
    taken = _taken(pool, demand, members[mate[size:]].tolist())
    inner = np.flatnonzero((mate[:size] < size) & (np.arange(size) < mate[:size]))
    taken.inner = list(zip(members[inner].tolist(), members[mate[inner]].tolist(), strict=True))
    return taken


def pair_inside(field: Field, parts: Sequence[Ints], rng: Stream) -> Ints:
    """Random pairs inside each part, (k, 2). Positions are in drawn order already: neighbours are taken, and where two
    clash, they swap partners with a pair drawn by lot."""
    if not parts:
        return np.empty((0, 2), np.int64)
    pairs = np.concatenate(parts).reshape(-1, 2)
    stops = np.cumsum([len(part) // 2 for part in parts])
    clashing = np.flatnonzero(_clashes(field, pairs))
    for part in np.unique(np.searchsorted(stops, clashing, side="right")).tolist():
        start = int(stops[part - 1]) if part else 0
        pairs[start : stops[part]] = _mended(field, pairs[start : stops[part]], rng)
    return pairs


def _clashes(field: Field, pairs: Ints) -> Flags:
    clashes: Flags = (field.meetings(*pairs.T) > 0) | field.apart(*pairs.T)
    return clashes


def _mended(field: Field, pairs: Ints, rng: Stream) -> Ints:
    """The same members without a clash: a few are drawn anew, of many only those who clash swap."""
    if len(pairs) <= _FEW_PAIRS:
        for _ in range(_REDRAWS):
            pairs = pairs.ravel()[np.argsort(rng.words(pairs.size), kind="stable")].reshape(-1, 2)
            if not _clashes(field, pairs).any():
                return pairs
    for index in np.flatnonzero(_clashes(field, pairs)).tolist():
        _swap(field, pairs, index, rng)
    return pairs


def _swap(field: Field, pairs: Ints, index: int, rng: Stream) -> None:
    """Mend the pair at ``index`` by a swap with another: rid of every clash if possible, else of the rematch."""
    a, b = pairs[index].tolist()
    met_a, met_b = field.met(a), field.met(b)
    apart_a, apart_b = field.apart_from(a), field.apart_from(b)
    if b not in met_a and b not in apart_a:
        return
    first = rng.below(len(pairs))
    for barred_a, barred_b in ((met_a | apart_a, met_b | apart_b), (met_a, met_b)):
        for other in chain(range(first, len(pairs)), range(first)):
            c, d = pairs[other].tolist()
            for one, two in ((c, d), (d, c)):
                if one not in barred_a and two not in barred_b and other != index:
                    pairs[index], pairs[other] = (a, one), (b, two)
                    return
        if b not in met_a:
            return
