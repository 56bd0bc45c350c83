"""The shape of a format: its card pool and its rules, as its file has them and FormatVersion rows store them.

Whether the names in it exist elsewhere (cards, sections, zones, facts) is tested in ``rules.engine.packcheck``.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StrictBool, model_validator

from rules.engine.schema import Count, Dated, Key, Selector, Slug, Strict, Text, Version


class Cited(Strict):
    """``cite`` is the section that a verdict names; ``reading`` our interpretation, where the source leaves a gap."""

    cite: Text
    reading: Text | None = None


Zones = Annotated[tuple[Key, ...], Field(min_length=1)]


class Constraint(Cited):
    id: Slug
    zones: Zones
    label: Text | None = Field(default=None, description='What is counted, in the plural: "free cards".')


class Bounded(Constraint):
    min: Count | None = None
    max: Count | None = None

    @model_validator(mode="after")
    def _reachable(self) -> Self:
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"{self.id}: min {self.min} is above max {self.max}, so no deck could meet it")
        return self


class ZoneCount(Bounded):
    kind: Literal["zone_count"]
    one_of: Annotated[tuple[Count, ...], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _bounds_or_choices(self) -> Self:
        bounded = self.min is not None or self.max is not None
        if bounded == (self.one_of is not None):
            raise ValueError(f"{self.id}: give min and/or max, or else one_of")
        return self


class Copies(Constraint):
    """At most ``max`` of each card over the zones together, of the cards that ``select`` takes in.

    ``per`` counts together the cards that have the same value of a fact (one title on several cards). A card that has
    the number fact ``max_from`` may be there as often as that says instead; one without it, as often as ``max``. A
    card's own limit on the lists of the format goes before both. Cards counted together may be as many as the most
    that one of them may be.
    """

    kind: Literal["copies"]
    max: Annotated[int, Field(ge=1, le=1000)]
    select: Selector | None = None
    per: Key | None = None
    max_from: Key | None = None


class Counted(Bounded):
    """How many cards over the zones together match ``select``."""

    select: Selector

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.min is None and self.max is None:
            raise ValueError(f"{self.id}: give min, max or both")
        return self


class Sum(Counted):
    """``of`` adds up that number fact over all copies; ``distinct`` counts each card once, however many copies.

    With ``per`` the bounds hold for each value of that fact by itself: at most two of each faction. A number that is
    not known is taken to be 0 or more.
    """

    kind: Literal["sum"]
    of: Key | None = None
    distinct: StrictBool = False
    per: Key | None = None

    @model_validator(mode="after")
    def _one_measure(self) -> Self:
        if self.of is not None and self.distinct:
            raise ValueError(f"{self.id}: a sum of a fact counts every copy, so it can't be distinct")
        return self


class Require(Counted):
    """A part that a deck must have."""

    kind: Literal["require"]


class Eligible(Constraint):
    """Each card in the zones must match ``select``."""

    kind: Literal["eligible"]
    select: Selector


class Status(Constraint):
    """The banned and restricted list of the format holds, over the zones together.

    ``restricted_in_all`` bounds how many different restricted cards a deck may have, whatever their own limits.
    """

    kind: Literal["status"]
    restricted_in_all: Count | None = None


class Points(Constraint):
    """The points of the format's points list come to at most ``budget``; ``each`` copy counts, or each card once."""

    kind: Literal["points"]
    budget: Count
    each: Literal["copy", "card"] = "copy"


class Group(Constraint):
    """At most ``max`` different cards of a group; with ``trigger``, only if the deck has a card that matches that."""

    kind: Literal["group"]
    select: Selector
    max: Count
    trigger: Selector | None = None


class FixedDeck(Strict):
    """A deck that is played as it is sold. ``of_unknown_count`` are cards in it of which no number is known.

    With a ``size`` above its known cards and none of unknown count, it has further cards that nobody has named.
    """

    name: Text
    size: Annotated[int, Field(ge=1, le=1000)] | None = None
    cards: dict[Text, Annotated[int, Field(ge=1, le=1000)]] = {}
    of_unknown_count: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        named = sum(self.cards.values())
        if not named and not self.of_unknown_count and self.size is None:
            raise ValueError(f"{self.name}: give its cards, or at least its size")
        if self.size is not None and named + len(self.of_unknown_count) > self.size:
            raise ValueError(f"{self.name}: its cards are more than its size of {self.size}")
        if twice := sorted(set(self.cards) & set(self.of_unknown_count)):
            raise ValueError(f"{self.name}: both of a known and of an unknown count: {', '.join(twice)}")
        return self


class Fixed(Constraint):
    """The zones hold exactly one of the decks. Without any, their contents are not known, and neither is a verdict."""

    kind: Literal["fixed"]
    decks: tuple[FixedDeck, ...] = ()


class Measure(Strict):
    """A number taken from a deck: its cards in the zones that match ``select``, or the sum of their fact ``of``."""

    zones: Zones
    select: Selector | None = None
    of: Key | None = None


