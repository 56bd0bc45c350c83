"""Whether a deck is legal for sure, by adding up integers: for the thousands of decks of which nearly all are.

What a format says of one card by itself (its copies, its status, whether it is in the pool) the full check is asked
once for each card and number of copies. What is left for a deck is to add up: every number that a rule bounds is a
field of one integer, so that each row of a deck is one look-up and one addition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from rules.engine.formatschema import (
    AnyConstraint,
    Copies,
    Eligible,
    EventPool,
    Group,
    Points,
    Require,
    Status,
    Sum,
    Transition,
    When,
    ZoneCount,
)
from rules.engine.legality import CompiledFormat, check
from rules.engine.schema import FactSelector
from rules.engine.selectors import CardFacts, evaluate, walk
from rules.engine.verdict import DeckFacts, DeckLine, VerdictResult

Row = tuple[str, int, int]
"""A zone, the id of a card, and how many copies of it are there."""

# A deck of more cards than this, or a card that is worth more, is left to the full check: so no field runs over.
_MOST = 1023
_BITS = _MOST.bit_length()
# A screen that has met more rows than this forgets them, so that its memory stays bounded.
_MOST_KEPT = 100_000
_ADDED_UP = frozenset({"zone_count", "sum", "require", "points"})
_SIZES = range(1, _MOST + 1)
_LEGAL = VerdictResult("legal", ())
_NONE: frozenset[str] = frozenset()
_WHOLE = ""  # no rule: the number of all cards

_card_of = itemgetter(1)


@dataclass(frozen=True)
class _Field:
    """A number that is in ``allowed`` if the deck keeps the rule, unless that is None.

    ``worth`` is what a copy of a card in a zone adds to it (``once``: what the card adds, there at its dearest); None
    where that can't be told. It takes up to so many ``bits`` in a deck of up to ``_MOST`` cards.
    """

    rule: str
    worth: Callable[[CardFacts, str], int | None]
    allowed: Collection[int] | None
    bits: int = _BITS
    once: bool = False

    def adds(self, card: CardFacts, held: Mapping[str, int]) -> int | None:
        found = []
        for zone, copies in held.items():
            worth = self.worth(card, zone)
            if worth is None or not 0 <= worth <= _MOST:
                return None
            found.append(worth if self.once else worth * copies)
        return max(found) if self.once else sum(found)


class _Judged(NamedTuple):
    """What the rows of a card add to the sums, and the rules that a deck breaks because of them alone."""

    adds: int
    suspects: frozenset[str] = _NONE


class Screen:
    """A format on a day with the cards that decks may hold, made ready for many decks."""

    def __init__(self, compiled: CompiledFormat, cards: Mapping[int, CardFacts]) -> None:
        """``cards`` by id, as they are on the day of ``compiled``; those added to the mapping later are seen."""
        self.compiled, self.cards = compiled, cards
        rules = compiled.definition.constraints
        self._is_able = all(map(_is_screened, rules))
        self._has_pool = isinstance(compiled.definition.pool, EventPool)
        self._left_out = [rule for rule in rules if _is_left_out(rule)]
        self._wide = {rule.id for rule in rules if _is_wide(rule, compiled)} | ({"pool"} if self._has_pool else set())
        self._fields: list[tuple[_Field, int]] = []
        self._bounds: list[tuple[int, int, Collection[int], str]] = []
        self._masks: dict[str, int] = {}
        shift = 0
        for field in [field for rule in rules for field in _fields(rule, compiled)]:
            mask = (1 << field.bits) - 1
            self._fields.append((field, shift))
            self._masks[field.rule] = self._masks.get(field.rule, 0) | mask << shift
            if field.allowed is not None:
                self._bounds.append((shift, mask, field.allowed, field.rule))
            shift += field.bits
        # On top of them, without a mask: the number of all cards, which tells if a field below it may have run over.
        self._whole = shift
        self._bounds.append((shift, -1, _SIZES, _WHOLE))
        self._adds_once = any(field.once for field, _ in self._fields)
        self._alone: dict[Row, int] = {}
        self._together: dict[tuple[Row, ...], int] = {}
        self._doubted: dict[tuple[Row, ...], _Judged | None] = {}
        self._lines: dict[Row, DeckLine] = {}
        self._sound: set[int] = set()
        self._memory: tuple[dict[Any, Any] | set[int], ...]
        self._memory = (self._alone, self._together, self._doubted, self._lines, self._sound)

    def is_legal(self, rows: Sequence[Row], pool: Mapping[int, int] | None = None) -> bool:
        """True only if the full check finds nothing in this deck, all of whose lines are understood; False asks for it.

        ``pool`` is as in ``check``. Exact where rules count, add up, list or test cards one by one; False for every
        deck that a rule of another kind may touch (fixed, bound, when, group, or bounds for each value of a fact).
        """
        return self.suspects(rows, pool) == _NONE

    def verdict_of(self, rows: Sequence[Row], pool: Mapping[int, int] | None = None) -> VerdictResult:
        """What ``check`` says of the deck, whose violations name no lines. KeyError: a card that the screen lacks."""
        suspects = self.suspects(rows, pool)
        if suspects == _NONE:
            return _LEGAL
        if suspects is not None and suspects.isdisjoint(self._wide):
            rows = self._concerned(rows, suspects)
        return check(self._deck(rows), self.compiled, pool, suspects)

    def suspects(self, rows: Sequence[Row], pool: Mapping[int, int] | None = None) -> frozenset[str] | None:
        """What ``check`` needs to look at in this deck, all of whose lines are understood: ids of rules, and "pool".

        Without any the deck is legal; None if it may be every rule.
        """
        if not self._is_able:
            return None
        alone, together = self._alone, self._together
        found = _NONE
        try:
            total = sum(map(alone.__getitem__, rows))
            if len(set(map(_card_of, rows))) < len(rows):
                for group in _repeated(rows):
                    adds = together[group]
                    if self._adds_once:
                        total += adds - sum(map(alone.__getitem__, group))
        except KeyError:  # some were never met, or break a rule by themselves
            judged = self._judge_each(rows)
            if judged is None:
                return None
            total, found = judged
        if self._has_pool and not _is_within(rows, pool):
            found = found.union(("pool",))
        if total in self._sound:
            return found
        broken = [rule for shift, mask, allowed, rule in self._bounds if (total >> shift) & mask not in allowed]
        if not broken:
            self._make_room()
            self._sound.add(total)
            return found
        return None if _WHOLE in broken else found.union(broken)

    def kept(self) -> int:
        """Of how many rows, rows of one card together, and sums it keeps something."""
        return sum(map(len, self._memory))

    def _judge_each(self, rows: Iterable[Row]) -> _Judged | None:
        """What the rows of each card come to, all together; None if they can't be judged by sums."""
        by_card: dict[int, tuple[Row, ...]] = {}
        for row in rows:
            card = row[1]
            by_card[card] = (*by_card[card], row) if card in by_card else (row,)
        total, found = 0, _NONE
        for group in by_card.values():
            adds = self._alone.get(group[0]) if len(group) == 1 else self._together.get(group)
            if adds is None:
                if (judged := self._judge(group)) is None:
                    return None
                adds, found = judged.adds, found | judged.suspects
            total += adds
        return _Judged(total, found)

    def _concerned(self, rows: Sequence[Row], suspects: Iterable[str]) -> list[Row]:
        """The rows that these rules count or find at fault, and those of cards that have several."""
        mask = 0
        for rule in suspects:
            mask |= self._masks.get(rule, 0)
        times = Counter(map(_card_of, rows))
        return [row for row in rows if times[row[1]] > 1 or (adds := self._alone.get(row)) is None or adds & mask]

    def _deck(self, rows: Iterable[Row]) -> DeckFacts:
        return DeckFacts(tuple([self._lines.get(row) or self._line(row) for row in rows]))

    def _line(self, row: Row) -> DeckLine:
        zone, card, count = row
        self._make_room()
        self._lines[row] = line = DeckLine(zone, count, self.cards[card])
        return line

    def _make_room(self) -> None:
        if self.kept() > _MOST_KEPT:
            for kept in self._memory:
                kept.clear()

    def _judge(self, rows: tuple[Row, ...]) -> _Judged | None:
        """What all rows of one card come to; None if no deck with them can be judged by sums."""
        if rows in self._doubted:
            return self._doubted[rows]
        card = self.cards.get(rows[0][1])
        if card is None:
            return None
        self._make_room()
        judged = self._judged(card, rows)
        if judged is None or judged.suspects:
            self._doubted[rows] = judged
        elif len(rows) == 1:
            self._alone[rows[0]] = judged.adds
        else:
            self._together[rows] = judged.adds
        return judged

    def _judged(self, card: CardFacts, rows: tuple[Row, ...]) -> _Judged | None:
        held: Counter[str] = Counter()
        for zone, _, count in rows:
            if count < 1:
                return None
            held[zone] += count
        if any(held.keys() & set(rule.zones) and _matches(rule, card) for rule in self._left_out):
            return None
        total = held.total() << self._whole
        for field, shift in self._fields:
            if (adds := field.adds(card, held)) is None:
                return None
            total += adds << shift
        pool = {card.id: held.total()} if self._has_pool else None
        found = check(self._deck(rows), self.compiled, pool).violations
        suspects = {one.constraint for one in found if one.code.partition(".")[0] not in _ADDED_UP}
        return _Judged(total, frozenset(suspects))


