"""A booster draft as arithmetic: packs never move in storage, only the formula says whose turn each one is.

Seats, rounds of packs and picks are counted from 0 here. Left is +1: seats are numbered clockwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cards.engine.streams import Stream
from config.errors import Conflict, DomainError

PackKey = tuple[int, int]
"""(round, seat that opened the pack)"""


class Direction(StrEnum):
    LEFT = "left"
    RIGHT = "right"

    @property
    def step(self) -> int:
        return 1 if self is Direction.LEFT else -1


class WaitingFor(StrEnum):
    """Why a seat has nothing to pick just now."""

    OTHERS = "others"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Pick:
    """Seat ``seat`` took ``card`` as pick ``k`` of round ``round``; which pack that was follows from the formula."""

    round: int
    seat: int
    k: int
    card: int
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """The pack in front of a seat: opened by ``opened_by`` in ``round``, now at its pick ``k``, holding ``cards``."""

    round: int
    k: int
    seat: int
    opened_by: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Either a window to pick from, or the reason why there is none (and for whose picks the seat waits)."""

    window: Window | None
    reason: WaitingFor | None = None
    seats: tuple[int, ...] = ()


def alternating(packs: int, first: Direction = Direction.LEFT) -> tuple[Direction, ...]:
    """First pack one way, second the other, and so on (Epic rulebook, draft: the first pack goes to the left)."""
    other = Direction.RIGHT if first is Direction.LEFT else Direction.LEFT
    return tuple(first if number % 2 == 0 else other for number in range(packs))


def seat_of(pack_seat: int, direction: Direction, k: int, seats: int) -> int:
    """The seat that makes pick ``k`` from the pack that ``pack_seat`` opened."""
    return (pack_seat + direction.step * k) % seats


def opener_of(seat: int, direction: Direction, k: int, seats: int) -> int:
    """The seat that opened the pack from which ``seat`` makes pick ``k``: ``seat_of`` the other way round."""
    return (seat - direction.step * k) % seats


def shown_order(cards: Iterable[int], rng: Stream) -> list[int]:
    """The cards of a pack in the order in which one seat sees them.

    The rulebook shuffles a pack before it is passed, so that nobody can signal by order. Give one stream per pass
    (``fairness.order_label``): the order then changes with every pass and is the same after every reload.
    """
    return rng.shuffled(sorted(cards))