class Linear(Strict):
    """``base + times x floor(measure / over)``."""

    base: Annotated[int, Field(ge=-1000, le=1000)] = 0
    times: Annotated[int, Field(ge=-100, le=100)] = 1
    over: Annotated[int, Field(ge=1, le=1000)] = 1
    measure: Measure


class Bound(Constraint):
    """Bounds that depend on the deck itself: what ``select`` and ``of`` measure is between ``min`` and ``max``."""

    kind: Literal["bound"]
    select: Selector | None = None
    of: Key | None = None
    min: Linear | None = None
    max: Linear | None = None

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.min is None and self.max is None:
            raise ValueError(f"{self.id}: give min, max or both")
        return self


class When(Constraint):
    """If at least ``min`` cards of the zones match ``select``, ``then`` holds as well and ``instead_of`` doesn't.

    ``instead_of`` names rules of the format by their ids.
    """

    kind: Literal["when"]
    select: Selector
    min: Annotated[int, Field(ge=1, le=1000)] = 1
    then: tuple[Conditional, ...] = ()
    instead_of: tuple[Slug, ...] = ()

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if not self.then and not self.instead_of:
            raise ValueError(f"{self.id}: give then, instead_of or both")
        return self


class Transition(Constraint):
    """What a player may change between the games of a match."""

    kind: Literal["transition"]
    zones: Zones = ("main", "side")
    one_for_one: bool
    restore: Literal["match", "never"] = "match"


Conditional = Annotated[
    ZoneCount | Copies | Sum | Require | Eligible | Points | Group | Fixed | Bound, Field(discriminator="kind")
]
AnyConstraint = Annotated[
    ZoneCount | Copies | Sum | Require | Eligible | Status | Points | Group | Fixed | Bound | When | Transition,
    Field(discriminator="kind"),
]


class PoolExceptions(Strict):
    """Cards that are in a pool, or out of it, whatever its other rule says."""

    include: tuple[Text, ...] = ()
    exclude: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _one_or_the_other(self) -> Self:
        if twice := sorted(set(self.include) & set(self.exclude)):
            raise ValueError(f"both in the pool and out of it: {', '.join(twice)}")
        return self


class AllPool(PoolExceptions):
    """Every card that has come out by the day."""

    kind: Literal["all"]
    cite: Text | None = None
    reading: Text | None = None


class WindowPool(Cited, PoolExceptions):
    """Cards with a printing that became legal in the last ``months`` calendar months before the day."""

    kind: Literal["window"]
    months: Annotated[int, Field(ge=1, le=600)]
    inclusive: bool = True


class SetsPool(Cited, PoolExceptions):
    """Cards with a printing in one of the sets that has come out by the day."""

    kind: Literal["sets"]
    sets: Annotated[tuple[Text, ...], Field(min_length=1)]


class EventPool(Cited):
    """Cards that the player opened or drafted, as often as the player has them."""

    kind: Literal["event_pool"]


class UnknownPool(Cited):
    """The source doesn't say which cards are legal, so no deck can be called legal, nor illegal for its cards."""

    kind: Literal["unknown"]


Pool = Annotated[AllPool | WindowPool | SetsPool | EventPool | UnknownPool, Field(discriminator="kind")]


class PlayRule(Cited):
    """A number or word of play that a version settles and no deck check turns on. Without ``value`` it isn't known."""

    id: Slug
    label: Text
    value: Text | None = None


class DocumentRef(Strict):
    slug: Slug
    version: Version

    @property
    def key(self) -> tuple[str, str]:
        return self.slug, self.version


class FormatDefinition(Dated):
    slug: Slug
    name: Annotated[str, Field(min_length=1, max_length=120)]
    version: Version
    document: DocumentRef
    pool: Pool
    unresolved: Cited | None = Field(
        default=None, description="The section that a verdict names for lines that are no known card."
    )
    constraints: Annotated[tuple[AnyConstraint, ...], Field(min_length=1)] = Field(alias="constraint")
    play: tuple[PlayRule, ...] = ()

    @model_validator(mode="after")
    def _sound(self) -> Self:
        inner = [rule.id for outer in self.constraints if isinstance(outer, When) for rule in outer.then]
        rules = [*(rule.id for rule in self.constraints), *inner]
        for what, ids in (("constraints", rules), ("play", [rule.id for rule in self.play])):
            twice = sorted({id_ for id_ in ids if ids.count(id_) > 1})
            if twice:
                raise ValueError(f"two {what} have the id {', '.join(twice)}")
        never_legal = isinstance(self.pool, UnknownPool) or any(isinstance(c, Fixed) for c in self.constraints)
        if never_legal:
            return self
        if not any(isinstance(c, (ZoneCount, Require)) and _asks_for_a_card(c) for c in self.constraints):
            raise ValueError("nothing asks for a card: an empty deck would be legal; add a zone_count with a min")
        return self


def _asks_for_a_card(constraint: ZoneCount | Require) -> bool:
    if isinstance(constraint, ZoneCount) and constraint.one_of is not None:
        return min(constraint.one_of) > 0
    return bool(constraint.min)