def _is_screened(rule: AnyConstraint) -> bool:
    """Whether a deck can be decided at all in a format with this rule, at least one that the rule doesn't touch."""
    select = getattr(rule, "select", None)
    if select is not None and any(isinstance(part, FactSelector) and part.in_zone for part in walk(select)):
        return False
    if isinstance(rule, Sum) and rule.per is not None:
        return rule.min is None
    return isinstance(rule, (ZoneCount, Copies, Sum, Require, Eligible, Status, Points, Group, When, Transition))


def _is_left_out(rule: AnyConstraint) -> bool:
    """Whether the rule is about several cards and isn't a sum: then it's left to the full check if it matches any."""
    return isinstance(rule, (Group, When)) or (isinstance(rule, (Copies, Sum)) and rule.per is not None)


def _is_wide(rule: AnyConstraint, compiled: CompiledFormat) -> bool:
    """Whether the rule looks at other cards than those it counts: at those that a player could bring in for them."""
    if isinstance(rule, Sum) and rule.of is not None:
        return True  # and at cards that add nothing
    swaps, zones = compiled.transition, set(rule.zones)
    return swaps is not None and not zones.isdisjoint(swaps.zones) and not zones.issuperset(swaps.zones)


def _matches(rule: AnyConstraint, card: CardFacts) -> bool:
    return evaluate(getattr(rule, "select", None), card) is not False