class DraftState:
    """A draft replayed from its packs and picks.

    ``packs`` holds every pack of every round, all of one size within a round; a card id may be in a pack twice. The
    barrier holds: nobody makes pick ``k`` before everybody has made pick ``k - 1``.
    Raises ``ValueError`` for packs that do not fit seats and directions, and DomainError as ``legal_pick`` does when
    a stored pick could not have been made.
    """

    def __init__(
        self,
        seats: int,
        directions: Sequence[Direction],
        packs: Mapping[PackKey, Sequence[int]],
        picks: Iterable[Pick] = (),
    ) -> None:
        if seats < 1:
            raise ValueError("a draft needs a seat")
        self.seats = seats
        self.directions = tuple(directions)
        expected = {(number, seat) for number in range(len(self.directions)) for seat in range(seats)}
        if set(packs) != expected:
            raise ValueError("there is one pack for every round and seat")
        self.sizes = tuple(len(packs[number, 0]) for number in range(len(self.directions)))
        if any(len(cards) != self.sizes[number] for (number, _), cards in packs.items()):
            raise ValueError("packs of one round differ in size")
        self._left = {key: Counter(cards) for key, cards in packs.items()}
        self._contents = {key: tuple(cards) for key, cards in packs.items()}
        self._picks: dict[tuple[int, int, int], Pick] = {}
        self._done = [0] * seats
        self._starts = [sum(self.sizes[:number]) for number in range(len(self.sizes) + 1)]
        for pick in sorted(picks, key=lambda pick: (pick.round, pick.k, pick.seat)):
            self._apply(pick)

    @property
    def total_picks(self) -> int:
        """Picks that each seat makes in the whole draft: the size of its pool."""
        return self._starts[-1]

    @property
    def finished(self) -> bool:
        return min(self._done) == self.total_picks

    @property
    def current(self) -> tuple[int, int] | None:
        """(round, pick) that is open now, None when the draft is finished."""
        return None if self.finished else self._place(min(self._done))

    @property
    def pending(self) -> tuple[int, ...]:
        """Seats that have not made the open pick; empty when the draft is finished."""
        slowest = min(self._done)
        return () if self.finished else tuple(seat for seat in range(self.seats) if self._done[seat] == slowest)

    @property
    def picks(self) -> tuple[Pick, ...]:
        return tuple(self._picks[key] for key in sorted(self._picks))

    def remaining(self, round_number: int, opened_by: int) -> tuple[int, ...]:
        """Cards still in a pack, ascending by id."""
        return tuple(sorted(self._left[round_number, opened_by].elements()))

    def taken(self, round_number: int, opened_by: int) -> tuple[Pick, ...]:
        """Picks made from a pack, in order."""
        direction = self.directions[round_number]
        made = []
        for k in range(self.sizes[round_number]):
            pick = self._picks.get((round_number, k, seat_of(opened_by, direction, k, self.seats)))
            if pick is not None:
                made.append(pick)
        return tuple(made)

    def pool(self, seat: int) -> tuple[int, ...]:
        """Cards that a seat has picked, in order."""
        return tuple(pick.card for pick in self.picks if pick.seat == seat)

    def pools(self) -> dict[int, tuple[int, ...]]:
        made: dict[int, list[int]] = {seat: [] for seat in range(self.seats)}
        for pick in self.picks:
            made[pick.seat].append(pick.card)
        return {seat: tuple(cards) for seat, cards in made.items()}

    def waiting(self, seat: int) -> Waiting:
        """The pack that this seat must pick from now, or why there is none."""
        self._check_seat(seat)
        if self._done[seat] == self.total_picks:
            return Waiting(None, WaitingFor.FINISHED)
        if seat not in self.pending:
            return Waiting(None, WaitingFor.OTHERS, self.pending)
        round_number, k = self._place(self._done[seat])
        opened_by = opener_of(seat, self.directions[round_number], k, self.seats)
        return Waiting(Window(round_number, k, seat, opened_by, self.remaining(round_number, opened_by)))

    def legal_pick(self, seat: int, round_number: int, k: int, card: int) -> Pick:
        """The pick, if it may be made now.

        Raises DomainError ``draft.finished``, Conflict ``draft.already_picked`` (that window is decided; the context
        holds the card), Conflict ``draft.not_your_pack`` (not open for this seat yet), ``draft.not_in_pack``.
        """
        self._check_seat(seat)
        context: dict[str, object] = {"seat": seat, "round": round_number, "pick": k, "card": card}
        made = self._picks.get((round_number, k, seat))
        if made is not None:
            raise Conflict(
                "draft.already_picked",
                f"Pick {k + 1} of pack {round_number + 1} is already made and the pack has moved on. "
                "Reload to see the pack in front of you.",
                {**context, "picked": made.card, "automatic": made.automatic},
            )
        if self._done[seat] == self.total_picks:
            raise self._not_now(seat, self.waiting(seat))
        if (round_number, k) != self._place(self._done[seat]):
            raise Conflict(
                "draft.not_your_pack",
                f"Pick {k + 1} of pack {round_number + 1} is not the one in front of you. Reload and pick again.",
                context,
            )
        if seat not in self.pending:
            raise self._not_now(seat, self.waiting(seat))
        opened_by = opener_of(seat, self.directions[round_number], k, self.seats)
        if not self._left[round_number, opened_by][card]:
            raise DomainError(
                "draft.not_in_pack",
                "That card is not in the pack in front of you. Choose one of the cards shown.",
                {**context, "opened_by": opened_by},
            )
        return Pick(round_number, seat, k, card)

    def with_pick(self, pick: Pick) -> DraftState:
        """The state after one more pick; this one stays as it is. Raises as ``legal_pick``."""
        return DraftState(self.seats, self.directions, self._contents, (*self.picks, pick))

    def automatic_pick(self, seat: int, rng: Stream, wishes: Sequence[int] = ()) -> Pick:
        """The pick made for an absent seat: its first wish that is in the pack, else one drawn by ``rng``
        (``fairness.auto_pick_label``). Raises DomainError ``draft.finished`` or Conflict ``draft.not_your_pack``."""
        waiting = self.waiting(seat)
        window = waiting.window
        if window is None:
            raise self._not_now(seat, waiting)
        card = next((wish for wish in wishes if wish in window.cards), None)
        if card is None:
            card = rng.choice(window.cards)
        return Pick(window.round, seat, window.k, card, automatic=True)

    def _apply(self, pick: Pick) -> None:
        self.legal_pick(pick.seat, pick.round, pick.k, pick.card)
        opened_by = opener_of(pick.seat, self.directions[pick.round], pick.k, self.seats)
        self._left[pick.round, opened_by][pick.card] -= 1
        self._picks[pick.round, pick.k, pick.seat] = pick
        self._done[pick.seat] += 1

    def _not_now(self, seat: int, waiting: Waiting) -> DomainError:
        if waiting.reason is WaitingFor.FINISHED:
            return DomainError(
                "draft.finished", "The draft is finished: there is nothing left to pick.", {"seat": seat}
            )
        return Conflict(
            "draft.not_your_pack",
            "Others have still to make the pick before this one. The pack comes to you when they have.",
            {"seat": seat, "waiting_for": list(waiting.seats)},
        )

    def _place(self, done: int) -> tuple[int, int]:
        round_number = next(number for number in range(len(self.sizes)) if done < self._starts[number + 1])
        return round_number, done - self._starts[round_number]

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.seats:
            raise ValueError(f"there is no seat {seat}")
