"""Double elimination: the second loss puts a player out, the first one only into the losers' bracket.

The bracket is made once for a number of players, with byes already passed on in both halves, so every fixture in it is
a match between two. Its state is a replay of the decisions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from config.errors import Conflict, DomainError
from events.engine.brackets import LARGEST_BRACKET, Placing, check_seeds, final_placing, rounds_of, seed_order
from events.engine.elimination import Decision, walkover
from events.engine.pairing_model import Fact, Reason

DROP_ORDERS: Mapping[int, tuple[int, ...]] = {
    2: (),
    4: (0,),
    8: (1, 0),
    16: (3, 0, 0),
    32: (3, 3, 0, 0),
    64: (15, 4, 1, 1, 0),
    128: (31, 4, 4, 0, 1, 0),
}
"""How those who lose in the winners' rounds 2, 3, ... enter the losers' bracket, by places of the full bracket: place
``i`` there takes the loser of match ``i ^ mask``. 0 keeps the order, all ones reverse it, the highest bit alone swaps
the halves. Of all such orders these have the fewest rematches to expect before the grand final when every match is a
coin-flip; up to 64 places none of this kind is better."""


class Side(StrEnum):
    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"


class From(StrEnum):
    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a player of a fixture comes from: a seed, or the winner or loser of the fixture with this number."""

    kind: From
    number: int


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match of the bracket before it is known who plays it. Numbers count from 1 in the order in which fixtures can
    be played; ``desk_round`` is the round in which both players can be free. ``round`` counts within the side,
    ``slot`` from 0 within the full round of ``width`` matches."""

    number: int
    side: Side
    round: int
    slot: int
    width: int
    a: Source
    b: Source
    desk_round: int
    label: str


@dataclass(frozen=True, slots=True)
class Bye:
    """A place where ``source`` goes on at once because nobody comes to meet it."""

    side: Side
    round: int
    slot: int
    source: Source


@dataclass(frozen=True, slots=True)
class DoubleBracket:
    """``fixtures`` by number; the last is the second match of the grand final, played only if needed."""

    players: int
    places: int
    fixtures: tuple[Fixture, ...]
    byes: tuple[Bye, ...]

    @property
    def grand_final(self) -> Fixture:
        return self.fixtures[-2]

    @property
    def reset(self) -> Fixture:
        return self.fixtures[-1]


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A fixture whose players are known; ``a`` is the better seed. ``rematch``: they have met in this bracket."""

    fixture: Fixture
    a: int
    b: int
    seed_a: int
    seed_b: int
    rematch: bool

    @property
    def reason(self) -> Reason:
        """``double_elimination`` with the seeds, the side and round, and whether it is a rematch (0 or 1)."""
        facts: dict[str, Fact] = {
            "seed": self.seed_a,
            "opponent_seed": self.seed_b,
            "side": str(self.fixture.side),
            "round": self.fixture.round,
            "rematch": int(self.rematch),
        }
        return Reason("double_elimination", facts)


@dataclass(frozen=True, slots=True)
class DoubleState:
    """``ready`` can be played now, ``played`` are decided (walkovers with them), by fixture number. ``out`` holds the
    round that put a player out: a round of the losers' bracket, or one more for the grand final. ``champion`` is None
    until the end; ``reset_needed`` is None until the grand final is decided."""

    bracket: DoubleBracket
    ready: tuple[OpenMatch, ...]
    played: Mapping[int, tuple[OpenMatch, Decision]]
    losses: Mapping[int, int]
    out: Mapping[int, int]
    reset_needed: bool | None
    champion: int | None

    def placing(
        self, ranking: Sequence[int], *, shared: bool = False, disqualified: Collection[int] = ()
    ) -> tuple[Placing, ...]:
        """Everybody's place at the end, as ``final_placing`` has them; nothing before. The third place comes by
        itself: it is the loser of the losers' final."""
        if self.champion is None:
            return ()
        return final_placing(ranking, self.champion, self.out, shared=shared, disqualified=disqualified)


@lru_cache(maxsize=LARGEST_BRACKET)
def double_elimination(players: int) -> DoubleBracket:
    """The bracket for a number of players. Raises DomainError ``bracket.size`` outside 2..128."""
    check_seeds(range(players))
    return draw_bracket(players, DROP_ORDERS[1 << rounds_of(players)])


def draw_bracket(players: int, drop_order: Sequence[int]) -> DoubleBracket:
    """``double_elimination`` with another of the ``DROP_ORDERS``, drawn anew."""
    return _Builder(players, drop_order).bracket()


