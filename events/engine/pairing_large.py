"""Pairing of large fields: nearly everybody is paired inside the own score, a small kernel decides the rest.

A score group that is large against the clashes inside it is *rich*: any even number of its members can be paired
without a clash. For two members a, b who clash, swapping partners with another pair fails only if that pair holds a
clash of a or b; with at most d clashes for each member and 2d + 2 members, some pair always works. So only a few
members of a rich group (the kernel) have to be looked at, together with everybody in the other, poor groups.

The *relaxation* makes the rich groups' members anonymous: any number of them (of the right parity), met by nobody,
never floated. No pairing costs less than its optimum, because every pairing is one of the relaxation, at no higher
cost. Nobody in the optimum is paired over a rich group: (a + b)^2 > a^2 + b^2, two shorter floats into it are better.
A limited supply of anonymous members is as good as any number when two of each group are left over: a better solution
with more of them differs by alternating paths that end at anonymous members, and these paths, joined where they end
in the same group, fall into rings that take at most two more of each group; one ring alone would be an improvement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cards.engine.streams import Stream
from events.engine.pairing_exact import Edge, match
from events.engine.pairing_model import Field, Pair, PairingCost

LEAST_KERNEL = 8
ATTEMPTS = 8
# Beyond this many edges a matching takes seconds; then only near neighbours in the order are tried.
MOST_EDGES = 100_000
WINDOW = 40


@dataclass(frozen=True, slots=True)
class LargePairing:
    """``bound``: no pairing costs less. None where the kernel was too large to be looked at completely."""

    pairs: list[Pair]
    bye: int | None
    bound: PairingCost | None


@dataclass(frozen=True, slots=True)
class _Group:
    """Positions start..stop - 1 share a score. ``kernel`` is the number of members to look at, 0 = poor: all."""

    start: int
    stop: int
    clashes: int
    kernel: int = 0

    @property
    def size(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class _Kernel:
    """``places`` are positions in the field, ascending; ``group_of`` and ``edges`` go by index into them."""

    groups: list[_Group]
    places: list[int]
    group_of: list[int]
    edges: list[Edge]
    complete: bool


def pair_by_kernel(field: Field, rng: Stream, *, least_kernel: int = LEAST_KERNEL) -> LargePairing:
    """A complete pairing of the field, and a cost that none can undercut. Needs at least two players."""
    score_groups = _score_groups(field)
    wanted = [least_kernel] * len(score_groups)
    bound: PairingCost | None = None
    best: tuple[tuple[int, ...], list[Pair], int | None] | None = None
    for attempt in range(ATTEMPTS):
        groups = _choose_rich(score_groups, wanted)
        kernel = _make_kernel(field, groups)
        if kernel.complete:
            relaxed, used_up = _relax(field, kernel)
            if used_up and attempt < ATTEMPTS - 1:
                for group in used_up:
                    wanted[group] *= 2
                continue
            if not used_up:
                bound = relaxed
        pairs, bye = _realise(field, kernel, rng)
        cost = field.cost(pairs, bye)
        key = cost.key(field.options)
        if best is None or key < best[0]:
            best = key, pairs, bye
        if cost == bound or not kernel.complete:
            break
        wanted = [2 * size for size in wanted]
    assert best is not None
    return LargePairing(best[1], best[2], bound)


def _score_groups(field: Field) -> list[_Group]:
    groups = []
    start = 0
    for stop in range(1, len(field) + 1):
        if stop == len(field) or field.points[stop] != field.points[start]:
            clashes = max(sum(start <= other < stop for other in field.clashes[place]) for place in range(start, stop))
            groups.append(_Group(start, stop, clashes))
            start = stop
    return groups


def _choose_rich(groups: Sequence[_Group], wanted: Sequence[int]) -> list[_Group]:
    chosen = []
    for group, size in zip(groups, wanted, strict=True):
        kernel = size + (group.size - size) % 2
        rich = group.size >= kernel + 2 * group.clashes + 2
        chosen.append(replace(group, kernel=kernel if rich else 0))
    return chosen


def _make_kernel(field: Field, groups: list[_Group]) -> _Kernel:
    places: list[int] = []
    group_of: list[int] = []
    for number, group in enumerate(groups):
        members = range(group.start, group.stop)
        chosen = _representatives(field, members, group.kernel) if group.kernel else list(members)
        places += chosen
        group_of += [number] * len(chosen)
    nodes = _within_reach(groups, group_of)
    complete = len(nodes) <= MOST_EDGES
    if not complete:
        nodes = [(a, b) for a, b in nodes if b - a <= WINDOW]
    edges = [Edge(a, b, *field.pair_cost(places[a], places[b])) for a, b in nodes]
    return _Kernel(groups, places, group_of, edges, complete)


def _within_reach(groups: Sequence[_Group], group_of: Sequence[int]) -> list[Pair]:
    """Pairs of kernel nodes between whose scores there is no rich group."""
    lowest = [len(groups) - 1] * len(groups)
    for number in range(len(groups) - 2, -1, -1):
        lowest[number] = number + 1 if groups[number + 1].kernel else lowest[number + 1]
    nodes = []
    for node, group in enumerate(group_of):
        for other in range(node + 1, len(group_of)):
            if group_of[other] > lowest[group]:
                break
            nodes.append((node, other))
    return nodes


def _representatives(field: Field, members: range, size: int) -> list[int]:
    """Best receiver of the bye first, then in turn those who floated down, and up, least. Positions inside a score
    are in drawn order, so that equal ones are taken by lot."""
    by_bye = sorted(members, key=lambda place: (field.bye_keys[place], place))
    by_down = sorted(members, key=lambda place: (field.down[place], place))
    by_up = sorted(members, key=lambda place: (field.up[place], place))
    chosen: dict[int, None] = {by_bye[0]: None}
    for pair in zip(by_down, by_up, strict=True):
        for place in pair:
            if len(chosen) < size:
                chosen[place] = None
    return sorted(chosen)


def _pair_without_clash(field: Field, places: Sequence[int], rng: Stream) -> list[Pair]:
    """Random pairs; each clash is mended by a swap with another pair, drawn by lot."""
    drawn = rng.shuffled(places)
    pairs = list(zip(drawn[::2], drawn[1::2], strict=True))
    for index in range(len(pairs)):
        a, b = pairs[index]
        if b not in field.clashes[a]:
            continue
        start = rng.below(len(pairs))
        for step in range(len(pairs)):
            other = (start + step) % len(pairs)
            if other == index:
                continue
            c, d = pairs[other]
            for first, second in (((a, c), (b, d)), ((a, d), (b, c))):
                if first[1] not in field.clashes[first[0]] and second[1] not in field.clashes[second[0]]:
                    pairs[index], pairs[other] = first, second
                    break
            else:
                continue
            break
        else:
            raise AssertionError("a group with this few clashes can always be mended")
    return pairs


def _realise(field: Field, kernel: _Kernel, rng: Stream) -> tuple[list[Pair], int | None]:
    places = kernel.places
    bye_keys = [field.bye_keys[place] for place in places] if len(field) % 2 else None
    matched, bye = match(field, len(places), kernel.edges, bye_keys, rng)
    pairs = [(places[a], places[b]) for a, b in matched]
    looked_at = set(places)
    for group in kernel.groups:
        if group.kernel:
            rest = [place for place in range(group.start, group.stop) if place not in looked_at]
            pairs += _pair_without_clash(field, rest, rng)
    return pairs, places[bye] if bye is not None else None


def _relax(field: Field, kernel: _Kernel) -> tuple[PairingCost, list[int]]:
    """Optimum of the relaxation with as many anonymous members as the kernel has, and the rich groups of which it
    leaves no two over: while there are any, the optimum proves nothing."""
    down: list[int] = []
    up: list[int] = []
    bye_keys: list[tuple[int, int]] = []
    anonymous: list[bool] = []
    least = {
        number: (
            min(field.down[group.start : group.stop]),
            min(field.up[group.start : group.stop]),
            min(field.bye_keys[group.start : group.stop]),
        )
        for number, group in enumerate(kernel.groups)
        if group.kernel
    }
    for place, group in zip(kernel.places, kernel.group_of, strict=True):
        own = least.get(group, (field.down[place], field.up[place], field.bye_keys[place]))
        down.append(own[0])
        up.append(own[1])
        bye_keys.append(own[2])
        anonymous.append(group in least)
    relaxed = {}
    for edge in kernel.edges:
        known = not (anonymous[edge.a] or anonymous[edge.b])
        relaxed[edge.a, edge.b] = replace(
            edge,
            met=edge.met * known,
            apart=edge.apart * known,
            floats=down[edge.a] + up[edge.b] if edge.gap else 0,
        )
    matched, bye = match(field, len(kernel.places), list(relaxed.values()), bye_keys if len(field) % 2 else None, None)
    used = [relaxed[pair] for pair in matched]
    receiver = bye_keys[bye] if bye is not None else (0, 0)
    cost = PairingCost(
        sum(edge.met for edge in used),
        *receiver,
        sum(edge.apart for edge in used),
        sum(edge.gap for edge in used),
        sum(edge.floats for edge in used),
    )
    left_over = {kernel.group_of[edge.a] for edge in used if kernel.group_of[edge.a] == kernel.group_of[edge.b]}
    return cost, [number for number in least if number not in left_over]
