"""The shape of a pack's files that aren't formats or policies: the game, its lists, products, documents, readings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from cards.engine.facts import FactSpec
from cards.engine.rows import CardDraft, CardRow
from rules.engine.formatschema import DocumentRef, FormatDefinition
from rules.engine.policyschema import PolicyDefinition
from rules.engine.schema import Count, Dated, Key, Slug, Strict, Text, Version

Name = Annotated[str, Field(min_length=1, max_length=120)]
SetCode = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9\-]*$", max_length=20)]
Word = Annotated[str, Field(min_length=1, max_length=60)]


class ZoneSpec(Strict):
    """A part of a deck, and the headings that people write above it."""

    key: Key
    label: Name
    headings: Annotated[tuple[Word, ...], Field(min_length=1)]


class SetSpec(Strict):
    """A release. Both days are unknown when absent; then no window takes its cards in for sure."""

    code: SetCode
    name: Name
    released_on: date | None = None
    legal_on: date | None = None
    sample: bool = False


class GameFile(Strict):
    slug: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
    name: Annotated[str, Field(min_length=1, max_length=100)]
    facts: dict[Key, FactSpec]
    zones: Annotated[tuple[ZoneSpec, ...], Field(min_length=1)]
    sets: tuple[SetSpec, ...] = ()
    glossary: dict[Word, Text] = {}
    synonyms: dict[Word, Annotated[tuple[Word, ...], Field(min_length=1)]] = {}


class StatusSpec(Dated):
    """A card's place on the banned and restricted list of a format."""

    format: Slug
    card: Word | Name
    status: Literal["banned", "restricted"]
    max_copies: Count
    announced_on: date | None = None
    source: Text
    section: Annotated[str, Field(min_length=1, max_length=20)]

    @model_validator(mode="after")
    def _banned_means_none(self) -> Self:
        if (self.status == "banned") != (self.max_copies == 0):
            raise ValueError("banned means max_copies = 0, restricted at least 1")
        return self


class TagSpec(Dated):
    """Cards that a published list names, such as gift cards."""

    tag: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
    cards: tuple[Name, ...]
    announced_on: date | None = None
    source: Text


class ListsFile(Strict):
    status: tuple[StatusSpec, ...] = ()
    tag: tuple[TagSpec, ...] = ()


class SheetEntry(Strict):
    """Every card of a set, or one card, each with the weight."""

    set: SetCode | None = None
    card: Name | None = None
    weight: Annotated[int, Field(ge=1, le=100_000)] = 1

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.set is None) == (self.card is None):
            raise ValueError("an entry names a set or a card")
        return self


class SheetSpec(Strict):
    name: Word
    entries: Annotated[tuple[SheetEntry, ...], Field(min_length=1)]


class SlotSpec(Strict):
    name: Word
    count: Annotated[int, Field(ge=1, le=100)]
    sheet: Word


class ProductSpec(Strict):
    slug: Slug
    name: Name
    version: Annotated[int, Field(ge=1, le=32_000)] = 1
    pack_size: Annotated[int, Field(ge=1, le=100)]
    unique_in_pack: bool = False
    slots: Annotated[tuple[SlotSpec, ...], Field(min_length=1)]
    sheets: Annotated[tuple[SheetSpec, ...], Field(min_length=1)]


class ProductsFile(Strict):
    product: tuple[ProductSpec, ...] = ()


class FrontMatter(Dated):
    slug: Slug
    version: Version
    prefix: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]*$", max_length=20)]
    title: Annotated[str, Field(min_length=1, max_length=160)]
    date_note: Annotated[str, Field(max_length=200)] = ""
    source: Text


class ReadingSpec(Strict):
    """Where the source is silent or at odds with itself: the question, and the reading that we chose."""

    number: Annotated[str, Field(pattern=r"^R[1-9][0-9]*$", max_length=20)]
    heading: Annotated[str, Field(min_length=1, max_length=200)]
    document: Slug
    version: Version
    question: Annotated[str, Field(min_length=1)]
    body: Annotated[str, Field(min_length=1)]
    covers: tuple[Word, ...] = ()


class ReadingsFile(Strict):
    reading: tuple[ReadingSpec, ...] = ()


@dataclass(frozen=True)
class SectionText:
    """A numbered rule of a document, in our own words; ``body`` is Markdown without links, images and HTML."""

    line: int
    number: str
    heading: str
    body: str
    covers: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    is_reading: bool = False


@dataclass(frozen=True)
class Document:
    front: FrontMatter
    sections: tuple[SectionText, ...]

    @property
    def ref(self) -> DocumentRef:
        return DocumentRef(slug=self.front.slug, version=self.front.version)

    def citation(self, section: SectionText) -> str:
        return f"{self.front.prefix} {section.number}"


@dataclass(frozen=True)
class Pack:
    """A folder that teaches a game, read and found sound. Readings are sections of their document."""

    game: GameFile
    rows: tuple[CardRow, ...]
    cards: tuple[CardDraft, ...]
    lists: ListsFile
    formats: tuple[FormatDefinition, ...]
    policies: tuple[PolicyDefinition, ...]
    products: tuple[ProductSpec, ...]
    documents: tuple[Document, ...]
    digest: str