def replay(seeds: Sequence[int], decisions: Mapping[int, Decision], gone: Sequence[int] = ()) -> DoubleState:
    """State of the bracket of ``seeds`` (best first) after ``decisions`` by fixture number, in whatever order they
    came. Players ``gone``, in the order of leaving, lose every match that is not decided.

    Raises as ``double_elimination``; DomainError ``bracket.no_such_match``, ``bracket.not_in_match``; Conflict
    ``bracket.not_ready`` when a fixture is decided before its players are known, ``bracket.reset_not_needed``.
    """
    check_seeds(seeds)
    bracket = double_elimination(len(seeds))
    if unknown := [number for number in decisions if not 1 <= number <= len(bracket.fixtures)]:
        raise DomainError(
            "bracket.no_such_match",
            f"This bracket has the matches 1 to {len(bracket.fixtures)}. Choose one of them.",
            {"matches": sorted(unknown), "last": len(bracket.fixtures)},
        )
    replaying = _Replay(seeds, bracket)
    for fixture in bracket.fixtures[:-1]:
        replaying.take(fixture, decisions.get(fixture.number), gone)
    reset_needed = replaying.reset_needed
    if reset_needed:
        replaying.take(bracket.reset, decisions.get(bracket.reset.number), gone)
    elif bracket.reset.number in decisions:
        raise Conflict(
            "bracket.reset_not_needed",
            "The grand final is played a second time only when the winner of the losers' bracket has won it. "
            "Remove that result.",
            {"match": bracket.reset.number},
        )
    return replaying.state(reset_needed)


class _Replay:
    def __init__(self, seeds: Sequence[int], bracket: DoubleBracket) -> None:
        self.bracket = bracket
        self.seed_of = {player: seed for seed, player in enumerate(seeds, 1)}
        self.known = {Source(From.SEED, seed): player for player, seed in self.seed_of.items()}
        self.met: set[frozenset[int]] = set()
        self.ready: list[OpenMatch] = []
        self.played: dict[int, tuple[OpenMatch, Decision]] = {}
        self.losses = dict.fromkeys(seeds, 0)
        self.out: dict[int, int] = {}

    def take(self, fixture: Fixture, decision: Decision | None, gone: Sequence[int]) -> None:
        """Put one fixture where it belongs: waiting, ready or played. Those before it have been taken."""
        a, b = self.known.get(fixture.a), self.known.get(fixture.b)
        if a is None or b is None:
            if decision is not None:
                raise Conflict(
                    "bracket.not_ready",
                    f"{fixture.label} has a result before both its players are known. Enter the earlier matches first.",
                    {"match": fixture.number},
                )
            return
        (seed_a, a), (seed_b, b) = sorted(((self.seed_of[a], a), (self.seed_of[b], b)))
        pair = frozenset((a, b))
        match = OpenMatch(fixture, a, b, seed_a, seed_b, pair in self.met)
        decision = decision or walkover((a, b), gone)
        if decision is None:
            self.ready.append(match)
            return
        if decision.winner not in pair:
            raise DomainError(
                "bracket.not_in_match",
                "The winner of a match is one of its two players. Enter one of them.",
                {"match": fixture.number, "players": [a, b], "winner": decision.winner},
            )
        self.met.add(pair)
        loser = a + b - decision.winner
        self.known[Source(From.WINNER, fixture.number)] = decision.winner
        self.known[Source(From.LOSER, fixture.number)] = loser
        self.played[fixture.number] = (match, decision)
        self.losses[loser] += 1
        if self.losses[loser] == 2:
            self.out[loser] = fixture.round if fixture.side is Side.LOSERS else self.last_round

    @property
    def last_round(self) -> int:
        """Of those that put players out: the grand final, whose second match counts as the same."""
        return 2 * rounds_of(self.bracket.players) - 1

    @property
    def reset_needed(self) -> bool | None:
        final = self.bracket.grand_final.number
        if final not in self.played:
            return None
        _, decision = self.played[final]
        return decision.winner == self.known[self.bracket.grand_final.b]

    def state(self, reset_needed: bool | None) -> DoubleState:
        last = self.bracket.reset if reset_needed else self.bracket.grand_final
        champion = self.known.get(Source(From.WINNER, last.number)) if reset_needed is not None else None
        return DoubleState(self.bracket, tuple(self.ready), self.played, self.losses, self.out, reset_needed, champion)


