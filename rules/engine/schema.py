"""What the files of a game pack are made of: keys, days, and selectors over cards."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
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


class FactSelector(Strict):
    """Compares one fact of a card. Exactly one of the operators.

    ``in_zone`` asks for the value that a card in that zone of the same deck has: the faction of the leader, say.
    """

    fact: Key
    eq: FactValue | None = None
    ne: FactValue | None = None
    in_: Annotated[tuple[FactValue, ...], Field(min_length=1)] | None = Field(default=None, alias="in")
    gte: StrictInt | None = None
    lte: StrictInt | None = None
    in_zone: Key | None = None

    @model_validator(mode="after")
    def _one_operator(self) -> Self:
        if len(self.operators()) != 1:
            raise ValueError("a fact is compared by exactly one of eq, ne, in, gte, lte, in_zone")
        return self

    def operators(self) -> dict[str, Any]:
        operators = {"eq": self.eq, "ne": self.ne, "in": self.in_, "gte": self.gte, "lte": self.lte}
        operators["in_zone"] = self.in_zone
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
