"""The shape of a pack's files that aren't formats or policies: game, lists, products, documents, readings, rulings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from cards.engine.facts import FactSpec
from cards.engine.rows import CardDraft, CardRow
from rules.engine.formatschema import DocumentRef, FormatDefinition
from rules.engine.policyschema import PolicyDefinition
from rules.engine.schema import Count, Dated, FactValue, Key, Slug, Strict, Text, Version

Name = Annotated[str, Field(min_length=1, max_length=120)]
SetCode = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9\-]*$", max_length=20)]
Word = Annotated[str, Field(min_length=1, max_length=60)]
Citation = Annotated[str, Field(min_length=1, max_length=20)]
Wording = Annotated[str, Field(min_length=1, max_length=8000)]


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
    """A card's place on the list of a format or of several: forbidden, fewer or more copies than of others, or points.

    With ``zone`` it speaks only of copies in that zone.
    """

    format: Slug | Annotated[tuple[Slug, ...], Field(min_length=1)]
    card: Name
    status: Literal["banned", "restricted", "limit", "points"]
    max_copies: Count | None = None
    points: Annotated[int, Field(ge=1, le=1000)] | None = None
    zone: Key | None = None
    announced_on: date | None = None
    source: Text
    section: Citation

    @property
    def formats(self) -> tuple[str, ...]:
        return (self.format,) if isinstance(self.format, str) else self.format

    @model_validator(mode="after")
    def _has_its_number(self) -> Self:
        most = self.max_copies
        match self.status:
            case "points":
                if self.points is None or most is not None:
                    raise ValueError("points has points, and no max_copies")
            case _ if self.points is not None:
                raise ValueError("only the status points has points")
            case "banned" if most != 0:
                raise ValueError("banned means max_copies = 0")
            case "restricted" | "limit" if not most:
                raise ValueError(f"{self.status} means a max_copies of at least 1")
        return self


class TagSpec(Dated):
    """Cards that a published list names, such as gift cards."""

    tag: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
    cards: tuple[Name, ...]
    announced_on: date | None = None
    source: Text


class ErratumSpec(Strict):
    """What a publisher changed on a card, for all its printings, from one day on: some facts, the text, or both."""

    card: Name
    from_: date = Field(alias="from")
    facts: dict[Key, FactValue] = {}
    text: Wording | None = None
    source: Text
    announced_on: date | None = None

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if not self.facts and self.text is None:
            raise ValueError("an erratum changes facts, the text, or both")
        return self


class ListsFile(Strict):
    status: tuple[StatusSpec, ...] = ()
    tag: tuple[TagSpec, ...] = ()
    erratum: tuple[ErratumSpec, ...] = ()


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


class RulingSpec(Dated):
    """An answered question. A reminder repeats what the rules say already, and needs nobody's authority."""

    number: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.\-]*$", max_length=20)]
    question: Wording
    answer: Wording
    kind: Literal["ruling", "reminder"] = "ruling"
    status: Literal["published", "superseded", "withdrawn"] = "published"
    authority: Annotated[str, Field(max_length=160)] = ""
    source: Annotated[str, Field(max_length=300)] = ""
    citations: tuple[Citation, ...] = ()
    cards: tuple[Name, ...] = ()
    date_note: Annotated[str, Field(max_length=200)] = ""

    @model_validator(mode="after")
    def _by_somebody(self) -> Self:
        needed = {"authority": self.authority, "source": self.source, "citations": self.citations}
        missing = [name for name, value in needed.items() if not value]
        if self.kind == "ruling" and missing:
            raise ValueError(f"a ruling needs {', '.join(missing)}; only a reminder can do without")
        return self


class RulingsFile(Strict):
    ruling: tuple[RulingSpec, ...] = ()


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
    rulings: tuple[RulingSpec, ...]
    digest: str