def _fields(rule: AnyConstraint, compiled: CompiledFormat) -> Iterator[_Field]:
    match rule:
        case ZoneCount():
            sizes = _between(rule.min, rule.max) if rule.one_of is None else frozenset(rule.one_of)
            yield _Field(rule.id, lambda card, zone: int(zone in rule.zones), sizes)
        case Sum() | Require() if not _is_left_out(rule):
            yield from _matching(rule)
        case Status() if rule.restricted_in_all is not None:
            yield _Field(
                rule.id, partial(_restricted, rule, compiled), _between(None, rule.restricted_in_all), once=True
            )
        case Points():
            budget, once = _between(None, rule.budget), rule.each == "card"
            yield _Field(rule.id, partial(_points, rule, compiled), budget, 2 * _BITS, once)


def _matching(rule: Sum | Require) -> Iterator[_Field]:
    """Up to a maximum, what may match counts; towards a minimum, only what does."""
    of, once = (rule.of, rule.distinct) if isinstance(rule, Sum) else (None, False)
    bits = _BITS if of is None else 2 * _BITS

    def at_most(card: CardFacts, zone: str) -> int | None:
        return _number(card, of) if zone in rule.zones and evaluate(rule.select, card) is not False else 0

    def at_least(card: CardFacts, zone: str) -> int | None:
        return _number(card, of) if zone in rule.zones and evaluate(rule.select, card) else 0

    # Without a maximum as well: it's by this that a card concerns the rule.
    yield _Field(rule.id, at_most, None if rule.max is None else _between(None, rule.max), bits, once)
    if rule.min is not None:
        yield _Field(rule.id, at_least, _between(rule.min, None, bits), bits, once)


def _restricted(rule: Status, compiled: CompiledFormat, card: CardFacts, zone: str) -> int:
    """Whether a copy in the zone makes this a restricted card. An entry for one zone is one status rule's business."""
    entries = [entry for entry in compiled.statuses.get(card.id, ()) if entry.status == "restricted"]
    return int(
        any(
            zone == entry.zone and compiled.listed_in[zone] == rule.id if entry.zone else zone in rule.zones
            for entry in entries
        )
    )


def _points(rule: Points, compiled: CompiledFormat, card: CardFacts, zone: str) -> int:
    """An entry for one zone goes there before the one for all zones."""
    entries = [entry for entry in compiled.statuses.get(card.id, ()) if entry.status == "points"]
    held = {entry.zone: entry.points for entry in entries} if zone in rule.zones else {}
    return held.get(zone) or held.get("") or 0


def _number(card: CardFacts, fact: str | None) -> int | None:
    """The card's number fact, None if it's unknown; 1 where no fact is added up."""
    value = 1 if fact is None else card.facts.get(fact)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _between(least: int | None, most: int | None, bits: int = _BITS) -> range:
    return range(least or 0, (1 << bits if most is None else most + 1))


def _is_within(rows: Iterable[Row], pool: Mapping[int, int] | None) -> bool:
    if pool is None:
        return False
    counts: Counter[int] = Counter()
    for _, card, count in rows:
        counts[card] += count
    return all(count <= pool.get(card, 0) for card, count in counts.items())


def _repeated(rows: Iterable[Row]) -> Iterable[tuple[Row, ...]]:
    """The rows of each card that has several."""
    first: dict[int, Row] = {}
    groups: dict[int, tuple[Row, ...]] = {}
    for row in rows:
        card = row[1]
        if card not in first:
            first[card] = row
        else:
            groups[card] = (*groups.get(card, (first[card],)), row)
    return groups.values()
