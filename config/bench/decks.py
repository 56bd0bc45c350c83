"""Decks to measure with, of the cards that come with Tiltyard's own packs: the same seed makes the same decks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from django.conf import settings

from rules.engine.legality import CardFacts, CompiledFormat, DeckFacts, DeckLine, VerdictResult, check
from rules.engine.packcards import cards_on, compiled_on
from rules.engine.screening import Row
from rules.packreader import read_pack

DAY = date(2026, 9, 1)
COPIES = (3, 3, 3, 2, 2, 1)
"""How often a card is there that may be there three times: 75 cards come to about 33 rows."""

Held = Counter[tuple[str, int]]
"""Copies by zone and card."""
Spoiler = Callable[[random.Random, Held], None]


@dataclass(frozen=True)
class Kind:
    """Decks of one format on ``DAY``: how a legal one is drawn, and the ways in which one is spoilt."""

    compiled: CompiledFormat
    cards: Mapping[int, CardFacts]
    draw: Callable[[random.Random], Held]
    spoilers: Sequence[Spoiler]

    def deck(self, rng: random.Random, *, legal: bool) -> tuple[Row, ...]:
        held = self.draw(rng)
        if not legal:
            rng.choice(self.spoilers)(rng, held)
        rows = [(zone, card, copies) for (zone, card), copies in held.items()]
        rng.shuffle(rows)
        return tuple(rows)

    def full_check(self, rows: Sequence[Row]) -> VerdictResult:
        lines = tuple(DeckLine(zone, copies, self.cards[card]) for zone, card, copies in rows)
        return check(DeckFacts(lines), self.compiled)


def epic() -> Kind:
    """Designed Deck: 60 cards and 15, of them 3 to 12 free ones and up to 6 gift cards."""
    compiled, cards, allowed = _shipped("epic", "designed-deck")
    thrice = allowed["main", 3]
    gifts = [card for card in thrice if "gift" in cards[card].tags]
    free = [card for card in thrice if card not in gifts and cards[card].facts.get("cost") == "free"]
    plain = [card for card in thrice if card not in gifts and cards[card].facts.get("cost") == "action"]

    def draw(rng: random.Random) -> Held:
        few, fewer = rng.randint(3, 12), rng.randint(0, 6)
        parts = ((free, few), (gifts, fewer), (plain, 75 - few - fewer))
        return _dealt(rng, [row for part, copies in parts for row in _drawn(rng, part, copies)], main=60)

    spoilers = (_one_row_less, _four_copies(plain), _one_too_many("side", plain))
    return Kind(compiled, cards, draw, (*spoilers, _more_than(18, free, plain), _more_than(9, gifts, plain)))


def engarde() -> Kind:
    """Standard: a Realm, 50 cards and 10, of them up to 4 that may be there only once."""
    compiled, cards, allowed = _shipped("engarde", "standard")
    thrice, once, realms = allowed["main", 3], allowed["main", 1], allowed["realm", 1]
    single = [card for card in once if card not in thrice]
    banned = [card for card, entries in compiled.statuses.items() if any(entry.max_copies == 0 for entry in entries)]
    old = [card for card in cards if card not in {*once, *realms, *banned}]

    def draw(rng: random.Random) -> Held:
        ones = [(card, 1) for card in rng.sample(single, rng.randint(0, 4))]
        held = _dealt(rng, [*ones, *_drawn(rng, thrice, 60 - len(ones))], main=50)
        held["realm", rng.choice(realms)] = 1
        return held

    spoilers = (_one_row_less, _four_copies(thrice), _one_too_many("side", thrice), _one_too_many("realm", realms))
    return Kind(compiled, cards, draw, (*spoilers, _more_than(0, banned, thrice), _more_than(0, old, thrice)))


def _shipped(game: str, slug: str) -> tuple[CompiledFormat, dict[int, CardFacts], dict[tuple[str, int], list[int]]]:
    """The format and its cards; and which of them may be in a zone so many times, as far as nothing else is counted."""
    pack = read_pack(Path(settings.BASE_DIR) / "rules" / "packs" / game)
    cards, compiled = cards_on(pack, DAY), compiled_on(pack, slug, DAY)

    def is_allowed(zone: str, card: CardFacts, copies: int) -> bool:
        found = check(DeckFacts((DeckLine(zone, copies, card),)), compiled).violations
        return all(violation.code.startswith(("zone_count.", "sum.", "require.")) for violation in found)

    places = (("main", 3), ("main", 1), ("realm", 1))
    allowed = {place: [id_ for id_, card in cards.items() if is_allowed(place[0], card, place[1])] for place in places}
    return compiled, cards, allowed


def _drawn(rng: random.Random, cards: Sequence[int], copies: int) -> list[tuple[int, int]]:
    """Different cards with so many copies in all."""
    drawn = []
    for card in rng.sample(cards, len(cards)):
        if copies <= 0:
            break
        drawn.append((card, min(copies, rng.choice(COPIES))))
        copies -= drawn[-1][1]
    return drawn


def _dealt(rng: random.Random, drawn: list[tuple[int, int]], main: int) -> Held:
    """The main deck is filled first, so at most one card stands in both zones."""
    rng.shuffle(drawn)
    held: Held = Counter()
    for card, copies in drawn:
        here = min(copies, main)
        main -= here
        held.update({("main", card): here, ("side", card): copies - here})
    return +held


def _copies(held: Held, cards: Sequence[int]) -> int:
    return sum(copies for (_, card), copies in held.items() if card in cards)


def _one_row_less(rng: random.Random, held: Held) -> None:
    del held[rng.choice([place for place in held if place[0] == "main"])]


def _four_copies(cards: Sequence[int]) -> Spoiler:
    def spoil(rng: random.Random, held: Held) -> None:
        place = rng.choice([place for place in held if place[0] == "main" and place[1] in cards])
        held[place] = 4

    return spoil


def _one_too_many(zone: str, cards: Sequence[int]) -> Spoiler:
    def spoil(rng: random.Random, held: Held) -> None:
        held[zone, rng.choice([card for card in cards if not _copies(held, [card])])] = 1

    return spoil


def _more_than(most: int, cards: Sequence[int], out: Sequence[int]) -> Spoiler:
    """Puts other cards in the place of some until there are too many of those."""

    def spoil(rng: random.Random, held: Held) -> None:
        while _copies(held, cards) <= most:
            zone, card = rng.choice([place for place in held if place[1] in out])
            held[zone, rng.choice([card for card in cards if not _copies(held, [card])])] = held.pop((zone, card))

    return spoil
