"""Is this round fit to be posted? Everything that could be wrong with it, found from plain facts.

However the round came about (by the engine, by hand, by a repair, before somebody dropped), it is looked at as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from events.engine.feasibility import barred_by, can_pair
from events.engine.tables import FixedSeat

Pair = tuple[int, int]


class Severity(StrEnum):
    """``stops``: the round cannot be posted like this. ``warns``: it can, by somebody who knows."""

    STOPS = "stops"
    WARNS = "warns"


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """One thing to see to. Codes that stop: ``results_missing``, ``decklist_missing``, ``decklist_illegal``,
    ``dropped_player``, ``unknown_player``, ``paired_with_self``, ``player_twice``, ``player_missing``,
    ``too_many_byes``, ``across_pods`` (by hand: warns), ``table_twice``, ``table_missing``; that warn:
    ``avoidable_rematch``, ``fixed_seat_not_kept``."""

    code: str
    severity: Severity
    message: str
    players: tuple[int, ...] = ()
    tables: tuple[int, ...] = ()

    def as_json(self) -> dict[str, object]:
        return {
            "code": self.code,
            "severity": str(self.severity),
            "message": self.message,
            "players": list(self.players),
            "tables": list(self.tables),
        }


@dataclass(frozen=True, slots=True)
class DraftedPair:
    """``by_hand``: somebody decided that these two meet, rematch or not."""

    a: int
    b: int
    table: int | None
    pod: int | None = None
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class DraftedBye:
    """``demanded`` byes (assigned, by hand) are as many as were given; of the others each pod has one at most."""

    player: int
    pod: int | None = None
    demanded: bool = False


@dataclass(frozen=True, slots=True)
class DraftedRound:
    """A round as it would be posted, and what is known about its players.

    ``active``: everybody who is to be in it; ``dropped``: who has left the event; ``pods``: the pod of each player who
    is in one. ``history`` holds every earlier meeting. ``forbidden`` pairs may not meet, so they are no way out of a
    rematch. ``fewest_rematches``: what a certified plan for the same players has, None where there is none; the
    question is then asked anew. ``open_tables``: tables of the round before without a final result.
    """

    active: frozenset[int]
    pairs: tuple[DraftedPair, ...]
    byes: tuple[DraftedBye, ...] = ()
    sitting_out: frozenset[int] = frozenset()
    dropped: frozenset[int] = frozenset()
    history: tuple[Pair, ...] = ()
    forbidden: tuple[Pair, ...] = ()
    fewest_rematches: int | None = None
    pods: Mapping[int, int] = field(default_factory=dict)
    fixed_seats: tuple[FixedSeat, ...] = ()
    open_tables: tuple[int, ...] = ()
    without_decklist: frozenset[int] = frozenset()
    with_illegal_decklist: frozenset[int] = frozenset()


def check_round(round_: DraftedRound) -> tuple[HealthFinding, ...]:
    """What is wrong with a round, what stops it first; empty when it is fit to be posted.

    Linear in players and meetings, but for the question whether a rematch could be avoided (``can_pair``).
    """
    findings = [
        *_before_the_round(round_),
        *_who_plays(round_),
        *_byes(round_),
        *_tables(round_),
        *_pods(round_),
        *_rematches(round_),
        *_seats(round_),
    ]
    return tuple(sorted(findings, key=lambda finding: finding.severity is Severity.WARNS))


def is_fit(findings: Sequence[HealthFinding]) -> bool:
    """Whether nothing stops the posting."""
    return all(finding.severity is Severity.WARNS for finding in findings)


def _before_the_round(round_: DraftedRound) -> Iterator[HealthFinding]:
    if round_.open_tables:
        tables = tuple(sorted(round_.open_tables))
        yield _stops("results_missing", f"Results of the last round are missing: {_list('table', tables)}.", (), tables)
    playing = {player for pair in round_.pairs for player in (pair.a, pair.b)}
    missing = tuple(sorted(round_.without_decklist & playing))
    if missing:
        yield _stops("decklist_missing", f"{_count(missing)} without a decklist.", missing)
    illegal = tuple(sorted(round_.with_illegal_decklist & playing))
    if illegal:
        yield _stops("decklist_illegal", f"{_count(illegal)} registered with an illegal decklist.", illegal)


def _who_plays(round_: DraftedRound) -> Iterator[HealthFinding]:
    places: dict[int, list[int | None]] = {}
    for pair in round_.pairs:
        if pair.a == pair.b:
            yield _stops("paired_with_self", "A player is paired with himself.", (pair.a,), _number(pair.table))
        for player in {pair.a, pair.b}:
            places.setdefault(player, []).append(pair.table)
    for bye in round_.byes:
        places.setdefault(bye.player, []).append(None)
    for player in sorted(places):
        tables = tuple(sorted(table for table in places[player] if table is not None))
        if player in round_.dropped:
            yield _stops("dropped_player", "A player who dropped is in the round.", (player,), tables)
        elif player in round_.sitting_out or player not in round_.active:
            yield _stops("unknown_player", "A player who is not to play is in the round.", (player,), tables)
        if len(places[player]) > 1:
            yield _stops("player_twice", "A player is in the round more than once.", (player,), tables)
    left_out = tuple(sorted(round_.active - round_.sitting_out - round_.dropped - places.keys()))
    if left_out:
        yield _stops("player_missing", f"{_count(left_out)} neither paired nor given a bye.", left_out)


def _byes(round_: DraftedRound) -> Iterator[HealthFinding]:
    by_pod: dict[int | None, list[int]] = {}
    for bye in round_.byes:
        if not bye.demanded:
            by_pod.setdefault(bye.pod, []).append(bye.player)
    for pod, players in by_pod.items():
        if len(players) > 1:
            where = "the round" if pod is None else f"pod {pod}"
            yield _stops("too_many_byes", f"{len(players)} players of {where} have a bye.", tuple(sorted(players)))


def _tables(round_: DraftedRound) -> Iterator[HealthFinding]:
    at: dict[int, list[int]] = {}
    for pair in round_.pairs:
        if pair.table is None:
            yield _stops("table_missing", "A pair has no table.", (pair.a, pair.b))
        else:
            at.setdefault(pair.table, []).extend((pair.a, pair.b))
    for table, players in sorted(at.items()):
        if len(players) > 2:
            yield _stops("table_twice", f"Table {table} is given to more than one pair.", tuple(players), (table,))


def _pods(round_: DraftedRound) -> Iterator[HealthFinding]:
    for pair in round_.pairs:
        if round_.pods.get(pair.a) != round_.pods.get(pair.b):
            yield HealthFinding(
                "across_pods",
                Severity.WARNS if pair.by_hand else Severity.STOPS,
                "Two players of different pods are paired.",
                (pair.a, pair.b),
                _number(pair.table),
            )


def _rematches(round_: DraftedRound) -> Iterator[HealthFinding]:
    meetings = Counter((min(pair), max(pair)) for pair in round_.history)
    again = [pair for pair in round_.pairs if not pair.by_hand and meetings[min(pair.a, pair.b), max(pair.a, pair.b)]]
    if round_.fewest_rematches is not None:
        count = sum(meetings[min(pair.a, pair.b), max(pair.a, pair.b)] for pair in again)
        avoidable = again if count > round_.fewest_rematches else []
    else:
        barred = barred_by([*meetings, *round_.forbidden])
        fit_pods = {pod for pod in {pair.pod for pair in again} if can_pair(_free_players(round_, pod), barred)}
        avoidable = [pair for pair in again if pair.pod in fit_pods]
    for pair in avoidable:
        yield HealthFinding(
            "avoidable_rematch",
            Severity.WARNS,
            "Two players meet again, and the round could be paired with fewer rematches.",
            (pair.a, pair.b),
            _number(pair.table),
        )


def _free_players(round_: DraftedRound, pod: int | None) -> set[int]:
    """Players of a pod whose opponents nobody decided."""
    players = {player for pair in round_.pairs if pair.pod == pod and not pair.by_hand for player in (pair.a, pair.b)}
    return players | {bye.player for bye in round_.byes if bye.pod == pod and not bye.demanded}


def _seats(round_: DraftedRound) -> Iterator[HealthFinding]:
    """Fixed seats that were not kept, though no claim at least as strong has the table or the pair."""
    pair_of = {player: pair for pair in round_.pairs for player in (pair.a, pair.b)}
    strongest: dict[tuple[DraftedPair, int], int] = {}
    for seat in round_.fixed_seats:
        if seat.player in pair_of:
            claim = pair_of[seat.player], seat.table
            strongest[claim] = min(strongest.get(claim, seat.kind.rank), seat.kind.rank)
    held = {table: rank for (pair, table), rank in strongest.items() if pair.table == table}
    for seat in round_.fixed_seats:
        pair = pair_of.get(seat.player)
        if pair is None or pair.table is None or pair.table == seat.table:
            continue
        if min(held.get(seat.table, 99), strongest.get((pair, pair.table), 99)) > seat.kind.rank:
            yield HealthFinding(
                "fixed_seat_not_kept",
                Severity.WARNS,
                f"A player whose seat is fixed at table {seat.table} plays at table {pair.table}.",
                (seat.player,),
                (pair.table,),
            )


def _stops(code: str, message: str, players: tuple[int, ...], tables: tuple[int, ...] = ()) -> HealthFinding:
    return HealthFinding(code, Severity.STOPS, message, players, tables)


def _number(table: int | None) -> tuple[int, ...]:
    return () if table is None else (table,)


def _count(players: Sequence[int]) -> str:
    return "1 player is" if len(players) == 1 else f"{len(players)} players are"


def _list(word: str, numbers: Sequence[int]) -> str:
    return f"{word}{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers))}"
