"""The shape of a game pack: what may stand in its files, and what FormatVersion and Policy rows store.

Whether names in one file exist in another (cards, sections, zones, facts) is tested in ``rules.engine.packcheck``.
"""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
    field_validator,
    model_validator,
)

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
Version = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.\-]*$", max_length=20)]
Text = Annotated[str, Field(min_length=1, max_length=300)]
Count = Annotated[int, Field(ge=0, le=1000)]
FactValue = StrictBool | StrictInt | StrictStr


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Dated(Strict):
    """In force from the day ``from`` up to, and without, the day ``until``. An absent day means no bound."""

    from_: date | None = Field(default=None, alias="from")
    until: date | None = None

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if self.from_ and self.until and self.from_ >= self.until:
            raise ValueError(f"until ({self.until}) must be after from ({self.from_})")
        return self


# -- selectors --------------------------------------------------------------------------------------------------------


class FactSelector(Strict):
    """Compares one fact of a card. Exactly one of the operators."""

    fact: Key
    eq: FactValue | None = None
    ne: FactValue | None = None
    in_: Annotated[tuple[FactValue, ...], Field(min_length=1)] | None = Field(default=None, alias="in")
    gte: StrictInt | None = None
    lte: StrictInt | None = None

    @model_validator(mode="after")
    def _one_operator(self) -> Self:
        if len(self.operators()) != 1:
            raise ValueError("a fact is compared by exactly one of eq, ne, in, gte, lte")
        return self

    def operators(self) -> dict[str, Any]:
        operators = {"eq": self.eq, "ne": self.ne, "in": self.in_, "gte": self.gte, "lte": self.lte}
        return {name: value for name, value in operators.items() if value is not None}


class TagSelector(Strict):
    tag: Slug


class NamesSelector(Strict):
    names: Annotated[tuple[Text, ...], Field(min_length=1)]


class AllSelector(Strict):
    all: Annotated[tuple[Selector, ...], Field(min_length=1)]


class AnySelector(Strict):
    any: Annotated[tuple[Selector, ...], Field(min_length=1)]


class NotSelector(Strict):
    not_: Selector = Field(alias="not")


def _kind_of_selector(value: Any) -> str | None:
    fields = set(value) if isinstance(value, dict) else {type(value).__name__.removesuffix("Selector").lower()}
    return next((key for key in ("fact", "tag", "names", "all", "any", "not") if key in fields), None)


Selector = Annotated[
    Annotated[FactSelector, Tag("fact")]
    | Annotated[TagSelector, Tag("tag")]
    | Annotated[NamesSelector, Tag("names")]
    | Annotated[AllSelector, Tag("all")]
    | Annotated[AnySelector, Tag("any")]
    | Annotated[NotSelector, Tag("not")],
    Discriminator(
        _kind_of_selector,
        custom_error_type="selector",
        custom_error_message="a selector has one of: fact, tag, names, all, any, not",
    ),
]

# -- formats ----------------------------------------------------------------------------------------------------------


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
    """At most ``max`` of each card over the zones together, of the cards that ``select`` takes in."""

    kind: Literal["copies"]
    max: Annotated[int, Field(ge=1, le=1000)]
    select: Selector | None = None


class Counted(Bounded):
    """How many cards over the zones together match ``select``."""

    select: Selector

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.min is None and self.max is None:
            raise ValueError(f"{self.id}: give min, max or both")
        return self


class Sum(Counted):
    kind: Literal["sum"]


class Require(Counted):
    """A part that a deck must have."""

    kind: Literal["require"]


class Eligible(Constraint):
    """Each card in the zones must match ``select``."""

    kind: Literal["eligible"]
    select: Selector


class Status(Constraint):
    """The banned and restricted list of the format holds, over the zones together."""

    kind: Literal["status"]


class Transition(Constraint):
    """What a player may change between the games of a match."""

    kind: Literal["transition"]
    zones: Zones = ("main", "side")
    one_for_one: bool
    restore: Literal["match", "never"] = "match"


AnyConstraint = Annotated[
    ZoneCount | Copies | Sum | Require | Eligible | Status | Transition, Field(discriminator="kind")
]


class AllPool(Strict):
    """Every card that has come out by the day."""

    kind: Literal["all"]
    cite: Text | None = None
    reading: Text | None = None


class WindowPool(Cited):
    """Cards with a printing that became legal in the last ``months`` calendar months before the day."""

    kind: Literal["window"]
    months: Annotated[int, Field(ge=1, le=600)]
    inclusive: bool = True