class _Builder:
    """Draws the full bracket and passes on at once whoever has nobody to meet."""

    def __init__(self, players: int, drop_order: Sequence[int]) -> None:
        self.players = players
        self.rounds = rounds_of(players)
        self.drop_order = drop_order
        self.fixtures: list[Fixture] = []
        self.byes: list[Bye] = []

    def bracket(self) -> DoubleBracket:
        winner, losers_by_round = self.winners_side()
        survivor = self.losers_side(losers_by_round)
        final, beaten = self.meet(Side.FINAL, 1, 0, 1, winner, survivor)
        self.meet(Side.FINAL, 2, 0, 1, final, beaten)
        return DoubleBracket(self.players, 1 << self.rounds, tuple(self.numbered()), tuple(self.byes))

    def winners_side(self) -> tuple[Source | None, list[list[Source | None]]]:
        alive: list[Source | None] = [
            Source(From.SEED, seed) if seed <= self.players else None for seed in seed_order(1 << self.rounds)
        ]
        beaten = []
        for number in range(1, self.rounds + 1):
            met = self.play_round(Side.WINNERS, number, alive[::2], alive[1::2])
            alive = [winner for winner, _ in met]
            beaten.append([loser for _, loser in met])
        return alive[0], beaten

    def losers_side(self, beaten: Sequence[list[Source | None]]) -> Source | None:
        """Two rounds for each round of the winners after the first: among themselves, then against those who drop."""
        alive = beaten[0]
        for index, (dropping, mask) in enumerate(zip(beaten[1:], self.drop_order, strict=True)):
            among = self.play_round(Side.LOSERS, 2 * index + 1, alive[::2], alive[1::2])
            dropped = [dropping[place ^ mask] for place in range(len(dropping))]
            alive = [
                winner
                for winner, _ in self.play_round(Side.LOSERS, 2 * index + 2, [winner for winner, _ in among], dropped)
            ]
        return alive[0]

    def play_round(
        self, side: Side, number: int, upper: Sequence[Source | None], lower: Sequence[Source | None]
    ) -> list[tuple[Source | None, Source | None]]:
        return [
            self.meet(side, number, slot, len(upper), a, b)
            for slot, (a, b) in enumerate(zip(upper, lower, strict=True))
        ]

    def meet(
        self, side: Side, number: int, slot: int, width: int, a: Source | None, b: Source | None
    ) -> tuple[Source | None, Source | None]:
        """Sources of the winner and the loser; a place without opponent has a winner only."""
        if a is None or b is None:
            present = a or b
            if present is not None:
                self.byes.append(Bye(side, number, slot, present))
            return present, None
        index = len(self.fixtures) + 1
        desk_round = 1 + max(self.free_after(a), self.free_after(b))
        label = _label(side, number, slot, width, self.rounds)
        self.fixtures.append(Fixture(index, side, number, slot, width, a, b, desk_round, label))
        return Source(From.WINNER, index), Source(From.LOSER, index)

    def free_after(self, source: Source) -> int:
        return 0 if source.kind is From.SEED else self.fixtures[source.number - 1].desk_round

    def numbered(self) -> list[Fixture]:
        """Fixtures in the order of play; every source comes before the fixture that waits for it."""
        in_play = sorted(self.fixtures, key=lambda fixture: fixture.desk_round)
        number_of = {fixture.number: number for number, fixture in enumerate(in_play, 1)}

        def renumbered(source: Source) -> Source:
            return source if source.kind is From.SEED else Source(source.kind, number_of[source.number])

        self.byes = [replace(bye, source=renumbered(bye.source)) for bye in self.byes]
        return [
            replace(fixture, number=number_of[fixture.number], a=renumbered(fixture.a), b=renumbered(fixture.b))
            for fixture in in_play
        ]


def _label(side: Side, number: int, slot: int, width: int, rounds: int) -> str:
    if side is Side.FINAL:
        return "Grand final" if number == 1 else "Grand final, second match"
    whose = "Winners'" if side is Side.WINNERS else "Losers'"
    last = rounds if side is Side.WINNERS else 2 * (rounds - 1)
    from_end = last - number
    names = ("final", "semi-final", "quarter-final") if side is Side.WINNERS else ("final", "semi-final")
    if from_end < len(names):
        return f"{whose} {names[from_end]}" + (f" {slot + 1}" if width > 1 else "")
    return f"{whose} round {number}" + (f", match {slot + 1}" if width > 1 else "")
