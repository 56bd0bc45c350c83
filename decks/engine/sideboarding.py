"""The deck of a later game of a match: the registered one with cards that changed places, and what that may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from config.errors import DomainError
from rules.engine.legality import CompiledFormat, DeckFacts, DeckLine, Violation, check, check_swap


@dataclass(frozen=True, order=True, slots=True)
class Move:
    """``count`` copies of a card from one zone to another. "" as target is out of the deck, as source from outside:
    no format allows that, and its rule says so."""

    card: int
    source: str
    target: str
    count: int

    def as_json(self) -> dict[str, Any]:
        return {"card": self.card, "from": self.source, "to": self.target, "count": self.count}

    @classmethod
    def of_json(cls, move: Mapping[str, Any]) -> Move:
        return cls(move["card"], move["from"], move["to"], move["count"])


def netted(moves: Iterable[Move]) -> tuple[Move, ...]:
    """The same changes in as few moves as there are cards and pairs of zones, in order.

    Raises DomainError "sideboarding.move" for a count below 1 or a move to where the card is.
    """
    net: dict[tuple[int, str, str], int] = {}
    for move in moves:
        if move.count < 1 or move.source == move.target:
            raise DomainError("sideboarding.move", "Say from where to where at least one copy goes.", move.as_json())
        back = (move.card, move.target, move.source)
        taken_back = min(net.get(back, 0), move.count)
        if taken_back:
            net[back] -= taken_back
        there = (move.card, move.source, move.target)
        net[there] = net.get(there, 0) + move.count - taken_back
    return tuple(sorted(Move(*key, count) for key, count in net.items() if count))


def apply_moves(deck: DeckFacts, moves: Iterable[Move]) -> DeckFacts:
    """``deck`` after the moves; ``deck`` itself stays as it is. A card that comes from outside has to be in the deck.

    Raises DomainError "sideboarding.move" as ``netted``, "sideboarding.too_many" where a zone holds fewer copies.
    """
    cards = {line.card.id: line.card for line in deck.lines}
    counts: dict[tuple[str, int], int] = {}
    lines: dict[tuple[str, int], tuple[int, ...]] = {}
    for line in deck.lines:
        key = (line.zone, line.card.id)
        counts[key] = counts.get(key, 0) + line.count
        lines[key] = (*lines.get(key, ()), *line.lines)
    for move in netted(moves):
        if move.card not in cards:
            raise DomainError("sideboarding.unknown_card", "This card is not in the decklist.", move.as_json())
        here, there = (move.source, move.card), (move.target, move.card)
        if move.source:
            held = counts.get(here, 0)
            if held < move.count:
                raise DomainError(
                    "sideboarding.too_many",
                    f"{cards[move.card].name}: {move.count} can't leave where there are {held}.",
                    {**move.as_json(), "held": held},
                )
            counts[here] = held - move.count
        if move.target:
            counts[there] = counts.get(there, 0) + move.count
    return DeckFacts(
        tuple(
            DeckLine(zone, count, cards[id_], lines.get((zone, id_), ()))
            for (zone, id_), count in counts.items()
            if count
        ),
        deck.unresolved,
    )


def check_configuration(
    before: DeckFacts, after: DeckFacts, compiled: CompiledFormat, pool: Mapping[int, int] | None = None
) -> tuple[Violation, ...]:
    """What is wrong with playing ``after`` where ``before`` was registered; nothing if it's allowed.

    First the format's rule of transition: without one nothing may change. Whatever that allows has to be legal by
    itself: every rule is told that ``after`` breaks and ``before`` does not.
    """
    if swapped := check_swap(before, after, compiled.transition):
        return swapped
    known = {(found.code, found.constraint) for found in check(before, compiled, pool).violations}
    found = check(after, compiled, pool).violations
    return tuple(one for one in found if not one.undetermined and (one.code, one.constraint) not in known)