class EventPool(Cited):
    """Cards that the player opened or drafted, as often as the player has them."""

    kind: Literal["event_pool"]


Pool = Annotated[AllPool | WindowPool | EventPool, Field(discriminator="kind")]


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
    constraints: Annotated[tuple[AnyConstraint, ...], Field(min_length=1)] = Field(alias="constraint")

    @model_validator(mode="after")
    def _sound(self) -> Self:
        ids = [constraint.id for constraint in self.constraints]
        twice = sorted({id_ for id_ in ids if ids.count(id_) > 1})
        if twice:
            raise ValueError(f"two constraints have the id {', '.join(twice)}")
        if not any(isinstance(c, (ZoneCount, Require)) and _asks_for_a_card(c) for c in self.constraints):
            raise ValueError("nothing asks for a card: an empty deck would be legal; add a zone_count with a min")
        return self


def _asks_for_a_card(constraint: ZoneCount | Require) -> bool:
    if isinstance(constraint, ZoneCount) and constraint.one_of is not None:
        return min(constraint.one_of) > 0
    return bool(constraint.min)


# -- how an event is run ----------------------------------------------------------------------------------------------

Cites = dict[str, Text]


class MatchPolicy(Strict):
    best_of: Annotated[int, Field(ge=1, le=9)] = 3
    minutes: Annotated[int, Field(ge=0, le=600)] = 50
    extra_turns: Annotated[int, Field(ge=0, le=20)] = 0
    draws: bool = True
    cite: Cites = {}

    @field_validator("best_of")
    @classmethod
    def _odd(cls, best_of: int) -> int:
        if best_of % 2 == 0:
            raise ValueError(f"best of {best_of} has no middle: give an odd number")
        return best_of


class PointsPolicy(Strict):
    win: Count = 3
    draw: Count = 1
    loss: Count = 0
    bye: Count = 3
    cite: Cites = {}


class DecklistPolicy(Strict):
    required: bool = True
    deadline: Literal["round-1"] = "round-1"
    cite: Cites = {}


class StandingsPolicy(Strict):
    metrics: Annotated[tuple[Literal["match_points", "omw", "gw", "ogw"], ...], Field(min_length=1)]
    floor: str = "1/3"
    cite: Cites = {}

    @field_validator("floor")
    @classmethod
    def _fraction(cls, floor: str) -> str:
        if not 0 <= Fraction(floor) <= 1:
            raise ValueError(f"{floor} is not between 0 and 1")
        return floor


class SwissStage(Strict):
    kind: Literal["swiss"]
    rounds: Annotated[int, Field(ge=0, le=30, description="0 = by the number of players")] = 0
    within_pods: bool = False
    cite: Cites = {}


class SingleEliminationStage(Strict):
    kind: Literal["single_elimination"]
    cut: Annotated[int, Field(ge=2, le=512)]
    cite: Cites = {}


class DraftStage(Strict):
    kind: Literal["draft"]
    packs: Annotated[int, Field(ge=1, le=20)]
    product: Slug
    pod_size: Annotated[int, Field(ge=2, le=64)] = 8
    directions: Annotated[tuple[Literal["left", "right"], ...], Field(min_length=1)]
    cite: Cites = {}

    @model_validator(mode="after")
    def _a_direction_per_pack(self) -> Self:
        if len(self.directions) != self.packs:
            raise ValueError(f"{self.packs} packs need {self.packs} directions, not {len(self.directions)}")
        return self


class SealedStage(Strict):
    kind: Literal["sealed"]
    packs: Annotated[int, Field(ge=1, le=20)]
    product: Slug
    cite: Cites = {}


class DeckBuildingStage(Strict):
    kind: Literal["deck_building"]
    minutes: Annotated[int, Field(ge=0, le=600)] | None = None
    cite: Cites = {}


Stage = Annotated[
    SwissStage | SingleEliminationStage | DraftStage | SealedStage | DeckBuildingStage, Field(discriminator="kind")
]


class PolicyDefinition(Dated):
    """How an event of some kind is run; also the template that an organiser starts from."""

    slug: Slug
    name: Annotated[str, Field(min_length=1, max_length=120)]
    version: Version
    format: Slug
    match: MatchPolicy
    points: PointsPolicy
    decklist: DecklistPolicy
    standings: StandingsPolicy
    stages: Annotated[tuple[Stage, ...], Field(min_length=1)]
